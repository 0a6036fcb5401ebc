// Random types, labels and tensors from a seed, for tests of anything that works on values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <tenrex/tensor.h>
#include <tenrex/tensor_type.h>

namespace tenrex::testing {

class RandomTensors {
public:
    explicit RandomTensors(std::uint64_t seed) : engine_(seed) {}

    // A number below `bound`.
    std::size_t below(std::size_t bound) { return static_cast<std::size_t>(engine_() % bound); }

    // Up to four dimensions, mapped and indexed in any order, few indexes each.
    TensorType type() {
        static constexpr std::string_view names[] = {"a", "b", "X", "x10", "x9", "zeta", "_", "dim_1"};
        std::vector<Dimension> dimensions;
        const std::size_t count = below(5);
        const std::size_t first = below(std::size(names));
        for (std::size_t i = 0; i < count; ++i) {
            dimensions.push_back(
                {std::string(names[(first + i) % std::size(names)]), below(2) == 0 ? 0 : 1 + below(4)});
        }
        const CellType cell_type = count == 0 ? CellType::f64 : all_cell_types[below(std::size(all_cell_types))];
        return *TensorType::make(cell_type, std::move(dimensions));
    }

    // Numbers, words, texts that need quotes and escapes, and bytes that are not UTF-8.
    std::string label() {
        static constexpr std::string_view labels[] = {"a",
                                                      "b",
                                                      "c",
                                                      "0",
                                                      "1",
                                                      "17",
                                                      "00",
                                                      "-1",
                                                      "9223372036854775807",
                                                      "a b",
                                                      "a:b",
                                                      "{x}",
                                                      "[",
                                                      "it's",
                                                      "\"",
                                                      "\\",
                                                      ",",
                                                      "\n\t\r\f",
                                                      "\x01",
                                                      "\x7f",
                                                      "\xc3\xbc",
                                                      "\xe2\x82",
                                                      "\xff\xfe",
                                                      "\xed\xa0\x80",
                                                      "\xf0\x9f\x98\x80",
                                                      "type",
                                                      "cells",
                                                      "blocks",
                                                      "values",
                                                      "nan",
                                                      "tensor(x[2])",
                                                      "9223372036854775808"};
        if (below(4) == 0) {
            std::string text;
            for (std::size_t length = 1 + below(12); length > 0; --length) {
                text += static_cast<char>(below(256));
            }
            return text;
        }
        return std::string(labels[below(std::size(labels))]);
    }

    // Among others NaN, infinities, zeros of both signs, subnormals, and the largest numbers.
    double cell() {
        static constexpr double special[] = {0.0,
                                             -0.0,
                                             1.0,
                                             -1.0,
                                             0.1,
                                             127.0,
                                             -128.0,
                                             1e300,
                                             1e-320,
                                             3.4e38,
                                             1e-45,
                                             1e-40,
                                             16777217.0,
                                             1e15,
                                             1e16,
                                             1e17,
                                             -2.5e-7,
                                             std::numeric_limits<double>::max(),
                                             std::numeric_limits<double>::infinity(),
                                             -std::numeric_limits<double>::infinity(),
                                             std::numeric_limits<double>::quiet_NaN()};
        switch (below(4)) {
            case 0:
                return special[below(std::size(special))];
            case 1:
                return static_cast<double>(below(513)) / 2 - 128;
            default:
                return std::uniform_real_distribution<double>(-10, 10)(engine_);
        }
    }

    // Up to `most_blocks` blocks if the type has mapped dimensions.
    Tensor tensor(const TensorType &type, std::size_t most_blocks = 6) {
        TensorBuilder builder(type);
        const std::size_t blocks = type.has_mapped() ? below(most_blocks + 1) : 1;
        for (std::size_t i = 0; i < blocks; ++i) {
            std::vector<std::string> labels(type.mapped_count());
            for (std::string &text : labels) {
                text = label();
            }
            const std::size_t block = builder.block(std::vector<std::string_view>(labels.begin(), labels.end()));
            for (std::size_t cell_index = 0; cell_index < type.block_cells(); ++cell_index) {
                builder.set(block, cell_index, cell());
            }
        }
        return std::move(builder).build();
    }

private:
    std::mt19937_64 engine_;
};

}  // namespace tenrex::testing
