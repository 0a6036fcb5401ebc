#include "tests/conformance/comparison.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <map>
#include <type_traits>

#include <fmt/format.h>

#include <tenrex/formats.h>

#include "lib/types/number.h"

namespace tenrex::conformance {

double tolerance(std::string_view expression, const std::vector<Tensor> &inputs) {
    const bool names_others = expression.find("float") != std::string_view::npos ||  // bfloat16 too
                              expression.find("int8") != std::string_view::npos;
    const bool all_double = std::all_of(inputs.begin(), inputs.end(),
                                        [](const Tensor &input) { return input.type().cell_type() == CellType::f64; });
    return all_double && !names_others ? double_tolerance : float_tolerance;
}

// The place of a number on the line of all numbers of a type of two bytes, -0 and 0 being one place.
template <class T>
std::int32_t place(double number) {
    const std::int32_t bits = to_cell<T>(number).bits;
    return bits >= 0x8000 ? -(bits - 0x8000) : bits;
}

bool cells_agree(double a, double b, CellType cell_type, double tolerance) {
    if (std::isnan(a) || std::isnan(b)) {
        return std::isnan(a) && std::isnan(b);
    }
    if (a == b) {
        return true;
    }
    if (std::isinf(a) || std::isinf(b)) {
        return false;
    }
    return visit_cell_type(cell_type, [&]<class T>(T) {
        if constexpr (sizeof(T) == 1) {
            return false;
        } else if constexpr (sizeof(T) == 2) {
            return std::abs(place<T>(a) - place<T>(b)) <= 1;
        } else {
            const double most = std::is_same_v<T, double> ? tolerance : float_tolerance;
            return std::fabs(a - b) <= most * std::max({1.0, std::fabs(a), std::fabs(b)});
        }
    });
}

std::string difference(const Tensor &actual, const Tensor &expected, double tolerance) {
    return difference(actual, expected, [&](double number, std::size_t cell) {
        return cells_agree(number, expected.cell(cell), expected.type().cell_type(), tolerance);
    });
}

std::string difference(const Tensor &actual, const BoundedTensor &expected) {
    if (!expected.addresses_known && actual.type() == expected.value.type()) {
        return {};
    }
    double bound = 0;
    const std::string text = difference(actual, expected.value, [&](double number, std::size_t cell) {
        const double wanted = expected.value.cell(cell);
        bound = expected.bound.cell(cell);
        // Equal infinities have no distance, and neither has NaN.
        return std::fabs(number - wanted) <= bound || number == wanted || (std::isnan(number) && std::isnan(wanted)) ||
               std::isinf(bound);
    });
    return text.empty() ? text : fmt::format("{} (with a bound of {})", text, bound);
}

std::string difference(const Tensor &actual, const Tensor &expected, const IsRight &is_right) {
    if (!(actual.type() == expected.type())) {
        return fmt::format("the type is {}, expected {}", actual.type().to_string(), expected.type().to_string());
    }
    const TensorType &type = expected.type();
    const auto blocks_by_address = [&](const Tensor &tensor) {
        std::map<std::vector<std::string>, std::size_t> blocks;
        for (std::size_t block = 0; block < tensor.blocks(); ++block) {
            std::vector<std::string> address;
            for (std::size_t i = 0; i < type.mapped_count(); ++i) {
                address.push_back(tensor.label(block, i));
            }
            blocks.emplace(std::move(address), block);
        }
        return blocks;
    };
    const auto quoted = [](const std::vector<std::string> &address) {
        std::string text;
        for (const std::string &label : address) {
            text += (text.empty() ? "" : ",") + quoted_label(label);
        }
        return "{" + text + "}";
    };
    const auto found = blocks_by_address(actual);
    const auto wanted = blocks_by_address(expected);
    if (found.size() != actual.blocks()) {
        return "an address occurs twice";
    }
    for (const auto &[address, block] : found) {
        if (!wanted.contains(address)) {
            return fmt::format("block {} should not be there", quoted(address));
        }
    }
    for (const auto &[address, block] : wanted) {
        const auto at = found.find(address);
        if (at == found.end()) {
            return fmt::format("block {} is missing", quoted(address));
        }
        for (std::size_t i = 0; i < type.block_cells(); ++i) {
            const double a = actual.cell(at->second * type.block_cells() + i);
            const std::size_t cell = block * type.block_cells() + i;
            if (!is_right(a, cell)) {
                return fmt::format("cell {} of block {} is {}, expected {}", i, quoted(address), a,
                                   expected.cell(cell));
            }
        }
    }
    return {};
}

bool is_same(double a, double b) {
    return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b) || (std::isnan(a) && std::isnan(b));
}

std::size_t first_different_cell(CellType type, const void *a, const void *b, std::size_t count) {
    // Few of the cells that are compared differ, and a test's build takes long to look at each by itself.
    if (count == 0 || std::memcmp(a, b, count * byte_size(type)) == 0) {
        return count;
    }
    std::size_t cell = 0;
    while (cell < count && is_same(load_cell(type, a, cell), load_cell(type, b, cell))) {
        ++cell;
    }
    return cell;
}

bool same_bits(const Tensor &a, const Tensor &b) {
    if (!(a.type() == b.type()) || a.blocks() != b.blocks()) {
        return false;
    }
    for (std::size_t block = 0; block < a.blocks(); ++block) {
        for (std::size_t i = 0; i < a.type().mapped_count(); ++i) {
            if (a.label(block, i) != b.label(block, i)) {
                return false;
            }
        }
    }
    const std::size_t count = a.cell_count();
    return first_different_cell(a.type().cell_type(), a.view().cells(), b.view().cells(), count) == count;
}

}  // namespace tenrex::conformance
