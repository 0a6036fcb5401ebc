#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "lib/syntax/printer.h"
#include "lib/syntax/tree.h"

namespace tenrex::syntax {

namespace {

bool same(std::span<const Name> a, std::span<const Name> b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](const Name &x, const Name &y) { return x.text == y.text; });
}

bool same(const TypeSpec *a, const TypeSpec *b) {
    if (a == nullptr || b == nullptr) {
        return a == b;
    }
    return a->cell_type == b->cell_type &&
           std::equal(a->dimensions.begin(), a->dimensions.end(), b->dimensions.begin(), b->dimensions.end(),
                      [](const DimensionSpec &x, const DimensionSpec &y) {
                          return x.name.text == y.name.text && x.size == y.size;
                      });
}

bool same(const Lambda *a, const Lambda *b) {
    return a == nullptr || b == nullptr ? a == b : same(a->parameters, b->parameters);
}

bool same(const LiteralElement &a, const LiteralElement &b) {
    return a.label == b.label && a.is_map == b.is_map && (a.value == nullptr) == (b.value == nullptr) &&
           std::equal(a.children.begin(), a.children.end(), b.children.begin(), b.children.end(),
                      [](const LiteralElement &x, const LiteralElement &y) { return same(x, y); });
}

bool same(const LiteralCell &a, const LiteralCell &b) {
    return std::equal(a.address.begin(), a.address.end(), b.address.begin(), b.address.end(),
                      [](const AddressPart &x, const AddressPart &y) {
                          return x.dimension.text == y.dimension.text && x.label == y.label;
                      });
}

// How a label is quoted does not matter, only whether it may be an expression.
bool same(const PeekEntry &a, const PeekEntry &b) {
    return a.dimension.text == b.dimension.text && a.short_index == b.short_index && a.has_label == b.has_label &&
           a.label == b.label && (a.expression == nullptr) == (b.expression == nullptr);
}

bool same(const TensorCallNode &a, const TensorCallNode &b) {
    return a.function == b.function && same(a.names, b.names) && same(a.new_names, b.new_names) &&
           same(a.lambda, b.lambda) && same(a.type, b.type) && a.aggregator == b.aggregator &&
           a.cell_type == b.cell_type && a.ascending == b.ascending;
}

// Everything but the children, which are compared in order.
bool same_here(const Node &a, const Node &b) {
    if (a.kind != b.kind) {
        return false;
    }
    switch (a.kind) {
        case Kind::number:
            return std::bit_cast<std::uint64_t>(as<NumberNode>(a).value) ==
                   std::bit_cast<std::uint64_t>(as<NumberNode>(b).value);
        case Kind::string:
            return as<StringNode>(a).text == as<StringNode>(b).text;
        case Kind::symbol:
            return as<SymbolNode>(a).text == as<SymbolNode>(b).text;
        case Kind::call:
            return as<CallNode>(a).function == as<CallNode>(b).function;
        case Kind::user_call:
            return as<UserCallNode>(a).name.text == as<UserCallNode>(b).name.text;
        case Kind::in_set:
        case Kind::conditional:
        case Kind::switch_case:
            return true;
        case Kind::tensor_call:
            return same(as<TensorCallNode>(a), as<TensorCallNode>(b));
        case Kind::generator:
            return same(as<GeneratorNode>(a).type, as<GeneratorNode>(b).type);
        case Kind::literal: {
            const auto &x = as<LiteralNode>(a);
            const auto &y = as<LiteralNode>(b);
            return same(x.type, y.type) && x.verbose == y.verbose && same(x.body, y.body) &&
                   std::equal(x.cells.begin(), x.cells.end(), y.cells.begin(), y.cells.end(),
                              [](const LiteralCell &p, const LiteralCell &q) { return same(p, q); });
        }
        case Kind::peek: {
            const auto &x = as<PeekNode>(a);
            const auto &y = as<PeekNode>(b);
            return std::equal(x.entries.begin(), x.entries.end(), y.entries.begin(), y.entries.end(),
                              [](const PeekEntry &p, const PeekEntry &q) { return same(p, q); });
        }
    }
    return false;
}

}  // namespace

bool equal(const Node &a, const Node &b) {
    std::vector<const Node *> left{&a};
    std::vector<const Node *> right{&b};
    while (!left.empty() && left.size() == right.size()) {
        const Node &x = *left.back();
        const Node &y = *right.back();
        if (!same_here(x, y)) {
            return false;
        }
        left.pop_back();
        right.pop_back();
        append_children(x, left);
        append_children(y, right);
    }
    return left.size() == right.size();
}

}  // namespace tenrex::syntax
