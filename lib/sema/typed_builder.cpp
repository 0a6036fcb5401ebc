#include "lib/sema/typed_builder.h"

#include <algorithm>
#include <functional>

#include "lib/forest/forest.h"

namespace tenrex::sema {

namespace {

std::size_t shape_hash(const TensorType &type) {
    std::size_t hash = static_cast<std::size_t>(type.cell_type());
    for (const Dimension &dimension : type.dimensions()) {
        hash = hash * 0x9E3779B97F4A7C15u + std::hash<std::string_view>{}(dimension.name) + dimension.size +
               static_cast<std::uint64_t>(dimension.kind);
    }
    return hash;
}

}  // namespace

TypedBuilder::TypedBuilder() : scalar_(nullptr) {
    scalar_ = content_.types.emplace_back(std::make_unique<TensorType>()).get();
}

const TensorType *TypedBuilder::intern(const TensorType &type) {
    if (type.is_scalar()) {
        return scalar_;
    }
    const std::size_t hash = shape_hash(type);
    const auto [begin, end] = interned_.equal_range(hash);
    for (auto it = begin; it != end; ++it) {
        if (*it->second == type) {
            return it->second;
        }
    }
    const TensorType *made = content_.types.emplace_back(std::make_unique<TensorType>(type)).get();
    interned_.emplace(hash, made);
    return made;
}

template <class T>
T *TypedBuilder::make(Op op, const TensorType *type, Span span) {
    T *node = content_.arena.make<T>();
    node->op = op;
    node->id = content_.node_count++;
    node->type = type;
    node->span = place_.value_or(span);
    return node;
}

Expr *TypedBuilder::number(double value, Span span) {
    auto *node = make<NumberExpr>(Op::number, scalar_, span);
    node->is_scalar_code = true;
    node->value = value;
    return node;
}

Expr *TypedBuilder::string(std::string_view text, Span span) {
    Expr *node = number(string_number(text), span);
    node->is_string = true;
    content_.strings.emplace_back(text);
    return node;
}

Expr *TypedBuilder::input(std::uint32_t index, const TensorType *type, Span span) {
    auto *node = make<InputExpr>(Op::input, type, span);
    node->input = index;
    node->is_string = content_.inputs[index].is_string;
    return node;
}

Expr *TypedBuilder::parameter(std::uint32_t slot, const TensorType *type, Span span) {
    auto *node = make<ParameterExpr>(Op::parameter, type, span);
    node->is_scalar_code = type == scalar_;
    node->slot = slot;
    return node;
}

Expr *TypedBuilder::call(ScalarFunction function, Expr *a, Expr *b, const TensorType *type, Span span) {
    auto *node = make<CallExpr>(Op::call, type, span);
    node->is_scalar_code = a->is_scalar_code && (b == nullptr || b->is_scalar_code);
    node->function = function;
    node->a = use(a);
    node->b = b == nullptr ? nullptr : use(b);
    return node;
}

Expr *TypedBuilder::user_call(const UserFunction *function, std::span<Expr *const> arguments, const TensorType *type,
                              Span span) {
    auto *node = make<UserCallExpr>(Op::user_call, type, span);
    node->is_scalar_code = true;
    node->function = function;
    std::vector<const Expr *> used;
    for (Expr *argument : arguments) {
        node->is_scalar_code = node->is_scalar_code && argument->is_scalar_code;
        used.push_back(use(argument));
    }
    node->arguments = copy(used);
    return node;
}

Expr *TypedBuilder::in_set(Expr *subject, const std::vector<double> &set, const TensorType *type, Span span) {
    auto *node = make<InExpr>(Op::in_set, type, span);
    node->is_scalar_code = subject->is_scalar_code;
    node->subject = use(subject);
    node->set = copy(set);
    return node;
}

Expr *TypedBuilder::conditional(Expr *condition, Expr *when_true, Expr *when_false, double probability, Span span) {
    auto *node = make<IfExpr>(Op::conditional, when_true->type, span);
    node->is_scalar_code = condition->is_scalar_code && when_true->is_scalar_code && when_false->is_scalar_code;
    node->condition = use(condition);
    node->when_true = use(when_true);
    node->when_false = use(when_false);
    node->probability = probability;
    node->is_string = when_true->is_string && when_false->is_string;
    return node;
}

Expr *TypedBuilder::map(Op op, Expr *operand, Expr *body, const TensorType *type, Span span) {
    auto *node = make<MapExpr>(op, type, span);
    node->operand = use(operand);
    node->lambda = {1, use(body)};
    return node;
}

Expr *TypedBuilder::join(Op op, Expr *a, Expr *b, Expr *body, const TensorType *type, Span span) {
    auto *node = make<JoinExpr>(op, type, span);
    node->a = use(a);
    node->b = use(b);
    node->lambda = {2, use(body)};
    return node;
}

Expr *TypedBuilder::reduce(Expr *operand, Aggregator aggregator, const std::vector<std::string_view> &dimensions,
                           const TensorType *type, Span span) {
    auto *node = make<ReduceExpr>(Op::reduce, type, span);
    node->operand = use(operand);
    node->aggregator = aggregator;
    node->dimensions = copy(dimensions);
    return node;
}

Expr *TypedBuilder::rename(Expr *operand, const std::vector<std::string_view> &from,
                           const std::vector<std::string_view> &to, const TensorType *type, Span span) {
    auto *node = make<RenameExpr>(Op::rename, type, span);
    node->operand = use(operand);
    node->from = copy(from);
    node->to = copy(to);
    return node;
}

Expr *TypedBuilder::concat(Expr *a, Expr *b, std::string_view dimension, const TensorType *type, Span span) {
    auto *node = make<ConcatExpr>(Op::concat, type, span);
    node->a = use(a);
    node->b = use(b);
    node->dimension = dimension;
    return node;
}

Expr *TypedBuilder::cell_cast(Expr *operand, const TensorType *type, Span span) {
    auto *node = make<CellCastExpr>(Op::cell_cast, type, span);
    node->operand = use(operand);
    return node;
}

Expr *TypedBuilder::cell_order(Expr *operand, bool ascending, const TensorType *type, Span span) {
    auto *node = make<CellOrderExpr>(Op::cell_order, type, span);
    node->operand = use(operand);
    node->ascending = ascending;
    return node;
}

Expr *TypedBuilder::generate(std::uint32_t first_slot, const std::vector<std::uint32_t> &dimensions, Expr *body,
                             const TensorType *type, Span span) {
    auto *node = make<GenerateExpr>(Op::generate, type, span);
    node->first_slot = first_slot;
    node->dimensions = copy(dimensions);
    node->body = use(body);
    return node;
}

Expr *TypedBuilder::literal(const std::vector<LiteralCellExpr> &cells, const TensorType *type, Span span) {
    auto *node = make<LiteralExpr>(Op::literal, type, span);
    node->cells = copy(cells);
    return node;
}

Expr *TypedBuilder::peek(Expr *operand, const std::vector<PeekPart> &parts, const TensorType *type, Span span) {
    auto *node = make<PeekExpr>(Op::peek, type, span);
    node->operand = use(operand);
    node->parts = copy(parts);
    return node;
}

Expr *TypedBuilder::constant(Tensor value, Span span) {
    auto *node = make<ConstantExpr>(Op::constant, intern(value.type()), span);
    node->value = own(std::move(value));
    return node;
}

Expr *TypedBuilder::to_mapped(Expr *operand, const std::vector<std::string_view> &dimensions, const TensorType *type,
                              Span span) {
    auto *node = make<ToMappedExpr>(Op::to_mapped, type, span);
    node->operand = use(operand);
    node->dimensions = copy(dimensions);
    return node;
}

Expr *TypedBuilder::cut(Expr *operand, std::string_view dimension, std::uint64_t begin, std::uint64_t end,
                        const TensorType *type, Span span) {
    auto *node = make<CutExpr>(Op::cut, type, span);
    node->operand = use(operand);
    node->dimension = dimension;
    node->begin = begin;
    node->end = end;
    return node;
}

Expr *TypedBuilder::forest(std::shared_ptr<const forest::Forest> forest, std::span<Expr *const> features, Span span) {
    const TensorType *type = scalar_;
    if (forest->outputs != 1) {
        type = intern(*TensorType::make(CellType::f64, {Dimension{"class", forest->outputs}}));
    }
    auto *node = make<ForestExpr>(Op::forest, type, span);
    node->forest = forest.get();
    std::vector<const Expr *> used;
    for (Expr *feature : features) {
        used.push_back(use(feature));
    }
    node->features = copy(used);
    if (std::find(content_.forests.begin(), content_.forests.end(), forest) == content_.forests.end()) {
        content_.forests.push_back(std::move(forest));
    }
    return node;
}

const Tensor *TypedBuilder::own(Tensor value) {
    return content_.constants.emplace_back(std::make_unique<Tensor>(std::move(value))).get();
}

const UserFunction *TypedBuilder::own(const UserFunction &function) {
    const UserFunction *&owned = functions_[&function];
    if (owned == nullptr) {
        owned = content_.functions.emplace_back(std::make_unique<UserFunction>(function)).get();
    }
    return owned;
}

std::uint32_t TypedBuilder::add_input(InputUse use) {
    input_types_.push_back(intern(use.type));
    content_.inputs.push_back(std::move(use));
    return static_cast<std::uint32_t>(content_.inputs.size() - 1);
}

TypedExpression TypedBuilder::finish(Expr *root, std::vector<Issue> warnings) {
    content_.root = use(root);
    content_.warnings = std::move(warnings);
    return TypedExpression(std::move(content_));
}

}  // namespace tenrex::sema
