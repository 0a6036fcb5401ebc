#include "examples/sqlite_extension/input_value.h"

#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>

SQLITE_EXTENSION_INIT3

namespace tenrex::sqlite {

namespace {

// The first colon outside parentheses and quotes.
std::size_t find_colon(std::string_view text) {
    int depth = 0;
    char quote = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (quote != 0) {
            if (c == '\\') {
                ++i;
            } else if (c == quote) {
                quote = 0;
            }
        } else if (c == '"' || c == '\'') {
            quote = c;
        } else if (c == '(' || c == ')') {
            depth += c == '(' ? 1 : -1;
        } else if (c == ':' && depth == 0) {
            return i;
        }
    }
    return text.size();
}

std::string without_space(std::string_view text) {
    std::string result;
    char quote = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (quote == 0 && std::string_view(" \t\r\n").find(c) != std::string_view::npos) {
            continue;
        }
        result += c;
        if (quote != 0 && c == '\\' && i + 1 < text.size()) {
            result += text[++i];
        } else if (quote != 0 ? c == quote : c == '"' || c == '\'') {
            quote = quote != 0 ? '\0' : c;
        }
    }
    return result;
}

Error unfit(const InputName &input, const std::string &reason) {
    return Error("'" + input.name + "' " + reason);
}

std::string how_to_declare(const InputName &input) {
    return "declare what it is, such as '" + input.name + ": string' or '" + input.name + ": tensor<float>(x[3])'";
}

}  // namespace

std::string_view bytes_of(sqlite3_value *value) {
    // The pointer first: asking for it may convert the value, and its size with it.
    const void *bytes = sqlite3_value_type(value) == SQLITE_BLOB ? sqlite3_value_blob(value)
                                                                 : static_cast<const void *>(sqlite3_value_text(value));
    const int size = sqlite3_value_bytes(value);
    return bytes == nullptr ? std::string_view()
                            : std::string_view(static_cast<const char *>(bytes), static_cast<std::size_t>(size));
}

std::string InputName::to_string() const {
    return name + (is_string ? ": string" : type ? ": " + type->to_string() : "");
}

Result<InputName> parse_input_name(std::string_view text) {
    const std::size_t colon = find_colon(text);
    InputName input;
    input.name = without_space(text.substr(0, colon));
    if (input.name.starts_with('$')) {
        input.name = "query(" + input.name.substr(1) + ")";
    }
    if (input.name.empty()) {
        return Error("an input without a name");
    }
    if (colon == text.size()) {
        return input;
    }
    const std::string written = without_space(text.substr(colon + 1));
    input.is_string = written == "string";
    if (input.is_string) {
        input.type = TensorType();
        return input;
    }
    auto type = TensorType::parse(written);
    if (!type) {
        return unfit(input, "has a type that is none: " + type.error().message());
    }
    input.type = *std::move(type);
    return input;
}

void InputValue::set_number(double number) {
    changed_ = form_ != Form::number || std::bit_cast<std::uint64_t>(number) != std::bit_cast<std::uint64_t>(number_);
    form_ = Form::number;
    number_ = number;
}

Status InputValue::read(sqlite3_value *value, const InputName &input) {
    const bool must_be_tensor = input.type && !input.type->is_scalar();
    switch (sqlite3_value_type(value)) {
        case SQLITE_NULL:
            if (must_be_tensor) {
                form_ = Form::missing;
                changed_ = true;
            } else {
                set_number(std::numeric_limits<double>::quiet_NaN());
            }
            return {};
        case SQLITE_TEXT:
            return read_text(bytes_of(value), input);
        case SQLITE_BLOB:
            return read_blob(bytes_of(value), input);
        default:
            break;
    }
    if (must_be_tensor) {
        return unfit(input, "is a number instead of " + input.type->to_string());
    }
    if (input.is_string) {
        return unfit(input, "is a number instead of a text");
    }
    set_number(sqlite3_value_double(value));
    return {};
}

Status InputValue::read_text(std::string_view text, const InputName &input) {
    if (input.is_string) {
        set_number(string_number(text));
        return {};
    }
    if (input.type && input.type->is_scalar()) {
        return unfit(input, "is a text instead of a number; " + how_to_declare(input));
    }
    changed_ = form_ != Form::tensor || !source_is_text_ || source_ != text;
    if (!changed_) {
        return {};
    }
    auto tensor = input.type ? from_literal(text, *input.type) : from_literal(text);
    if (!tensor) {
        form_ = Form::none;
        return unfit(input,
                     "is no tensor: " + tensor.error().message() + (input.type ? "" : "; " + how_to_declare(input)));
    }
    form_ = Form::tensor;
    tensor_ = *std::move(tensor);
    source_ = text;
    source_is_text_ = true;
    buffer_.reset();
    return {};
}

Status InputValue::read_blob(std::string_view bytes, const InputName &input) {
    if (input.is_string || (input.type && input.type->is_scalar())) {
        return unfit(input, input.is_string ? "is a blob instead of a text" : "is a blob instead of a number");
    }
    const bool raw = input.type && !input.type->has_mapped();
    if (raw) {
        const std::size_t size = input.type->block_cells() * byte_size(input.type->cell_type());
        if (bytes.size() != size) {
            return unfit(input, "is a blob of " + std::to_string(bytes.size()) + " bytes, but the cells of " +
                                    input.type->to_string() + " have " + std::to_string(size));
        }
        if (!input.of_query()) {
            form_ = Form::cells;
            cells_ = bytes.data();
            return {};
        }
    }
    changed_ = form_ != Form::tensor || source_is_text_ || source_ != bytes;
    if (!changed_) {
        return {};
    }
    form_ = Form::none;
    if (raw) {
        TensorBuilder builder(*input.type);
        std::memcpy(builder.cells(0), bytes.data(), bytes.size());
        tensor_ = std::move(builder).build();
    } else {
        auto tensor = from_binary(std::as_bytes(std::span(bytes)));
        if (!tensor) {
            return unfit(input, "is no tensor: " + tensor.error().message());
        }
        if (input.type && tensor->type() != *input.type) {
            return unfit(input, "is a " + tensor->type().to_string() + " instead of a " + input.type->to_string());
        }
        tensor_ = *std::move(tensor);
    }
    form_ = Form::tensor;
    source_ = bytes;
    source_is_text_ = false;
    buffer_.reset();
    return {};
}

Column InputValue::column(const std::shared_ptr<LabelTable> &labels) {
    if (form_ == Form::cells) {
        return Column::dense(cells_, 0);
    }
    if (form_ != Form::tensor) {
        return Column::dense(&number_, 0);
    }
    if (!tensor_.type().has_mapped()) {
        return Column::dense(tensor_.view().cells(), 0);
    }
    if (!buffer_) {
        // Held no longer than the row: labels of all rows would fill the memory.
        buffer_.emplace(tensor_.type(), std::make_shared<HeldLabels>(labels));
        static_cast<void>(buffer_->append(tensor_));  // it has the type
    }
    return buffer_->column();
}

}  // namespace tenrex::sqlite
