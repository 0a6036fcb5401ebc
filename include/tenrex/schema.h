// What an expression may refer to: inputs with their types and binding times, constants, and user functions.
//
//   tenrex::Schema schema;
//   schema.query("query(q)", "tensor<float>(x[128])");
//   schema.document("attribute(embedding)", "tensor<bfloat16>(x[128])");
//   schema.document("bm25(title)");                         // a double
//   schema.function("clamp01", 1, [](std::span<const double> a) { return a[0] < 0 ? 0 : a[0] > 1 ? 1 : a[0]; });
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <tenrex/export.h>
#include <tenrex/forest.h>
#include <tenrex/issue.h>
#include <tenrex/tensor.h>
#include <tenrex/tensor_type.h>

namespace tenrex {

// When an input becomes known.
enum class Stage : std::uint8_t { constant, query, document };
TENREX_EXPORT std::string_view name(Stage stage) noexcept;

// How strings are declared where types are written. In expressions they are numbers, see string_number() in tensor.h.
inline constexpr std::string_view string_type = "string";

struct InputDeclaration {
    std::string name;  // as declared, with white space outside quotes removed
    TensorType type;
    Stage stage = Stage::document;
    std::optional<Tensor> value;  // of a constant
    bool is_string = false;       // declared as "string": values are string_number() of texts

    // As it is declared: "string", or the text of the type.
    std::string type_text() const { return is_string ? std::string(string_type) : type.to_string(); }
};

// A name for an expression, which may use inputs, constants and definitions before it.
struct DefinitionDeclaration {
    std::string name;  // as declared, with white space outside quotes removed
    std::string text;
};

// A scalar function provided by the user. It must be pure: the same arguments give the same result. It may be called
// from any thread that evaluates, and must not throw.
struct UserFunction {
    static constexpr std::size_t most_arguments = 8;
    std::string name;
    std::size_t arity = 0;  // 1 to 8; with 1 or 2 arguments it applies cell by cell to tensors, like a built-in one
    std::function<double(std::span<const double>)> call;
};

// A forest that expressions call by its name.
struct ForestDeclaration {
    std::string name;
    Forest forest;
    std::vector<std::string> inputs;  // for each of its used_features() the name of what gives the value
};

class TENREX_EXPORT Schema {
public:
    // Declare an input: a name such as price, bm25(title) or query(q).out. Mistakes (a bad type, a name declared twice,
    // a bad name) are kept and reported by whoever uses the schema; see error(). The type "string" declares a text.
    Schema &query(std::string_view name, std::string_view type = "double");
    Schema &query(std::string_view name, TensorType type);
    Schema &document(std::string_view name, std::string_view type = "double");
    Schema &document(std::string_view name, TensorType type);
    Schema &constant(std::string_view name, Tensor value);
    // The name is an identifier that is no built-in function.
    Schema &function(std::string_view name, std::size_t arity, std::function<double(std::span<const double>)> call);
    // A forest that expressions call as forest(name). The names of its features are those of inputs; where there is no
    // input of a name, attribute(name) and query(name) are looked for.
    Schema &forest(std::string_view name, Forest forest);
    // inputs: instead of the names of its used_features(), in their order.
    Schema &forest(std::string_view name, Forest forest, std::vector<std::string> inputs);

    // A symbol for an expression: define("score(text)", "bm25(title) + 2 * bm25(body)"). Who uses it several times
    // computes it once. The text is read when an expression uses the symbol; a mistake in it is told then.
    Schema &define(std::string_view name, std::string text);

    // In the order of declaration.
    const std::vector<InputDeclaration> &inputs() const noexcept { return inputs_; }
    const std::vector<UserFunction> &functions() const noexcept { return functions_; }
    const std::vector<ForestDeclaration> &forests() const noexcept { return forests_; }
    const std::vector<DefinitionDeclaration> &definitions() const noexcept { return definitions_; }
    // The input of that name; white space outside quotes does not matter, "$name" means "query(name)".
    const InputDeclaration *find_input(std::string_view name) const;
    const UserFunction *find_function(std::string_view name) const;
    const ForestDeclaration *find_forest(std::string_view name) const;
    // Its place in definitions(); nothing: there is none of that name.
    std::optional<std::size_t> find_definition(std::string_view name) const;
    // The mistakes in declarations, if there are any, in their order.
    const std::optional<Error> &error() const noexcept { return error_; }

private:
    Schema &declare(std::string_view name, std::string_view type, Stage stage);
    Schema &declare(std::string_view name, Result<TensorType> type, Stage stage, std::optional<Tensor> value,
                    bool is_string = false);
    // Whether a symbol may have the name, which is told if not. what: "input".
    bool may_be_declared(std::string_view what, std::string_view name, const std::string &normal);
    void fail(std::string message, std::string hint = {});
    void fail(Issue issue);

    // Lets a string_view be looked up without making a string of it.
    struct NameHash {
        using is_transparent = void;
        std::size_t operator()(std::string_view text) const noexcept { return std::hash<std::string_view>{}(text); }
    };
    using NameIndex = std::unordered_map<std::string, std::size_t, NameHash, std::equal_to<>>;

    std::vector<InputDeclaration> inputs_;
    std::vector<UserFunction> functions_;
    std::vector<ForestDeclaration> forests_;
    std::vector<DefinitionDeclaration> definitions_;
    NameIndex definition_index_;
    NameIndex input_index_;
    NameIndex function_index_;
    std::optional<Error> error_;
};

}  // namespace tenrex
