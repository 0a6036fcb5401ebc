// Finds passages by an encoder and a graph of nearest neighbours.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <tenrex/nearest_neighbors.h>
#include <tenrex/result.h>

#include "examples/text_model/text_model.h"

namespace tenrex::examples {

class PassageIndex {
public:
    // Encodes the passages on several threads.
    static Result<PassageIndex> make(TextModel encoder, const std::vector<std::string> &passages, std::size_t threads);

    struct Found {
        std::vector<std::uint32_t> passages;  // numbers, the nearest first
        double encoder_seconds = 0;
        double search_seconds = 0;
    };
    Result<Found> find(const std::string &question, std::size_t count);

private:
    PassageIndex(TextModel encoder, VectorIndex index)
        : encoder_(std::move(encoder)), worker_(encoder_), index_(std::move(index)) {}

    TextModel encoder_;
    TextModel::Worker worker_;
    VectorIndex index_;
    SearchMemory memory_;
};

}  // namespace tenrex::examples
