#include "lib/syntax/printer.h"

#include <cmath>
#include <vector>

#include "lib/syntax/keywords.h"
#include "lib/syntax/tree.h"
#include "lib/syntax/tree_text.h"
#include "lib/types/quoted_text.h"

namespace tenrex::syntax {

namespace {

class Printer {
public:
    explicit Printer(const PrintOptions &options) : options_(options) {}

    void line(std::string_view text) { out_.append(text).append(1, '\n'); }
    // An expression that stands on its own: at the top, between parentheses or commas.
    void print(const Node &node) { print(node, false, false); }
    std::string take() { return std::move(out_); }

private:
    // `grabbed`: an operator stands to the left that an `in` without parentheses would take as part of its subject.
    void print(const Node &root, bool parentheses, bool grabbed);
    bool needs_parentheses(const Node &parent, const Node &left) const;
    void print_right(const CallNode &infix);
    void print_innermost(const Node &node);
    void print_rest(const Node &node);
    void print_call(const CallNode &call);
    void print_list(std::span<const Node *const> nodes);
    void print_tensor_call(const TensorCallNode &call);
    void print_extra_arguments(const TensorCallNode &call);
    void print_lambda(const Lambda &lambda);
    void print_conditional(const IfNode &node);
    void print_switch(const SwitchNode &node);
    void print_literal(const LiteralNode &literal);
    void print_element(const LiteralElement &element);
    void print_peek_entries(const PeekNode &peek);

    bool java() const { return options_.dialect == Dialect::java; }
    int precedence(const Node &infix) const {
        const ScalarFunctionInfo &facts = info(as<CallNode>(infix).function);
        return java() ? facts.java_precedence : facts.precedence;
    }
    // Whether `in` takes what stands to the left of this operator.
    bool is_grabbed(const Node &infix) const {
        return java() || precedence(infix) >= info(ScalarFunction::equal).precedence;
    }

