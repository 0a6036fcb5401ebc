#include "lib/retrieval/beam.h"

#include <algorithm>
#include <cmath>

namespace tenrex::retrieval {

namespace {

// What std::upper_bound finds, without a branch, which would go either way.
std::size_t first_farther(const Found *entries, std::size_t size, float key) noexcept {
    const Found *from = entries;
    while (size > 0) {
        const std::size_t half = (size + 1) / 2;
        from += key < from[half - 1].key ? 0 : half;
        size -= half;
    }
    return static_cast<std::size_t>(from - entries);
}

}  // namespace

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
    const std::size_t at = first_farther(entries, size_, key);
    std::copy_backward(entries + at, entries + size_, entries + size_ + 1);
    entries[at] = {key, node};
    ++size_;
    next_ = std::min(next_, at);
}

void Beam::add(float *keys, std::uint32_t *nodes, std::size_t count) {
    std::size_t i = 0;
    for (; i < count && size_ < limit_; ++i) {
        add(keys[i], nodes[i]);
    }
    // Most are too far away. Without a branch: what is not kept is written over by the next.
    const float farthest = entries_[size_ - 1].key;
    std::size_t kept = 0;
    for (; i < count; ++i) {
        const bool is_near = keys[i] < farthest;
        keys[kept] = keys[i];
        nodes[kept] = nodes[i];
        kept += is_near ? 1 : 0;
    }
    for (i = 0; i < kept; ++i) {
        add(keys[i], nodes[i]);
    }
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

std::span<const Found> Beam::end() {
    for (std::size_t i = 0; i < size_; ++i) {
        entries_[i].node &= ~taken;
    }
    return {entries_.data(), size_};
}

}  // namespace tenrex::retrieval
