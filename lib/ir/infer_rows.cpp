#include "lib/ir/infer_rows.h"

#include "lib/support/format.h"

namespace tenrex::ir {

Problem sized(OperandTypes operands, DimensionViews &result) {
    for (const TensorType *const operand : operands.subspan(1)) {
        if (operand->mapped_count() != 1) {
            return "compares numbers of rows that have not one label each";
        }
    }
    return same_as(*operands[0], result);
}

namespace {

// A dimension of an operand, which may be called otherwise in the other one.
bool has(const TensorType &type, std::string_view name) {
    return find(type, name) != nullptr;
}

// Of heads, queries and keys: it has the indexes of that dimension, if it has it.
Problem fits(const TensorType &mask, const TensorType &queries, const TensorType &keys, const Attention &attention) {
    for (const Dimension &dimension : mask.dimensions()) {
        const TensorType &other = dimension.name == attention.key_rows ? keys : queries;
        const Dimension *const own = find(other, dimension.name);
        if (own == nullptr || *own != dimension || dimension.name == attention.summed) {
            return fmt::format("has no dimension {} as its mask has", dimension.name);
        }
    }
    return std::nullopt;
}

}  // namespace

Problem attended(OperandTypes operands, const Attention &attention, DimensionViews &result) {
    const TensorType &queries = *operands[0];
    const TensorType &keys = *operands[1];
    const TensorType &values = *operands[2];
    if (operands.size() != (attention.masking == Masking::none ? 3 : 4)) {
        return fmt::format("has {} operands", operands.size());
    }
    const Dimension *const rows = find(keys, attention.key_rows);
    const Dimension *const of_values = find(values, attention.value_rows);
    if (!has(queries, attention.summed) || !has(keys, attention.summed) || !has(queries, attention.query_rows) ||
        rows == nullptr || of_values == nullptr || rows->size != of_values->size) {
        return "lacks a dimension that it names, or has other keys than values";
    }
    for (const TensorType *const operand : {&queries, &keys, &values}) {
        if (attention.is_rounded && operand->cell_type() != CellType::bf16) {
            return "rounds its weights to bfloat16, and multiplies other cells";
        }
    }
    // Heads, in all of them.
    for (const TensorType *const operand : {&queries, &keys}) {
        for (const Dimension &dimension : operand->dimensions()) {
            const bool is_own = dimension.name == (operand == &queries ? attention.query_rows : attention.key_rows);
            if (!is_own && dimension.name != attention.summed &&
                (dimension.is_mapped() || find(keys, dimension.name) == nullptr ||
                 *find(keys, dimension.name) != dimension || find(values, dimension.name) == nullptr ||
                 *find(values, dimension.name) != dimension)) {
                return fmt::format("dimension {} numbers heads of one operand only", dimension.name);
            }
        }
    }
    if (operands.size() == 4) {
        if (Problem problem = fits(*operands[3], queries, keys, attention)) {
            return problem;
        }
    }
    result.clear();
    for (const Dimension &dimension : queries.dimensions()) {
        if (dimension.name != attention.summed) {
            insert(result, dimension.name, dimension.size);
        }
    }
    for (const Dimension &dimension : values.dimensions()) {
        const bool is_head = has(queries, dimension.name) && has(keys, dimension.name) &&
                             dimension.name != attention.summed && dimension.name != attention.query_rows;
        if (dimension.name == attention.value_rows || is_head) {
            continue;
        }
        if (dimension.is_mapped() || !insert(result, dimension.name, dimension.size)) {
            return fmt::format("calls two dimensions {}", dimension.name);
        }
    }
    return std::nullopt;
}

Problem appended(OperandTypes operands, const std::string &along, DimensionViews &result) {
    const Dimension *const rows = find(*operands[0], along);
    if (operands[0]->dimensions() != operands[1]->dimensions() || operands[0]->mapped_count() != 1 || rows == nullptr ||
        !rows->is_mapped()) {
        return fmt::format("appends what are not rows of dimension {}", along);
    }
    return same_as(*operands[0], result);
}

}  // namespace tenrex::ir
