// All documents, in the order in which they were read.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "tools/rank/document_segment.h"

namespace tenrex::tool {

class DocumentStore {
public:
    struct Place {
        const DocumentSegment *segment = nullptr;
        std::size_t document = 0;  // within the segment
    };

    void append(std::unique_ptr<DocumentSegment> segment);

    std::size_t documents() const noexcept { return ends_.empty() ? 0 : ends_.back(); }
    std::size_t segments() const noexcept { return segments_.size(); }
    const DocumentSegment &segment(std::size_t index) const noexcept { return *segments_[index]; }
    DocumentSegment &segment(std::size_t index) noexcept { return *segments_[index]; }
    // The number of the first document of a segment.
    std::size_t first(std::size_t index) const noexcept { return index == 0 ? 0 : ends_[index - 1]; }
    Place place(std::size_t document) const noexcept;
    std::size_t memory_bytes() const noexcept;

private:
    std::vector<std::unique_ptr<DocumentSegment>> segments_;
    std::vector<std::size_t> ends_;
};

}  // namespace tenrex::tool
