// The short form of literals: nested lists and maps, and flat lists.
#include <algorithm>
#include <string>
#include <vector>

#include "lib/formats/literal_label.h"
#include "lib/formats/literal_reader.h"
#include "lib/support/format.h"
#include "lib/types/number.h"

namespace tenrex {

bool LiteralReader::read_short(std::size_t depth, std::uint64_t offset) {
    if (depth == levels_.size()) {
        return read_cell(offset);
    }
    const bool is_map = levels_[depth].is_mapped();
    const char open = is_map ? '{' : '[';
    if (!in_.accept(open)) {
        return in_.unexpected(fmt::format("'{}' of dimension {}", open, levels_[depth].to_string()),
                              "brackets nest in the order in which the type names its dimensions");
    }
    if (is_map) {
        return read_map(depth, offset);
    }
    return begins_flat_list(depth) ? read_flat_list(depth, offset) : read_list(depth, offset);
}

bool LiteralReader::read_map(std::size_t depth, std::uint64_t offset) {
    TextToken label;
    for (bool done = in_.accept('}'); !done;) {
        if (!read_label(in_, label) || !in_.expect(':')) {
            return false;
        }
        set_label(levels_[depth].mapped, label);
        if (!read_short(depth + 1, offset) || !in_.read_separator('}', done)) {
            return false;
        }
    }
    return true;
}

bool LiteralReader::read_list(std::size_t depth, std::uint64_t offset) {
    const DimensionLayout &level = levels_[depth];
    const std::size_t begin = in_.position() - 1;
    std::uint64_t index = 0;
    for (bool done = in_.accept(']'); !done; ++index) {
        if (index == level.size) {
            return too_many(fmt::format("too many cells for dimension {}", level.to_string()));
        }
        if (!read_short(depth + 1, offset + index * level.stride) || !in_.read_separator(']', done)) {
            return false;
        }
    }
    return index == level.size || too_few(begin, too_few_elements(index, level, type_));
}

// The cells of two or more dimensions may come without inner brackets.
bool LiteralReader::begins_flat_list(std::size_t depth) {
    const bool only_lists = std::all_of(levels_.begin() + static_cast<std::ptrdiff_t>(depth), levels_.end(),
                                        [](const DimensionLayout &level) { return !level.is_mapped(); });
    return only_lists && levels_.size() - depth >= 2 && in_.next() != '[' && in_.peek() != ']' &&
           read_number(in_.rest()).length != 0;
}

bool LiteralReader::read_flat_list(std::size_t depth, std::uint64_t offset) {
    const std::size_t begin = in_.position() - 1;
    const std::size_t count = levels_.size() - depth;
    std::vector<std::uint64_t> indexes(count);
    std::uint64_t cells = 1;
    for (std::size_t i = depth; i < levels_.size(); ++i) {
        cells *= levels_[i].size;
    }
    std::uint64_t read = 0;
    for (bool done = false; !done; ++read) {
        if (read == cells) {
            return too_many(fmt::format("too many cells: the list has room for {}", cells));
        }
        if (!read_cell(offset) || !in_.read_separator(']', done)) {
            return false;
        }
        for (std::size_t i = count; i-- > 0;) {
            const DimensionLayout &level = levels_[depth + i];
            offset += level.stride;
            if (++indexes[i] < level.size) {
                break;
            }
            indexes[i] = 0;
            offset -= level.size * level.stride;
        }
    }
    return read == cells || too_few(begin, too_few_cells(read, type_));
}

// The error stands at the list.
bool LiteralReader::too_few(std::size_t begin, std::string message) {
    return in_.fail(begin, in_.position(), std::move(message), std::string(too_few_hint));
}

// The error stands at the first cell that has no place.
bool LiteralReader::too_many(std::string message) {
    in_.skip_space();
    const std::size_t length = std::max(read_number(in_.rest()).length, in_.token().size());
    return in_.fail(in_.position(), in_.position() + length, std::move(message));
}

}  // namespace tenrex
