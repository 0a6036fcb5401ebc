// What others offer for the operations of some cases. All matrices are row by row.
#pragma once

#include <cstddef>

namespace tenrex::perf {

struct Rival {
    const char *name;
    // scores[i]: the product of `query` and row i, or their distance.
    void (*dots)(const float *query, const float *rows, std::size_t length, std::size_t count, float *scores);
    void (*distances)(const float *query, const float *rows, std::size_t length, std::size_t count, float *scores);
    // out[i][j] = bias[j] + the product of row i, of k cells, and row j of n weights.
    void (*layer)(const float *rows, const float *weights, const float *bias, std::size_t k, std::size_t n,
                  std::size_t count, float *out);
    // From such a layer: the product of elu(out[i]) and `last`, in place of the layer's output.
    void (*elu_product)(float *layer, const float *last, float bias, std::size_t n, std::size_t count, float *scores);
    // For each of `rows` query rows the largest product with the rows of the document; their sum.
    float (*maxsim)(const float *query, std::size_t rows, const float *document, std::size_t tokens,
                    std::size_t length);
    // out[i][j] = sum over d of a[d][i] * b[d][j]; m, n and k are the sizes of i, j and d.
    void (*contraction)(const float *a, const float *b, std::size_t m, std::size_t n, std::size_t k, float *out);
};

extern const Rival loops;
extern const Rival eigen;     // where TENREX_WITH_EIGEN is defined
extern const Rival openblas;  // where TENREX_WITH_OPENBLAS is defined
extern const Rival onednn;    // where TENREX_WITH_ONEDNN is defined

}  // namespace tenrex::perf
