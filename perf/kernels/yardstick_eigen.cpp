#include <Eigen/Core>

#include "perf/kernels/yardsticks.h"

namespace tenrex::kernels {
namespace {

template <class T>
void dot(const RowPairs &pairs) {
    using Vector = Eigen::Map<const Eigen::Vector<T, Eigen::Dynamic>>;
    const char *a = static_cast<const char *>(pairs.a);
    const char *b = static_cast<const char *>(pairs.b);
    const Eigen::Index length = static_cast<Eigen::Index>(pairs.length);
    for (std::size_t i = 0; i < pairs.rows; ++i) {
        static_cast<T *>(pairs.out)[i] =
            Vector(reinterpret_cast<const T *>(a), length).dot(Vector(reinterpret_cast<const T *>(b), length));
        a += pairs.a_stride;
        b += pairs.b_stride;
    }
}

template <class T>
void matmul(const Matmul &call) {
    using Matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    const Eigen::Index m = static_cast<Eigen::Index>(call.m);
    const Eigen::Index n = static_cast<Eigen::Index>(call.n);
    const Eigen::Index k = static_cast<Eigen::Index>(call.k);
    Eigen::Map<Matrix>(static_cast<T *>(call.out), m, n).noalias() =
        Eigen::Map<const Matrix>(static_cast<const T *>(call.a), m, k) *
        Eigen::Map<const Matrix>(static_cast<const T *>(call.packed), k, n);
}

}  // namespace

void eigen_dot_f32(const RowPairs &pairs) {
    dot<float>(pairs);
}
void eigen_dot_f64(const RowPairs &pairs) {
    dot<double>(pairs);
}
void eigen_matmul_f32(const Matmul &call) noexcept {
    matmul<float>(call);
}
void eigen_matmul_f64(const Matmul &call) noexcept {
    matmul<double>(call);
}

}  // namespace tenrex::kernels
