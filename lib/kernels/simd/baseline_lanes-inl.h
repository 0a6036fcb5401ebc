// The vectors of the target `baseline`, of 128 bits: SSE2 on x86-64, AdvSIMD on AArch64, plain code elsewhere.
#pragma once

#if defined(__aarch64__)
#include "lib/kernels/simd/neon_lanes-inl.h"
#else
#include "lib/kernels/simd/portable_lanes-inl.h"
#endif
