// What kernels of decision forests take. Numbers of documents become ranks first: how many of the numbers that some
// split of the feature compares with are not greater. Splits then compare bytes.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tenrex::kernels {

// Documents of a block.
inline constexpr std::size_t forest_block = 64;
// Sets may be read up to this many bytes beyond the last.
inline constexpr std::size_t forest_set_padding = 16;

// ---- ranks

// How the numbers of a feature are stored, and compared.
enum class ForestNumbers : std::uint8_t {
    f64,
    f64_as_f32,  // doubles that are rounded to float first
    f32,
};

// A byte for each document, made of the rank of a number.
struct ForestColumn {
    // The byte is what the rank is above this, from 0 to 255. Of a set: where its bits are; the byte is 0 if the bit
    // with the number of the rank is set, else 1.
    std::uint32_t base = 0;
    // What is missing gets rank 0, or else the rank above all others. The bits of a set know what is missing.
    bool missing_passes = false;
    bool zero_is_missing = false;
};

// The numbers that a feature is compared with, ascending, in groups of 16, the last filled with NaN. Above them are the
// last numbers of the groups, in groups again, and so on up to a single group, the first level.
struct ForestFeature {
    static constexpr std::size_t group = 16;
    static constexpr std::size_t most_levels = 7;

    std::uint32_t source = 0;
    std::uint32_t offset = 0;  // of its number in the source's bytes of a document
    ForestNumbers numbers{};
    std::uint8_t level_count = 1;
    std::uint32_t levels[most_levels] = {};  // where each begins, in numbers of their type
    std::uint32_t missing = 0;               // the rank of NaN
    std::uint32_t zeros[2] = {};             // the ranks of zeros: the first, and the one behind the last
    std::uint32_t first_column = 0;
    std::uint32_t column_count = 0;
    std::uint32_t set_count = 0;  // of the columns; these are the last ones
    // Of the sets once more, by rank: a row of bits for each rank, one for each set, which is 1 where the byte is 1.
    std::uint32_t first_row = 0;

    std::size_t row_bytes() const noexcept { return (set_count + 7) / 8; }
};

struct ForestSource {
    const void *cells = nullptr;
    std::ptrdiff_t stride = 0;  // in bytes, from document to document
};

struct ForestRanking {
    const ForestFeature *features = nullptr;
    const std::uint32_t *used = nullptr;  // the numbers of those that are ranked
    std::size_t used_count = 0;
    const ForestColumn *columns = nullptr;
    const double *doubles = nullptr;  // levels of features
    const float *floats = nullptr;
    const std::uint8_t *sets = nullptr;
    const std::uint8_t *set_rows = nullptr;
    const ForestSource *sources = nullptr;
    std::size_t first_document = 0;
    std::size_t documents = 0;      // of a block: at most forest_block
    std::uint8_t *bytes = nullptr;  // by column, forest_block of each, or one if there is one document
};
using ForestRankFunction = void(const ForestRanking &);

// ---- blocks

// A document passes if its byte of the column is not above the key. Splits stand in an order in which each comes before
// those below it; leaves are numbered from the branch that passes to the other one.
struct ForestSplit {
    // Where the children that are leaves note who comes to them.
    static constexpr std::uint8_t nowhere = 255;

    std::uint16_t column = 0;
    std::uint8_t key = 0;
    std::uint8_t first_leaf = 0;       // of those that do not pass
    std::uint8_t when_true = nowhere;  // the number of a split in the tree
    std::uint8_t when_false = nowhere;
};

// A node of a tree that one document walks through. Children lie beside each other: one that does not pass goes to the
// second. A leaf leads to itself; its column is 0, whose bytes are all 0, its key its number.
struct ForestNode {
    std::uint16_t column = 0;
    std::uint8_t key = 0;
    std::uint8_t distance = 0;  // from here to the first child
};
struct LargeForestNode {
    std::uint32_t column = 0;
    std::uint32_t key = 0;
    std::uint32_t distance = 0;
};

struct ForestTree {
    std::uint32_t first_split = 0;
    std::uint32_t split_count = 0;
    std::uint32_t first_node = 0;
    std::uint32_t depth = 0;  // of the deepest leaf; 0: the tree is one
    std::uint32_t first_value = 0;
    std::uint32_t leaf_count = 1;
    std::uint32_t output = 0;
};

// Values of leaves may be read from this many beyond the last.
inline constexpr std::size_t forest_value_padding = 64;

// The sums of a block. Trees have at most 255 splits.
struct ForestBlock {
    const ForestTree *trees = nullptr;
    std::size_t tree_count = 0;
    const ForestSplit *splits = nullptr;
    const void *values = nullptr;         // doubles or floats
    const std::uint8_t *bytes = nullptr;  // by column, forest_block of each, aligned to as many
    // By output, forest_block of each, aligned: what the sums begin with, and the sums afterwards.
    void *sums = nullptr;
    std::size_t output_count = 1;
};
using ForestBlockFunction = void(const ForestBlock &);

// ---- one document

struct ForestWalk {
    const ForestTree *trees = nullptr;
    std::size_t tree_count = 0;
    const void *nodes = nullptr;
    bool has_large_nodes = false;
    const void *values = nullptr;         // doubles or floats; or the numbers of leaves
    const std::uint8_t *bytes = nullptr;  // one of each column
    void *sums = nullptr;                 // by output; or what each tree came to, by tree
};
using ForestWalkFunction = void(const ForestWalk &);

}  // namespace tenrex::kernels
