// The primitive operations on values. Each takes the type of its result, which the type checker has worked out, and
// rounds what it computes to the cell type of that.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include <tenrex/tensor.h>
#include <tenrex/tensor_type.h>

#include "lib/reference/value.h"
#include "lib/sema/typed_ast.h"
#include "lib/syntax/tensor_function.h"

namespace tenrex::reference {

// What all operations of one evaluation share.
struct Workspace {
    Budget budget;
    Labels labels;
    bool bounds = false;  // whether errors are wanted: else all numbers count as exact
};

// The blocks of a value; a scalar is seen as one block of one cell.
class BlockView {
public:
    BlockView(Workspace &workspace, Value value);
    BlockView(const BlockView &) = delete;
    BlockView &operator=(const BlockView &) = delete;
    const Blocks &operator*() const noexcept { return *blocks_; }
    const Blocks *operator->() const noexcept { return blocks_; }

private:
    Value value_;
    std::optional<Blocks> scalar_;
    const Blocks *blocks_;
};

// `type` must outlive the value.
Value from_tensor(Workspace &workspace, const TensorType &type, const Tensor &tensor);
Tensor to_tensor(const Workspace &workspace, const Value &value);
// The errors of the cells instead of the cells, as doubles.
Tensor errors_to_tensor(const Workspace &workspace, const Value &value);

// The value, of which nothing is known.
Value forgotten(Workspace &workspace, const Value &value);
// The value of a choice whose condition decides by numbers within their errors.
Value either(Workspace &workspace, const Value &chosen, const Value &other);

// What of a function matters to sums of what it gives.
enum class Kind : std::uint8_t {
    conversion,  // to another cell type, or to the magnitude
    sum,         // of two
    product,     // of two, or of a cell with itself
    other
};
struct UnaryFunction {
    std::function<Number(Number)> of;
    Kind kind = Kind::other;
    std::optional<Number> scalar = std::nullopt;  // that cells are joined with
};
struct BinaryFunction {
    std::function<Number(Number, Number)> of;
    Kind kind = Kind::other;
};

Value map(Workspace &workspace, const TensorType &result, const Value &operand, const UnaryFunction &function);
// No product of the cells exceeds it, nor one of some of them.
double largest_of(std::span<const double> cells) noexcept;
// The origin of cells that are computed. largest_cell: largest_of() the operand's.
Origin origin_of_map(const TensorType &operand_type, const Origin &operand, double largest_cell,
                     const UnaryFunction &function);
Origin origin_of_join(const Blocks &a, const Blocks &b, Kind kind);
// With the error that sums have whose terms may be added in another order.
Number regrouped(CellType type, Number a, Number b, Number sum) noexcept;
// Ranks are counted over all cells. NaN comes last; equal cells follow the order of their addresses, which are compared
// label by label as bytes, then by index. So the result does not depend on the order of the blocks.
Value cell_order(Workspace &workspace, const TensorType &result, const Value &operand, bool ascending);

Value join(Workspace &workspace, const TensorType &result, const Value &a, const Value &b,
           const BinaryFunction &function);
Value merge(Workspace &workspace, const TensorType &result, const Value &a, const Value &b,
            const BinaryFunction &function);
Value concat(Workspace &workspace, const TensorType &result, const Value &a, const Value &b,
             std::string_view dimension);

// Aggregates over the dimensions that the result lacks, in double. max and min ignore NaN unless there is nothing else;
// without any cell every aggregator gives 0.
Value reduce(Workspace &workspace, const TensorType &result, const Value &operand, Aggregator aggregator);

// Cells that are reduced as they are computed, and never stored: those of `a`, or of its join with `b`, after the
// steps.
struct Computed {
    struct Step {
        const TensorType *type;
        UnaryFunction function;
    };
    Value a;
    std::optional<Value> b;
    const TensorType *joined = nullptr;
    BinaryFunction function;
    std::vector<Step> steps;
};
Value reduce(Workspace &workspace, const TensorType &result, const Computed &operand, Aggregator aggregator);

Value rename(Workspace &workspace, const TensorType &result, const Value &operand,
             std::span<const std::string_view> from, std::span<const std::string_view> to);
Value to_mapped(Workspace &workspace, const TensorType &result, const Value &operand,
                std::span<const std::string_view> dimensions);
Value cut(Workspace &workspace, const TensorType &result, const Value &operand, std::string_view dimension,
          std::uint64_t begin);

// Where a peek looks in one dimension: a LabelId or an index; nothing if there is no such place.
struct Place {
    std::string_view dimension;
    std::optional<std::uint64_t> at;
    const Value *indexes = nullptr;  // a tensor with an index for each cell instead
};
// A miss gives zeros, or an empty tensor if the result has mapped dimensions.
Value peek(Workspace &workspace, const TensorType &result, const Value &operand, std::span<const Place> places);
// The same where some places are tensors of indexes. Blocks of a result with mapped dimensions are those in which any
// cell was found.
Value peek_at_indexes(Workspace &workspace, const TensorType &result, const Value &operand,
                      std::span<const Place> places);
// The integer that a computed label or index means, if it fits one.
std::optional<std::int64_t> truncated(double number) noexcept;

// values: one for each cell of the literal.
Value literal(Workspace &workspace, const TensorType &result, std::span<const sema::LiteralCellExpr> cells,
              std::span<const Value> values);

// Calls the lambda with each dense block, a value of type `block`.
using SubspaceFunction = std::function<Value(const Value &)>;
// result: the type of the value whose blocks become that value of the lambda; the same for all blocks.
using SubspaceType = std::function<const TensorType &(const Value &)>;
Value map_subspaces(Workspace &workspace, const SubspaceType &result, const TensorType &block, const Value &operand,
                    const SubspaceFunction &lambda);
Value filter_subspaces(Workspace &workspace, const TensorType &result, const TensorType &block, const Value &operand,
                       const SubspaceFunction &lambda);

}  // namespace tenrex::reference
