// What a straightforward program does, left to the compiler.
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "perf/rivals/rival.h"

namespace tenrex::perf {

namespace {

float dot(const float *a, const float *b, std::size_t length) {
    float sum = 0;
    for (std::size_t i = 0; i < length; ++i) {
        sum += a[i] * b[i];
    }
    return sum;
}

void dots(const float *query, const float *rows, std::size_t length, std::size_t count, float *scores) {
    for (std::size_t i = 0; i < count; ++i) {
        scores[i] = dot(query, rows + i * length, length);
    }
}

void distances(const float *query, const float *rows, std::size_t length, std::size_t count, float *scores) {
    for (std::size_t i = 0; i < count; ++i) {
        float sum = 0;
        for (std::size_t j = 0; j < length; ++j) {
            const float difference = query[j] - rows[i * length + j];
            sum += difference * difference;
        }
        scores[i] = std::sqrt(sum);
    }
}

void layer(const float *rows, const float *weights, const float *bias, std::size_t k, std::size_t n, std::size_t count,
           float *out) {
    for (std::size_t i = 0; i < count; ++i) {
        for (std::size_t j = 0; j < n; ++j) {
            out[i * n + j] = bias[j] + dot(rows + i * k, weights + j * k, k);
        }
    }
}

void elu_product(float *cells, const float *last, float bias, std::size_t n, std::size_t count, float *scores) {
    for (std::size_t i = 0; i < count; ++i) {
        float sum = 0;
        for (std::size_t j = 0; j < n; ++j) {
            const float cell = cells[i * n + j];
            sum += (cell < 0 ? std::exp(cell) - 1 : cell) * last[j];
        }
        scores[i] = sum + bias;
    }
}

float maxsim(const float *query, std::size_t rows, const float *document, std::size_t tokens, std::size_t length) {
    float sum = 0;
    for (std::size_t i = 0; i < rows; ++i) {
        float best = -std::numeric_limits<float>::infinity();
        for (std::size_t token = 0; token < tokens; ++token) {
            best = std::max(best, dot(query + i * length, document + token * length, length));
        }
        sum += best;
    }
    return sum;
}

void contraction(const float *a, const float *b, std::size_t m, std::size_t n, std::size_t k, float *out) {
    std::fill(out, out + m * n, 0.0F);
    for (std::size_t d = 0; d < k; ++d) {
        for (std::size_t i = 0; i < m; ++i) {
            for (std::size_t j = 0; j < n; ++j) {
                out[i * n + j] += a[d * m + i] * b[d * n + j];
            }
        }
    }
}

}  // namespace

const Rival loops = {"loops", dots, distances, layer, elu_product, maxsim, contraction};

}  // namespace tenrex::perf
