// The values that the oracle works with, and the account of what an evaluation costs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <tenrex/cell_type.h>
#include <tenrex/issue.h>
#include <tenrex/limits.h>
#include <tenrex/tensor_type.h>

#include "lib/reference/aggregate_rounding.h"

namespace tenrex::reference {

// Ends an evaluation from within; evaluate() turns it into an Error.
struct Failure {
    std::string message;
    std::string hint;
};

// Keeps an evaluation within its limits: throws Failure before it would go beyond one.
class Budget {
public:
    explicit Budget(const Limits &limits) : limits_(limits) {}

    // Cells that come into being, and that cease to be.
    void take_cells(std::uint64_t count, const TensorType &type);
    void give_back_cells(std::uint64_t count) noexcept { cells_ -= count; }
    void take_steps(std::uint64_t count);

    // The source text that is being evaluated, for whoever catches a Failure.
    Span where;

private:
    Limits limits_;
    std::uint64_t cells_ = 0;
    std::uint64_t steps_ = 0;
};

// A label of a mapped dimension, as the number that Labels gave it.
using LabelId = std::uint32_t;

class Labels {
public:
    LabelId intern(std::string_view text);
    std::optional<LabelId> find(std::string_view text) const;
    const std::string &text(LabelId label) const { return texts_[label]; }

private:
    std::deque<std::string> texts_;  // a deque: the map's keys point into it
    std::unordered_map<std::string_view, LabelId> ids_;
};

// Numbers addresses in the order in which they first come.
class AddressIndex {
public:
    std::size_t find_or_add(std::span<const LabelId> address);
    std::optional<std::size_t> find(std::span<const LabelId> address) const;
    std::size_t size() const noexcept { return numbers_.size(); }

private:
    struct Hash {
        std::size_t operator()(const std::vector<LabelId> &address) const noexcept;
    };
    std::unordered_map<std::vector<LabelId>, std::size_t, Hash> numbers_;
};

// A tensor: dense blocks of doubles with their addresses. Each cell is a number of the type's cell type.
class Blocks {
public:
    // No block yet. The type must outlive the object.
    Blocks(Budget &budget, const TensorType &type) : budget_(&budget), type_(&type) {}
    Blocks(Blocks &&other) noexcept
        : budget_(other.budget_),
          type_(other.type_),
          count_(std::exchange(other.count_, 0)),
          taken_(std::exchange(other.taken_, 0)),
          addresses_(std::move(other.addresses_)),
          cells_(std::move(other.cells_)),
          errors_(std::move(other.errors_)),
          origin_(other.origin_) {}
    Blocks &operator=(Blocks &&) = delete;
    ~Blocks() { budget_->give_back_cells(taken_); }

    const TensorType &type() const noexcept { return *type_; }
    std::size_t count() const noexcept { return count_; }
    std::span<const LabelId> address(std::size_t block) const noexcept {
        return {addresses_.data() + block * type_->mapped_count(), type_->mapped_count()};
    }
    // The cells of all blocks, one block after the other.
    std::span<const double> cells() const noexcept { return cells_; }
    std::span<const double> cells(std::size_t block) const noexcept {
        return {cells_.data() + block * type_->block_cells(), type_->block_cells()};
    }
    // The errors of the cells of a block; null if all cells of the value are exact.
    const double *errors(std::size_t block) const noexcept {
        return errors_.empty() ? nullptr : errors_.data() + block * type_->block_cells();
    }
    Number at(std::size_t block, std::size_t index) const noexcept {
        const double *const known = errors(block);
        return {cells(block)[index], known == nullptr ? 0.0 : known[index]};
    }
    bool is_exact() const noexcept { return errors_.empty(); }
    const Origin &origin() const noexcept { return origin_; }

    // A new block of zeros; its number. The caller sees to it that no address comes twice.
    std::size_t append(std::span<const LabelId> address);
    // Stores the number, rounded to the cell type; `index` counts within the block.
    void set(std::size_t block, std::size_t index, Number number);
    void set(std::size_t block, std::size_t index, double value) { set(block, index, Number{value}); }
    // To what storing the cells has found out.
    void add_origin(const Origin &origin) noexcept;
    // Blocks without cells are not there.
    void clear() noexcept;
    // Nothing is known of the cells, nor of the addresses if there are labels.
    void forget();

private:
    Budget *budget_;
    const TensorType *type_;
    std::size_t count_ = 0;
    std::uint64_t taken_ = 0;
    std::vector<LabelId> addresses_;
    std::vector<double> cells_;
    std::vector<double> errors_;  // empty: zeros
    Origin origin_;
};

// What an expression evaluates to: a double, or a tensor that is shared and never changes.
class Value {
public:
    Value(double number = 0.0) noexcept : number_{number} {}
    Value(Number number) noexcept : number_(number) {}
    // A tensor without dimensions becomes a double.
    explicit Value(Blocks blocks);

    // The value of a scalar.
    Number number() const noexcept { return number_; }
    // The blocks of a tensor; null for a scalar.
    const Blocks *blocks() const noexcept { return blocks_.get(); }

private:
    Number number_;
    std::shared_ptr<const Blocks> blocks_;
};

}  // namespace tenrex::reference
