#include "tools/rank/document_store.h"

#include <algorithm>

namespace tenrex::tool {

void DocumentStore::append(std::unique_ptr<DocumentSegment> segment) {
    ends_.push_back(documents() + segment->documents());
    segments_.push_back(std::move(segment));
}

DocumentStore::Place DocumentStore::place(std::size_t document) const noexcept {
    const auto end = std::upper_bound(ends_.begin(), ends_.end(), document);
    const auto index = static_cast<std::size_t>(end - ends_.begin());
    return {segments_[index].get(), document - first(index)};
}

std::size_t DocumentStore::memory_bytes() const noexcept {
    std::size_t bytes = ends_.capacity() * sizeof(ends_[0]);
    for (const auto &segment : segments_) {
        bytes += segment->memory_bytes();
    }
    return bytes;
}

}  // namespace tenrex::tool
