// Reads the typed binary format. All counts are checked against the bytes that are left before they are used.
#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tenrex/formats.h>

#include "lib/formats/big_endian.h"
#include "lib/formats/binary_format.h"
#include "lib/formats/decoding.h"
#include "lib/support/format.h"
#include "lib/types/known_cell_types.h"
#include "lib/types/quoted_text.h"

namespace tenrex {

namespace {

class BinaryReader {
public:
    BinaryReader(std::span<const std::byte> bytes, const Limits &limits) : bytes_(bytes), limits_(limits) {}

    Result<Tensor> read() {
        if (!read_type()) {
            return *std::move(error_);
        }
        std::uint64_t blocks = 1;
        if (!read_block_count(blocks)) {
            return *std::move(error_);
        }
        TensorBuilder builder(type_);
        builder.reserve(static_cast<std::size_t>(blocks));
        if (!read_blocks(builder, blocks)) {
            return *std::move(error_);
        }
        if (left() != 0) {
            fail(left() == 1 ? "1 more byte stands behind the value"
                             : fmt::format("{} more bytes stand behind the value", left()));
            return *std::move(error_);
        }
        return std::move(builder).build();
    }

private:
    std::size_t left() const noexcept { return bytes_.size() - position_; }

    bool fail(std::string_view message, std::string hint = {}) {
        error_.emplace(fmt::format("at byte {} of the binary value: {}", position_, message), std::move(hint));
        return false;
    }
    bool fail_short(std::string_view what) {
        return fail(fmt::format("the value ends within {}", what), "it has been cut off, or is not in this format");
    }

    bool read_count(std::string_view what, std::uint32_t &count) {
        if (left() < 1) {
            return fail_short(what);
        }
        count = static_cast<std::uint32_t>(bytes_[position_]);
        if (count < 0x80) {
            ++position_;
            return true;
        }
        if (left() < sizeof(count)) {
            return fail_short(what);
        }
        copy_big_endian<std::uint32_t>(reinterpret_cast<std::byte *>(&count), bytes_.data() + position_, 1);
        count &= ~binary::long_count;
        position_ += sizeof(count);
        return true;
    }

    bool read_text(std::string_view what, std::string_view &text) {
        std::uint32_t size = 0;
        if (!read_count(what, size)) {
            return false;
        }
        if (size > left()) {
            return fail_short(what);
        }
        text = {reinterpret_cast<const char *>(bytes_.data() + position_), size};
        position_ += size;
        return true;
    }

    bool read_type();
    bool read_dimensions(bool indexed, std::vector<Dimension> &dimensions);
    bool read_block_count(std::uint64_t &blocks);
    bool read_blocks(TensorBuilder &builder, std::uint64_t blocks);
    void copy_cells(void *to) noexcept;

