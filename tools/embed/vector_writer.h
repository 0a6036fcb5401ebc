// Vectors to a file: an array of numpy, or lines of JSON.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include <tenrex/result.h>

#include "tools/embed/whole_numbers.h"
#include "tools/output.h"

namespace tenrex::tool {

class VectorWriter {
public:
    // An array of numpy, or lines {"vector":[...]}.
    enum class Format : std::uint8_t { npy, jsonl };

    VectorWriter(Output &out, Format format, VectorCells cells, std::size_t size)
        : out_(out), format_(format), cells_(cells), size_(size) {}

    // Finds how many whole vectors a file has that another writer began, removes what stands behind them, and goes on
    // there.
    Result<std::size_t> resume();
    // Whole vectors, one after the other.
    void write(std::span<const float> vectors);
    // Says in front of an array how many there are. Error: the output is no file that one can go back in.
    Status finish();

private:
    std::string header() const;
    // Of a vector in a file.
    std::size_t numbers() const noexcept { return cells_ == VectorCells::bits ? (size_ + 7) / 8 : size_; }

    Output &out_;
    Format format_;
    VectorCells cells_;
    std::size_t size_;
    std::size_t count_ = 0;
    bool has_header_ = false;
};

}  // namespace tenrex::tool
