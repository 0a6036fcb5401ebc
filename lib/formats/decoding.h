// What all decoders of values do first: keep to the limits, and let no failed allocation escape.
#pragma once

#include <cstdint>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>

#include <tenrex/limits.h>
#include <tenrex/result.h>
#include <tenrex/tensor.h>

#include "lib/support/format.h"

namespace tenrex {

struct LimitProblem {
    std::string message;
    std::string hint;
};

inline LimitProblem too_many_cells(const Limits &limits) {
    return {fmt::format("the value has more than {} cells", limits.tensor_cells), "the limit is called tensor_cells"};
}

// The reason why a dense value of the type may not be made, if there is one.
inline std::optional<LimitProblem> check_cells(const TensorType &type, const Limits &limits) {
    return type.has_mapped() || type.block_cells() <= limits.tensor_cells ? std::nullopt
                                                                          : std::optional(too_many_cells(limits));
}

// Calls read(), which gives a Result<Tensor>, unless the input is too long.
template <class Read>
Result<Tensor> decode(std::uint64_t input_bytes, const Limits &limits, Read &&read) {
    if (input_bytes > limits.value_bytes) {
        return Error(fmt::format("the value takes {} bytes; at most {} are read", input_bytes, limits.value_bytes),
                     "the limit is called value_bytes");
    }
    const char *const no_memory = "there is not enough memory for the value";
    try {
        return read();
    } catch (const std::bad_alloc &) {
        return Error(no_memory);
    } catch (const std::length_error &) {
        return Error(no_memory);
    }
}

}  // namespace tenrex