    std::span<const std::byte> bytes_;
    const Limits &limits_;
    std::size_t position_ = 0;
    std::uint32_t kind_ = 0;
    TensorType type_;
    std::optional<Error> error_;
};

bool BinaryReader::read_type() {
    if (!read_count("its first byte", kind_)) {
        return false;
    }
    const std::uint32_t parts = kind_ & (binary::sparse_part | binary::dense_part);
    if (parts == 0 || (kind_ & ~(binary::sparse_part | binary::dense_part | binary::explicit_cell_type)) != 0) {
        position_ = 0;
        return fail(fmt::format("the kind of value is {}, not 1, 2, 3, 5, 6 or 7", kind_),
                    "these bytes are not in the typed binary format");
    }
    CellType cell_type = CellType::f64;
    if ((kind_ & binary::explicit_cell_type) != 0) {
        std::uint32_t id = 0;
        if (!read_count("the cell type", id)) {
            return false;
        }
        const auto known = std::find_if(std::begin(all_cell_types), std::end(all_cell_types),
                                        [&](CellType type) { return binary::wire_id(type) == id; });
        if (known == std::end(all_cell_types)) {
            return fail(fmt::format("{} stands for no cell type", id), known_wire_ids());
        }
        cell_type = *known;
    }
    std::vector<Dimension> dimensions;
    if (((kind_ & binary::sparse_part) != 0 && !read_dimensions(false, dimensions)) ||
        ((kind_ & binary::dense_part) != 0 && !read_dimensions(true, dimensions))) {
        return false;
    }
    auto type = TensorType::make(cell_type, std::move(dimensions), limits_);
    if (!type) {
        const Issue &issue = type.error().issues()[0];
        return fail(issue.message, issue.hint);
    }
    type_ = *std::move(type);
    return true;
}

bool BinaryReader::read_dimensions(bool indexed, std::vector<Dimension> &dimensions) {
    std::uint32_t count = 0;
    if (!read_count("the number of dimensions", count)) {
        return false;
    }
    if (count > limits_.dimensions) {
        return fail(fmt::format("the type has {} dimensions; at most {} are read", count, limits_.dimensions),
                    "the limit is called dimensions");
    }
    std::string_view before;
    for (std::uint32_t i = 0; i < count; ++i) {
        std::string_view name;
        std::uint32_t size = 0;
        if (!read_text("the name of a dimension", name) || (indexed && !read_count("the size of a dimension", size))) {
            return false;
        }
        // Labels come in the order of the names, so another order would mix them up.
        if (i > 0 && name < before) {
            return fail(fmt::format("dimension '{}' stands behind '{}'", clipped(name), clipped(before)),
                        "the names must be sorted");
        }
        before = name;
        dimensions.push_back({std::string(name), size, indexed ? Dimension::Kind::indexed : Dimension::Kind::mapped});
    }
    return true;
}

bool BinaryReader::read_block_count(std::uint64_t &blocks) {
    if (type_.has_mapped() || (kind_ & binary::dense_part) == 0) {
        std::uint32_t count = 0;
        if (!read_count("the number of blocks", count)) {
            return false;
        }
        blocks = count;
    }
    if (blocks > limits_.tensor_cells / std::max<std::size_t>(type_.block_cells(), 1)) {
        LimitProblem problem = too_many_cells(limits_);
        return fail(problem.message, std::move(problem.hint));
    }
    if (!type_.has_mapped() && blocks > 1) {
        return fail(fmt::format("a value without mapped dimensions has one block, not {}", blocks));
    }
    // Each label takes a byte at least.
    const std::uint64_t block_bytes =
        type_.mapped_count() + std::uint64_t{type_.block_cells()} * byte_size(type_.cell_type());
    if (block_bytes != 0 && blocks > left() / block_bytes) {
        return fail(fmt::format("{} of {} bytes or more cannot fit in the {} bytes left",
                                blocks == 1 ? "a block" : fmt::format("{} blocks", blocks), block_bytes, left()),
                    "the value has been cut off, or is not in this format");
    }
    return true;
}

bool BinaryReader::read_blocks(TensorBuilder &builder, std::uint64_t blocks) {
    std::vector<std::string_view> address(type_.mapped_count());
    const std::size_t bytes = type_.block_cells() * byte_size(type_.cell_type());
    for (std::uint64_t i = 0; i < blocks; ++i) {
        for (std::string_view &label : address) {
            if (!read_text("a label", label)) {
                return false;
            }
            if (label.empty()) {
                return fail("a label is empty");
            }
        }
        if (left() < bytes) {
            return fail_short("the cells of a block");
        }
        const std::size_t before = builder.blocks();
        const std::size_t block = builder.block(address);
        if (type_.has_mapped() && builder.blocks() == before) {
            return fail(fmt::format("block {} has the same address as block {}", i, block),
                        "every block has an address of its own");
        }
        copy_cells(builder.cells(block));
    }
    return true;
}

void BinaryReader::copy_cells(void *to) noexcept {
    visit_cell_type(type_.cell_type(), [&](auto zero) {
        using T = decltype(zero);
        copy_big_endian<BitsOf<T>>(static_cast<std::byte *>(to), bytes_.data() + position_, type_.block_cells());
        position_ += type_.block_cells() * sizeof(T);
    });
}

}  // namespace

Result<Tensor> from_binary(std::span<const std::byte> bytes, const Limits &limits) {
    return decode(bytes.size(), limits, [&] { return BinaryReader(bytes, limits).read(); });
}

}  // namespace tenrex
