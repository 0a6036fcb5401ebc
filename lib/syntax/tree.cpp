#include "lib/syntax/tree.h"

namespace tenrex::syntax {

namespace {

void append_values(const LiteralElement &element, std::vector<const Node *> &children) {
    if (element.value != nullptr) {
        children.push_back(element.value);
    }
    for (const LiteralElement &child : element.children) {
        append_values(child, children);
    }
}

void append(std::span<const Node *const> nodes, std::vector<const Node *> &children) {
    children.insert(children.end(), nodes.begin(), nodes.end());
}

}  // namespace

bool is_plain_name(const Node &node) noexcept {
    return node.kind == Kind::symbol && !as<SymbolNode>(node).is_call && as<SymbolNode>(node).output.empty();
}

bool is_infix(const Node &node) noexcept {
    return node.kind == Kind::call && as<CallNode>(node).arguments.size() == 2 &&
           info(as<CallNode>(node).function).is_operator;
}

const Node *left_operand(const Node &node) noexcept {
    if (is_infix(node)) {
        return as<CallNode>(node).arguments[0];
    }
    if (node.kind == Kind::in_set) {
        return as<InNode>(node).subject;
    }
    return node.kind == Kind::peek ? as<PeekNode>(node).subject : nullptr;
}

void append_children(const Node &node, std::vector<const Node *> &children) {
    switch (node.kind) {
        case Kind::number:
        case Kind::string:
        case Kind::symbol:
            break;
        case Kind::call:
            append(as<CallNode>(node).arguments, children);
            break;
        case Kind::user_call:
            append(as<UserCallNode>(node).arguments, children);
            break;
        case Kind::in_set:
            children.push_back(as<InNode>(node).subject);
            append(as<InNode>(node).entries, children);
            break;
        case Kind::conditional: {
            const auto &choice = as<IfNode>(node);
            children.insert(children.end(), {choice.condition, choice.when_true, choice.when_false});
            if (choice.probability != nullptr) {
                children.push_back(choice.probability);
            }
            break;
        }
        case Kind::switch_case:
            children.push_back(as<SwitchNode>(node).subject);
            for (const SwitchCase &entry : as<SwitchNode>(node).cases) {
                children.push_back(entry.value);
                children.push_back(entry.result);
            }
            children.push_back(as<SwitchNode>(node).otherwise);
            break;
        case Kind::tensor_call:
            append(as<TensorCallNode>(node).arguments, children);
            if (as<TensorCallNode>(node).lambda != nullptr) {
                children.push_back(as<TensorCallNode>(node).lambda->body);
            }
            break;
        case Kind::generator:
            children.push_back(as<GeneratorNode>(node).body);
            break;
        case Kind::literal:
            for (const LiteralCell &cell : as<LiteralNode>(node).cells) {
                children.push_back(cell.value);
            }
            append_values(as<LiteralNode>(node).body, children);
            break;
        case Kind::peek:
            children.push_back(as<PeekNode>(node).subject);
            for (const PeekEntry &entry : as<PeekNode>(node).entries) {
                if (entry.expression != nullptr) {
                    children.push_back(entry.expression);
                }
            }
            break;
    }
}

}  // namespace tenrex::syntax
