#include <cassert>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include <tenrex/formats.h>

#include "lib/formats/big_endian.h"
#include "lib/formats/binary_format.h"

namespace tenrex {

namespace {

class BinaryWriter {
public:
    std::vector<std::byte> write(const TensorView &tensor) {
        const TensorType &type = tensor.type();
        const CellType cell_type = type.cell_type();
        const std::size_t block_bytes = type.block_cells() * byte_size(cell_type);
        out_.reserve(64 + tensor.blocks() * (block_bytes + 8 * type.mapped_count()));
        write_type(type);
        if (type.has_mapped()) {
            write_count(tensor.blocks());
        }
        for (std::size_t block = 0; block < tensor.blocks(); ++block) {
            for (std::size_t i = 0; i < type.mapped_count(); ++i) {
                write_text(tensor.label(block, i));
            }
            const std::size_t begin = out_.size();
            out_.resize(begin + block_bytes);
            const auto *const cells = static_cast<const std::byte *>(tensor.cells()) + block * block_bytes;
            visit_cell_type(cell_type, [&](auto zero) {
                copy_big_endian<BitsOf<decltype(zero)>>(out_.data() + begin, cells, type.block_cells());
            });
        }
        return std::move(out_);
    }

private:
    void write_type(const TensorType &type) {
        const bool has_dense_part = type.has_indexed() || !type.has_mapped();
        const bool names_cell_type = type.cell_type() != CellType::f64;
        write_count((type.has_mapped() ? binary::sparse_part : 0) | (has_dense_part ? binary::dense_part : 0) |
                    (names_cell_type ? binary::explicit_cell_type : 0));
        if (names_cell_type) {
            write_count(binary::wire_id(type.cell_type()));
        }
        if (type.has_mapped()) {
            write_count(type.mapped_count());
            for (const Dimension &dimension : type.dimensions()) {
                if (dimension.is_mapped()) {
                    write_text(dimension.name);
                }
            }
        }
        if (has_dense_part) {
            write_count(type.indexed_count());
            for (const Dimension &dimension : type.dimensions()) {
                if (dimension.is_indexed()) {
                    write_text(dimension.name);
                    write_count(dimension.size);
                }
            }
        }
    }

    void write_count(std::uint64_t count) {
        assert(count < binary::long_count);
        if (count < 0x80) {
            out_.push_back(static_cast<std::byte>(count));
            return;
        }
        const auto marked = static_cast<std::uint32_t>(count) | binary::long_count;
        std::byte bytes[sizeof(marked)];
        copy_big_endian<std::uint32_t>(bytes, reinterpret_cast<const std::byte *>(&marked), 1);
        out_.insert(out_.end(), std::begin(bytes), std::end(bytes));
    }

    void write_text(std::string_view text) {
        write_count(text.size());
        const auto *const bytes = reinterpret_cast<const std::byte *>(text.data());
        out_.insert(out_.end(), bytes, bytes + text.size());
    }

    std::vector<std::byte> out_;
};

}  // namespace

std::vector<std::byte> to_binary(const TensorView &tensor) {
    return BinaryWriter().write(tensor);
}

}  // namespace tenrex
