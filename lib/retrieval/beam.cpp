#include "lib/retrieval/beam.h"

#include <algorithm>
#include <cmath>

namespace tenrex::retrieval {

bool is_nearer(const Found &x, const Found &y) noexcept {
    if (x.key < y.key || x.key > y.key) {
        return x.key < y.key;
    }
    const bool x_is_none = std::isnan(x.key);
    const bool y_is_none = std::isnan(y.key);
    return x_is_none != y_is_none ? y_is_none : x.node < y.node;
}

void Beam::begin(std::size_t limit) {
    limit_ = limit;
    size_ = 0;
    next_ = 0;
    if (entries_.size() < limit + 1) {
        entries_.resize(limit + 1);
    }
}

void Beam::add(float key, std::uint32_t node) {
    Found *const entries = entries_.data();
    if (size_ == limit_) {
        if (!(key < entries[size_ - 1].key)) {
            return;
        }
        --size_;
    }
    std::size_t at = static_cast<std::size_t>(
        std::upper_bound(entries, entries + size_, key, [](float x, const Found &y) { return x < y.key; }) - entries);
    std::copy_backward(entries + at, entries + size_, entries + size_ + 1);
    entries[at] = {key, node};
    ++size_;
    next_ = std::min(next_, at);
}

bool Beam::take(std::uint32_t &node) {
    while (next_ < size_ && (entries_[next_].node & taken) != 0) {
        ++next_;
    }
    if (next_ == size_) {
        return false;
    }
    node = entries_[next_].node;
    entries_[next_++].node |= taken;
    return true;
}

bool Beam::next(std::uint32_t &node) const noexcept {
    for (std::size_t i = next_; i < size_; ++i) {
        if ((entries_[i].node & taken) == 0) {
            node = entries_[i].node;
            return true;
        }
    }
    return false;
}

std::span<const Found> Beam::end() {
    for (std::size_t i = 0; i < size_; ++i) {
        entries_[i].node &= ~taken;
    }
    return {entries_.data(), size_};
}

}  // namespace tenrex::retrieval
