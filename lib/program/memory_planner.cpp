#include "lib/program/memory_planner.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <memory_resource>
#include <set>
#include <utility>
#include <vector>

#include "lib/program/cache_line.h"

namespace tenrex::program {

namespace {

// The bytes of so many blocks, in whole lines.
std::size_t lines_of(std::size_t bytes, std::size_t blocks) {
    if (bytes != 0 && blocks > (uncountable_bytes - sizeof(CacheLine)) / bytes) {
        return uncountable_bytes;
    }
    return whole_lines(bytes * blocks);
}

// Memory of which parts are taken and given back.
class Arena {
public:
    // The offset of so many bytes that nobody has; uncountable_bytes if there is none.
    std::size_t take(std::size_t bytes) {
        const auto fitting = by_size_.lower_bound({bytes, 0});
        if (fitting != by_size_.end()) {
            const auto [size, offset] = *fitting;
            remove_gap(offset, size);
            if (size != bytes) {
                add_gap(offset + bytes, size - bytes);
            }
            return offset;
        }
        if (bytes > uncountable_bytes - end_) {
            return uncountable_bytes;
        }
        const std::size_t offset = end_;
        end_ += bytes;
        most_ = std::max(most_, end_);
        return offset;
    }

    void give_back(std::size_t offset, std::size_t bytes) {
        std::size_t begin = offset;
        std::size_t end = offset + bytes;
        const auto after = gaps_.lower_bound(offset);
        if (after != gaps_.end() && after->first == end) {
            end += after->second;
        }
        if (after != gaps_.begin()) {
            const auto before = std::prev(after);
            begin -= before->first + before->second == offset ? before->second : 0;
        }
        // From the back: the first one's removal makes no difference to the second one.
        if (end != offset + bytes) {
            remove_gap(offset + bytes, end - offset - bytes);
        }
        if (begin != offset) {
            remove_gap(begin, offset - begin);
        }
        if (end == end_) {
            end_ = begin;
        } else {
            add_gap(begin, end - begin);
        }
    }

    // So many bytes were taken at a time, with the gaps between them.
    std::size_t most() const { return most_; }

private:
    void add_gap(std::size_t offset, std::size_t bytes) {
        gaps_.emplace(offset, bytes);
        by_size_.emplace(bytes, offset);
    }
    void remove_gap(std::size_t offset, std::size_t bytes) {
        gaps_.erase(offset);
        by_size_.erase({bytes, offset});
    }

    std::array<std::byte, 2048> few_;  // gaps; as they come and go, each would be a call for memory
    std::pmr::monotonic_buffer_resource memory_{few_.data(), few_.size()};
    std::pmr::map<std::size_t, std::size_t> gaps_{&memory_};  // sizes by offset; no two touch, none touches end_
    std::pmr::set<std::pair<std::size_t, std::size_t>> by_size_{&memory_};  // the same: size and offset
    std::size_t end_ = 0;                                                   // from here on nothing is taken
    std::size_t most_ = 0;
};

// They live at least while they are written.
template <class AnyCells>
std::size_t end_of(const AnyCells &cells) {
    return std::max(cells.first_step, cells.last_step);
}

// The cells in the order in which they come, and in that in which they go; those of one step stay in their order.
template <class AnyCells>
struct Lives {
    explicit Lives(std::span<AnyCells> all) {
        by_begin.reserve(all.size());
        for (AnyCells &cells : all) {
            by_begin.push_back(&cells);
        }
        by_end = by_begin;
        std::sort(by_begin.begin(), by_begin.end(), [](const AnyCells *a, const AnyCells *b) {
            return std::pair(a->first_step, a) < std::pair(b->first_step, b);
        });
        std::sort(by_end.begin(), by_end.end(), [](const AnyCells *a, const AnyCells *b) {
            return std::pair(end_of(*a), a) < std::pair(end_of(*b), b);
        });
    }

    // Calls come(cells) for one after the other, and before that go(cells) for those that are read no more.
    template <class Go, class Come>
    bool for_each(const Go &go, const Come &come) const {
        auto ended = by_end.begin();
        return std::all_of(by_begin.begin(), by_begin.end(), [&](AnyCells *cells) {
            // What a step reads last is still there while it writes.
            for (; end_of(**ended) < cells->first_step; ++ended) {
                go(**ended);
            }
            return come(*cells);
        });
    }

    std::vector<AnyCells *> by_begin, by_end;
};

}  // namespace

std::size_t lay_out_for_good(std::span<PlannedCells> planned) {
    std::size_t total = 0;
    for (PlannedCells &cells : planned) {
        const std::size_t bytes = lines_of(cells.bytes, 1);
        if (bytes > uncountable_bytes - total) {
            return uncountable_bytes;
        }
        cells.offset = total;
        total += bytes;
    }
    return total;
}

std::size_t lay_out_by_lifetime(std::span<PlannedCells> planned, std::size_t documents) {
    Arena arena;
    const bool are_countable = Lives<PlannedCells>(planned).for_each(
        [&](const PlannedCells &cells) {
            const std::size_t bytes = lines_of(cells.bytes, documents);
            if (bytes != 0) {
                arena.give_back(cells.offset, bytes);
            }
        },
        [&](PlannedCells &cells) {
            const std::size_t bytes = lines_of(cells.bytes, documents);
            cells.offset = bytes == 0 ? 0 : arena.take(bytes);
            return bytes != uncountable_bytes && cells.offset != uncountable_bytes;
        });
    return are_countable ? arena.most() : uncountable_bytes;
}

std::size_t share_buffers(std::span<BufferedCells> all) {
    std::vector<std::size_t> sizes;                        // of the largest blocks of each buffer
    std::set<std::pair<std::size_t, std::size_t>> unused;  // size and number
    Lives<BufferedCells>(all).for_each(
        [&](const BufferedCells &cells) { unused.emplace(sizes[cells.buffer], cells.buffer); },
        [&](BufferedCells &cells) {
            // The smallest that is large enough, else the largest.
            auto chosen = unused.lower_bound({cells.bytes, 0});
            if (chosen == unused.end() && !unused.empty()) {
                chosen = std::prev(chosen);
            }
            if (chosen == unused.end()) {
                cells.buffer = sizes.size();
                sizes.push_back(cells.bytes);
            } else {
                cells.buffer = chosen->second;
                sizes[cells.buffer] = std::max(sizes[cells.buffer], cells.bytes);
                unused.erase(chosen);
            }
            return true;
        });
    return sizes.size();
}

}  // namespace tenrex::program
