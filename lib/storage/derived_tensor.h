// Values whose cells are made of something that stays, such as a file, and can be made again: those who need them for a
// while borrow them, and nobody has their memory meanwhile.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tenrex/export.h>
#include <tenrex/tensor.h>

#include "lib/storage/mapped_file.h"

namespace tenrex {

// The cells of a value in another order, which stand in a file.
struct OrderedCells {
    std::string order;  // which one; who reads them knows what it means
    std::string_view bytes;
    std::shared_ptr<const MappedFile> file;
};

// Any thread may ask at any time.
class TENREX_EXPORT DerivedCells {
public:
    // Writes all cells, the same each time.
    using Make = std::function<void(std::byte *to)>;

    // cells: those that are made already, or none.
    DerivedCells(std::byte *cells, std::size_t bytes, Make make) noexcept;
    DerivedCells(const DerivedCells &) = delete;
    DerivedCells &operator=(const DerivedCells &) = delete;
    ~DerivedCells();

    // The cells, which are there from now on.
    const std::byte *keep() noexcept;
    // The cells, until they are given back.
    const std::byte *borrow();
    void give_back() noexcept;
    // Gives up cells that nobody has.
    void let_go() noexcept;
    // The hash of the cells (storage/cells_hash.h). Cells that it needs stay until they were borrowed or are let go.
    std::array<std::uint64_t, 2> hash();
    // If it is known without making them.
    std::optional<std::array<std::uint64_t, 2>> known_hash() const noexcept;
    std::size_t memory_bytes() const noexcept;
    // Before anybody else has the cells: in which orders they stand in files, too.
    void add(OrderedCells cells) { ordered_.push_back(std::move(cells)); }
    // Those in that order; empty: there are none.
    std::string_view ordered(std::string_view order) const noexcept;

private:
    void make_cells();
    void release_unused() noexcept;

    std::size_t bytes_;
    Make make_;
    mutable std::mutex mutex_;
    std::optional<std::array<std::uint64_t, 2>> hash_;
    std::byte *cells_;
    std::size_t borrowers_ = 0;
    bool is_kept_ = false;
    std::vector<OrderedCells> ordered_;
};

struct TENREX_EXPORT DerivedTensor {
    // Of a type without mapped dimensions. The cells are made when they are needed.
    static Tensor make(TensorType type, DerivedCells::Make make);
    // A value of such a type, which nobody else has, and how its cells are made again. They are there until they were
    // borrowed for the first time.
    static Tensor make(Tensor value, DerivedCells::Make make);
    // Gives up cells that nobody has. Nothing for other values.
    static void let_go(const Tensor &tensor) noexcept;
    // Nothing for other values.
    static DerivedCells *cells_of(const Tensor &tensor) noexcept;
    // What copies of a value have in common, and no others.
    static const void *identity(const Tensor &tensor) noexcept;
};

// The cells of any value without mapped dimensions, for a while.
class TENREX_EXPORT BorrowedCells {
public:
    explicit BorrowedCells(const Tensor &tensor);
    BorrowedCells(const BorrowedCells &) = delete;
    BorrowedCells &operator=(const BorrowedCells &) = delete;
    ~BorrowedCells();
    const std::byte *data() const noexcept { return cells_; }

private:
    Tensor tensor_;
    DerivedCells *derived_;
    const std::byte *cells_;
};

}  // namespace tenrex
