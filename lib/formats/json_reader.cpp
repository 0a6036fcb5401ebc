#include "lib/formats/json_reader.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <numeric>

#include <tenrex/formats.h>

#include "lib/formats/decoding.h"
#include "lib/support/format.h"
#include "lib/types/open_sizes.h"
#include "lib/types/quoted_text.h"

namespace tenrex {

namespace {

constexpr std::string_view members_of_value =
    R"(a value has the members "type" and one of "cells", "values", "blocks")";

}  // namespace

std::string_view JsonReader::name(Content content) noexcept {
    constexpr std::array<std::string_view, 5> names{"", "", "cells", "values", "blocks"};
    return names[static_cast<std::size_t>(content)];
}

Result<Tensor> JsonReader::read() {
    const char first = in_.next();
    bool good = false;
    if (first == '{' && (known_ == nullptr || is_object_with_content())) {
        good = read_object();
    } else if (known_ == nullptr && first == '[') {
        good = in_.fail(in_.position(), in_.position() + 1, "the type of this value is not known",
                        R"json(write {"type":"tensor(x[3])","values":[1,2,3]})json");
    } else {
        good = set_type(known_ == nullptr ? TensorType() : *known_, span_of(in_.position(), in_.position() + 1)) &&
               read_content(Content::direct);
    }
    if (!good || !in_.expect_end("the value")) {
        return in_.take_error();
    }
    return std::move(*values_).build();
}

bool JsonReader::set_type(const TensorType &type, Span where) {
    type_ = type;
    if (type.has_open()) {
        return true;  // the cells tell the sizes
    }
    layout_ = layout_of(type);
    indexed_.clear();
    std::copy_if(layout_.begin(), layout_.end(), std::back_inserter(indexed_),
                 [](const DimensionLayout &dimension) { return !dimension.is_mapped(); });
    address_ = AddressText(type.mapped_count());
    if (auto problem = check_cells(type, limits_)) {
        return in_.fail(where.begin, where.end, std::move(problem->message), std::move(problem->hint));
    }
    values_.emplace(type, limits_, !type.is_scalar());
    return true;
}

bool JsonReader::read_sizes() {
    std::vector<std::size_t> order(type_->dimensions().size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    in_.skip_space();
    auto type = type_of_cells(in_.rest(), *type_, order);
    const std::size_t begin = in_.position();
    if (auto *problem = std::get_if<SizeProblem>(&type)) {
        return in_.fail(begin, begin + 1, std::move(problem->message), std::move(problem->hint));
    }
    return set_type(std::get<TensorType>(type), span_of(begin, begin + 1));
}

// Of a type with one mapped dimension the content may be an object itself, with any labels. So it is the object with
// type and content only if its first member is one of those and has such a value as they have.
bool JsonReader::is_object_with_content() {
    if (known_->mapped_count() != 1) {
        return true;
    }
    JsonScanner ahead = in_;
    TextToken key;
    if (!ahead.accept('{') || ahead.next() == '}' || !ahead.read_key(key)) {
        return false;
    }
    const char first = ahead.next();
    if (key.text == "type") {
        TextToken value;
        return first == '"' && ahead.read_string(value) &&
               (value.text.find("tensor") != std::string_view::npos ||
                value.text.find("double") != std::string_view::npos);
    }
    if (key.text != name(Content::cells) && key.text != name(Content::values) && key.text != name(Content::blocks)) {
        return false;
    }
    if (first == '[' && known_->is_mixed()) {
        ahead.advance(1);
        return ahead.next() == '{' || ahead.peek() == ']';
    }
    return first == '{' || first == '[';
}

bool JsonReader::read_object() {
    const std::size_t begin = in_.position();
    Content content = Content::none;
    std::optional<std::size_t> later;  // where the content begins that came before the type
    in_.advance(1);
    for (bool done = in_.accept('}'); !done;) {
        if (!read_member(content, later) || !in_.read_separator('}', done)) {
            return false;
        }
    }
    const std::size_t end = in_.position();
    if (content == Content::none) {
        return in_.fail(begin, end, "the value has no cells, values or blocks", std::string(members_of_value));
    }
    if (!later) {
        return true;
    }
    if (!type_ && known_ == nullptr) {
        return in_.fail(begin, end, "the value has no type", std::string(members_of_value));
    }
    if (!type_ && !set_type(*known_, span_of(begin, end))) {
        return false;
    }
    in_.seek(*later);
    if (!read_content(content)) {
        return false;
    }
    in_.seek(end);
    return true;
}

bool JsonReader::read_member(Content &content, std::optional<std::size_t> &later) {
    TextToken key;
    if (!in_.read_key(key)) {
        return false;
    }
    if (key.text == "type") {
        return read_type();
    }
    for (const Content kind : {Content::cells, Content::values, Content::blocks}) {
        if (key.text != name(kind)) {
            continue;
        }
        if (content != Content::none) {
            return in_.fail(key.begin, key.end,
                            fmt::format("the value has \"{}\" beside \"{}\"", name(kind), name(content)),
                            std::string(members_of_value));
        }
        content = kind;
        if (type_) {
            return read_content(kind);
        }
        in_.skip_space();
        later = in_.position();
        return in_.skip_value();
    }
    return in_.fail(key.begin, key.end, fmt::format("unknown member \"{}\"", clipped(key.text)),
                    std::string(members_of_value));
}

bool JsonReader::read_type() {
    TextToken text;
    if (!in_.read_string(text)) {
        return false;
    }
    if (type_) {
        return in_.fail(text.begin, text.end, "the type is given twice");
    }
    const auto type = TensorType::parse(text.text, limits_);
    if (!type) {
        // The type stands in the JSON as it is unless it was written with escapes.
        const Issue &issue = type.error().issues()[0];
        const bool escaped = text.end - text.begin != text.text.size() + 2;
        const std::size_t begin = escaped ? text.begin : text.begin + 1 + issue.span.begin;
        const std::size_t end = escaped ? text.end : text.begin + 1 + std::max(issue.span.end, issue.span.begin + 1);
        return in_.fail(begin, end, issue.message, issue.hint);
    }
    if (known_ != nullptr && *type != *known_ && !type->fits(*known_)) {
        return in_.fail(text.begin, text.end,
                        fmt::format("the value is a {}, but a {} is expected", type->to_string(), known_->to_string()));
    }
    return set_type(*type, span_of(text.begin, text.end));
}

Result<Tensor> from_json(std::string_view json, const Limits &limits) {
    return decode(json.size(), limits, [&] { return JsonReader(json, nullptr, limits).read(); });
}

Result<Tensor> from_json(std::string_view json, const TensorType &type, const Limits &limits) {
    return decode(json.size(), limits, [&] { return JsonReader(json, &type, limits).read(); });
}

}  // namespace tenrex
