// Inputs as people write them: "name=value", where the value is a literal, JSON, or "@file".
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include <tenrex/result.h>
#include <tenrex/tensor.h>
#include <tenrex/tensor_type.h>

namespace tenrex::tool {

// Without the white space at both ends.
std::string_view without_outer_space(std::string_view text);

// Where the name ends that a text begins with: a name is an identifier, maybe with arguments in parentheses, maybe with
// an output behind a dot, as in `closeness(field,embedding).out`. 0 if the text begins with no name, or if parentheses
// or quotes do not end.
std::size_t name_length(std::string_view text);

struct NamedText {
    std::string name;
    std::string text;
};

// Splits "name=text" at the first '=' outside parentheses and quotes. Nothing if there is none or the name is empty.
std::optional<NamedText> split_argument(std::string_view argument);

// What an input is declared as: a type of tensors, or "string".
struct InputType {
    TensorType tensor{};
    bool is_string = false;
};
Result<InputType> parse_input_type(std::string_view text);

// How the bytes of a value are to be read.
enum class ValueForm { literal, json, binary };

// The form that the bytes themselves speak of: a typed binary value begins with a byte below 8, which no text does;
// JSON begins with `{"`, or with `[{"`, white space aside; everything else is a literal.
ValueForm sniff(std::string_view bytes);
// The form that a file's name says (.json; .txt; .tbf, .bin), else what its bytes say.
ValueForm form_of_file(std::string_view path, std::string_view bytes);

// A string may stand without quotes if the type says that it is one.
Result<Tensor> read_value(std::string_view bytes, ValueForm form, const std::optional<InputType> &type);

// Why a value could not be had: a file that cannot be read is another matter than a wrong value.
struct ValueFailure {
    Error error;
    bool unreadable = false;
};

// The error, which speaks of the value of that name.
Error named(Error error, const std::string &name);

// Reads what is written behind "name=". The error speaks of `source`.
std::variant<Tensor, ValueFailure> read_value_argument(std::string_view text, const std::string &source,
                                                       const std::optional<InputType> &type);

}  // namespace tenrex::tool
