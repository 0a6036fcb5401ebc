// Eigen, compiled for the processor at hand.
#include <Eigen/Core>

#include "perf/rivals/rival.h"

namespace tenrex::perf {

namespace {

using Matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Matrices = Eigen::Map<const Matrix>;
using Vectors = Eigen::Map<const Eigen::VectorXf>;

Eigen::Index index(std::size_t number) {
    return static_cast<Eigen::Index>(number);
}

void dots(const float *query, const float *rows, std::size_t length, std::size_t count, float *scores) {
    Eigen::Map<Eigen::VectorXf>(scores, index(count)).noalias() =
        Matrices(rows, index(count), index(length)) * Vectors(query, index(length));
}

void distances(const float *query, const float *rows, std::size_t length, std::size_t count, float *scores) {
    for (std::size_t i = 0; i < count; ++i) {
        scores[i] = (Vectors(query, index(length)) - Vectors(rows + i * length, index(length))).norm();
    }
}

void layer(const float *rows, const float *weights, const float *bias, std::size_t k, std::size_t n, std::size_t count,
           float *out) {
    Eigen::Map<Matrix> result(out, index(count), index(n));
    result.noalias() = Matrices(rows, index(count), index(k)) * Matrices(weights, index(n), index(k)).transpose();
    result.rowwise() += Vectors(bias, index(n)).transpose();
}

void elu_product(float *cells, const float *last, float bias, std::size_t n, std::size_t count, float *scores) {
    Eigen::Map<Matrix> layer(cells, index(count), index(n));
    layer = (layer.array() < 0).select(layer.array().min(0).exp() - 1, layer.array());
    Eigen::Map<Eigen::VectorXf> result(scores, index(count));
    result.noalias() = layer * Vectors(last, index(n));
    result.array() += bias;
}

float maxsim(const float *query, std::size_t rows, const float *document, std::size_t tokens, std::size_t length) {
    static thread_local Matrix products;
    products.noalias() =
        Matrices(query, index(rows), index(length)) * Matrices(document, index(tokens), index(length)).transpose();
    return products.rowwise().maxCoeff().sum();
}

void contraction(const float *a, const float *b, std::size_t m, std::size_t n, std::size_t k, float *out) {
    Eigen::Map<Matrix>(out, index(m), index(n)).noalias() =
        Matrices(a, index(k), index(m)).transpose() * Matrices(b, index(k), index(n));
}

}  // namespace

const Rival eigen = {"Eigen", dots, distances, layer, elu_product, maxsim, contraction};

}  // namespace tenrex::perf
