// A call of a scoring function in a statement: what it compiled, and what it keeps from row to row.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <sqlite3ext.h>
#include <tenrex/tenrex.h>

#include "examples/sqlite_extension/input_value.h"
#include "examples/sqlite_extension/program.h"
#include "examples/sqlite_extension/text_features.h"

namespace tenrex::sqlite {

// Programs that a connection has compiled before.
using ProgramCache = std::map<std::string, std::shared_ptr<const Program>>;

// The row of a full-text query that an auxiliary function is called for.
struct FtsRow {
    const Fts5ExtensionApi *api = nullptr;
    Fts5Context *context = nullptr;
};

class Scorer {
public:
    // For calls with arguments like these: text, name, value, name, value ...
    static Result<std::unique_ptr<Scorer>> make(ProgramCache &cache, std::span<sqlite3_value *const> arguments,
                                                bool has_text_features);

    // Whether all arguments but the values are those that it was made for.
    bool fits(std::span<sqlite3_value *const> arguments) const;
    // The score of a row; nothing if one of its tensors is NULL.
    Result<std::optional<double>> score(std::span<sqlite3_value *const> arguments, const FtsRow &row);

private:
    // An argument that is compared: the text, a name, or the value of an option.
    struct Fixed {
        std::size_t index;
        std::string text;
    };

    Scorer() = default;
    Status read_arguments(std::span<sqlite3_value *const> arguments);
    Status read_option(const std::string &name, std::string_view value);
    Status read_values(std::span<sqlite3_value *const> arguments);
    Status bind();
    Status compile(ProgramCache &cache);

    Request request_;
    std::vector<Fixed> fixed_;
    std::vector<std::size_t> value_index_;  // of each input among the arguments
    std::shared_ptr<const Program> program_;
    std::vector<InputValue> values_;
    std::optional<TextFeatures> text_features_;
    std::vector<double> text_values_;
    std::optional<Query> query_;
    bool query_changed_ = false;  // a value of the query is another than the one that was bound
    std::optional<Context> context_;
    double now_ = 0;
};

}  // namespace tenrex::sqlite
