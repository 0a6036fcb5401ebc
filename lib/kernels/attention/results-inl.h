// Where the rows of results are, and what they are without keys.
#pragma once

#include "lib/kernels/attention/attention.h"

namespace tenrex::kernels {
namespace {

inline f32 *row_of_result(const Attention &call, std::size_t head, std::size_t query) {
    return static_cast<f32 *>(call.out) + static_cast<std::ptrdiff_t>(head) * call.out_head +
           static_cast<std::ptrdiff_t>(query) * call.out_row;
}

inline void set_results_to_zero(const Attention &call) {
    for (std::size_t head = 0; head < call.heads; ++head) {
        for (std::size_t query = 0; query < call.query_count; ++query) {
            __builtin_memset(row_of_result(call, head, query), 0, call.columns * sizeof(f32));
        }
    }
}

}  // namespace
}  // namespace tenrex::kernels
