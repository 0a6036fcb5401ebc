#include "lib/formats/hex.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>

#include <tenrex/formats.h>

#include "lib/formats/big_endian.h"
#include "lib/formats/decoding.h"
#include "lib/support/format.h"
#include "lib/types/characters.h"
#include "lib/types/open_sizes.h"
#include "lib/types/quoted_text.h"
#include "lib/types/text_reader.h"
#include "lib/types/utf8_text.h"

namespace tenrex {

namespace {

// The type itself if its cells have so many digits, else the first one whose cells have.
std::optional<CellType> cell_type_of_digits(std::size_t digits, CellType own) noexcept {
    if (2 * byte_size(own) == digits) {
        return own;
    }
    for (CellType type : all_cell_types) {
        if (2 * byte_size(type) == digits) {
            return type;
        }
    }
    return std::nullopt;
}

}  // namespace

std::optional<HexProblem> check_hex(std::string_view digits, const TensorType &type, CellType &written_as) {
    const auto bad = std::find_if(digits.begin(), digits.end(), [](char c) { return hex_digit(c) < 0; });
    if (bad != digits.end()) {
        const auto at = static_cast<std::size_t>(bad - digits.begin());
        const std::size_t length = std::max<std::size_t>(utf8_length(digits.substr(at)), 1);
        return HexProblem{
            at, at + length, fmt::format("'{}' is no hexadecimal digit", clipped(digits.substr(at, length))), {}};
    }
    const std::size_t cells = type.block_cells();
    if (cells == 0 && digits.empty()) {
        written_as = type.cell_type();
        return std::nullopt;
    }
    const auto found = cells != 0 && digits.size() % cells == 0
                           ? cell_type_of_digits(digits.size() / cells, type.cell_type())
                           : std::nullopt;
    const std::size_t width = 2 * byte_size(type.cell_type());
    if (!found) {
        return HexProblem{
            0, digits.size(),
            fmt::format("{} hexadecimal digits do not make the {} cells of {}", digits.size(), cells, type.to_string()),
            fmt::format("{} digits are needed, {} for each cell", width * cells, width)};
    }
    if (type.cell_type() == CellType::i8 && *found != CellType::i8) {
        return HexProblem{0, digits.size(),
                          fmt::format("{} digits a cell are those of {} cells; int8 cells are not read from them",
                                      2 * byte_size(*found), name(*found)),
                          fmt::format("{} digits are needed, 2 for each cell", 2 * cells)};
    }
    written_as = *found;
    return std::nullopt;
}

double hex_cell(std::string_view digits, CellType written_as, std::size_t index) noexcept {
    return visit_cell_type(written_as, [&](auto zero) {
        using T = decltype(zero);
        constexpr std::size_t width = 2 * sizeof(T);
        std::uint64_t bits = 0;
        for (char c : digits.substr(index * width, width)) {
            bits = (bits << 4) | static_cast<std::uint64_t>(hex_digit(c));
        }
        return static_cast<double>(from_bits<T>(static_cast<BitsOf<T>>(bits)));
    });
}

void append_hex(std::string &out, const TensorView &tensor, std::size_t begin, std::size_t end) {
    visit_cell_type(tensor.type().cell_type(), [&](auto zero) {
        using T = decltype(zero);
        const auto *const cells = static_cast<const std::byte *>(tensor.cells());
        for (std::size_t i = begin; i < end; ++i) {
            BitsOf<T> bits;
            std::memcpy(&bits, cells + i * sizeof(T), sizeof(T));
            for (int shift = 8 * static_cast<int>(sizeof(T)) - 4; shift >= 0; shift -= 4) {
                out += "0123456789abcdef"[(bits >> shift) & 0xf];
            }
        }
    });
}

Result<Tensor> from_hex(std::string_view hex, const TensorType &type, const Limits &limits) {
    if (type.has_mapped()) {
        return Error(fmt::format("hexadecimal digits cannot tell the labels of a {}", type.to_string()),
                     "only values without mapped dimensions are read from digits alone");
    }
    if (type.has_open()) {
        auto closed = type_of_digits(hex.size(), type);
        if (auto *problem = std::get_if<SizeProblem>(&closed)) {
            return Error(std::move(problem->message), std::move(problem->hint));
        }
        return from_hex(hex, std::get<TensorType>(closed), limits);
    }
    return decode(hex.size(), limits, [&]() -> Result<Tensor> {
        if (auto problem = check_cells(type, limits)) {
            return Error(std::move(problem->message), std::move(problem->hint));
        }
        CellType written_as = type.cell_type();
        if (auto problem = check_hex(hex, type, written_as)) {
            TextReader in(hex);
            in.fail(problem->begin, problem->end, std::move(problem->message), std::move(problem->hint));
            return in.take_error();
        }
        TensorBuilder builder(type);
        for (std::size_t i = 0; i < type.block_cells(); ++i) {
            builder.set(0, i, hex_cell(hex, written_as, i));
        }
        return std::move(builder).build();
    });
}

std::string to_hex(const TensorView &tensor) {
    std::string out;
    out.reserve(2 * tensor.cell_count() * byte_size(tensor.type().cell_type()));
    append_hex(out, tensor, 0, tensor.cell_count());
    return out;
}

}  // namespace tenrex
