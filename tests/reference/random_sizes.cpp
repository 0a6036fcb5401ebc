#include "tests/reference/random_sizes.h"

#include <algorithm>
#include <array>
#include <span>

#include <fmt/format.h>

namespace tenrex::random {

namespace {

constexpr std::array<std::size_t, 6> tiny = {1, 2, 3, 4, 5, 7};
constexpr std::array<std::size_t, 2> pairs = {1, 2};
constexpr std::array<std::size_t, 16> rows = {8, 9, 15, 16, 17, 24, 31, 32, 33, 48, 63, 64, 65, 80, 96, 100};
constexpr std::array<std::size_t, 8> blocks = {127, 128, 129, 192, 255, 256, 257, 300};
constexpr std::array<std::size_t, 7> tiles = {511, 512, 513, 768, 1023, 1024, 1025};
constexpr std::array<std::size_t, 3> places = {4095, 4096, 4097};

// Kinds of cases, the frequent first: large values are few and have few dimensions, so that a case stays cheap.
struct Kind {
    std::size_t percent;
    std::span<const std::size_t> large;  // sizes of its large dimensions
    std::size_t most_large;
    std::size_t most_cells;
    std::size_t most_depth;
};
constexpr Kind kinds[] = {
    {28, tiny, 0, 128, 9},  {37, rows, 2, 700, 4},   {17, blocks, 1, 1100, 3},
    {6, tiles, 1, 2200, 3}, {1, places, 1, 5000, 2},
};

SizePlan many_dimensions(Source &source) {
    SizePlan plan;
    for (const char *name : {"a", "b", "c"}) {
        plan.pool.push_back({name, 0});
        plan.labels[name] = 1 + source.below(3);
    }
    for (std::size_t i = 0; i < 10; ++i) {
        plan.pool.push_back({fmt::format("x{}", i), source.pick(pairs)});
    }
    plan.most_dimensions = 12;
    plan.most_cells = 600;
    plan.most_depth = 3;
    return plan;
}

SizePlan of_kind(Source &source, const Kind &kind) {
    SizePlan plan;
    std::vector<std::string> names;
    for (const char *name : {"a", "K", "k2"}) {
        plan.pool.push_back({name, 0});
        plan.labels[name] = 1 + source.below(5);
    }
    for (const char *name : {"x", "Y", "z10", "z9"}) {
        plan.pool.push_back({name, source.pick(tiny)});
    }
    for (std::size_t i = kind.most_large == 0 ? 0 : 1 + source.below(kind.most_large); i > 0; --i) {
        Dimension &dimension = plan.pool[source.below(source.chance(40) ? 3 : plan.pool.size())];
        (dimension.is_mapped() ? plan.labels[dimension.name] : dimension.size) = source.pick(kind.large);
        plan.favoured.push_back(dimension.name);
    }
    plan.most_cells = kind.most_cells;
    plan.most_depth = kind.most_depth;
    return plan;
}

}  // namespace

std::size_t SizePlan::extent(const Dimension &dimension) const {
    if (!dimension.is_mapped()) {
        return dimension.size;
    }
    const auto found = labels.find(dimension.name);
    return found == labels.end() ? 4 : found->second;
}

std::size_t SizePlan::cells(const TensorType &type) const {
    std::size_t all = 1;
    for (const Dimension &dimension : type.dimensions()) {
        all *= extent(dimension);
    }
    return all;
}

SizePlan random_sizes(Source &source, Sizes sizes, std::size_t most_dimensions) {
    if (sizes == Sizes::small) {
        SizePlan plan;
        for (const char *name : {"a", "K", "k2"}) {
            plan.pool.push_back({name, 0});
        }
        for (const char *name : {"x", "Y", "z10", "z9"}) {
            plan.pool.push_back({name, source.pick(tiny)});
        }
        plan.most_dimensions = most_dimensions;
        plan.most_cells = std::size_t{1} << 40;
        return plan;
    }
    std::size_t percent = source.below(100);
    for (const Kind &kind : kinds) {
        if (percent < kind.percent) {
            return of_kind(source, kind);
        }
        percent -= kind.percent;
    }
    return many_dimensions(source);
}

const std::string &label(std::size_t i) {
    static const std::vector<std::string> all = [] {
        std::vector<std::string> made = labels();
        while (made.size() < 5000) {
            // Numbers in no order, without gaps among the small ones; and words.
            made.push_back(made.size() % 3 != 0 ? fmt::to_string(made.size() ^ 5)
                                                : fmt::format("w{}", made.size() * 7));
        }
        return made;
    }();
    return all[i];
}

std::size_t label_count(Source &source, std::size_t most) {
    switch (source.below(20)) {
        case 0:
            return 0;
        case 1:
            return std::min<std::size_t>(most, 1);
        case 2:
            return std::min<std::size_t>(most, 3);
        case 3:
        case 4:
            return most / 4;
        case 5:
        case 6:
        case 7:
            return most - most / 8;
        default:
            return most;
    }
}

}  // namespace tenrex::random
