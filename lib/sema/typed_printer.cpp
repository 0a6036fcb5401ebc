#include "lib/sema/typed_printer.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <fmt/ranges.h>

#include "lib/forest/forest.h"
#include "lib/support/format.h"

namespace tenrex::sema {

namespace {

// A node is text in front of its main operand, that operand, and text behind it. The main operand is the one through
// which trees can grow very deep, so it is followed by a loop.
class Printer {
public:
    explicit Printer(const TypedExpression &expression) : expression_(expression) {}

    std::string run() {
        names_.emplace_back();
        print(expression_.root(), false);
        return std::move(text_);
    }

private:
    struct Open {
        const Expr *node;
        bool nested;
    };

    void print(const Expr &expr, bool nested) {
        std::vector<Open> open;
        const Expr *at = &expr;
        while (at != nullptr) {
            if (!begin_shared(*at)) {
                break;
            }
            const Expr *main = print_front(*at, nested);
            open.push_back({at, nested});
            at = main;
            nested = true;
            if (main != nullptr && open.back().node->op == Op::conditional) {
                nested = false;
            } else if (main != nullptr && open.back().node->op == Op::call) {
                nested = info(as<CallExpr>(*open.back().node).function).is_operator;
            }
        }
        for (; !open.empty(); open.pop_back()) {
            print_back(*open.back().node, open.back().nested);
        }
    }

    // False if the node has been written out before.
    bool begin_shared(const Expr &expr) {
        const bool leaf = expr.op == Op::number || expr.op == Op::input || expr.op == Op::parameter;
        if (leaf || expr.uses < 2) {
            return true;
        }
        const auto [known, is_new] = shared_.try_emplace(&expr, shared_.size() + 1);
        fmt::format_to(out(), "%{}", known->second);
        if (is_new) {
            text_ += ':';
        }
        return is_new;
    }

    const Expr *print_front(const Expr &expr, bool nested) {
        switch (expr.op) {
            case Op::number:
                fmt::format_to(out(), "{}", as<NumberExpr>(expr).value);
                return nullptr;
            case Op::input:
                text_ += expression_.inputs()[as<InputExpr>(expr).input].name;
                return nullptr;
            case Op::parameter:
                text_ += names_.back()[as<ParameterExpr>(expr).slot];
                return nullptr;
            case Op::call: {
                const auto &call = as<CallExpr>(expr);
                const ScalarFunctionInfo &function = info(call.function);
                if (!function.is_operator) {
                    fmt::format_to(out(), "{}(", function.name);
                } else if (call.b == nullptr) {
                    text_ += function.name;
                    text_ += call.a->op == Op::peek ? "(" : "";  // -t{x:0} is (-t){x:0}
                } else if (nested) {
                    text_ += '(';
                }
                return call.a;
            }
            case Op::user_call:
                fmt::format_to(out(), "{}(", as<UserCallExpr>(expr).function->name);
                return as<UserCallExpr>(expr).arguments.front();
            case Op::in_set:
                text_ += nested ? "(" : "";
                return as<InExpr>(expr).subject;
            case Op::conditional: {
                const auto &choice = as<IfExpr>(expr);
                text_ += "if(";
                print(*choice.condition, false);
                text_ += ',';
                print(*choice.when_true, false);
                text_ += ',';
                return choice.when_false;
            }
            case Op::peek:
                return as<PeekExpr>(expr).operand;
            default:
                print_tensor(expr);
                return nullptr;
        }
    }

