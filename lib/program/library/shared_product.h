// Products of matrices that threads share.
#pragma once

#include "lib/kernels/matmul/matmul_kernels.h"
#include "lib/program/value.h"

namespace tenrex::program {

// What the kernel's function does, by the threads of the frame's executor if it is worth it: each makes some rows and
// columns of the product.
void share_product(const Frame &frame, const kernels::MatmulKernel &kernel, const kernels::Matmul &call);

inline void multiply(const Frame &frame, const kernels::MatmulKernel &kernel, const kernels::Matmul &call) {
    frame.executor == nullptr ? kernel.function(call) : share_product(frame, kernel, call);
}

}  // namespace tenrex::program
