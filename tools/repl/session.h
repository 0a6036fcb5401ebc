// The state of a REPL and what one input does to it, apart from any screen or protocol.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tenrex/expression.h>

#include "tools/evaluation.h"
#include "tools/value_format.h"

namespace tenrex::tool {

// What came of an input.
struct Reply {
    enum class Kind {
        nothing,     // a blank line or a comment
        value,       // of an expression
        assigned,    // a value to an input
        info,        // what a command has to say
        error,       //
        incomplete,  // the input ends too early; `error` tells where
        quit         // the user wants to leave
    };

    Kind kind = Kind::nothing;
    std::string name;  // of the input that was assigned
    std::optional<Tensor> value;
    std::string text;  // of an info
    std::optional<Error> error;
    std::vector<Issue> warnings;
    std::vector<Reply> replies;  // to the inputs of a script

    static Reply info(std::string text);
    static Reply failure(Error error);
    // An error that more text may mend is `incomplete`.
    static Reply problem(Error error);
};

class Session {
public:
    EvaluationOptions options;  // dialect, seed
    Engine engine = Engine::compiled;
    std::optional<ValueFormat> format;  // nothing: what suits the screen

    // Carries out one input: an expression, `name = value`, a :command, or a comment. It may consist of several lines.
    Reply submit(std::string_view text);

    // Gives an input a value. Error: a bad name, or one that the REPL uses itself.
    Status assign(const std::string &name, const Tensor &value);
    bool remove(const std::string &name) { return inputs_.erase(name) != 0; }
    const std::map<std::string, Tensor> &inputs() const noexcept { return inputs_; }

    // Checks the expression that begins at a position of an input; errors speak of positions in the whole input.
    Result<CheckedExpression> check(std::string_view text, std::size_t begin) const;

    // The plan of that expression, with inputs of queries and of documents.
    Result<Plan> plan(std::string_view text, std::size_t begin) const;
    // The text of the latest expression that had a value, empty before there is one.
    const std::string &last_expression() const noexcept { return last_expression_; }

    // Carries out the inputs of a script, up to the first that is wrong.
    Reply load(const std::string &path);

private:
    std::vector<Input> all_inputs() const;
    Reply submit_assignment(std::string_view text, std::size_t equals);
    Reply submit_expression(std::string_view text, std::size_t begin);
    Result<Tensor> assigned_value(std::string_view text, std::size_t begin, const std::string &name,
                                  std::vector<Issue> &warnings) const;

    std::map<std::string, Tensor> inputs_;
    std::optional<Tensor> last_;  // the latest value, `it` and `_`
    std::string last_expression_;
    std::size_t load_depth_ = 0;
};

// The names under which expressions refer to the latest value.
inline constexpr std::string_view last_value_names[] = {"it", "_"};

// Puts lines together to inputs.
class InputAssembler {
public:
    // Adds a line. True if what came together should be tried; that it may prove incomplete is then said by the reply.
    bool add(std::string_view line);
    const std::string &text() const noexcept { return text_; }
    bool empty() const noexcept { return lines_ == 0; }
    std::size_t lines() const noexcept { return lines_; }
    void clear();

private:
    std::string text_;
    std::size_t lines_ = 0;
    long open_brackets_ = 0;
};

}  // namespace tenrex::tool
