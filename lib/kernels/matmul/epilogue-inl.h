// What becomes of the sums of a product before they are stored, a vector at a time: they are scaled, a bias is added,
// and a function is taken.
#pragma once

#include "lib/kernels/cells-inl.h"
#include "lib/kernels/elementwise/erf-inl.h"
#include "lib/kernels/elementwise/hyperbolic-inl.h"
#include "lib/kernels/matmul/matmul.h"

namespace tenrex::kernels {
namespace {

template <class Lanes>
inline typename Lanes::V activated(MatmulActivation activation, typename Lanes::V x) {
    using V = typename Lanes::V;
    using T = typename Lanes::Scalar;
    if (activation == MatmulActivation::relu) {
        return x < V{} ? V{} : x;
    }
    if (activation == MatmulActivation::gelu) {
        return x * T(0.5) * (error_function<Lanes>(x * T(0.70710678118654752440)) + T(1));
    }
    if (activation == MatmulActivation::gelu_tanh) {
        const V inner = x * T(0.79788456080286535588) * (x * x * T(0.044715) + T(1));
        return x * T(0.5) * (hyperbolic_tangent<Lanes>(inner) + T(1));
    }
    return x;
}

// The epilogue for the float cells of a row from a column on.
template <class Lanes>
class RowEpilogue {
public:
    using V = typename Lanes::V;
    using T = typename Lanes::Scalar;

    RowEpilogue(const Matmul &call, std::size_t row, std::size_t left)
        : activation_(call.activation),
          bias_(call.bias == nullptr ? nullptr : reinterpret_cast<const char *>(call.bias) + left * sizeof(T)) {
        if (call.scaling != nullptr) {
            row_scale_ = call.scaling->row_scale[row];
            row_offset_ = call.scaling->row_offset[row];
            column_scale_ = reinterpret_cast<const char *>(call.scaling->column_scale + left);
            column_offset_ = reinterpret_cast<const char *>(call.scaling->column_offset + left);
        }
    }

    // Stores so many cells; sums(j, count) gives a vector of which so many are looked at.
    template <class Sums>
    void store(std::size_t columns, char *out, const Sums &sums) const {
        std::size_t j = 0;
        for (; columns - j >= Lanes::lanes; j += Lanes::lanes) {
            const std::size_t place = j * sizeof(T);
            Lanes::store(out + place,
                         finished(sums(j, Lanes::lanes), [&](const char *row) { return Lanes::load(row + place); }));
        }
        if (const std::size_t rest = columns - j; rest > 0) {
            const std::size_t place = j * sizeof(T);
            Lanes::store(out + place,
                         finished(sums(j, rest), [&](const char *row) { return Lanes::load(row + place, rest); }),
                         rest);
        }
    }

private:
    template <class Load>
    V finished(V x, const Load &load) const {
        if (column_scale_ != nullptr) {
            x = x * row_scale_ * load(column_scale_) + row_offset_ * load(column_offset_);
        }
        if (bias_ != nullptr) {
            x = load(bias_) + x;
        }
        return activated<Lanes>(activation_, x);
    }

    MatmulActivation activation_;
    const char *bias_;
    float row_scale_ = 0, row_offset_ = 0;
    const char *column_scale_ = nullptr, *column_offset_ = nullptr;
};

}  // namespace
}  // namespace tenrex::kernels
