#include <tenrex/nearest_neighbors.h>

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "lib/retrieval/index_content.h"

namespace tenrex {

namespace {

constexpr std::size_t most_dimensions = 65536;
constexpr std::size_t most_links = 1024;
constexpr std::size_t most_explored = 1 << 20;

Error no_whole_vectors(std::size_t numbers, std::size_t dimensions) {
    return Error(fmt::format("{} numbers are no whole vectors of {}", numbers, dimensions));
}

template <class T>
Result<std::uint32_t> add_one(VectorIndex::Content &content, std::span<const T> vector) {
    auto row = content.new_row(vector);
    if (row) {
        content.link(*row);
    }
    return row;
}

template <class T>
Status add_all(VectorIndex::Content &content, std::span<const T> vectors, std::vector<std::uint32_t> &ids,
               Executor *executor) {
    const std::size_t dimensions = content.options.dimensions;
    if (vectors.size() % dimensions != 0) {
        return no_whole_vectors(vectors.size(), dimensions);
    }
    const std::size_t before = ids.size();
    Status status;
    for (; !vectors.empty() && status; vectors = vectors.subspan(dimensions)) {
        if (const auto row = content.new_row(vectors.first(dimensions))) {
            ids.push_back(*row);
        } else {
            status = row.error();
        }
    }
    content.link(std::span(ids).subspan(before), executor);
    return status;
}

}  // namespace

SearchMemory::SearchMemory() : content_(std::make_unique<Content>()) {}
SearchMemory::SearchMemory(SearchMemory &&) noexcept = default;
SearchMemory &SearchMemory::operator=(SearchMemory &&) noexcept = default;
SearchMemory::~SearchMemory() = default;

VectorIndex::VectorIndex(std::unique_ptr<Content> content) : content_(std::move(content)) {}
VectorIndex::VectorIndex(VectorIndex &&) noexcept = default;
VectorIndex &VectorIndex::operator=(VectorIndex &&) noexcept = default;
VectorIndex::~VectorIndex() = default;

Result<VectorIndex> VectorIndex::create(const VectorIndexOptions &given) {
    VectorIndexOptions options = given;
    if (options.dimensions == 0 || options.dimensions > most_dimensions) {
        return Error(fmt::format("vectors have 1 to {} dimensions, not {}", most_dimensions, options.dimensions));
    }
    if (options.links == 1 || options.links > most_links) {
        return Error(fmt::format("a node has 2 to {} links, not {}", most_links, options.links), "0 is for no graph");
    }
    if (options.explored_when_added == 0 || options.explored_when_added > most_explored) {
        return Error(fmt::format("1 to {} nodes are explored when a vector is added, not {}", most_explored,
                                 options.explored_when_added));
    }
    if (options.metric == DistanceMetric::geodegrees) {
        return Error("an index cannot compare places by geodegrees",
                     "write the distance as an expression over all documents");
    }
    if (options.metric == DistanceMetric::hamming) {
        options.cells = VectorCells::bits;
        options.keep_floats = false;
    } else if (options.cells == VectorCells::float32) {
        options.keep_floats = false;  // they are what is searched
    } else if (options.cells == VectorCells::bits && !options.keep_floats) {
        return Error("bits alone do not tell how far apart vectors are",
                     "keep the floats, or make an index of bytes with the metric hamming");
    }
    return VectorIndex(std::make_unique<Content>(options));
}

const VectorIndexOptions &VectorIndex::options() const noexcept {
    return content_->options;
}

std::size_t VectorIndex::size() const noexcept {
    return content_->live;
}

std::size_t VectorIndex::end_id() const noexcept {
    return content_->removed.rows();
}

bool VectorIndex::contains(std::uint32_t id) const noexcept {
    return content_->is_live(id);
}

std::size_t VectorIndex::memory_bytes() const noexcept {
    std::size_t bytes = content_->graph.owned_bytes() + content_->removed.words().size_bytes();
    for (const retrieval::VectorSpace *const space : {&content_->searched, &content_->floats}) {
        bytes += space->rows().owned_bytes() + space->scales().owned_bytes();
    }
    return bytes;
}

Status VectorIndex::reserve(std::size_t count) {
    return content_->file ? content_->is_mapped() : content_->reserve(count);
}

Result<std::uint32_t> VectorIndex::add(std::span<const float> vector) {
    return add_one(*content_, vector);
}

Result<std::uint32_t> VectorIndex::add(std::span<const std::int8_t> vector) {
    return add_one(*content_, vector);
}

Status VectorIndex::add_many(std::span<const float> vectors, std::vector<std::uint32_t> &ids, Executor *executor) {
    return add_all(*content_, vectors, ids, executor);
}

Status VectorIndex::add_many(std::span<const std::int8_t> vectors, std::vector<std::uint32_t> &ids,
                             Executor *executor) {
    return add_all(*content_, vectors, ids, executor);
}

Status VectorIndex::remove(std::uint32_t id) {
    if (content_->file) {
        return content_->is_mapped();
    }
    if (!contains(id)) {
        return Error(fmt::format("the index has no vector {}", id));
    }
    content_->remove(id);
    return {};
}

Result<std::vector<Neighbor>> VectorIndex::search(std::span<const float> query, const NeighborSearch &search,
                                                  SearchMemory &memory) const {
    SearchMemory::Content &room = memory.content();
    room.vector.assign(query.begin(), query.end());
    Content::Query rows;
    if (const auto error = content_->make_query(room.vector, room.cells, rows)) {
        return *error;
    }
    return content_->search(rows, search, room);
}

Result<std::vector<Neighbor>> VectorIndex::search(std::span<const std::int8_t> query, const NeighborSearch &search,
                                                  SearchMemory &memory) const {
    if (content_->options.metric != DistanceMetric::hamming) {
        const std::vector<float> widened(query.begin(), query.end());
        return this->search(widened, search, memory);
    }
    if (query.size() != content_->options.dimensions) {
        return content_->wrong_bytes(query.size());
    }
    const retrieval::QueryRow row = content_->searched.query_bits(query);
    return content_->search({row, row, 0}, search, memory.content());
}

Result<std::vector<std::vector<Neighbor>>> VectorIndex::search_exactly(std::span<const float> queries,
                                                                       const NeighborSearch &search) const {
    const std::size_t dimensions = content_->options.dimensions;
    if (queries.size() % dimensions != 0) {
        return no_whole_vectors(queries.size(), dimensions);
    }
    const std::size_t count = queries.size() / dimensions;
    std::vector<std::vector<float>> vectors(count);
    std::vector<std::vector<std::byte>> cells(count);
    std::vector<Content::Query> rows(count);
    for (std::size_t i = 0; i < count; ++i) {
        const auto vector = queries.subspan(i * dimensions, dimensions);
        vectors[i].assign(vector.begin(), vector.end());
        if (const auto error = content_->make_query(vectors[i], cells[i], rows[i])) {
            return *error;
        }
    }
    return content_->search_exactly(rows, search);
}

}  // namespace tenrex
