#include "tests/reference/random_values.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <string_view>
#include <utility>
#include <vector>

namespace tenrex::random {

double special_number(Source &source) {
    using Double = std::numeric_limits<double>;
    // What swallows everything else comes less often.
    constexpr double limits[] = {Double::quiet_NaN(), Double::infinity(), -Double::infinity()};
    if (source.chance(20)) {
        return source.pick(limits);
    }
    constexpr double all[] = {-0.0,
                              0.0,
                              Double::denorm_min(),
                              1e-310,
                              1e-50,
                              1e-40,
                              1.17549435e-38,
                              1e-30,
                              1e30,
                              3e38,
                              -3e38,
                              1e39,
                              1e300,
                              Double::max(),
                              16777217.0,
                              -16777217.0,
                              9007199254740992.0,
                              9007199254740994.0,
                              0.1,
                              88.0,
                              -104.0,
                              127.5,
                              255.0};
    return source.pick(all);
}

namespace {

// How many of a value's cells are special: none in most values.
struct SpecialCells {
    std::size_t of = 1;  // that many cells
    std::size_t count = 0;

    SpecialCells(Source &source, Numbers numbers, std::size_t cells) {
        if (numbers == Numbers::any && source.chance(cells == 1 ? 20 : 30)) {
            of = cells == 1 ? 1 : source.chance(50) ? std::max<std::size_t>(cells, 2) : 8;
            count = 1;
        }
    }
    bool here(Source &source) const { return count != 0 && source.below(of) < count; }
};

double cell(Source &source, Numbers numbers, CellType type, const SpecialCells &special) {
    if (special.here(source)) {
        return special_number(source);
    }
    if (numbers == Numbers::any && type == CellType::i8) {
        return static_cast<double>(source.below(256)) - 128.0;
    }
    return number(source, numbers == Numbers::exact ? Numbers::exact : Numbers::smooth, type);
}

// `count` of the first `most` numbers, in order or not.
std::vector<std::size_t> some(Source &source, std::size_t count, std::size_t most) {
    std::vector<std::size_t> all(most);
    std::iota(all.begin(), all.end(), std::size_t{0});
    const bool in_order = source.chance(30);
    if (!in_order || count < most) {
        source.shuffle(all);
    }
    all.resize(count);
    if (in_order) {
        std::sort(all.begin(), all.end());
    }
    return all;
}

}  // namespace

Tensor value_of_plan(Source &source, const TensorType &type, Numbers numbers, const SizePlan &plan) {
    TensorBuilder builder(type);
    const SpecialCells special(source, numbers, plan.cells(type));
    const auto fill = [&](std::size_t block) {
        for (std::size_t i = 0; i < type.block_cells(); ++i) {
            builder.set(block, i, cell(source, numbers, type.cell_type(), special));
        }
    };
    std::vector<std::vector<std::size_t>> chosen;
    for (const Dimension &dimension : type.dimensions()) {
        if (dimension.is_mapped()) {
            const std::size_t most = plan.extent(dimension);
            chosen.push_back(some(source, label_count(source, most), most));
        }
    }
    if (chosen.empty()) {
        fill(0);
        return std::move(builder).build();
    }
    if (std::any_of(chosen.begin(), chosen.end(), [](const auto &labels) { return labels.empty(); })) {
        return std::move(builder).build();
    }
    const std::size_t present = chosen.size() == 1 || source.chance(30) ? 100 : 60;  // percent of the addresses
    std::vector<std::size_t> at(chosen.size());
    std::vector<std::string_view> address(chosen.size());
    for (bool more = true; more;) {
        for (std::size_t i = 0; i < chosen.size(); ++i) {
            address[i] = label(chosen[i][at[i]]);
        }
        if (source.chance(present)) {
            fill(builder.block(address));
        }
        more = false;
        for (std::size_t i = 0; i < chosen.size() && !more; ++i) {
            at[i] = (at[i] + 1) % chosen[i].size();
            more = at[i] != 0;
        }
    }
    return std::move(builder).build();
}

}  // namespace tenrex::random
