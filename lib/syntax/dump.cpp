#include <algorithm>
#include <vector>

#include "lib/support/format.h"
#include "lib/syntax/printer.h"
#include "lib/syntax/tree_text.h"
#include "lib/types/quoted_text.h"

namespace tenrex::syntax {

namespace {

constexpr std::size_t deepest_indent = 32;  // levels; beyond, the text would grow with the square of the depth

// Works with a stack of its own: chains of operators may be deeper than the program's.
class Dumper {
public:
    std::string dump(const Node &root) {
        tasks_.push_back({0, {}, &root});
        while (!tasks_.empty()) {
            const Task task = std::move(tasks_.back());
            tasks_.pop_back();
            if (task.node == nullptr) {
                line(task.depth, task.text);
                continue;
            }
            const std::size_t first = tasks_.size();
            depth_ = task.depth + 1;
            line(task.depth, fmt::format("{}{} [{},{})", task.text, describe(*task.node), task.node->span.begin,
                                         task.node->span.end));
            // The tasks were added in the order of the text; the first one must come off the stack first.
            std::reverse(tasks_.begin() + static_cast<std::ptrdiff_t>(first), tasks_.end());
        }
        return std::move(out_);
    }

private:
    struct Task {
        std::size_t depth;
        std::string text;  // a line, or what stands in front of the node
        const Node *node;
    };

    void line(std::size_t depth, std::string_view text) {
        out_.append(2 * std::min(depth, deepest_indent), ' ').append(text).append(1, '\n');
    }
    void child(const Node *node, std::string text = {}) { tasks_.push_back({depth_, std::move(text), node}); }
    void note(std::string text) { tasks_.push_back({depth_, std::move(text), nullptr}); }
    void children(std::span<const Node *const> nodes) {
        for (const Node *node : nodes) {
            child(node);
        }
    }

    // The line of a node; its children become tasks.
    std::string describe(const Node &node);
    std::string describe(const TensorCallNode &call);
    std::string describe(const LiteralNode &literal);
    void element(const LiteralElement &element, std::size_t level);
    void entry(const PeekEntry &entry);

    std::vector<Task> tasks_;
    std::size_t depth_ = 0;  // of the children of the node that is described
    std::string out_;
};

std::string quoted(std::string_view text) {
    std::string result;
    append_quoted(result, text);
    return result;
}

std::string type_text(const TypeSpec &type) {
    std::string result = "tensor";
    append_type_body(result, type);
    return result;
}

std::string names_text(std::string_view title, std::span<const Name> names) {
    std::string result(title);
    append_names(result, names);
    return result;
}

std::string Dumper::describe(const Node &node) {
    switch (node.kind) {
        case Kind::number: {
            std::string text = "number ";
            append_number_literal(text, as<NumberNode>(node).value);
            return text;
        }
        case Kind::string:
            return "string " + quoted(as<StringNode>(node).text);
        case Kind::symbol:
            return fmt::format("symbol {}", as<SymbolNode>(node).text);
        case Kind::call: {
            const auto &call = as<CallNode>(node);
            children(call.arguments);
            const bool prefix = call.arguments.size() == 1;
            return fmt::format("{} {}", info(call.function).is_operator ? (prefix ? "prefix" : "operator") : "function",
                               info(call.function).name);
        }
        case Kind::user_call:
            children(as<UserCallNode>(node).arguments);
            return fmt::format("user function {}", as<UserCallNode>(node).name.text);
        case Kind::in_set:
            child(as<InNode>(node).subject);
            children(as<InNode>(node).entries);
            return "in";
        case Kind::conditional: {
            const auto &choice = as<IfNode>(node);
            child(choice.condition);
            child(choice.when_true);
            child(choice.when_false);
            if (choice.probability != nullptr) {
                child(choice.probability, "probability ");
            }
            return "if";
        }
        case Kind::switch_case:
            child(as<SwitchNode>(node).subject);
            for (const SwitchCase &entry : as<SwitchNode>(node).cases) {
                child(entry.value, "case ");
                child(entry.result);
            }
            child(as<SwitchNode>(node).otherwise, "default ");
            return "switch";
        case Kind::tensor_call:
            return describe(as<TensorCallNode>(node));
        case Kind::generator:
            child(as<GeneratorNode>(node).body);
            return "generator " + type_text(*as<GeneratorNode>(node).type);
        case Kind::literal:
            return describe(as<LiteralNode>(node));
        case Kind::peek:
            child(as<PeekNode>(node).subject);
            for (const PeekEntry &part : as<PeekNode>(node).entries) {
                entry(part);
            }
            return "peek";
    }
    return {};
}

std::string Dumper::describe(const TensorCallNode &call) {
    std::string text = fmt::format("tensor function {}", info(call.function).name);
    if (call.type != nullptr) {
        append_type_body(text, *call.type);
    }
    children(call.arguments);
    switch (call.function) {
        case TensorFunction::reduce:
            note(fmt::format("aggregator {}", info(call.aggregator).name));
            break;
        case TensorFunction::cell_cast:
            note(fmt::format("cell type {}", name(call.cell_type)));
            break;
        case TensorFunction::cell_order:
            note(call.ascending ? "order min" : "order max");
            break;
        case TensorFunction::unpack_bits:
            note(fmt::format("cell type {}, {}", name(call.cell_type), call.ascending ? "little" : "big"));
            break;
        default:
            break;
    }
    if (!call.names.empty()) {
        note(names_text("dimensions ", call.names));
    }
    if (!call.new_names.empty()) {
        note(names_text("new names ", call.new_names));
    }
    if (call.lambda != nullptr) {
        child(call.lambda->body, names_text("f(", call.lambda->parameters) + ") ");
    }
    return text;
}

std::string Dumper::describe(const LiteralNode &literal) {
    for (const LiteralCell &cell : literal.cells) {
        std::string address = "{";
        for (const AddressPart &part : cell.address) {
            address.append(address.size() == 1 ? "" : ",").append(part.dimension.text).append(1, ':');
            append_label(address, part.label);
        }
        child(cell.value, address + "}: ");
    }
    if (!literal.verbose) {
        element(literal.body, depth_);
    }
    return "literal " + type_text(*literal.type);
}

void Dumper::element(const LiteralElement &element, std::size_t level) {
    std::string text;
    if (!element.label.empty()) {
        append_label(text, element.label);
        text += ": ";
    }
    if (element.value != nullptr) {
        tasks_.push_back({level, std::move(text), element.value});
        return;
    }
    tasks_.push_back({level, text + (element.is_map ? "map" : "list"), nullptr});
    for (const LiteralElement &part : element.children) {
        this->element(part, level + 1);
    }
}

void Dumper::entry(const PeekEntry &entry) {
    std::string text = entry.dimension.text.empty() ? "" : fmt::format("{}: ", entry.dimension.text);
    if (entry.has_label) {
        note(text + "label " + quoted(entry.label));
        text += "or ";
    }
    if (entry.expression != nullptr) {
        child(entry.expression, text);
    }
}

}  // namespace

std::string dump(const Ast &ast) {
    return Dumper().dump(ast.root());
}

}  // namespace tenrex::syntax
