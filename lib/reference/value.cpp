#include "lib/reference/value.h"

#include "lib/support/format.h"

namespace tenrex::reference {

void Budget::take_cells(std::uint64_t count, const TensorType &type) {
    if (count > limits_.evaluation_cells - cells_) {
        throw Failure{fmt::format("the intermediate results would hold more than {} cells at a time; this one, of type "
                                  "{}, needs {} more",
                                  limits_.evaluation_cells, type.to_string(), count),
                      "make the tensors smaller, or raise the limit evaluation_cells"};
    }
    cells_ += count;
}

void Budget::take_steps(std::uint64_t count) {
    if (count > limits_.evaluation_steps - steps_) {
        throw Failure{fmt::format("the evaluation needs more than {} steps", limits_.evaluation_steps),
                      "make the tensors smaller, or raise the limit evaluation_steps"};
    }
    steps_ += count;
}

LabelId Labels::intern(std::string_view text) {
    if (const auto known = find(text)) {
        return *known;
    }
    const auto id = static_cast<LabelId>(texts_.size());
    ids_.emplace(texts_.emplace_back(text), id);
    return id;
}

std::optional<LabelId> Labels::find(std::string_view text) const {
    const auto found = ids_.find(text);
    return found == ids_.end() ? std::nullopt : std::optional(found->second);
}

std::size_t AddressIndex::Hash::operator()(const std::vector<LabelId> &address) const noexcept {
    std::uint64_t hash = address.size();
    for (const LabelId label : address) {
        hash = (hash ^ label) * 0x9E3779B97F4A7C15u;
        hash ^= hash >> 32;
    }
    return static_cast<std::size_t>(hash);
}

std::size_t AddressIndex::find_or_add(std::span<const LabelId> address) {
    return numbers_.try_emplace({address.begin(), address.end()}, numbers_.size()).first->second;
}

std::optional<std::size_t> AddressIndex::find(std::span<const LabelId> address) const {
    const auto found = numbers_.find({address.begin(), address.end()});
    return found == numbers_.end() ? std::nullopt : std::optional(found->second);
}

std::size_t Blocks::append(std::span<const LabelId> address) {
    // Labels take room as cells do.
    const std::uint64_t needed = type_->block_cells() + address.size();
    budget_->take_cells(needed, *type_);
    taken_ += needed;
    addresses_.insert(addresses_.end(), address.begin(), address.end());
    cells_.resize(cells_.size() + type_->block_cells());
    if (!errors_.empty()) {
        errors_.resize(cells_.size());
    }
    return count_++;
}

void Blocks::set(std::size_t block, std::size_t index, Number number) {
    const std::size_t place = block * type_->block_cells() + index;
    const Number cell = rounded(type_->cell_type(), number);
    cells_[place] = cell.value;
    origin_.note(number, cell);
    if (cell.error > 0.0 || !errors_.empty()) {
        errors_.resize(cells_.size());
        errors_[place] = cell.error;
    }
}

void Blocks::add_origin(const Origin &origin) noexcept {
    const bool inexact = origin_.inexact;
    const bool overflowed = origin_.overflowed;
    origin_ = origin;
    origin_.inexact |= inexact;
    origin_.overflowed |= overflowed;
}

void Blocks::clear() noexcept {
    count_ = 0;
    addresses_.clear();
}

void Blocks::forget() {
    errors_.assign(cells_.size(), undetermined);
    origin_.addresses_known = !type_->has_mapped();
}

Value::Value(Blocks blocks) {
    if (blocks.type().is_scalar()) {
        number_ = blocks.at(0, 0);
    } else {
        if (blocks.type().has_mapped() && blocks.type().has_empty()) {
            blocks.clear();
        }
        blocks_ = std::make_shared<const Blocks>(std::move(blocks));
    }
}

}  // namespace tenrex::reference