    void print_back(const Expr &expr, bool nested) {
        if (expr.op == Op::call) {
            const auto &call = as<CallExpr>(expr);
            const ScalarFunctionInfo &function = info(call.function);
            if (call.b != nullptr) {
                text_ += function.is_operator ? function.name : ",";
                print(*call.b, function.is_operator);
            }
            const bool closes = !function.is_operator || (call.b == nullptr ? call.a->op == Op::peek : nested);
            text_ += closes ? ")" : "";
        } else if (expr.op == Op::user_call) {
            for (const Expr *argument : as<UserCallExpr>(expr).arguments.subspan(1)) {
                text_ += ',';
                print(*argument, false);
            }
            text_ += ')';
        } else if (expr.op == Op::in_set) {
            fmt::format_to(out(), " in [{}]{}", fmt::join(as<InExpr>(expr).set, ","), nested ? ")" : "");
        } else if (expr.op == Op::conditional) {
            const double probability = as<IfExpr>(expr).probability;
            text_ += probability == 0.5 ? ")" : fmt::format(",{})", probability);
        } else if (expr.op == Op::peek) {
            print_peek(as<PeekExpr>(expr));
        }
    }

    void print_tensor(const Expr &expr) {
        switch (expr.op) {
            case Op::map:
            case Op::map_subspaces:
            case Op::filter_subspaces: {
                const auto &map = as<MapExpr>(expr);
                text_ += expr.op == Op::map             ? "map("
                         : expr.op == Op::map_subspaces ? "map_subspaces("
                                                        : "filter_subspaces(";
                print(*map.operand, false);
                print_lambda(map.lambda);
                break;
            }
            case Op::join:
            case Op::merge: {
                const auto &join = as<JoinExpr>(expr);
                text_ += expr.op == Op::join ? "join(" : "merge(";
                print_pair(*join.a, *join.b);
                print_lambda(join.lambda);
                break;
            }
            case Op::reduce: {
                const auto &reduce = as<ReduceExpr>(expr);
                text_ += "reduce(";
                print(*reduce.operand, false);
                fmt::format_to(out(), ",{}", info(reduce.aggregator).name);
                print_list(reduce.dimensions);
                text_ += ')';
                break;
            }
            case Op::rename: {
                const auto &rename = as<RenameExpr>(expr);
                text_ += "rename(";
                print(*rename.operand, false);
                const bool one = rename.from.size() == 1;
                fmt::format_to(out(), ",{0}{2}{1},{0}{3}{1})", one ? "" : "(", one ? "" : ")",
                               fmt::join(rename.from, ","), fmt::join(rename.to, ","));
                break;
            }
            case Op::concat: {
                const auto &concat = as<ConcatExpr>(expr);
                text_ += "concat(";
                print_pair(*concat.a, *concat.b);
                fmt::format_to(out(), ",{})", concat.dimension);
                break;
            }
            case Op::cell_cast:
                text_ += "cell_cast(";
                print(*as<CellCastExpr>(expr).operand, false);
                fmt::format_to(out(), ",{})", name(expr.type->cell_type()));
                break;
            case Op::cell_order:
                text_ += "cell_order(";
                print(*as<CellOrderExpr>(expr).operand, false);
                text_ += as<CellOrderExpr>(expr).ascending ? ",min)" : ",max)";
                break;
            case Op::generate:
                print_generator(as<GenerateExpr>(expr));
                break;
            case Op::literal:
                print_literal(as<LiteralExpr>(expr));
                break;
            case Op::constant:
                fmt::format_to(out(), "<{}>", expr.type->to_string());
                break;
            case Op::to_mapped:
                text_ += "to_mapped(";
                print(*as<ToMappedExpr>(expr).operand, false);
                print_list(as<ToMappedExpr>(expr).dimensions);
                text_ += ')';
                break;
            case Op::cut: {
                const auto &cut = as<CutExpr>(expr);
                text_ += "cut(";
                print(*cut.operand, false);
                fmt::format_to(out(), ",{},{},{})", cut.dimension, cut.begin, cut.end);
                break;
            }
            case Op::forest: {
                const auto &forest = as<ForestExpr>(expr);
                fmt::format_to(out(), "forest<{} trees>(", forest.forest->trees.size());
                for (const Expr *const &feature : forest.features) {
                    text_ += &feature == forest.features.data() ? "" : ",";
                    print(*feature, false);
                }
                text_ += ')';
                break;
            }
            default:
                break;  // has a main operand or is a leaf
        }
    }

