// Tests of every kernel for products of matrices.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "lib/kernels/matmul/matmul_kernels.h"
#include "tests/kernels/row.h"

namespace tenrex::kernels {

// Every kernel of the list, one test each; those that this machine cannot run are skipped and say why.
class Products : public testing::TestWithParam<const MatmulKernel *> {
protected:
    void SetUp() override {
        const Isa absent = target_isa(kernel().target) - detected_isa();
        if (!absent.empty()) {
            GTEST_SKIP() << "this CPU lacks " << to_string(absent);
        }
    }

    static const MatmulKernel &kernel() { return *GetParam(); }
    static std::size_t cell_size() { return byte_size(kernel().type); }
    static Row random(CellType type, std::size_t cells) {
        static std::mt19937 engine(1);
        return random_row(type, cells, engine);
    }
    static Row random(std::size_t cells) { return random(kernel().type, cells); }
    static bool exact() { return kernel().type == CellType::i8; }

    // b[k][n] in rows, packed.
    static Row packed(const Row &b, std::size_t k, std::size_t n) {
        Row result = make_row(kernel().type, packed_cells(kernel(), k, n));
        kernel().pack({b.bytes.data(), static_cast<std::ptrdiff_t>(n), 1, k, n, result.bytes.data()});
        return result;
    }
    static Row product(const Row &a, const Row &packed_b, std::size_t m, std::size_t n, std::size_t k,
                       const Row *bias = nullptr, MatmulActivation activation = MatmulActivation::none,
                       const MatmulScaling *scaling = nullptr) {
        Row out = make_row(kernel().out(), m * n);
        kernel().function({a.bytes.data(), static_cast<std::ptrdiff_t>(k), 1, packed_b.bytes.data(), m, n, k,
                           bias == nullptr ? nullptr : bias->bytes.data(), out.bytes.data(),
                           static_cast<std::ptrdiff_t>(n), activation, 0, scaling});
        return out;
    }
    static Row reduced(MatmulReduction reduction, const Row &a, const Row &packed_b, std::size_t m, std::size_t n,
                       std::size_t k, const Row *before = nullptr) {
        Row out = before == nullptr ? make_row(kernel().out(), n) : *before;
        kernel().reduce({reduction, a.bytes.data(), static_cast<std::ptrdiff_t>(k), 1, packed_b.bytes.data(), m, n, k,
                         out.bytes.data(), before != nullptr});
        return out;
    }
    static Row part(const Row &cells, std::size_t from, std::size_t count) {
        const std::size_t size = byte_size(cells.type);
        const auto first = cells.bytes.begin() + static_cast<std::ptrdiff_t>(from * size);
        return {cells.type, std::vector<char>(first, first + static_cast<std::ptrdiff_t>(count * size))};
    }

    // What reduce() must give for these rows of a product, from its definition.
    static double best(MatmulReduction reduction, double x, double y) {
        if (std::isnan(x) || std::isnan(y)) {
            return std::isnan(x) ? y : x;
        }
        return reduction == MatmulReduction::max ? std::max(x, y) : std::min(x, y);
    }
};

inline std::vector<const MatmulKernel *> all_kernels() {
    std::vector<const MatmulKernel *> all;
    for (const MatmulKernel &kernel : matmul_kernels()) {
        all.push_back(&kernel);
    }
    return all;
}

inline std::string test_name(const testing::TestParamInfo<const MatmulKernel *> &parameter) {
    return std::string(parameter.param->function_name) + "_" + std::string(name(parameter.param->target));
}

}  // namespace tenrex::kernels
