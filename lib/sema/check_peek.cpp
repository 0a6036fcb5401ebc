// Peeks: which dimension an entry means, and whether its label is text, an index or computed.
#include <algorithm>
#include <cmath>

#include "lib/sema/checker.h"
#include "lib/sema/constant_value.h"
#include "lib/sema/index_label.h"
#include "lib/support/format.h"
#include "lib/types/derived_type.h"

namespace tenrex::sema {

using syntax::PeekEntry;

Expr *Checker::check_peek(const syntax::PeekNode &node, Expr *subject) {
    if (subject == nullptr) {
        for (const PeekEntry &entry : node.entries) {
            if (!entry.has_label && entry.expression != nullptr) {
                check_scalar(*entry.expression, "a label");
            }
        }
        return nullptr;
    }
    const TensorType &type = *subject->type;
    bool good = true;
    std::vector<PeekPart> parts;
    Names dimensions;
    for (const PeekEntry &entry : node.entries) {
        const Dimension *dimension = peek_dimension(entry, type);
        PeekPart part{};
        if (dimension == nullptr) {
            if (!entry.has_label && entry.expression != nullptr) {
                check_scalar(*entry.expression, "a label");
            }
            good = false;
            continue;
        }
        part.dimension = dimension->name;
        if (!peek_part(entry, *dimension, part)) {
            good = false;
            continue;
        }
        if (std::find(dimensions.begin(), dimensions.end(), dimension->name) != dimensions.end()) {
            diagnostics_.warning(entry.span,
                                 fmt::format("dimension '{}' is named twice; the first label counts", dimension->name));
            continue;
        }
        dimensions.push_back(dimension->name);
        parts.push_back(part);
    }
    if (!good) {
        return nullptr;
    }
    const TensorType *result = peek_result(type, dimensions, parts, node.span);
    return result == nullptr ? nullptr : builder_.peek(subject, parts, result, node.span);
}

const TensorType *Checker::peek_result(const TensorType &subject, const Names &dimensions,
                                       const std::vector<PeekPart> &parts, Span span) {
    TensorType result = std::get<TensorType>(peek_type(subject, dimensions));
    for (const PeekPart &part : parts) {
        if (part.expression == nullptr || part.expression->type->is_scalar()) {
            continue;
        }
        TypeOrProblem joined = join_type(result, *part.expression->type, false, options_.limits);
        if (const auto *problem = std::get_if<TypeProblem>(&joined)) {
            fail(span,
                 fmt::format("what is left is {} and the indexes of dimension '{}' are {}: {}", result.to_string(),
                             part.dimension, part.expression->type->to_string(), problem->message),
                 problem->hint);
            return nullptr;
        }
        result = known_type(subject.cell_type(), std::get<TensorType>(joined).dimensions());
    }
    return builder_.intern(result);
}

const Dimension *Checker::peek_dimension(const PeekEntry &entry, const TensorType &type) {
    if (!entry.dimension.text.empty()) {
        if (const auto position = type.find(entry.dimension.text)) {
            return &type.dimensions()[*position];
        }
        const std::string_view one[] = {entry.dimension.text};
        const TypeProblem problem = std::get<TypeProblem>(peek_type(type, one));
        return fail(entry.dimension.span, problem.message, problem.hint);
    }
    const bool indexed = entry.short_index;
    const Dimension *found = nullptr;
    for (const Dimension &dimension : type.dimensions()) {
        if (dimension.is_indexed() != indexed) {
            continue;
        }
        if (found != nullptr) {
            return fail(
                entry.span,
                fmt::format("{} has more than one {} dimension", type.to_string(), indexed ? "indexed" : "mapped"),
                fmt::format("name the dimension: {{{}:...}}", found->name));
        }
        found = &dimension;
    }
    if (found == nullptr) {
        const bool other = type.dimensions().size() == 1;
        return fail(entry.span,
                    fmt::format("{} has no {} dimension", type.is_scalar() ? "a double" : type.to_string(),
                                indexed ? "indexed" : "mapped"),
                    !other ? std::string() : fmt::format("write {}", indexed ? "{label}" : "[index]"));
    }
    return found;
}

bool Checker::peek_part(const PeekEntry &entry, const Dimension &dimension, PeekPart &part) {
    // An unquoted label of an indexed dimension that is no number may be an expression without parentheses.
    const bool is_text = entry.has_label && (entry.quoted || entry.expression == nullptr || dimension.is_mapped() ||
                                             is_whole_number(entry.label));
    return is_text ? peek_label(entry, dimension, part) : peek_computed(entry, dimension, part);
}

bool Checker::peek_label(const PeekEntry &entry, const Dimension &dimension, PeekPart &part) {
    if (dimension.is_mapped()) {
        warn_of_label(entry);
        part.label = builder_.copy(entry.label);
        return true;
    }
    IndexLabel index = index_label(entry.label, dimension.name, dimension.is_open() ? open_size : dimension.size);
    if (index.problem.empty()) {
        part.index = index.value;
        return true;
    }
    if (!entry.quoted && !is_whole_number(entry.label)) {
        index.hint =
            fmt::format("write {{{}:({})}} if '{}' is to be computed", dimension.name, entry.label, entry.label);
    }
    fail(entry.span, index.problem, index.hint);
    return false;
}

bool Checker::peek_computed(const PeekEntry &entry, const Dimension &dimension, PeekPart &part) {
    Expr *label = dimension.is_mapped() ? check_scalar(*entry.expression, "a label") : check(*entry.expression);
    if (label == nullptr) {
        return false;
    }
    if (label->type->has_mapped()) {
        fail(entry.expression->span,
             fmt::format("an index must be a number or a tensor of indexes without labels, but this is {}",
                         label->type->to_string()),
             "reduce it, or take one cell with {...}");
        return false;
    }
    const std::optional<double> constant = constant_value(*label);
    // Only a number that is out of range is an error; a formula that gives one finds nothing when it is evaluated.
    const bool is_number = label->op == Op::number;
    IndexLabel index;
    std::string text;
    if (constant && dimension.is_indexed()) {
        index = index_of_number(*constant, dimension.name, dimension.is_open() ? open_size : dimension.size);
    } else if (constant) {
        text = label_of_number(*constant);
        if (text.empty()) {
            index.problem = fmt::format("{} is no label: it does not fit into 64 bits",
                                        std::isnan(*constant) ? std::string("nan") : fmt::format("{}", *constant));
        }
    }
    if (constant && index.problem.empty()) {
        part.index = index.value;
        part.label = builder_.copy(text);
        return true;
    }
    if (is_number) {
        fail(entry.expression->span, index.problem, index.hint);
        return false;
    }
    if (constant) {
        diagnostics_.warning(entry.expression->span, index.problem, "the peek always gives zero");
    }
    part.expression = builder_.use(label);
    return true;
}

}  // namespace tenrex::sema