    void print_pair(const Expr &a, const Expr &b) {
        print(a, false);
        text_ += ',';
        print(b, false);
    }

    void print_list(std::span<const std::string_view> dimensions) {
        for (std::string_view dimension : dimensions) {
            text_ += ',';
            text_ += dimension;
        }
    }

    void print_lambda(const LambdaExpr &lambda) {
        names_.push_back(lambda.parameter_count == 1 ? std::vector<std::string>{"a"}
                                                     : std::vector<std::string>{"a", "b"});
        fmt::format_to(out(), ",f({})(", fmt::join(names_.back(), ","));
        print(*lambda.body, false);
        text_ += "))";
        names_.pop_back();
    }

    void print_generator(const GenerateExpr &generator) {
        std::vector<std::string> &names = names_.back();
        const std::size_t outer = names.size();
        std::vector<std::string> dimensions;
        for (std::uint32_t position : generator.dimensions) {
            const Dimension &dimension = generator.type->dimensions()[position];
            dimensions.push_back(fmt::format("{}[{}]", dimension.name, dimension.size));
            std::string name = dimension.name;
            while (std::find(names.begin(), names.end(), name) != names.end()) {
                name += '\'';  // hides an outer one: the text would be ambiguous without a mark
            }
            names.push_back(std::move(name));
        }
        fmt::format_to(out(), "tensor{}({})(", cell_type(*generator.type), fmt::join(dimensions, ","));
        print(*generator.body, false);
        text_ += ')';
        names_.back().resize(outer);
    }

    static std::string cell_type(const TensorType &type) {
        return type.cell_type() == CellType::f64 ? std::string() : fmt::format("<{}>", name(type.cell_type()));
    }

    void print_literal(const LiteralExpr &literal) {
        fmt::format_to(out(), "{}:{{", literal.type->to_string());
        for (const LiteralCellExpr &cell : literal.cells) {
            text_ += &cell == literal.cells.data() ? "{" : ",{";
            print_address(*literal.type, cell);
            text_ += "}:";
            print(*cell.value, false);
        }
        text_ += '}';
    }

    void print_address(const TensorType &type, const LiteralCellExpr &cell) {
        std::uint64_t rest = cell.index;
        std::uint64_t stride = type.block_cells();
        std::size_t mapped = 0;
        for (const Dimension &dimension : type.dimensions()) {
            text_ += &dimension == type.dimensions().data() ? "" : ",";
            if (dimension.is_mapped()) {
                fmt::format_to(out(), "{}:{}", dimension.name, cell.labels[mapped++]);
            } else {
                stride /= dimension.size;
                fmt::format_to(out(), "{}:{}", dimension.name, rest / stride);
                rest %= stride;
            }
        }
    }

    void print_peek(const PeekExpr &peek) {
        const TensorType &type = *peek.operand->type;
        text_ += '{';
        for (const PeekPart &part : peek.parts) {
            fmt::format_to(out(), "{}{}:", &part == peek.parts.data() ? "" : ",", part.dimension);
            if (part.expression != nullptr) {
                text_ += '(';
                print(*part.expression, false);
                text_ += ')';
            } else if (type.dimensions()[*type.find(part.dimension)].is_mapped()) {
                text_ += part.label;
            } else {
                fmt::format_to(out(), "{}", part.index);
            }
        }
        text_ += '}';
    }

    std::back_insert_iterator<std::string> out() { return std::back_inserter(text_); }

    const TypedExpression &expression_;
    std::string text_;
    std::unordered_map<const Expr *, std::size_t> shared_;
    std::vector<std::vector<std::string>> names_;  // of the parameters, scope by scope
};

}  // namespace

std::string to_string(const TypedExpression &expression) {
    return Printer(expression).run();
}

}  // namespace tenrex::sema
