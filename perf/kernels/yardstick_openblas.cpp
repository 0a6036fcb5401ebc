#include <cblas.h>

#include "perf/kernels/yardsticks.h"

namespace tenrex::kernels {
namespace {

template <class T, class Dot>
void dot(const RowPairs &pairs, Dot one_row) {
    const char *a = static_cast<const char *>(pairs.a);
    const char *b = static_cast<const char *>(pairs.b);
    for (std::size_t i = 0; i < pairs.rows; ++i) {
        static_cast<T *>(pairs.out)[i] = one_row(static_cast<blasint>(pairs.length), reinterpret_cast<const T *>(a), 1,
                                                 reinterpret_cast<const T *>(b), 1);
        a += pairs.a_stride;
        b += pairs.b_stride;
    }
}

template <class T, class Gemv>
void gemv(const RowPairs &pairs, Gemv product) {
    const blasint length = static_cast<blasint>(pairs.length);
    product(CblasRowMajor, CblasNoTrans, static_cast<blasint>(pairs.rows), length, T{1},
            static_cast<const T *>(pairs.b), length, static_cast<const T *>(pairs.a), 1, T{0},
            static_cast<T *>(pairs.out), 1);
}

template <class T, class Gemm>
void matmul(const Matmul &call, Gemm product) {
    const blasint m = static_cast<blasint>(call.m);
    const blasint n = static_cast<blasint>(call.n);
    const blasint k = static_cast<blasint>(call.k);
    product(CblasRowMajor, CblasNoTrans, CblasNoTrans, m, n, k, T{1}, static_cast<const T *>(call.a), k,
            static_cast<const T *>(call.packed), n, T{0}, static_cast<T *>(call.out), n);
}

}  // namespace

void openblas_dot_f32(const RowPairs &pairs) {
    dot<float>(pairs, cblas_sdot);
}
void openblas_dot_f64(const RowPairs &pairs) {
    dot<double>(pairs, cblas_ddot);
}
void openblas_gemv_f32(const RowPairs &pairs) {
    gemv<float>(pairs, cblas_sgemv);
}
void openblas_gemv_f64(const RowPairs &pairs) {
    gemv<double>(pairs, cblas_dgemv);
}
void openblas_matmul_f32(const Matmul &call) noexcept {
    matmul<float>(call, cblas_sgemm);
}
void openblas_matmul_f64(const Matmul &call) noexcept {
    matmul<double>(call, cblas_dgemm);
}

}  // namespace tenrex::kernels
