#include "lib/plan/row_groups.h"

#include <algorithm>
#include <cstring>
#include <numeric>

namespace tenrex::plan {

GroupedRows grouped(Frame &frame, const RowGroups &groups, const RowBlocks &rows, std::size_t document) {
    std::size_t count = groups.index ? rows.blocks : 1;
    std::uint32_t *ends;  // in blocks at first
    const std::byte *first = rows.first;
    if (!groups.map) {
        ends = frame.scratch->blocks.room(count);
        for (std::size_t group = 0; group < count; ++group) {
            ends[group] = static_cast<std::uint32_t>(groups.index ? group + 1 : rows.blocks);
        }
    } else {
        const Index &index = frame.index(groups.index);
        const std::uint32_t first_group = index.begin(document);
        const std::uint32_t *const group_of = frame.map(groups.map).of.data() + frame.index(rows.index).begin(document);
        count = index.end(document) - first_group;
        ends = frame.scratch->blocks.room(count);
        std::fill_n(ends, count, 0);
        bool alternate = false;
        for (std::size_t block = 0; block < rows.blocks; ++block) {
            ++ends[group_of[block] - first_group];
            alternate |= block != 0 && group_of[block] < group_of[block - 1];
        }
        if (!alternate) {
            std::inclusive_scan(ends, ends + count, ends);
        } else {
            // From where each group begins; when all blocks are in place, that is where it ends.
            std::exclusive_scan(ends, ends + count, ends, std::uint32_t{0});
            std::byte *const ordered = frame.scratch->gathered[0].room(rows.blocks * rows.block_bytes);
            for (std::size_t block = 0; block < rows.blocks; ++block) {
                std::memcpy(ordered + ends[group_of[block] - first_group]++ * rows.block_bytes,
                            rows.first + block * rows.block_bytes, rows.block_bytes);
            }
            first = ordered;
        }
    }
    for (std::size_t group = 0; group < count; ++group) {
        ends[group] *= static_cast<std::uint32_t>(rows.rows);
    }
    return {first, {ends, count}};
}

}  // namespace tenrex::plan
