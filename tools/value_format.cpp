#include "tools/value_format.h"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include <tenrex/formats.h>
#include <tenrex/schema.h>

#include "tools/table_printer.h"
#include "tools/terminal.h"

namespace tenrex::tool {

const std::vector<std::string> &value_format_names() {
    static const std::vector<std::string> names{"literal", "verbose", "json", "hex", "binary", "table"};
    return names;
}

std::optional<ValueFormat> value_format_from_name(std::string_view name) {
    const auto &names = value_format_names();
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) {
        return std::nullopt;
    }
    return static_cast<ValueFormat>(found - names.begin());
}

std::string_view name(ValueFormat format) {
    return value_format_names()[static_cast<std::size_t>(format)];
}

std::string type_text(const Tensor &value) {
    return value.is_string() ? std::string(string_type) : value.type().to_string();
}

ValueFormat default_format(int descriptor) {
    return is_terminal(descriptor) ? ValueFormat::table : ValueFormat::literal;
}

Result<std::string> format_value(const Tensor &value, ValueFormat format, std::size_t width) {
    switch (format) {
        case ValueFormat::literal:
            return to_literal(value) + '\n';
        case ValueFormat::verbose:
            return to_literal(value, LiteralStyle::verbose) + '\n';
        case ValueFormat::json:
            return to_json(value) + '\n';
        case ValueFormat::hex:
            if (value.type().has_mapped()) {
                return Error(fmt::format("hex digits cannot show the labels of a {}", value.type().to_string()),
                             "choose another format: literal, verbose, json, binary or table");
            }
            return to_hex(value.view()) + '\n';
        case ValueFormat::binary: {
            const std::vector<std::byte> bytes = to_binary(value.view());
            std::string text(bytes.size(), '\0');
            std::memcpy(text.data(), bytes.data(), bytes.size());
            return text;
        }
        case ValueFormat::table:
            break;
    }
    if (value.is_string()) {
        return to_literal(value) + '\n';
    }
    TableOptions options;
    options.width = width;
    if (value.type().is_scalar()) {
        return print_table(value, options);
    }
    return value.type().to_string() + '\n' + print_table(value, options);
}

}  // namespace tenrex::tool