    PrintOptions options_;
    std::string out_;
};

bool is_right_associative(const Node &infix) {
    return as<CallNode>(infix).function == ScalarFunction::power;
}

// "tensor<a" would begin a tensor type.
bool begins_tensor_type(const Node &infix) {
    const auto &call = as<CallNode>(infix);
    const Node &left = *call.arguments[0];
    return call.function == ScalarFunction::less && left.kind == Kind::symbol && as<SymbolNode>(left).text == "tensor";
}

// "random<a>(b)" would be a function with a cell type.
bool begins_typed_function(const Node &infix, const Node &left) {
    if (as<CallNode>(infix).function != ScalarFunction::greater || !is_infix(left)) {
        return false;
    }
    const auto &less = as<CallNode>(left);
    const Node &name = *less.arguments[0];
    return less.function == ScalarFunction::less && name.kind == Kind::symbol &&
           less.arguments[1]->kind == Kind::symbol && find_keyword(as<SymbolNode>(name).text).kind != Keyword::none;
}

// The chain of left operands is walked down, then printed on the way back; only other children recurse.
void Printer::print(const Node &root, bool parentheses, bool grabbed) {
    struct Step {
        const Node *node;
        bool parentheses;
    };
    std::vector<Step> chain;
    const Node *node = &root;
    for (;;) {
        parentheses = parentheses || (node->kind == Kind::in_set && grabbed);
        if (parentheses) {
            out_ += '(';
            grabbed = false;
        }
        chain.push_back({node, parentheses});
        const Node *left = left_operand(*node);
        if (left == nullptr) {
            break;
        }
        parentheses = needs_parentheses(*node, *left);
        node = left;
    }
    print_innermost(*node);
    while (!chain.empty()) {
        const Step step = chain.back();
        chain.pop_back();
        print_rest(*step.node);
        if (step.parentheses) {
            out_ += ')';
        }
    }
}

bool Printer::needs_parentheses(const Node &parent, const Node &left) const {
    switch (parent.kind) {
        case Kind::peek:
            return is_infix(left) || left.kind == Kind::in_set;
        case Kind::in_set:
            return is_infix(left) && !is_grabbed(left);
        default:
            break;
    }
    if (begins_tensor_type(parent) || begins_typed_function(parent, left)) {
        return true;
    }
    if (!is_infix(left)) {
        return false;
    }
    return precedence(left) < precedence(parent) ||
           (precedence(left) == precedence(parent) && is_right_associative(parent));
}

// The operator and its right operand.
void Printer::print_right(const CallNode &infix) {
    out_ += info(infix.function).name;
    const Node &right = *infix.arguments[1];
    const bool looser = is_infix(right) && (precedence(right) < precedence(infix) ||
                                            (precedence(right) == precedence(infix) && !is_right_associative(infix)));
    print(right, looser, is_grabbed(infix));
}

// A node without left operand.
void Printer::print_innermost(const Node &node) {
    switch (node.kind) {
        case Kind::number:
            append_number_literal(out_, as<NumberNode>(node).value);
            break;
        case Kind::string:
            append_quoted(out_, as<StringNode>(node).text);
            break;
        case Kind::symbol:
            out_ += as<SymbolNode>(node).text;
            break;
        case Kind::call:
            print_call(as<CallNode>(node));
            break;
        case Kind::user_call:
            out_.append(as<UserCallNode>(node).name.text).append(1, '(');
            print_list(as<UserCallNode>(node).arguments);
            out_ += ')';
            break;
        case Kind::conditional:
            print_conditional(as<IfNode>(node));
            break;
        case Kind::switch_case:
            print_switch(as<SwitchNode>(node));
            break;
        case Kind::tensor_call:
            print_tensor_call(as<TensorCallNode>(node));
            break;
        case Kind::generator:
            out_ += "tensor";
            append_type_body(out_, *as<GeneratorNode>(node).type);
            out_ += '(';
            print(*as<GeneratorNode>(node).body);
            out_ += ')';
            break;
        case Kind::literal:
            print_literal(as<LiteralNode>(node));
            break;
        case Kind::in_set:
        case Kind::peek:
            break;  // these have a left operand
    }
}

// What follows the left operand.
void Printer::print_rest(const Node &node) {
    if (is_infix(node)) {
        print_right(as<CallNode>(node));
    } else if (node.kind == Kind::in_set) {
        out_ += " in [";
        print_list(as<InNode>(node).entries);
        out_ += ']';
    } else if (node.kind == Kind::peek) {
        print_peek_entries(as<PeekNode>(node));
    }
}

// A prefix operator or a named function.
void Printer::print_call(const CallNode &call) {
    out_ += info(call.function).name;
    if (!info(call.function).is_operator) {
        out_ += '(';
        print_list(call.arguments);
        out_ += ')';
        return;
    }
    const Node &operand = *call.arguments[0];
    // A minus directly in front of a number would become part of it; in front of a negative one it does not.
    const bool folds = call.function == ScalarFunction::negate && operand.kind == Kind::number &&
                       !std::signbit(as<NumberNode>(operand).value);
    print(operand, folds || left_operand(operand) != nullptr, false);
}

void Printer::print_list(std::span<const Node *const> nodes) {
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        if (i != 0) {
            out_ += ',';
        }
        print(*nodes[i]);
    }
}

void Printer::print_tensor_call(const TensorCallNode &call) {
    const bool is_extremum = call.function == TensorFunction::max || call.function == TensorFunction::min;
    if (is_extremum && call.names.size() == 1) {
        // max(t,x) is read as the larger of two values until types are known.
        TensorCallNode reduce = call;
        reduce.function = TensorFunction::reduce;
        return print_tensor_call(reduce);
    }
    out_ += info(call.function).name;
    if (call.type != nullptr) {
        append_type_body(out_, *call.type);
        return;
    }
    out_ += '(';
    print_list(call.arguments);
    print_extra_arguments(call);
    if (call.lambda != nullptr) {
        print_lambda(*call.lambda);
    }
    out_ += ')';
}

// What is neither an operand nor a lambda.
void Printer::print_extra_arguments(const TensorCallNode &call) {
    switch (call.function) {
        case TensorFunction::reduce:
            out_.append(1, ',').append(info(call.aggregator).name);
            break;
        case TensorFunction::rename: {
            const bool single = call.names.size() == 1;
            out_ += single ? "," : ",(";
            append_names(out_, call.names);
            out_ += single ? "," : "),(";
            append_names(out_, call.new_names);
            out_ += single ? "" : ")";
            return;
        }
        case TensorFunction::cell_cast:
            out_.append(1, ',').append(name(call.cell_type));
            break;
        case TensorFunction::cell_order:
            out_ += call.ascending ? ",min" : ",max";
            break;
        case TensorFunction::unpack_bits:
            if (call.cell_type != CellType::f32 || call.ascending) {
                out_.append(1, ',').append(name(call.cell_type));
            }
            out_ += call.ascending ? ",little" : "";
            break;
        default:
            break;
    }
    if (!call.names.empty()) {
        out_ += ',';
        append_names(out_, call.names);
    }
}

void Printer::print_lambda(const Lambda &lambda) {
    out_ += ",f(";
    append_names(out_, lambda.parameters);
    out_ += ")(";
    print(*lambda.body);
    out_ += ')';
}

void Printer::print_conditional(const IfNode &node) {
    const Node *const parts[] = {node.condition, node.when_true, node.when_false, node.probability};
    out_ += "if(";
    print_list(std::span(parts).first(node.probability != nullptr ? 4 : 3));
    out_ += ')';
}

void Printer::print_switch(const SwitchNode &node) {
    out_ += "switch(";
    print(*node.subject);
    out_ += "){";
    for (const SwitchCase &entry : node.cases) {
        out_ += "case ";
        print(*entry.value);
        out_ += ": ";
        print(*entry.result);
        out_ += ", ";
    }
    out_ += "default: ";
    print(*node.otherwise);
    out_ += '}';
}

void Printer::print_literal(const LiteralNode &literal) {
    out_ += "tensor";
    append_type_body(out_, *literal.type);
    out_ += ':';
    if (!literal.verbose) {
        return print_element(literal.body);
    }
    std::string_view separator = "{";
    for (const LiteralCell &cell : literal.cells) {
        out_ += separator;
        std::string_view before = "{";
        for (const AddressPart &part : cell.address) {
            out_.append(before).append(part.dimension.text).append(1, ':');
            append_label(out_, part.label);
            before = ",";
        }
        out_ += cell.address.empty() ? "{}:" : "}:";
        print(*cell.value);
        separator = ",";
    }
    out_ += literal.cells.empty() ? "{}" : "}";
}

void Printer::print_element(const LiteralElement &element) {
    if (element.value != nullptr) {
        return print(*element.value);
    }
    out_ += element.is_map ? '{' : '[';
    std::string_view separator;
    for (const LiteralElement &child : element.children) {
        out_ += separator;
        if (element.is_map) {
            append_label(out_, child.label);
            out_ += ':';
        }
        print_element(child);
        separator = ",";
    }
    out_ += element.is_map ? '}' : ']';
}

void Printer::print_peek_entries(const PeekNode &peek) {
    const bool is_index = peek.entries[0].short_index;
    char separator = is_index ? '[' : '{';
    for (const PeekEntry &entry : peek.entries) {
        out_ += separator;
        if (!entry.dimension.text.empty()) {
            out_.append(entry.dimension.text).append(1, ':');
        }
        if (entry.has_label) {
            append_peek_label(out_, entry);
        } else {
            out_ += is_index ? "" : "(";
            print(*entry.expression);
            out_ += is_index ? "" : ")";
        }
        separator = ',';
    }
    out_ += is_index ? ']' : '}';
}

}  // namespace

std::string to_string(const Node &node, const PrintOptions &options) {
    Printer printer(options);
    printer.print(node);
    return printer.take();
}

std::string to_string(const Ast &ast, const PrintOptions &options) {
    Printer printer(options);
    if (options.comments) {
        for (const Span comment : ast.comments()) {
            printer.line(std::string_view(ast.source()).substr(comment.begin, comment.end - comment.begin));
        }
    }
    printer.print(ast.root());
    return printer.take();
}

}  // namespace tenrex::syntax
