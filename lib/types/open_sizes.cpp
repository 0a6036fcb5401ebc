#include "lib/types/open_sizes.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "lib/support/format.h"
#include "lib/types/characters.h"
#include "lib/types/derived_type.h"

namespace tenrex {

namespace {

// The elements of the first list of each depth.
struct FirstLists {
    std::vector<std::uint64_t> elements;
    std::size_t deepest = 0;
};

FirstLists count_elements(std::string_view cells, std::size_t most) {
    FirstLists lists{std::vector<std::uint64_t>(most), 0};
    std::vector<bool> ended(most);
    std::size_t depth = 0;
    bool at_element = false;  // a new one would begin here
    for (const char c : cells) {
        if (is_space(c)) {
            continue;
        }
        if (c == ',') {
            at_element = true;
            continue;
        }
        if (c == ']') {
            ended[depth - 1] = true;
            at_element = false;
            if (--depth == 0) {
                break;
            }
            continue;
        }
        if (at_element && !ended[depth - 1]) {
            ++lists.elements[depth - 1];
        }
        at_element = false;
        if (c == '[') {
            if (depth == most) {
                break;  // too deep, as the reader will find
            }
            lists.deepest = std::max(lists.deepest, ++depth);
            at_element = true;
        }
    }
    return lists;
}

std::uint64_t digits_of_cells(std::string_view cells) {
    const auto end = std::find_if(cells.begin(), cells.end(), [](char c) { return hex_digit(c) < 0; });
    return static_cast<std::uint64_t>(end - cells.begin());
}

SizeProblem unknown_sizes(const TensorType &open) {
    return {fmt::format("the sizes of a {} cannot be told from this", open.to_string()),
            "write them in the type of the value, as in tensor(t[3]):[1,2,3]"};
}

// The type with the sizes that so many cells give, or digits of them.
std::variant<TensorType, SizeProblem> type_of_units(std::uint64_t units, std::uint64_t unit, std::string_view name,
                                                    const TensorType &open) {
    if (open.open_count() != 1 || open.has_mapped() || unit == 0) {
        return unknown_sizes(open);
    }
    if (units % unit != 0) {
        return SizeProblem{fmt::format("{} {} do not fill a {}", units, name, open.to_string()),
                           fmt::format("there are {} for each index of the open dimension", unit)};
    }
    std::vector<Dimension> dimensions = open.dimensions();
    for (Dimension &dimension : dimensions) {
        if (dimension.is_open()) {
            dimension = Dimension::indexed(dimension.name, units / unit);
        }
    }
    return known_type(open.cell_type(), std::move(dimensions));
}

}  // namespace

std::variant<TensorType, SizeProblem> type_of_digits(std::uint64_t digits, const TensorType &open) {
    return type_of_units(digits, 2 * byte_size(open.cell_type()) * open.block_cells(), "hexadecimal digits", open);
}

std::variant<TensorType, SizeProblem> type_of_cells(std::string_view cells, const TensorType &open,
                                                    const std::vector<std::size_t> &order) {
    while (!cells.empty() && is_space(cells.front())) {
        cells.remove_prefix(1);
    }
    if (open.has_mapped() || cells.empty()) {
        return unknown_sizes(open);
    }
    if (cells.front() != '[') {
        const bool quoted = cells.front() == '"';
        const std::uint64_t digits = digits_of_cells(cells.substr(quoted ? 1 : 0));
        return quoted || digits != 0 ? type_of_digits(digits, open) : unknown_sizes(open);
    }
    const FirstLists lists = count_elements(cells, order.size());
    if (lists.deepest < order.size() && lists.elements[0] != 0) {
        return lists.deepest == 1 ? type_of_units(lists.elements[0], open.block_cells(), "cells", open)
                                  : unknown_sizes(open);
    }
    std::vector<Dimension> dimensions = open.dimensions();
    std::uint64_t room = cells.size();  // each cell takes a byte at least
    for (std::size_t level = 0; level < order.size(); ++level) {
        if (Dimension &dimension = dimensions[order[level]]; dimension.is_open()) {
            const std::uint64_t size = lists.elements[level];
            if (size > room) {
                return SizeProblem{fmt::format("the lists of a {} differ in length", open.to_string()),
                                   "each list of a dimension has the same number of elements"};
            }
            room /= std::max<std::uint64_t>(size, 1);
            dimension = Dimension::indexed(dimension.name, size);
        }
    }
    return known_type(open.cell_type(), std::move(dimensions));
}

}  // namespace tenrex
