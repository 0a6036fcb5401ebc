// oneDNN, for what is a product of matrices: a dot product is one with a single column.
#include <algorithm>
#include <vector>

#include <dlfcn.h>
#include <dnnl.h>

#include "perf/rivals/rival.h"

namespace tenrex::perf {

namespace {

// The threads are those of the OpenMP that oneDNN was linked with.
[[maybe_unused]] const bool one_thread = [] {
    if (void *const function = dlsym(RTLD_DEFAULT, "omp_set_num_threads")) {
        reinterpret_cast<void (*)(int)>(function)(1);
    }
    return true;
}();

dnnl_dim_t size(std::size_t number) {
    return static_cast<dnnl_dim_t>(number);
}

void dots(const float *query, const float *rows, std::size_t length, std::size_t count, float *scores) {
    dnnl_sgemm('N', 'N', size(count), 1, size(length), 1, rows, size(length), query, 1, 0, scores, 1);
}

void layer(const float *rows, const float *weights, const float *bias, std::size_t k, std::size_t n, std::size_t count,
           float *out) {
    for (std::size_t i = 0; i < count; ++i) {
        std::copy(bias, bias + n, out + i * n);
    }
    dnnl_sgemm('N', 'T', size(count), size(n), size(k), 1, rows, size(k), weights, size(k), 1, out, size(n));
}

float maxsim(const float *query, std::size_t rows, const float *document, std::size_t tokens, std::size_t length) {
    static thread_local std::vector<float> products;
    products.resize(rows * tokens);
    dnnl_sgemm('N', 'T', size(rows), size(tokens), size(length), 1, query, size(length), document, size(length), 0,
               products.data(), size(tokens));
    float sum = 0;
    for (std::size_t i = 0; i < rows; ++i) {
        sum += *std::max_element(products.data() + i * tokens, products.data() + (i + 1) * tokens);
    }
    return sum;
}

void contraction(const float *a, const float *b, std::size_t m, std::size_t n, std::size_t k, float *out) {
    dnnl_sgemm('T', 'N', size(m), size(n), size(k), 1, a, size(m), b, size(n), 0, out, size(n));
}

}  // namespace

const Rival onednn = {"oneDNN", dots, nullptr, layer, nullptr, maxsim, contraction};

}  // namespace tenrex::perf
