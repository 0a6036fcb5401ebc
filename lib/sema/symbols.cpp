#include "lib/sema/symbols.h"

#include <cstddef>
#include <string_view>
#include <unordered_map>

#include "lib/sema/symbol_name.h"

namespace tenrex::sema {

namespace {

using syntax::as;
using syntax::Kind;
using syntax::Node;

class Collector {
public:
    std::vector<FreeSymbol> take() { return std::move(found_); }

    void visit(const Node &node) {
        const std::size_t base = spine_.size();
        const Node *first = &node;
        for (const Node *left = first_operand(*first); left != nullptr; left = first_operand(*first)) {
            spine_.push_back(first);
            first = left;
        }
        visit_one(*first);
        while (spine_.size() > base) {
            const Node *rest = spine_.back();
            spine_.pop_back();
            visit_rest(*rest);
        }
    }

private:
    static const Node *first_operand(const Node &node) noexcept {
        switch (node.kind) {
            case Kind::call:
                return as<syntax::CallNode>(node).arguments.front();
            case Kind::in_set:
                return as<syntax::InNode>(node).subject;
            case Kind::peek:
                return as<syntax::PeekNode>(node).subject;
            default:
                return nullptr;
        }
    }

    void visit_all(std::span<const Node *const> nodes) {
        for (const Node *node : nodes) {
            visit(*node);
        }
    }

    void visit_one(const Node &node) {
        switch (node.kind) {
            case Kind::symbol:
                add(as<syntax::SymbolNode>(node));
                break;
            case Kind::user_call:
                visit_all(as<syntax::UserCallNode>(node).arguments);
                break;
            case Kind::conditional: {
                const auto &choice = as<syntax::IfNode>(node);
                visit(*choice.condition);
                visit(*choice.when_true);
                visit(*choice.when_false);
                break;
            }
            case Kind::switch_case: {
                const auto &choice = as<syntax::SwitchNode>(node);
                visit(*choice.subject);
                for (const syntax::SwitchCase &one : choice.cases) {
                    visit(*one.value);
                    visit(*one.result);
                }
                visit(*choice.otherwise);
                break;
            }
            case Kind::tensor_call:
                visit_all(as<syntax::TensorCallNode>(node).arguments);
                break;
            case Kind::generator: {
                const auto &generator = as<syntax::GeneratorNode>(node);
                for (const syntax::DimensionSpec &dimension : generator.type->dimensions) {
                    ++dimensions_[dimension.name.text];
                }
                visit(*generator.body);
                for (const syntax::DimensionSpec &dimension : generator.type->dimensions) {
                    --dimensions_[dimension.name.text];
                }
                break;
            }
            case Kind::literal:
                visit_literal(as<syntax::LiteralNode>(node));
                break;
            case Kind::number:
            case Kind::string:
            case Kind::call:
            case Kind::in_set:
            case Kind::peek:
                break;  // leaves, or visited from the left
        }
    }

    // What a node has besides its left operand.
    void visit_rest(const Node &node) {
        if (node.kind == Kind::call) {
            const auto &call = as<syntax::CallNode>(node);
            const bool min_or_max = call.function == ScalarFunction::min || call.function == ScalarFunction::max;
            if (call.arguments.size() == 2) {
                const Node &right = *call.arguments[1];
                visit_maybe(right, min_or_max && right.kind == Kind::symbol && !as<syntax::SymbolNode>(right).is_call);
            }
        } else if (node.kind == Kind::in_set) {
            visit_all(as<syntax::InNode>(node).entries);
        } else {
            for (const syntax::PeekEntry &entry : as<syntax::PeekNode>(node).entries) {
                if (entry.expression != nullptr) {
                    visit_maybe(*entry.expression, entry.has_label);
                }
            }
        }
    }

    void visit_maybe(const Node &node, bool maybe) {
        const bool outer = maybe_;
        maybe_ = maybe_ || maybe;
        visit(node);
        maybe_ = outer;
    }

    void visit_literal(const syntax::LiteralNode &literal) {
        for (const syntax::LiteralCell &cell : literal.cells) {
            visit(*cell.value);
        }
        if (!literal.verbose) {
            visit_element(literal.body);
        }
    }

    void visit_element(const syntax::LiteralElement &element) {
        if (element.value != nullptr) {
            visit(*element.value);
        }
        for (const syntax::LiteralElement &child : element.children) {
            visit_element(child);
        }
    }

    void add(const syntax::SymbolNode &symbol) {
        if (!symbol.is_call) {
            const auto dimension = dimensions_.find(symbol.text);
            if (dimension != dimensions_.end() && dimension->second != 0) {
                return;
            }
        }
        if (const auto known = by_text_.find(symbol.text); known != by_text_.end()) {
            found_[known->second].maybe = found_[known->second].maybe && maybe_;
            return;
        }
        std::string name = normal_name(symbol.text);
        const auto [known, is_new] = by_name_.try_emplace(name, found_.size());
        by_text_.emplace(symbol.text, known->second);
        if (is_new) {
            found_.push_back({std::move(name), symbol.span, maybe_});
        } else {
            found_[known->second].maybe = found_[known->second].maybe && maybe_;
        }
    }

    std::vector<FreeSymbol> found_;
    std::unordered_map<std::string_view, std::size_t> by_text_;
    std::unordered_map<std::string, std::size_t> by_name_;
    std::unordered_map<std::string_view, std::size_t> dimensions_;  // how many generators around have it
    std::vector<const Node *> spine_;
    bool maybe_ = false;
};

}  // namespace

std::vector<FreeSymbol> free_symbols(const syntax::Ast &ast) {
    Collector collector;
    collector.visit(ast.root());
    return collector.take();
}

}  // namespace tenrex::sema
