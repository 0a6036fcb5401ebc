// The cells of a value in JSON, once its type is known.
#include <algorithm>

#include "lib/formats/decoding.h"
#include "lib/formats/hex.h"
#include "lib/formats/json_reader.h"
#include "lib/support/format.h"
#include "lib/types/quoted_text.h"

namespace tenrex {

// An object of a list: its address and its value, in any order.
struct JsonReader::Element {
    bool has_address = false;
    bool has_value = false;
    bool is_block = false;             // its value is a block, not a cell
    std::optional<std::size_t> later;  // where the value begins that came before the address
};

std::string_view JsonReader::value_name(Content content) noexcept {
    switch (content) {
        case Content::cells:
            return "\"value\"";
        case Content::blocks:
            return "\"values\"";
        default:
            return "\"value\" or \"values\"";
    }
}

std::string JsonReader::members_of_element(Content content) {
    return fmt::format("an element has the members \"address\" and {}", value_name(content));
}

bool JsonReader::read_content(Content content) {
    if (type_->has_open() && !read_sizes()) {
        return false;
    }
    const char first = in_.next();
    if (content == Content::values && type_->has_mapped()) {
        return in_.fail(in_.position(), in_.position() + 1,
                        fmt::format("\"values\" cannot tell the labels of a {}", type_->to_string()),
                        fmt::format("write \"{}\"", type_->is_sparse() ? "cells" : "blocks"));
    }
    const bool labels_may_be_keys = type_->mapped_count() == 1 && (content != Content::cells || type_->is_sparse());
    if (first == '{' && labels_may_be_keys) {
        return read_map();
    }
    const bool is_block = content == Content::values || (content == Content::direct && !type_->has_mapped());
    if (is_block && !begins_list()) {
        return find_block() && (type_->is_scalar() && first != '[' ? read_cell() : read_block());
    }
    if (first != '[') {
        return in_.unexpected(
            labels_may_be_keys ? "'[' or '{'" : "'['",
            fmt::format("the content of a {} is a list of objects with addresses", type_->to_string()));
    }
    return read_list(content);
}

bool JsonReader::begins_list() {
    JsonScanner ahead = in_;
    return ahead.accept('[') && ahead.next() == '{';
}

bool JsonReader::read_list(Content content) {
    in_.advance(1);
    for (bool done = in_.accept(']'); !done;) {
        if (!read_element(content) || !in_.read_separator(']', done)) {
            return false;
        }
    }
    return true;
}

bool JsonReader::read_element(Content content) {
    if (in_.next() != '{') {
        return in_.unexpected(R"('{' of an object with "address")");
    }
    const std::size_t begin = in_.position();
    Element element;
    in_.advance(1);
    for (bool done = in_.accept('}'); !done;) {
        if (!read_element_member(content, element) || !in_.read_separator('}', done)) {
            return false;
        }
    }
    const std::size_t end = in_.position();
    if (!element.has_address || !element.has_value) {
        return in_.fail(begin, end,
                        fmt::format("the element has no {}", element.has_address ? value_name(content) : "\"address\""),
                        members_of_element(content));
    }
    if (element.later) {
        in_.seek(*element.later);
        if (!read_element_value(element.is_block)) {
            return false;
        }
        in_.seek(end);
    }
    return true;
}

bool JsonReader::read_element_member(Content content, Element &element) {
    TextToken key;
    if (!in_.read_key(key)) {
        return false;
    }
    const bool is_address = key.text == "address";
    const bool is_block = key.text == "values" && content != Content::cells;
    const bool is_cell = key.text == "value" && content != Content::blocks;
    if (!is_address && !is_block && !is_cell) {
        return in_.fail(key.begin, key.end, fmt::format("unknown member \"{}\"", clipped(key.text)),
                        members_of_element(content));
    }
    bool &given = is_address ? element.has_address : element.has_value;
    if (given) {
        return in_.fail(key.begin, key.end, fmt::format("the element has two {}", is_address ? "addresses" : "values"),
                        members_of_element(content));
    }
    given = true;
    if (is_address) {
        return read_address();
    }
    element.is_block = is_block;
    if (element.has_address) {
        return read_element_value(is_block);
    }
    in_.skip_space();
    element.later = in_.position();
    return in_.skip_value();
}

bool JsonReader::read_element_value(bool is_block) {
    return check_address(is_block) && find_block() && (is_block ? read_block() : read_cell());
}

bool JsonReader::read_address() {
    if (in_.next() != '{') {
        return in_.unexpected("'{' of an address");
    }
    const std::size_t begin = in_.position();
    in_.advance(1);
    given_.assign(layout_.size(), false);
    offset_ = 0;
    for (bool done = in_.accept('}'); !done;) {
        if (!read_address_part() || !in_.read_separator('}', done)) {
            return false;
        }
    }
    address_span_ = span_of(begin, in_.position());
    return true;
}

bool JsonReader::read_address_part() {
    TextToken name;
    TextToken label;
    if (!in_.read_key(name)) {
        return false;
    }
    const auto dimension = std::find_if(layout_.begin(), layout_.end(),
                                        [&](const DimensionLayout &candidate) { return candidate.name == name.text; });
    if (dimension == layout_.end()) {
        return in_.fail(name.begin, name.end,
                        fmt::format("{} has no dimension '{}'", type_->to_string(), clipped(name.text)));
    }
    const auto place = static_cast<std::size_t>(dimension - layout_.begin());
    const bool repeated = given_[place];
    given_[place] = true;
    if (!read_label(label)) {
        return false;
    }
    std::uint64_t index = 0;
    if (dimension->is_mapped()) {
        if (!repeated) {
            address_.set(dimension->mapped, label);
        }
    } else if (!read_index(in_, label, *dimension, index)) {
        return false;
    }
    // Of a dimension that is named twice the first label counts.
    offset_ += repeated ? 0 : static_cast<std::size_t>(index) * dimension->stride;
    return true;
}

// A label is a string; a whole number may stand without quotes.
bool JsonReader::read_label(TextToken &label) {
    if (is_digit(in_.next())) {
        const std::string_view digits = in_.token();
        if (std::all_of(digits.begin(), digits.end(), is_digit)) {
            label.text = digits;
            label.begin = in_.position();
            in_.advance(digits.size());
            label.end = in_.position();
            return true;
        }
    }
    if (in_.peek() != '"') {
        return in_.unexpected("a label", "labels are strings");
    }
    if (!in_.read_string(label)) {
        return false;
    }
    return !label.text.empty() || in_.fail(label.begin, label.end, "a label must not be empty");
}

bool JsonReader::check_address(bool is_block) {
    for (std::size_t i = 0; i < layout_.size(); ++i) {
        const DimensionLayout &dimension = layout_[i];
        const bool wanted = dimension.is_mapped() || !is_block;
        if (wanted != given_[i]) {
            const std::string message =
                wanted ? fmt::format("the address lacks dimension '{}' of {}", dimension.name, type_->to_string())
                       : fmt::format("the address of a block names the indexed dimension '{}'", dimension.name);
            return in_.fail(address_span_.begin, address_span_.end, message,
                            is_block ? "the address of a block names the mapped dimensions"
                                     : "the address of a cell names every dimension");
        }
    }
    return true;
}

bool JsonReader::read_map() {
    TextToken label;
    in_.advance(1);
    for (bool done = in_.accept('}'); !done;) {
        if (!in_.read_key(label)) {
            return false;
        }
        if (label.text.empty()) {
            return in_.fail(label.begin, label.end, "a label must not be empty");
        }
        address_.set(0, label);
        offset_ = 0;
        if (!find_block() || !(type_->is_sparse() && in_.next() != '[' ? read_cell() : read_block()) ||
            !in_.read_separator('}', done)) {
            return false;
        }
    }
    return true;
}

bool JsonReader::find_block() {
    const auto found = values_->block(address_.labels());
    if (!found) {
        LimitProblem problem = too_many_cells(limits_);
        return in_.fail(in_.position(), in_.position() + 1, std::move(problem.message), std::move(problem.hint));
    }
    block_ = *found;
    return true;
}

bool JsonReader::read_cell() {
    double value = 0.0;
    if (!in_.read_number(value)) {
        return false;
    }
    values_->set(block_, offset_, value);
    return true;
}

bool JsonReader::read_block() {
    if (in_.next() == '"') {
        return read_hex();
    }
    const std::size_t begin = in_.position();
    if (!in_.accept('[')) {
        return in_.unexpected(fmt::format("'[' of the cells of a {}", type_->to_string()),
                              "cells are lists of numbers, or strings of hexadecimal digits");
    }
    if (in_.next() == '[' && indexed_.size() > 1) {
        in_.seek(begin);
        return read_nested(0, 0, type_->block_cells());
    }
    return read_flat(begin);
}

bool JsonReader::read_hex() {
    TextToken digits;
    if (!in_.read_string(digits)) {
        return false;
    }
    CellType written_as = type_->cell_type();
    if (auto problem = check_hex(digits.text, *type_, written_as)) {
        return in_.fail(digits.begin + 1 + problem->begin, std::min(digits.begin + 1 + problem->end, digits.end),
                        std::move(problem->message), std::move(problem->hint));
    }
    for (std::size_t i = 0; i < type_->block_cells(); ++i) {
        values_->set(block_, i, hex_cell(digits.text, written_as, i));
    }
    return true;
}

bool JsonReader::read_flat(std::size_t begin) {
    const std::size_t cells = type_->block_cells();
    std::size_t count = 0;
    for (bool done = in_.accept(']'); !done; ++count) {
        double value = 0.0;
        in_.skip_space();
        const std::size_t position = in_.position();
        if (!in_.read_number(value)) {
            return false;
        }
        if (count == cells) {
            return in_.fail(position, in_.position(),
                            fmt::format("too many cells: a block of {} has {}", type_->to_string(), cells));
        }
        values_->set(block_, count, value);
        if (!in_.read_separator(']', done)) {
            return false;
        }
    }
    return count == cells || in_.fail(begin, in_.position(), too_few_cells(count, *type_), std::string(too_few_hint));
}

bool JsonReader::read_nested(std::size_t depth, std::size_t first, std::size_t count) {
    if (depth == indexed_.size()) {
        offset_ = first;
        return read_cell();
    }
    const DimensionLayout &dimension = indexed_[depth];
    in_.skip_space();
    const std::size_t begin = in_.position();
    if (!in_.accept('[')) {
        return in_.unexpected(fmt::format("'[' of dimension {}", dimension.to_string()));
    }
    const std::size_t step = count / std::max<std::size_t>(static_cast<std::size_t>(dimension.size), 1);
    std::uint64_t index = 0;
    for (bool done = in_.accept(']'); !done; ++index) {
        if (index == dimension.size) {
            in_.skip_space();
            return in_.fail(in_.position(), in_.position() + in_.token().size(),
                            fmt::format("too many elements for dimension {}", dimension.to_string()));
        }
        if (!read_nested(depth + 1, first + static_cast<std::size_t>(index) * step, step) ||
            !in_.read_separator(']', done)) {
            return false;
        }
    }
    return index == dimension.size ||
           in_.fail(begin, in_.position(), too_few_elements(index, dimension, *type_), std::string(too_few_hint));
}

}  // namespace tenrex
