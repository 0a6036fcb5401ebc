// Generators and literals. Everything about a literal that needs no more than its type is checked here.

#include <limits>

#include "lib/support/diagnostics.h"
#include "lib/support/format.h"
#include "lib/syntax/decimal.h"
#include "lib/syntax/expression_parser.h"

namespace tenrex::syntax {

namespace {

const DimensionSpec *find(const TypeSpec &type, std::string_view name) {
    for (const DimensionSpec &entry : type.dimensions) {
        if (entry.name.text == name) {
            return &entry;
        }
    }
    return nullptr;
}

bool has_mapped(const TypeSpec &type) {
    for (const DimensionSpec &entry : type.dimensions) {
        if (entry.size == 0) {
            return true;
        }
    }
    return false;
}

}  // namespace

// tensor<celltype>(dimensions) and what follows; `begin` is where "tensor" stands, the parser stands behind it.
const Node *ExpressionParser::tensor_value(std::uint32_t begin) {
    const TypeSpec *type = type_spec(begin);
    if (type == nullptr) {
        return nullptr;
    }
    if (scan_.take('(')) {
        return generator(begin, type);
    }
    if (scan_.take(':')) {
        return literal(begin, type);
    }
    return scan_.expected("':' and a literal, or '(' and an expression, after the tensor type",
                          "tensor(x[2]):[1,2] or tensor(x[2])(x+1)");
}

const Node *ExpressionParser::generator(std::uint32_t begin, const TypeSpec *type) {
    const std::uint32_t open = scan_.position() - 1;
    if (type->dimensions.empty()) {
        return scan_.fail(type->span, "a generator needs at least one dimension", "tensor(x[3])(x+1)");
    }
    for (const DimensionSpec &entry : type->dimensions) {
        if (entry.size == 0) {
            return scan_.fail(entry.name.span,
                              fmt::format("a generator needs indexed dimensions, '{}' is mapped", entry.name.text),
                              "a literal of a mapped tensor looks like tensor(x{}):{a:1,b:2}");
        }
    }
    const Node *body = expression();
    if (body == nullptr || !closing(')', open, "an operator or ')'")) {
        return nullptr;
    }
    return make<GeneratorNode>(Kind::generator, since(begin), type, body);
}

// What follows the ':'.
const Node *ExpressionParser::literal(std::uint32_t begin, const TypeSpec *type) {
    scan_.skip_space();
    auto *node = arena_.make<LiteralNode>();
    ++nodes_;
    node->kind = Kind::literal;
    node->type = type;
    const std::uint32_t open = scan_.position();
    if (scan_.take('{')) {
        scan_.skip_space_before_label(":");
        node->verbose = scan_.current() == '{' || scan_.current() == '}';
    }
    if (!node->verbose) {
        scan_.move_to(open);
        if (type->dimensions.empty()) {
            return scan_.expected("'{' and cells such as {}:1", "a number needs no tensor type");
        }
        if (!element(*type, 0, node->body)) {
            return nullptr;
        }
    } else if (scan_.take('}')) {
        if (!has_mapped(*type)) {
            return scan_.fail(since(open), "the literal of a dense tensor must not be '{}'",
                              "[] is the tensor with only zeros");
        }
    } else {
        const std::size_t list = scratch_.mark();
        do {
            LiteralCell cell{};
            if (!literal_cell(*type, cell)) {
                return nullptr;
            }
            scratch_.push(cell);
        } while (scan_.take(','));
        if (!closing('}', open, "',' or '}' after a cell")) {
            return nullptr;
        }
        node->cells = scratch_.take<LiteralCell>(list, arena_);
    }
    node->span = since(begin);
    return node;
}

// {x:a,y:0}:expression
bool ExpressionParser::literal_cell(const TypeSpec &type, LiteralCell &cell) {
    scan_.skip_space();
    const std::uint32_t begin = scan_.position();
    if (!scan_.take('{')) {
        return scan_.expected("'{' and the address of a cell", "cells look like {x:a,y:0}:1.5");
    }
    if (!scan_.take('}')) {
        const std::size_t list = scratch_.mark();
        do {
            AddressPart part{};
            if (!address_part(type, part)) {
                return false;
            }
            scratch_.push(part);
        } while (scan_.take(','));
        if (!closing('}', begin, "',' or '}' in the address")) {
            return false;
        }
        cell.address = scratch_.take<AddressPart>(list, arena_);
    }
    cell.span = since(begin);
    if (!complete_address(type, cell)) {
        return false;
    }
    if (!scan_.take(':')) {
        return scan_.expected("':' and the value of the cell");
    }
    cell.value = expression();
    cell.span.end = extent_.end;
    return cell.value != nullptr;
}

bool ExpressionParser::address_part(const TypeSpec &type, AddressPart &part) {
    scan_.skip_space();
    const std::uint32_t begin = scan_.position();
    part.dimension.text = scan_.name_run();
    part.dimension.span = since(begin);
    if (part.dimension.text.empty()) {
        return scan_.expected("the name of a dimension", "cells look like {x:a,y:0}:1.5");
    }
    const DimensionSpec *entry = find(type, part.dimension.text);
    if (entry == nullptr) {
        std::vector<std::string_view> names;
        for (const DimensionSpec &known : type.dimensions) {
            names.push_back(known.name.text);
        }
        const std::string_view near = nearest(part.dimension.text, names);
        return scan_.fail(part.dimension.span, fmt::format("the tensor has no dimension '{}'", part.dimension.text),
                          near.empty() ? (names.empty() ? std::string("a scalar has the empty address {}")
                                                        : fmt::format("the dimensions are {}", fmt::join(names, ", ")))
                                       : fmt::format("did you mean '{}'?", near));
    }
    if (!scan_.take(':')) {
        return scan_.expected(fmt::format("':' and a label after dimension '{}'", part.dimension.text));
    }
    if (!label(",}", part.label, part.label_span)) {
        return false;
    }
    if (entry->size == 0) {
        return true;
    }
    const auto index = decimal(part.label);
    if (!index) {
        return scan_.fail(part.label_span,
                          fmt::format("dimension '{}' is indexed: its label must be a number", entry->name.text));
    }
    return *index < entry->size ||
           scan_.fail(part.label_span, fmt::format("index {} is outside of dimension '{}' of size {}", part.label,
                                                   entry->name.text, entry->size));
}

bool ExpressionParser::complete_address(const TypeSpec &type, const LiteralCell &cell) {
    for (const DimensionSpec &entry : type.dimensions) {
        bool found = false;
        for (const AddressPart &part : cell.address) {
            if (part.dimension.text == entry.name.text) {
                found = true;
                break;
            }
        }
        if (!found) {
            return scan_.fail(cell.span, fmt::format("the address lacks dimension '{}'", entry.name.text));
        }
    }
    return true;
}

// A part of a short literal: a list or map for the dimension of that level, or a cell behind the last one.
bool ExpressionParser::element(const TypeSpec &type, std::size_t level, LiteralElement &element) {
    if (level == type.dimensions.size()) {
        element.value = expression();
        element.span = extent_;
        return element.value != nullptr;
    }
    scan_.skip_space();
    const DimensionSpec &dimension = type.dimensions[level];
    element.span.begin = scan_.position();
    element.is_map = dimension.size == 0;
    if (!enter()) {
        return false;
    }
    const char open = element.is_map ? '{' : '[';
    if (!scan_.take(open)) {
        return scan_.expected(fmt::format("'{}' for the {} dimension '{}'", open, element.is_map ? "mapped" : "indexed",
                                          dimension.name.text),
                              element.is_map ? "a map looks like {a:1,b:2}" : "a list looks like [1,2]");
    }
    if (!(element.is_map ? map_element(type, level, element) : list_element(type, level, element))) {
        return false;
    }
    leave();
    element.span.end = scan_.position();
    return true;
}

// The parser stands behind '['.
bool ExpressionParser::list_element(const TypeSpec &type, std::size_t level, LiteralElement &element) {
    const DimensionSpec &dimension = type.dimensions[level];
    if (scan_.take(']')) {
        return true;
    }
    scan_.skip_space();
    if (level == 0 && may_be_flat(type) && scan_.current() != '[' && !scan_.at_end()) {
        return flat_list(type, element);
    }
    const std::size_t list = scratch_.mark();
    std::uint64_t count = 0;
    do {
        scan_.skip_space();
        if (count++ == dimension.size && scan_.current() != ']' && !scan_.at_end()) {
            return scan_.fail(scan_.found_span(), fmt::format("too many elements: dimension '{}' has size {}",
                                                              dimension.name.text, dimension.size));
        }
        LiteralElement child{};
        if (!this->element(type, level + 1, child)) {
            return false;
        }
        scratch_.push(child);
    } while (scan_.take(','));
    if (!closing(']', element.span.begin, "',' or ']' in the list")) {
        return false;
    }
    element.children = scratch_.take<LiteralElement>(list, arena_);
    return true;
}

bool ExpressionParser::may_be_flat(const TypeSpec &type) const noexcept {
    return (options_.flat_lists || java()) && type.dimensions.size() > 1 && !has_mapped(type);
}

// All cells in one list, behind its '['. What comes of it are lists inside each other, as if they had been written.
bool ExpressionParser::flat_list(const TypeSpec &type, LiteralElement &element) {
    constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
    std::uint64_t wanted = 1;
    for (const DimensionSpec &dimension : type.dimensions) {
        wanted = wanted > most / dimension.size ? most : wanted * dimension.size;
    }
    const std::size_t list = scratch_.mark();
    std::uint64_t count = 0;
    do {
        LiteralElement cell{};
        if (!this->element(type, type.dimensions.size(), cell)) {
            return false;
        }
        scratch_.push(cell);
        ++count;
    } while (scan_.take(','));
    if (!closing(']', element.span.begin, "',' or ']' in the list")) {
        return false;
    }
    if (count != wanted) {
        return scan_.fail(since(element.span.begin),
                          fmt::format("the list has {} cells, but the dimensions have {}", count, wanted),
                          "write all of them, or lists inside each other: [[1,2],[3,4]]");
    }
    element.span.end = scan_.position();
    nest(type, 0, scratch_.take<LiteralElement>(list, arena_), element);
    return true;
}

void ExpressionParser::nest(const TypeSpec &type, std::size_t level, std::span<const LiteralElement> cells,
                            LiteralElement &element) {
    element.children = cells;
    if (level + 1 == type.dimensions.size()) {
        return;
    }
    const std::size_t size = type.dimensions[level].size;
    const std::size_t each = cells.size() / size;
    const std::size_t list = scratch_.mark();
    for (std::size_t i = 0; i < size; ++i) {
        LiteralElement child{};
        child.span = element.span;
        nest(type, level + 1, cells.subspan(i * each, each), child);
        scratch_.push(child);
    }
    element.children = scratch_.take<LiteralElement>(list, arena_);
}

// The parser stands behind '{'.
bool ExpressionParser::map_element(const TypeSpec &type, std::size_t level, LiteralElement &element) {
    scan_.skip_space_before_label(":");
    if (scan_.current() == '}') {
        scan_.advance();
        return true;
    }
    const std::size_t list = scratch_.mark();
    do {
        LiteralElement child{};
        Span label_span;
        if (!label(":", child.label, label_span)) {
            return false;
        }
        if (!scan_.take(':')) {
            return scan_.at_end() ? scan_.unclosed(element.span.begin) : scan_.expected("':' after the label");
        }
        if (!this->element(type, level + 1, child)) {
            return false;
        }
        child.span.begin = label_span.begin;
        scratch_.push(child);
    } while (scan_.take(','));
    if (!closing('}', element.span.begin, "',' or '}' in the map")) {
        return false;
    }
    element.children = scratch_.take<LiteralElement>(list, arena_);
    return true;
}

// A label, bare or quoted; behind a bare one comes white space or one of the followers.
bool ExpressionParser::label(std::string_view followers, std::string_view &text, Span &span) {
    scan_.skip_space_before_label(followers);
    const std::uint32_t begin = scan_.position();
    const char c = scan_.current();
    if (c == '"' || c == '\'') {
        if (!scan_.quoted(text, arena_)) {
            return false;
        }
        span = since(begin);
        return !text.empty() || scan_.fail(span, "a label must not be empty");
    }
    text = scan_.label_run();
    span = since(begin);
    return !text.empty() || scan_.expected("a label");
}

}  // namespace tenrex::syntax
