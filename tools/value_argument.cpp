#include "tools/value_argument.h"

#include <fmt/format.h>

#include <tenrex/formats.h>
#include <tenrex/limits.h>
#include <tenrex/schema.h>

#include "tools/input.h"

namespace tenrex::tool {

namespace {

bool is_space(char c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
}

bool is_name_char(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '@' ||
           c == '$';
}

// The position behind the parenthesis that closes the one at text[begin], or npos.
std::size_t skip_parentheses(std::string_view text, std::size_t begin) {
    std::size_t depth = 0;
    char quote = '\0';
    for (std::size_t i = begin; i < text.size(); ++i) {
        const char c = text[i];
        if (quote != '\0') {
            if (c == '\\') {
                ++i;
            } else if (c == quote) {
                quote = '\0';
            }
        } else if (c == '"') {
            quote = c;
        } else if (c == '(') {
            ++depth;
        } else if (c == ')' && --depth == 0) {
            return i + 1;
        }
    }
    return std::string_view::npos;
}

}  // namespace

std::string_view without_outer_space(std::string_view text) {
    while (!text.empty() && is_space(text.front())) {
        text.remove_prefix(1);
    }
    while (!text.empty() && is_space(text.back())) {
        text.remove_suffix(1);
    }
    return text;
}

std::size_t name_length(std::string_view text) {
    std::size_t end = 0;
    while (end < text.size() && is_name_char(text[end])) {
        ++end;
    }
    if (end == 0) {
        return 0;
    }
    if (end < text.size() && text[end] == '(') {
        end = skip_parentheses(text, end);
        if (end == std::string_view::npos) {
            return 0;
        }
    }
    if (end + 1 < text.size() && text[end] == '.' && is_name_char(text[end + 1])) {
        ++end;
        while (end < text.size() && (is_name_char(text[end]) || text[end] == '.')) {
            ++end;
        }
    }
    return end;
}

std::optional<NamedText> split_argument(std::string_view argument) {
    const std::size_t open = argument.find_first_of("=(");
    std::size_t equals = open;
    if (open != std::string_view::npos && argument[open] == '(') {
        const std::size_t close = skip_parentheses(argument, open);
        equals = close == std::string_view::npos ? close : argument.find('=', close);
    }
    if (equals == std::string_view::npos) {
        return std::nullopt;
    }
    const std::string_view name = without_outer_space(argument.substr(0, equals));
    if (name.empty()) {
        return std::nullopt;
    }
    return NamedText{std::string(name), std::string(argument.substr(equals + 1))};
}

ValueForm sniff(std::string_view bytes) {
    if (!bytes.empty() && static_cast<unsigned char>(bytes.front()) < 8) {
        return ValueForm::binary;
    }
    // The first two or three characters that are not white space tell.
    char first[3] = {};
    std::size_t count = 0;
    for (std::size_t i = 0; i < bytes.size() && count < 3; ++i) {
        if (!is_space(bytes[i])) {
            first[count++] = bytes[i];
        }
    }
    const bool object = first[0] == '{' && first[1] == '"';
    const bool list_of_objects = first[0] == '[' && first[1] == '{' && first[2] == '"';
    return object || list_of_objects ? ValueForm::json : ValueForm::literal;
}

ValueForm form_of_file(std::string_view path, std::string_view bytes) {
    if (path.ends_with(".json")) {
        return ValueForm::json;
    }
    if (path.ends_with(".txt")) {
        return ValueForm::literal;
    }
    if (path.ends_with(".tbf") || path.ends_with(".bin")) {
        return ValueForm::binary;
    }
    return sniff(bytes);
}

Result<InputType> parse_input_type(std::string_view text) {
    if (without_outer_space(text) == string_type) {
        return InputType{TensorType(), true};
    }
    auto type = TensorType::parse(text);
    return type ? Result<InputType>(InputType{*std::move(type), false}) : type.error();
}

Result<Tensor> read_value(std::string_view bytes, ValueForm form, const std::optional<InputType> &type) {
    if (type && type->is_string) {
        const std::string_view text = without_outer_space(bytes);
        return text.starts_with('"') || text.starts_with('\'') ? from_literal(text)
                                                               : Tensor::string(std::string(bytes));
    }
    switch (form) {
        case ValueForm::literal:
            return type ? from_literal(bytes, type->tensor) : from_literal(bytes);
        case ValueForm::json:
            return type ? from_json(bytes, type->tensor) : from_json(bytes);
        case ValueForm::binary:
            break;
    }
    auto tensor = from_binary(std::as_bytes(std::span(bytes)));
    if (tensor && type && !tensor->type().fits(type->tensor)) {
        return Error(fmt::format("the value is a {}, but the type given for it is {}", tensor->type().to_string(),
                                 type->tensor.to_string()));
    }
    return tensor;
}

Error named(Error error, const std::string &name) {
    error.set_source_name(name);
    return error;
}

std::variant<Tensor, ValueFailure> read_value_argument(std::string_view text, const std::string &source,
                                                       const std::optional<InputType> &type) {
    std::string content;
    std::string_view bytes = text;
    ValueForm form = ValueForm::literal;
    std::string name = source;
    if (text.starts_with('@')) {
        const std::string path(text.substr(1));
        auto read = read_all(path, Limits{}.value_bytes);
        if (!read) {
            return ValueFailure{named(read.error(), source), true};
        }
        content = std::move(*read);
        bytes = content;
        form = form_of_file(path, bytes);
        name += path == "-" ? " (standard input)" : " (" + path + ")";
    } else {
        form = sniff(bytes);
    }
    auto tensor = read_value(bytes, form, type);
    if (!tensor) {
        return ValueFailure{named(tensor.error(), name), false};
    }
    return *std::move(tensor);
}

}  // namespace tenrex::tool
