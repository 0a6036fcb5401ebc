// Tensor types as they are written in expressions.

#include "lib/support/diagnostics.h"
#include "lib/support/format.h"
#include "lib/syntax/decimal.h"
#include "lib/syntax/expression_parser.h"
#include "lib/types/dimension_check.h"
#include "lib/types/known_cell_types.h"

namespace tenrex::syntax {

// The parser stands in front of '<' or '('.
const TypeSpec *ExpressionParser::type_spec(std::uint32_t begin) {
    auto *type = arena_.make<TypeSpec>();
    type->cell_type = CellType::f64;
    if (scan_.take('<')) {
        if (!cell_type(type->cell_type)) {
            return nullptr;
        }
        if (!scan_.take('>')) {
            return scan_.expected("'>' after the cell type");
        }
    }
    if (!scan_.take('(')) {
        return scan_.expected("'(' and dimensions");
    }
    const std::uint32_t open = scan_.position() - 1;
    const std::size_t list = scratch_.mark();
    bool closed = scan_.take(')');
    while (!closed) {
        if (!dimension_spec()) {
            return nullptr;
        }
        if (scratch_.count<DimensionSpec>(list) > options_.limits.dimensions) {
            break;  // enough to be refused below
        }
        closed = !scan_.take(',');
        if (closed && !closing(')', open, "',' or ')' in the tensor type")) {
            return nullptr;
        }
    }
    type->dimensions = scratch_.take<DimensionSpec>(list, arena_);
    type->span = since(begin);
    return possible_type(*type) ? type : nullptr;
}

bool ExpressionParser::possible_type(const TypeSpec &type) {
    std::vector<Dimension> dimensions;
    for (const DimensionSpec &entry : type.dimensions) {
        dimensions.push_back({std::string(entry.name.text), entry.size});
    }
    if (auto problem = check_dimensions(type.cell_type, dimensions, options_.limits)) {
        const bool is_known = problem->dimension < dimensions.size();
        return scan_.fail(is_known ? type.dimensions[problem->dimension].name.span : type.span,
                          std::move(problem->message), std::move(problem->hint));
    }
    return true;
}

bool ExpressionParser::cell_type(CellType &value) {
    scan_.skip_space();
    const std::uint32_t begin = scan_.position();
    const std::string_view word = scan_.name_run();
    if (word.empty()) {
        return scan_.expected("a cell type", known_cell_types());
    }
    const auto known = cell_type_from_name(word);
    if (!known) {
        std::vector<std::string_view> names;
        for (const CellType type : all_cell_types) {
            names.push_back(name(type));
        }
        const std::string_view near = nearest(word, names);
        return scan_.fail(since(begin), fmt::format("unknown cell type '{}'", word),
                          near.empty() ? known_cell_types() : fmt::format("did you mean '{}'?", near));
    }
    value = *known;
    return true;
}

// x{} or x[3]; adds it to the list begun last.
bool ExpressionParser::dimension_spec() {
    scan_.skip_space();
    DimensionSpec entry{};
    const std::uint32_t begin = scan_.position();
    entry.name.text = scan_.name_run();
    entry.name.span = since(begin);
    if (!is_name(entry.name.text)) {
        scan_.move_to(begin);
        return scan_.expected("the name of a dimension", "dimensions look like x{} or x[3]");
    }
    if (scan_.take('{')) {
        if (!scan_.take('}')) {
            return scan_.expected(fmt::format("'}}' after '{}{{'", entry.name.text),
                                  "dimensions look like x{} or x[3]");
        }
    } else if (scan_.take('[')) {
        if (!dimension_size(entry.name, entry.size)) {
            return false;
        }
    } else {
        return scan_.expected(fmt::format("'{{}}' or a size such as '[3]' after dimension '{}'", entry.name.text));
    }
    scratch_.push(entry);
    return true;
}

bool ExpressionParser::dimension_size(const Name &name, std::uint64_t &size) {
    scan_.skip_space();
    const std::uint32_t begin = scan_.position();
    const auto number = decimal(scan_.name_run());
    const Span span = since(begin);
    if (!number) {
        scan_.move_to(begin);
        return scan_.expected(fmt::format("the size of dimension '{}'", name.text),
                              "a size is a whole number, 1 or more");
    }
    size = *number;
    if (size == 0) {
        return scan_.fail(span, fmt::format("dimension '{}' has size 0", name.text),
                          fmt::format("the smallest size is 1; {}{{}} is a mapped dimension", name.text));
    }
    return scan_.take(']') || scan_.expected(fmt::format("']' after the size of dimension '{}'", name.text));
}

}  // namespace tenrex::syntax
