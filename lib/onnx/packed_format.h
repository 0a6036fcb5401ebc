// How the head and the table of a packed model are written and read.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "lib/onnx/file_hash.h"
#include "lib/onnx/packed_model.h"

namespace tenrex::onnx {

static_assert(std::endian::native == std::endian::little);

struct PackedHead {
    std::array<char, 8> magic;
    std::uint64_t format;
    std::uint64_t file_bytes;
    std::uint64_t table_bytes;
    FileHash all;     // of what stands behind the head
    FileHash parsed;  // of the head up to here, the table, and the files of the model without their weights
};
constexpr std::size_t packed_head_bytes = 64;
static_assert(sizeof(PackedHead) == packed_head_bytes);

constexpr std::array<char, 8> packed_magic = {'T', 'n', 'r', 'x', 'P', 'a', 'c', 'k'};
constexpr std::uint64_t packed_format = 2;
// Files of a model stand as in a file of their own.
constexpr std::size_t file_alignment = 4096;
constexpr std::size_t matrix_alignment = 64;

constexpr std::size_t aligned(std::size_t place, std::size_t to) noexcept {
    return (place + to - 1) / to * to;
}

// What is parsed: the head up to its last hash, the table, and the files of the model between their weights.
inline FileHash hash_of_parsed(const PackedHead &head, std::string_view table,
                               const std::vector<PackedModel::File> &files) noexcept {
    FileHasher hasher;
    hasher.add({reinterpret_cast<const char *>(&head), sizeof(head) - sizeof(head.parsed)});
    hasher.add(table);
    for (const PackedModel::File &file : files) {
        std::size_t at = 0;
        for (const std::string_view weights : file.weights) {
            const auto begin = static_cast<std::size_t>(weights.data() - file.bytes.data());
            hasher.add(file.bytes.substr(at, begin - at));
            at = begin + weights.size();
        }
        hasher.add(file.bytes.substr(at));
    }
    return hasher.result();
}

}  // namespace tenrex::onnx
