// Weights in the order in which kernels read them, shared by the plans that are given the same store.
//
//   tenrex::CompileOptions options;
//   options.weights = std::make_shared<tenrex::WeightStore>();
//   auto logits = tenrex::compile("onnx(m).logits", schema, options);
//   auto best = tenrex::compile("reduce(onnx(m).logits,max)", schema, options);   // packs nothing, takes no memory
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include <tenrex/export.h>

namespace tenrex {

// Weights are found by their cells, however they were loaded, and freed when no plan has them any more. Any number of
// threads may compile with one store at once: what two of them need is packed by one, while the other waits.
class TENREX_EXPORT WeightStore {
public:
    WeightStore();
    WeightStore(const WeightStore &) = delete;
    WeightStore &operator=(const WeightStore &) = delete;
    ~WeightStore();

    struct Statistics {
        std::size_t matrices = 0;  // that plans have now
        std::size_t bytes = 0;     // of those
        std::uint64_t packed = 0;  // how often one was packed
        std::uint64_t found = 0;   // how often one was there
    };
    Statistics statistics() const;

    // For the library.
    struct Content;
    Content &content() const noexcept { return *content_; }

private:
    std::unique_ptr<Content> content_;
};

}  // namespace tenrex
