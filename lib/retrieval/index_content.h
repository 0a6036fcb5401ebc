// What an index of vectors consists of.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <tenrex/nearest_neighbors.h>

#include "lib/retrieval/graph_building.h"

namespace tenrex {

class VectorIndex::Content {
public:
    explicit Content(const VectorIndexOptions &options);

    // What the searches read, and the floats beside it if there are any.
    retrieval::VectorSpace searched;
    retrieval::VectorSpace floats;
    retrieval::Graph graph;
    VectorIndexOptions options;
    retrieval::RowSet removed;  // of each row whether its vector is gone
    std::size_t live = 0;
    // Rows whose vectors are gone: those that no link leads to, in falling order, and the number of others.
    std::vector<std::uint32_t> free;
    std::size_t in_graph = 0;
    std::shared_ptr<const void> file;  // what is mapped

    static Error is_mapped();
    Error wrong_bytes(std::size_t size) const;
    bool has_graph() const noexcept { return options.links != 0; }
    const retrieval::VectorSpace &exact() const noexcept { return floats ? floats : searched; }
    bool is_live(std::uint32_t id) const noexcept { return id < removed.rows() && !removed.contains(id); }

    Status reserve(std::size_t count);
    // The row of a new vector, which has no links yet. Errors: those of VectorIndex::add.
    Result<std::uint32_t> new_row(std::span<const float> vector);
    Result<std::uint32_t> new_row(std::span<const std::int8_t> vector);
    void link(std::uint32_t row);
    void link(std::span<const std::uint32_t> rows, Executor *executor);
    void remove(std::uint32_t row);
    // Afterwards no link leads to a vector that is gone.
    void forget_removed();
    void find_free();

    // stays: the bytes remain where they are, and nothing can be added.
    static Result<std::unique_ptr<Content>> read(std::span<const std::byte> bytes, bool stays);

    // A vector that others are searched for, in the cells of both spaces.
    struct Query {
        retrieval::QueryRow searched;
        retrieval::QueryRow exact;
        double square = 0;
    };
    // Of a vector that may be added; both must outlive the query. Nothing, or why it may not.
    std::optional<Error> make_query(std::vector<float> &vector, std::vector<std::byte> &cells, Query &query) const;
    std::vector<Neighbor> search(const Query &query, const NeighborSearch &search, SearchMemory::Content &memory) const;
    std::vector<std::vector<Neighbor>> search_exactly(std::span<const Query> queries,
                                                      const NeighborSearch &search) const;

private:
    // Nothing, or why the vector cannot be added. Angular: makes its length 1.
    std::optional<Error> prepare(std::vector<float> &vector) const;
    // Error: there is no more room.
    Result<std::uint32_t> empty_row();
    std::size_t allowed_rows(const NeighborSearch &search) const noexcept;
    bool is_allowed(const NeighborSearch &search, std::uint32_t row) const noexcept;
    // Of the graph; empty if it finds too few.
    std::vector<Neighbor> search_graph(const Query &query, const NeighborSearch &search, std::size_t explored,
                                       std::size_t wanted, SearchMemory::Content &memory) const;
    std::vector<Neighbor> neighbors(std::span<const retrieval::Found> found, const retrieval::VectorSpace &space,
                                    double square) const;

    SearchMemory building_;
};

}  // namespace tenrex
