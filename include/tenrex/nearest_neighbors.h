// Vectors and those that are nearest to another one: exactly, or by a graph (HNSW) that finds nearly all of them in a
// hundredth of the time. In the library tenrex::retrieval.
//
//   auto index = tenrex::VectorIndex::create({.dimensions = 384, .metric = tenrex::DistanceMetric::angular});
//   for (const auto &vector : vectors) { index->add(vector); }          // 0, 1, 2, ...
//   tenrex::SearchMemory memory;                                        // one for each thread
//   auto nearest = index->search(query, {.count = 10, .explored = 100}, memory);
//   for (const tenrex::Neighbor &neighbor : *nearest) { use(neighbor.id, neighbor.distance); }
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <tenrex/distance_metric.h>
#include <tenrex/executor.h>
#include <tenrex/result.h>

namespace tenrex {

// What the search reads of a vector. All but float32 are shorter, so the search is faster and less exact.
enum class VectorCells : std::uint8_t {
    float32,
    bfloat16,  // rounded to nearest
    int8,      // each vector has a scale; whole numbers up to 127 stay as they are
    bits  // whether a number is above 0; a query keeps four bits. With the metric hamming vectors are bits themselves
};

struct VectorIndexOptions {
    std::size_t dimensions = 0;  // numbers of a vector; with the metric hamming bytes
    DistanceMetric metric = DistanceMetric::euclidean;
    VectorCells cells = VectorCells::float32;
    // Whether shorter cells have the floats beside them: then the graph is made with these, and the best that a search
    // finds are compared again.
    bool keep_floats = true;
    std::size_t links = 16;  // of a node of the graph, M; the lowest level has twice as many. 0: no graph
    std::size_t explored_when_added = 200;  // efConstruction
    std::uint64_t seed = 0;                 // decides the levels
};

struct Neighbor {
    std::uint32_t id = 0;
    double distance = 0;  // as the metric says

    friend bool operator==(const Neighbor &, const Neighbor &) = default;
};

struct NeighborSearch {
    std::size_t count = 10;
    std::size_t explored = 0;  // ef: the best that the search of the graph keeps in mind; at least `count`
    std::size_t rescored = 0;  // how many of them the floats are compared of; 0: as many as are explored
    // The ids that may be found: bit i % 64 of word i / 64. What is behind the last word may not. Empty: all.
    std::span<const std::uint64_t> allowed = {};
    bool exact = false;  // compare with every vector
};

// What a search writes on its way. Threads must not share one; it may serve any indexes, one after the other.
class SearchMemory {
public:
    SearchMemory();
    SearchMemory(SearchMemory &&) noexcept;
    SearchMemory &operator=(SearchMemory &&) noexcept;
    ~SearchMemory();

    struct Content;
    Content &content() noexcept { return *content_; }

private:
    std::unique_ptr<Content> content_;
};

// Any number of threads may search while nobody adds or removes. The same calls give the same index, byte for byte.
class VectorIndex {
public:
    // Errors: options that do not fit together.
    static Result<VectorIndex> create(const VectorIndexOptions &options);
    VectorIndex(VectorIndex &&) noexcept;
    VectorIndex &operator=(VectorIndex &&) noexcept;
    ~VectorIndex();

    const VectorIndexOptions &options() const noexcept;
    std::size_t size() const noexcept;  // vectors that are there
    // All ids are below.
    std::size_t end_id() const noexcept;
    bool contains(std::uint32_t id) const noexcept;
    std::size_t memory_bytes() const noexcept;  // of what is not mapped

    // Room for that many vectors.
    Status reserve(std::size_t count);
    // The id: the least that is free. Errors: another number of dimensions; numbers that are not finite or so large
    // that their squares are not; zeros only, which have no angle; an index that is mapped.
    Result<std::uint32_t> add(std::span<const float> vector);
    Result<std::uint32_t> add(std::span<const std::int8_t> vector);
    // Adds vectors that lie one after the other, and their ids to `ids`. The threads of the executor share the work;
    // the index is the same for any number of them and without any, but its links are not those of as many calls of
    // `add`. Errors: those of `add`; the vectors before the wrong one are there, and `ids` has theirs.
    Status add_many(std::span<const float> vectors, std::vector<std::uint32_t> &ids, Executor *executor = nullptr);
    Status add_many(std::span<const std::int8_t> vectors, std::vector<std::uint32_t> &ids,
                    Executor *executor = nullptr);
    // The id is free for another vector, perhaps not at once. Errors: there is no such vector; the index is mapped.
    Status remove(std::uint32_t id);

    // The nearest first; of equal distances the lower id. As many as are asked for, if there are so many that may be
    // found. Errors: a query that could not be added.
    Result<std::vector<Neighbor>> search(std::span<const float> query, const NeighborSearch &search,
                                         SearchMemory &memory) const;
    Result<std::vector<Neighbor>> search(std::span<const std::int8_t> query, const NeighborSearch &search,
                                         SearchMemory &memory) const;
    // The exactly nearest of several queries that lie one after the other: each vector is read once for all of them.
    Result<std::vector<std::vector<Neighbor>>> search_exactly(std::span<const float> queries,
                                                              const NeighborSearch &search) const;

    Status save(const std::string &path) const;
    // The index of a file or of its bytes. With `map` the vectors and links stay in the file, which must not change
    // while the index is used, and nothing can be added. Errors: a file that is none of an index, or damaged.
    static Result<VectorIndex> load(const std::string &path, bool map = false);
    static Result<VectorIndex> read(std::string_view bytes);

    class Content;
    explicit VectorIndex(std::unique_ptr<Content> content);

private:
    std::unique_ptr<Content> content_;
};

}  // namespace tenrex
