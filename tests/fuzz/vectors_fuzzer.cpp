// Any bytes as an index of vectors: it is searched, changed and written, or there is an error.
#include <vector>

#include <tenrex/nearest_neighbors.h>

#include "tests/fuzz/fuzz_target.h"

namespace tenrex::fuzz {

namespace {

template <class T>
void check_searches(VectorIndex &index, const std::vector<T> &vector) {
    SearchMemory memory;
    NeighborSearch search;
    search.count = 3;
    for (const bool exact : {false, true}) {
        search.exact = exact;
        const auto found = index.search(vector, search, memory);
        require(found.has_value(), "a query with good numbers is answered");
        for (const Neighbor &neighbor : *found) {
            require(index.contains(neighbor.id), "only what is there is found");
        }
    }
    const std::size_t size = index.size();
    const auto id = index.add(vector);
    require(id.has_value() && index.contains(*id) && index.size() == size + 1, "a vector is added");
    require(index.remove(*id).has_value() && !index.contains(*id), "a vector is removed");
}

}  // namespace

void run(std::string_view bytes) {
    auto index = VectorIndex::read(bytes);
    if (!index) {
        require(!index.error().render().empty(), "an error renders");
        return;
    }
    const std::size_t dimensions = index->options().dimensions;
    if (index->options().explored_when_added > 1000) {
        return;  // adding takes as long as the file asks for
    }
    if (index->options().metric == DistanceMetric::hamming) {
        check_searches(*index, std::vector<std::int8_t>(dimensions, 5));
    } else {
        check_searches(*index, std::vector<float>(dimensions, 0.5F));
    }
}

}  // namespace tenrex::fuzz
