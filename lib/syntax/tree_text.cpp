#include "lib/syntax/tree_text.h"

#include <cmath>

#include "lib/syntax/plain_label.h"
#include "lib/types/number.h"
#include "lib/types/quoted_text.h"

namespace tenrex::syntax {

void append_number_literal(std::string &out, double value) {
    if (std::isinf(value)) {
        out += value < 0 ? "-1e999" : "1e999";
    } else if (std::isnan(value)) {
        out += "(0/0)";  // no text is parsed to a number that is NaN
    } else {
        append_number(out, value);
    }
}

void append_type_body(std::string &out, const TypeSpec &type) {
    if (type.cell_type != CellType::f64) {
        out.append(1, '<').append(name(type.cell_type)).append(1, '>');
    }
    out += '(';
    std::string_view separator;
    for (const DimensionSpec &entry : type.dimensions) {
        out.append(separator).append(entry.name.text);
        out += entry.size == 0 ? "{}" : '[' + std::to_string(entry.size) + ']';
        separator = ",";
    }
    out += ')';
}

void append_names(std::string &out, std::span<const Name> names) {
    std::string_view separator;
    for (const Name &entry : names) {
        out.append(separator).append(entry.text);
        separator = ",";
    }
}

void append_peek_label(std::string &out, const PeekEntry &entry) {
    if (!entry.quoted && (entry.expression != nullptr || is_plain_label(entry.label))) {
        out += entry.label;
    } else {
        append_label(out, entry.label);
    }
}

}  // namespace tenrex::syntax
