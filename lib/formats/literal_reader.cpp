#include "lib/formats/literal_reader.h"

#include <algorithm>
#include <numeric>

#include <tenrex/formats.h>

#include "lib/formats/decoding.h"
#include "lib/formats/hex.h"
#include "lib/formats/literal_label.h"
#include "lib/support/format.h"
#include "lib/types/number.h"
#include "lib/types/open_sizes.h"
#include "lib/types/quoted_text.h"
#include "lib/types/type_reader.h"

namespace tenrex {

namespace {

// Dimensions that are written in the order of the type.
std::vector<std::size_t> type_order(std::size_t dimensions) {
    std::vector<std::size_t> order(dimensions);
    std::iota(order.begin(), order.end(), std::size_t{0});
    return order;
}

}  // namespace

Result<Tensor> LiteralReader::read() {
    if (is_quote(in_.next()) && (known_ == nullptr || known_->is_scalar())) {
        return read_string();
    }
    if (!read_type_of_value() || (type_.has_open() && !read_sizes())) {
        return in_.take_error();
    }
    if (auto problem = check_cells(type_, limits_)) {
        return Error(std::move(problem->message), std::move(problem->hint));
    }
    const bool has_addresses = !type_.is_scalar() && (type_.has_mapped() || in_.next() == '{');
    values_.emplace(type_, limits_, has_addresses);
    if (!read_content() || !in_.expect_end("the value")) {
        return in_.take_error();
    }
    return std::move(*values_).build();
}

Result<Tensor> LiteralReader::read_string() {
    TextToken text;
    if (!read_quoted(in_, "string", text) || !in_.expect_end("the value")) {
        return in_.take_error();
    }
    return Tensor::string(std::string(text.text));
}

void LiteralReader::set_type(TensorType type, const std::vector<std::size_t> &order) {
    const std::vector<DimensionLayout> layout = layout_of(type);
    levels_.clear();
    for (std::size_t place : order) {
        levels_.push_back(layout[place]);
    }
    address_ = AddressText(type.mapped_count());
    type_ = std::move(type);
    order_ = order;
}

bool LiteralReader::read_sizes() {
    in_.skip_space();
    const std::vector<std::size_t> order = order_;
    auto type = type_of_cells(in_.rest(), type_, order);
    if (auto *problem = std::get_if<SizeProblem>(&type)) {
        return in_.fail(in_.position(), in_.position() + 1, std::move(problem->message), std::move(problem->hint));
    }
    set_type(std::get<TensorType>(std::move(type)), order);
    return true;
}

bool LiteralReader::read_type_of_value() {
    if (begins_with_type(in_)) {
        WrittenType written;
        if (!read_type(in_, limits_, written)) {
            return false;
        }
        if (known_ != nullptr && written.type != *known_ && !written.type.fits(*known_)) {
            return in_.fail(
                written.span.begin, written.span.end,
                fmt::format("the value is a {}, but a {} is expected", written.type.to_string(), known_->to_string()));
        }
        set_type(std::move(written.type), written.order);
        return in_.expect(':');
    }
    if (known_ != nullptr) {
        set_type(*known_, type_order(known_->dimensions().size()));
        return true;
    }
    return in_.next() == '{' || in_.peek() == '[' ? infer_type() : true;
}

// A sparse literal without a type tells its dimensions in the address of its first cell.
bool LiteralReader::infer_type() {
    const std::size_t begin = in_.position();
    TextReader ahead = in_;
    if (!ahead.accept('{') || !ahead.accept('{')) {
        return in_.fail(begin, begin + 1, "the type of this value is not known",
                        fmt::format("write it in front, as in tensor(x{}):{}", in_.peek() == '[' ? "[3]" : "{}",
                                    in_.peek() == '[' ? "[1,2,3]" : "{a:1}"));
    }
    std::vector<Dimension> dimensions;
    TextToken label;
    for (bool done = ahead.accept('}'); !done;) {
        ahead.skip_space();
        const std::string_view name = ahead.name();
        if (name.empty()) {
            in_.seek(ahead.position());
            return in_.unexpected("the name of a dimension");
        }
        const bool repeated = std::any_of(dimensions.begin(), dimensions.end(),
                                          [&](const Dimension &dimension) { return dimension.name == name; });
        if (!repeated && dimensions.size() <= limits_.dimensions) {
            dimensions.push_back({std::string(name), 0});
        }
        done = !ahead.accept(':') || !read_label(ahead, label) || !ahead.accept(',');
    }
    // What is wrong with the address itself is found when the cells are read.
    auto type = TensorType::make(CellType::f64, dimensions, limits_);
    if (!type) {
        return in_.fail(begin, ahead.position(), type.error().issues()[0].message, type.error().issues()[0].hint);
    }
    set_type(*std::move(type), type_order(dimensions.size()));
    return true;
}

bool LiteralReader::read_content() {
    const char first = in_.next();
    if (type_.is_scalar()) {
        return read_scalar();
    }
    if (first == '{') {
        TextReader ahead = in_;
        ahead.advance(1);
        const char second = ahead.next();
        if (second == '{' || (second == '}' && (type_.has_mapped() || type_.has_empty()))) {
            return read_verbose();
        }
    }
    if (type_.is_dense() && first != '[' && first != '{') {
        return read_hex();
    }
    return read_short(0, 0);
}

bool LiteralReader::read_scalar() {
    if (in_.next() != '{') {
        return read_cell(0);
    }
    in_.advance(1);
    if (in_.accept('{') && !(in_.expect('}') && in_.expect(':'))) {
        return false;
    }
    return read_cell(0) && in_.expect('}');
}

bool LiteralReader::read_hex() {
    std::string_view digits = in_.rest();
    while (!digits.empty() && is_space(digits.back())) {
        digits.remove_suffix(1);
    }
    if (digits.empty() || !std::all_of(digits.begin(), digits.end(), [](char c) { return hex_digit(c) >= 0; })) {
        return in_.unexpected(
            fmt::format("'[' of dimension {}", levels_[0].to_string()),
            fmt::format("cells of {} are written in brackets, or as hexadecimal digits", type_.to_string()));
    }
    CellType written_as = type_.cell_type();
    if (auto problem = check_hex(digits, type_, written_as)) {
        return in_.fail(in_.position() + problem->begin, in_.position() + problem->end, std::move(problem->message),
                        std::move(problem->hint));
    }
    for (std::size_t i = 0; i < type_.block_cells(); ++i) {
        values_->set(0, i, hex_cell(digits, written_as, i));
    }
    in_.advance(digits.size());
    return true;
}

bool LiteralReader::read_verbose() {
    in_.advance(1);
    for (bool done = in_.accept('}'); !done;) {
        std::uint64_t offset = 0;
        if (!read_address(offset) || !in_.expect(':') || !read_cell(offset) || !in_.read_separator('}', done)) {
            return false;
        }
    }
    return true;
}

bool LiteralReader::read_address(std::uint64_t &offset) {
    in_.skip_space();
    const std::size_t begin = in_.position();
    if (!in_.accept('{')) {
        return in_.unexpected("'{' of an address", "every cell has an address, as in {{x:a}:1}");
    }
    block_.reset();
    given_.assign(levels_.size(), false);
    for (bool done = in_.accept('}'); !done;) {
        if (!read_address_part(offset) || !in_.read_separator('}', done)) {
            return false;
        }
    }
    const auto missing = std::find(given_.begin(), given_.end(), false);
    if (missing != given_.end()) {
        return in_.fail(
            begin, in_.position(),
            fmt::format("the address lacks dimension '{}' of {}",
                        levels_[static_cast<std::size_t>(missing - given_.begin())].name, type_.to_string()),
            "the address of a cell names every dimension");
    }
    return true;
}

bool LiteralReader::read_address_part(std::uint64_t &offset) {
    in_.skip_space();
    const std::size_t begin = in_.position();
    const std::string_view name = in_.name();
    if (name.empty()) {
        return in_.unexpected("the name of a dimension");
    }
    const auto level =
        std::find_if(levels_.begin(), levels_.end(), [&](const DimensionLayout &l) { return l.name == name; });
    if (level == levels_.end()) {
        return in_.fail(begin, in_.position(),
                        fmt::format("{} has no dimension '{}'", type_.to_string(), clipped(name)));
    }
    TextToken label;
    if (!in_.expect(':') || !read_label(in_, label)) {
        return false;
    }
    const auto place = static_cast<std::size_t>(level - levels_.begin());
    const bool repeated = given_[place];
    given_[place] = true;
    std::uint64_t index = 0;
    if (level->is_mapped()) {
        if (!repeated) {
            set_label(level->mapped, label);
        }
    } else if (!read_index(in_, label, *level, index)) {
        return false;
    }
    // Of a dimension that is named twice the first label counts.
    offset += repeated ? 0 : index * level->stride;
    return true;
}

void LiteralReader::set_label(std::size_t mapped, TextToken &label) {
    address_.set(mapped, label);
    block_.reset();
}

bool LiteralReader::read_cell(std::uint64_t offset) {
    in_.skip_space();
    const NumberText number = read_number(in_.rest());
    if (number.length == 0) {
        return in_.unexpected("a number", in_.peek() == '[' || in_.peek() == '{'
                                              ? fmt::format("brackets are too deep for {}", type_.to_string())
                                              : std::string());
    }
    if (!block_) {
        block_ = values_->block(address_.labels());
        if (!block_) {
            LimitProblem problem = too_many_cells(limits_);
            return in_.fail(in_.position(), in_.position() + number.length, std::move(problem.message),
                            std::move(problem.hint));
        }
    }
    in_.advance(number.length);
    values_->set(*block_, static_cast<std::size_t>(offset), number.value);
    return true;
}

Result<Tensor> from_literal(std::string_view text, const Limits &limits) {
    return decode(text.size(), limits, [&] { return LiteralReader(text, nullptr, limits).read(); });
}

Result<Tensor> from_literal(std::string_view text, const TensorType &type, const Limits &limits) {
    return decode(text.size(), limits, [&] { return LiteralReader(text, &type, limits).read(); });
}

}  // namespace tenrex
