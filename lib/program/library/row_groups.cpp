#include "lib/program/library/row_groups.h"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "lib/program/copy_bytes.h"

namespace tenrex::program {

GroupedRows grouped(Frame &frame, const RowGroups &groups, const RowBlocks &rows, std::size_t document) {
    const auto block_rows = static_cast<std::uint32_t>(rows.rows);
    if (!groups.index) {
        std::uint32_t *const end = frame.scratch->blocks.room(1);
        *end = static_cast<std::uint32_t>(rows.blocks) * block_rows;
        return {rows.first, {end, 1}};
    }
    const Index &index = frame.index(groups.index);
    const std::uint32_t first_group = index.begin(document);
    const std::size_t count = index.end(document) - first_group;
    std::uint32_t *const ends = frame.scratch->blocks.room(count);
    if (!groups.map) {
        for (std::uint32_t group = 0; group < count; ++group) {
            ends[group] = (group + 1) * block_rows;
        }
        return {rows.first, {ends, count}};
    }
    const std::uint32_t *const group_of = frame.map(groups.map).of.data() + frame.index(rows.index).begin(document);
    std::fill_n(ends, count, 0);
    bool alternate = false;
    for (std::size_t block = 0; block < rows.blocks; ++block) {
        ends[group_of[block] - first_group] += block_rows;
        alternate |= block != 0 && group_of[block] < group_of[block - 1];
    }
    if (!alternate) {
        std::inclusive_scan(ends, ends + count, ends);
        return {rows.first, {ends, count}};
    }
    // From where each group begins; when all blocks are in place, that is where it ends.
    std::exclusive_scan(ends, ends + count, ends, std::uint32_t{0});
    std::byte *const ordered = frame.scratch->gathered[0].room(rows.blocks * rows.block_bytes);
    const std::size_t row_bytes = rows.block_bytes / rows.rows;
    for (std::size_t block = 0; block < rows.blocks; ++block) {
        std::uint32_t &place = ends[group_of[block] - first_group];
        copy_bytes(ordered + place * row_bytes, rows.first + block * rows.block_bytes, rows.block_bytes);
        place += block_rows;
    }
    return {ordered, {ends, count}};
}

}  // namespace tenrex::program
