// Times nearest neighbours among vectors, for rivals in other languages to be compared with.
//
//   neighbors_benchmark VECTORS QUERIES DIMENSIONS LINKS EXPLORED_WHEN_ADDED CELLS:EXPLORED[:RESCORED] ...
//
// VECTORS and QUERIES are files of floats, vector by vector; vectors are compared by their angle. An object a line
// comes out: for each kind of cells (float32, bfloat16, int8, bits) the time to build the index and its bytes, and for
// each number of nodes explored how many queries a second are answered (the median of some rounds) and the share of the
// ten that are exactly nearest among the ten that were found. Exit status: 1 if something fails, 2 after wrong usage.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <tenrex/nearest_neighbors.h>

#include "perf/rivals/processor_time.h"

namespace tenrex::perf {
namespace {

constexpr std::size_t wanted = 10;
constexpr std::size_t rounds = 7;

struct Vectors {
    std::vector<float> numbers;
    std::size_t dimensions;

    std::size_t count() const { return numbers.size() / dimensions; }
    std::span<const float> operator[](std::size_t i) const {
        return std::span(numbers).subspan(i * dimensions, dimensions);
    }
};

Vectors read_vectors(const char *path, std::size_t dimensions) {
    std::ifstream file(path, std::ios::binary);
    const std::string bytes((std::istreambuf_iterator<char>(file)), {});
    Vectors vectors{std::vector<float>(bytes.size() / sizeof(float)), dimensions};
    std::copy_n(bytes.data(), vectors.numbers.size() * sizeof(float), reinterpret_cast<char *>(vectors.numbers.data()));
    return vectors;
}

struct Run {
    std::string cells;
    std::size_t explored = 0;
    std::size_t rescored = 0;
};

std::optional<Run> parse_run(std::string_view text) {
    const std::size_t colon = text.find(':');
    if (colon == std::string_view::npos) {
        return std::nullopt;
    }
    char *end = nullptr;
    Run run{std::string(text.substr(0, colon)), std::strtoul(text.data() + colon + 1, &end, 10), 0};
    run.rescored = *end == ':' ? std::strtoul(end + 1, &end, 10) : 0;
    return run.explored == 0 || *end != 0 ? std::nullopt : std::optional(run);
}

VectorCells cells_of(std::string_view name) {
    return name == "bits"       ? VectorCells::bits
           : name == "int8"     ? VectorCells::int8
           : name == "bfloat16" ? VectorCells::bfloat16
                                : VectorCells::float32;
}

double recall(const std::vector<Neighbor> &found, const std::vector<Neighbor> &exact) {
    std::size_t hits = 0;
    for (const Neighbor &each : exact) {
        hits += static_cast<std::size_t>(std::count_if(
            found.begin(), found.end(), [&](const Neighbor &neighbor) { return neighbor.id == each.id; }));
    }
    return static_cast<double>(hits) / static_cast<double>(exact.size());
}

int measure(const VectorIndex &index, const Vectors &queries, const Run &run,
            const std::vector<std::vector<Neighbor>> &exact) {
    NeighborSearch search;
    search.count = wanted;
    search.explored = run.explored;
    search.rescored = run.rescored;
    SearchMemory memory;
    std::vector<double> times;
    double share = 0;
    for (std::size_t round = 0; round < rounds; ++round) {
        const double start = now();
        for (std::size_t i = 0; i < queries.count(); ++i) {
            const auto found = index.search(queries[i], search, memory);
            if (!found) {
                return fail(found.error().render());
            }
            share += round == 0 ? recall(*found, exact[i]) : 0;
        }
        times.push_back(now() - start);
    }
    std::sort(times.begin(), times.end());
    const auto count = static_cast<double>(queries.count());
    std::puts(fmt::format("{{\"engine\": \"Tenrex\", \"cells\": \"{}\", \"explored\": {}, \"rescored\": {}, "
                          "\"queries_per_second\": {:.0f}, \"recall\": {:.4f}}}",
                          run.cells, run.explored, run.rescored, count * 1e6 / times[rounds / 2], share / count)
                  .c_str());
    std::fflush(stdout);
    return 0;
}

Result<VectorIndex> build(const Vectors &vectors, const VectorIndexOptions &options, const std::string &cells) {
    auto index = VectorIndex::create(options);
    if (!index) {
        return index;
    }
    const double start = now();
    if (const Status status = index->reserve(vectors.count()); !status) {
        return status.error();
    }
    for (std::size_t i = 0; i < vectors.count(); ++i) {
        if (const auto id = index->add(vectors[i]); !id) {
            return id.error();
        }
    }
    std::puts(fmt::format("{{\"engine\": \"Tenrex\", \"cells\": \"{}\", \"build_s\": {:.1f}, \"bytes\": {}}}", cells,
                          (now() - start) / 1e6, index->memory_bytes())
                  .c_str());
    return index;
}

int run(const std::vector<std::string> &arguments) {
    const std::size_t dimensions = std::strtoul(arguments[2].c_str(), nullptr, 10);
    const Vectors vectors = read_vectors(arguments[0].c_str(), dimensions);
    const Vectors queries = read_vectors(arguments[1].c_str(), dimensions);
    std::map<std::string, VectorIndex> indexes;
    std::vector<std::vector<Neighbor>> exact;
    for (std::size_t i = 5; i < arguments.size(); ++i) {
        const auto run = parse_run(arguments[i]);
        if (!run) {
            return fail(fmt::format("{} is no run", arguments[i]));
        }
        if (!indexes.contains(run->cells)) {
            VectorIndexOptions options;
            options.dimensions = dimensions;
            options.metric = DistanceMetric::angular;
            options.cells = cells_of(run->cells);
            options.links = std::strtoul(arguments[3].c_str(), nullptr, 10);
            options.explored_when_added = std::strtoul(arguments[4].c_str(), nullptr, 10);
            auto index = build(vectors, options, run->cells);
            if (!index) {
                return fail(index.error().render());
            }
            indexes.emplace(run->cells, *std::move(index));
        }
        const VectorIndex &index = indexes.at(run->cells);
        if (exact.empty()) {
            const double start = now();
            NeighborSearch all;
            all.count = wanted;
            auto found = index.search_exactly(queries.numbers, all);
            if (!found) {
                return fail(found.error().render());
            }
            std::puts(fmt::format("{{\"engine\": \"Tenrex\", \"exact_queries_per_second\": {:.0f}}}",
                                  static_cast<double>(queries.count()) * 1e6 / (now() - start))
                          .c_str());
            exact = *std::move(found);
        }
        if (const int status = measure(index, queries, *run, exact); status != 0) {
            return status;
        }
    }
    return 0;
}

}  // namespace
}  // namespace tenrex::perf

int main(int argc, char **argv) {
    if (argc < 7) {
        std::fputs(
            "usage: neighbors_benchmark VECTORS QUERIES DIMENSIONS LINKS EXPLORED_WHEN_ADDED "
            "CELLS:EXPLORED[:RESCORED] ...\n",
            stderr);
        return 2;
    }
    return tenrex::perf::run({argv + 1, argv + argc});
}
