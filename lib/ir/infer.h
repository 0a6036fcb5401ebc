// The dimensions of results: what follows from an operation, its payload and the types of its operands. All that make
// nodes ask here, and the verifier compares.
//
// Dimensions are views, so that asking takes no memory: their names are those of the types and the payload.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <tenrex/tensor_type.h>

#include "lib/ir/ops.h"
#include "lib/ir/payloads.h"

namespace tenrex::ir {

struct DimensionView {
    std::string_view name;
    std::uint64_t size;  // 0: mapped

    friend bool operator==(const DimensionView &a, const Dimension &b) noexcept {
        return a.size == b.size && a.name == b.name;
    }
};

using DimensionViews = std::pmr::vector<DimensionView>;
using OperandTypes = std::span<const TensorType *const>;

// What infer() reads and writes, node after node. It takes memory only for the unusually many.
struct InferenceRoom {
    InferenceRoom() {
        operand_types.reserve(8);
        inferred.reserve(8);
    }

    std::array<std::byte, 512> bytes;
    std::pmr::monotonic_buffer_resource memory{bytes.data(), bytes.size()};
    std::pmr::vector<const TensorType *> operand_types{&memory};
    DimensionViews inferred{&memory};
};

// Both put the dimensions, sorted by name, in place of what `result` holds; or they say why there are none.

// Of the natural join.
std::optional<std::string> join(OperandTypes operands, DimensionViews &result);
// Of a result. The operation takes so many operands and such a payload. Of an input: its type stands for an operand.
std::optional<std::string> infer(Op op, OperandTypes operands, const Payload &payload, DimensionViews &result);

// The type of all operands, if the operation is one cell by cell and they have one type, the same object: then the
// result has its dimensions, and nothing is left to infer. Else null.
const TensorType *common_type(Op op, OperandTypes operands) noexcept;

// The dimensions of the natural join of types that agree.
std::vector<Dimension> joined(OperandTypes operands);

}  // namespace tenrex::ir
