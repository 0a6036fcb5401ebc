#include "lib/retrieval/index_content.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include <fmt/format.h>

#include "lib/retrieval/batch_building.h"

namespace tenrex {

namespace {

using retrieval::Found;
using retrieval::RowSet;
using retrieval::VectorSpace;

constexpr std::size_t most_vectors = (std::size_t{1} << 31) - 1;
// What a vector's numbers may come to when they are squared: four times as much is a float.
constexpr double most_square = 8e37;
// The removed nodes that stay in the graph before their links are mended: one of so many.
constexpr std::size_t part_of_removed = 5;
constexpr std::size_t rows_at_a_time = 32;

// The nearest of those that were given.
class Nearest {
public:
    explicit Nearest(std::size_t most) : most_(most) { found_.reserve(most); }

    void add(const Found &found) {
        if (found_.size() < most_) {
            found_.push_back(found);
            std::push_heap(found_.begin(), found_.end(), retrieval::is_nearer);
        } else if (most_ != 0 && retrieval::is_nearer(found, found_.front())) {
            std::pop_heap(found_.begin(), found_.end(), retrieval::is_nearer);
            found_.back() = found;
            std::push_heap(found_.begin(), found_.end(), retrieval::is_nearer);
        }
    }
    std::span<const Found> in_order() {
        std::sort_heap(found_.begin(), found_.end(), retrieval::is_nearer);
        return found_;
    }

private:
    std::size_t most_;
    std::vector<Found> found_;
};

}  // namespace

VectorIndex::Content::Content(const VectorIndexOptions &given)
    : searched(given.metric, given.cells, given.dimensions), graph(given.links, given.seed), options(given) {
    if (options.keep_floats) {
        floats = VectorSpace(options.metric, VectorCells::float32, options.dimensions);
    }
}

std::optional<Error> VectorIndex::Content::prepare(std::vector<float> &vector) const {
    if (options.metric == DistanceMetric::hamming) {
        return Error("the index has vectors of bits, not of numbers", "give the bits as int8 cells, eight to a cell");
    }
    if (vector.size() != options.dimensions) {
        return Error(
            fmt::format("the vector has {} numbers, those of the index have {}", vector.size(), options.dimensions));
    }
    double square = 0;
    for (const float value : vector) {
        square += static_cast<double>(value) * static_cast<double>(value);
    }
    if (!(square <= most_square)) {
        return Error("the vector has a number that is not finite, or too large for its square");
    }
    if (options.metric == DistanceMetric::angular) {
        if (square == 0) {
            return Error("the vector has zeros only, and so no angle to others", "leave it out");
        }
        const double length = std::sqrt(square);
        for (float &value : vector) {
            value = static_cast<float>(static_cast<double>(value) / length);
        }
    }
    return std::nullopt;
}

std::optional<Error> VectorIndex::Content::make_query(std::vector<float> &vector, std::vector<std::byte> &cells,
                                                      Query &query) const {
    if (auto error = prepare(vector)) {
        return error;
    }
    query.searched = searched.query(vector, cells);
    query.exact = floats ? retrieval::QueryRow{vector.data(), {}} : query.searched;
    for (const float value : vector) {
        query.square += static_cast<double>(value) * static_cast<double>(value);
    }
    return std::nullopt;
}

Error VectorIndex::Content::wrong_bytes(std::size_t size) const {
    return Error(fmt::format("the vector has {} bytes, those of the index have {}", size, options.dimensions));
}

Error VectorIndex::Content::is_mapped() {
    return Error("the vectors stay in a file, so none can be added or removed", "load the file without mapping it");
}

Status VectorIndex::Content::reserve(std::size_t count) {
    if (count > most_vectors) {
        return Error(fmt::format("an index has at most {} vectors", most_vectors));
    }
    const bool there_is_room =
        searched.reserve(count) && (!floats || floats.reserve(count)) && (!has_graph() || graph.reserve(count));
    return there_is_room ? Status() : Error(fmt::format("there is not enough memory for {} vectors", count));
}

Result<std::uint32_t> VectorIndex::Content::empty_row() {
    if (!free.empty()) {
        const std::uint32_t row = free.back();
        free.pop_back();
        removed.erase(row);
        ++live;
        return row;
    }
    const std::size_t rows = removed.rows() + 1;
    if (rows > most_vectors) {
        return Error(fmt::format("an index has at most {} vectors", most_vectors));
    }
    if (!searched.resize(rows) || (floats && !floats.resize(rows)) || (has_graph() && !graph.resize(rows))) {
        return Error(fmt::format("there is not enough memory for {} vectors", rows));
    }
    removed.add_row();
    ++live;
    return static_cast<std::uint32_t>(rows - 1);
}

Result<std::uint32_t> VectorIndex::Content::new_row(std::span<const float> vector) {
    std::vector<float> prepared(vector.begin(), vector.end());
    if (file) {
        return is_mapped();
    }
    if (const auto error = prepare(prepared)) {
        return *error;
    }
    auto row = empty_row();
    if (row) {
        searched.set(*row, prepared);
        if (floats) {
            floats.set(*row, prepared);
        }
    }
    return row;
}

Result<std::uint32_t> VectorIndex::Content::new_row(std::span<const std::int8_t> vector) {
    if (options.metric != DistanceMetric::hamming) {
        const std::vector<float> widened(vector.begin(), vector.end());
        return new_row(widened);
    }
    if (file) {
        return is_mapped();
    }
    if (vector.size() != options.dimensions) {
        return wrong_bytes(vector.size());
    }
    auto row = empty_row();
    if (row) {
        searched.set_bits(*row, vector);
    }
    return row;
}

void VectorIndex::Content::link(std::uint32_t row) {
    if (has_graph()) {
        retrieval::GraphBuilder(graph, exact(), removed, options.explored_when_added, building_.content()).insert(row);
    }
}

void VectorIndex::Content::link(std::span<const std::uint32_t> rows, Executor *executor) {
    if (rows.size() == 1) {
        link(rows.front());
    } else if (has_graph()) {
        retrieval::BatchBuilder(graph, exact(), removed, options.explored_when_added, executor)
            .insert(rows, live - rows.size());
    }
}

void VectorIndex::Content::remove(std::uint32_t row) {
    removed.insert(row);
    --live;
    if (has_graph() && ++in_graph * part_of_removed <= live) {
        return;  // searches still pass through it
    }
    if (has_graph()) {
        forget_removed();
    }
    find_free();
}

void VectorIndex::Content::forget_removed() {
    retrieval::GraphBuilder(graph, exact(), removed, options.explored_when_added, building_.content()).forget_removed();
}

// All that are removed, when none is in the graph any more.
void VectorIndex::Content::find_free() {
    in_graph = 0;
    free.clear();
    for (std::size_t row = removed.rows(); row-- > 0;) {
        if (removed.contains(row)) {
            free.push_back(static_cast<std::uint32_t>(row));
        }
    }
}

std::size_t VectorIndex::Content::allowed_rows(const NeighborSearch &search) const noexcept {
    if (search.allowed.empty()) {
        return live;
    }
    std::size_t count = 0;
    const std::span<const std::uint64_t> gone = removed.words();
    for (std::size_t word = 0; word < std::min(search.allowed.size(), gone.size()); ++word) {
        const std::size_t rows = std::min(removed.rows() - word * RowSet::word_bits, RowSet::word_bits);
        const std::uint64_t there = ~std::uint64_t{0} >> (RowSet::word_bits - rows);
        count += static_cast<std::size_t>(std::popcount(search.allowed[word] & ~gone[word] & there));
    }
    return count;
}

bool VectorIndex::Content::is_allowed(const NeighborSearch &search, std::uint32_t row) const noexcept {
    const std::size_t word = row / RowSet::word_bits;
    return !removed.contains(row) &&
           (search.allowed.empty() ||
            (word < search.allowed.size() && (search.allowed[word] >> row % RowSet::word_bits & 1) != 0));
}

std::vector<Neighbor> VectorIndex::Content::neighbors(std::span<const Found> found, const VectorSpace &space,
                                                      double square) const {
    std::vector<Neighbor> neighbors;
    neighbors.reserve(found.size());
    for (const Found &each : found) {
        neighbors.push_back({each.node, space.distance(each.key, square)});
    }
    return neighbors;
}

std::vector<Neighbor> VectorIndex::Content::search(const Query &query, const NeighborSearch &search,
                                                   SearchMemory::Content &memory) const {
    const std::size_t allowed = allowed_rows(search);
    const std::size_t wanted = std::min(search.count, allowed);
    if (wanted == 0) {
        return {};
    }
    const std::size_t explored = std::max({search.explored, search.count, std::size_t{1}});
    if (!search.exact && has_graph()) {
        // The walk passes through what may not be found, too: it goes on until enough of the others are among the best.
        // Where it would compare more vectors than there are to be found it does not begin.
        const double share = static_cast<double>(allowed) / static_cast<double>(removed.rows());
        const double widened = std::ceil(static_cast<double>(explored) / share);
        if (widened * static_cast<double>(options.links) < static_cast<double>(allowed) || allowed == removed.rows()) {
            std::vector<Neighbor> found =
                search_graph(query, search, static_cast<std::size_t>(widened), wanted, memory);
            if (found.size() == wanted) {
                return found;
            }
        }
    }
    return search_exactly(std::span(&query, 1), search).front();
}

std::vector<Neighbor> VectorIndex::Content::search_graph(const Query &query, const NeighborSearch &search,
                                                         std::size_t explored, std::size_t wanted,
                                                         SearchMemory::Content &memory) const {
    const std::span<const Found> beam = retrieval::explore_from_top(graph, searched, query.searched, explored, memory);
    const bool rescore = options.cells != VectorCells::float32 && static_cast<bool>(floats);
    const std::size_t kept =
        !rescore ? wanted
                 : std::max(wanted, search.rescored != 0 ? search.rescored : std::max(search.explored, wanted));
    std::vector<Found> &found = memory.found;
    found.clear();
    for (std::size_t i = 0; i < beam.size() && found.size() < kept; ++i) {
        if (is_allowed(search, beam[i].node)) {
            found.push_back(beam[i]);
        }
    }
    if (rescore) {
        memory.numbers.resize(found.size());
        memory.keys.resize(found.size());
        std::transform(found.begin(), found.end(), memory.numbers.begin(), [](const Found &each) { return each.node; });
        floats.keys(query.exact, memory.numbers.data(), found.size(), memory.keys.data());
        for (std::size_t i = 0; i < found.size(); ++i) {
            found[i].key = memory.keys[i];
        }
    }
    std::sort(found.begin(), found.end(), retrieval::is_nearer);
    found.resize(std::min(found.size(), wanted));
    return neighbors(found, rescore ? floats : searched, query.square);
}

std::vector<std::vector<Neighbor>> VectorIndex::Content::search_exactly(std::span<const Query> queries,
                                                                        const NeighborSearch &search) const {
    const VectorSpace &space = exact();
    const std::size_t wanted = std::min(search.count, allowed_rows(search));
    std::vector<Nearest> nearest(queries.size(), Nearest(wanted));
    std::uint32_t rows[rows_at_a_time];
    float keys[rows_at_a_time];
    std::size_t count = 0;
    // Some rows are compared with every query while they are in the cache.
    const auto compare = [&] {
        for (std::size_t i = 0; i < queries.size(); ++i) {
            space.keys(queries[i].exact, rows, count, keys);
            for (std::size_t row = 0; row < count; ++row) {
                nearest[i].add({keys[row], rows[row]});
            }
        }
        count = 0;
    };
    for (std::uint32_t row = 0; row < removed.rows(); ++row) {
        if (is_allowed(search, row)) {
            rows[count++] = row;
            if (count == rows_at_a_time) {
                compare();
            }
        }
    }
    compare();
    std::vector<std::vector<Neighbor>> results;
    results.reserve(queries.size());
    for (std::size_t i = 0; i < queries.size(); ++i) {
        results.push_back(neighbors(nearest[i].in_order(), space, queries[i].square));
    }
    return results;
}

}  // namespace tenrex
