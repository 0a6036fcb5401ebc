#include "tests/differential/arrangement.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <tenrex/plan.h>

#include "tests/reference/random_source.h"

namespace tenrex::differential {

using random::Source;

Arrangement arrangement_of(std::uint64_t seed) {
    constexpr const char *isas[] = {"baseline", "avx2", "avx512", "native", ""};
    constexpr std::size_t blocks[] = {1, 1, 2, 3, 3, 5, 7, 17, 17, 63, 64, 65, 257, 1025};
    Source source(seed ^ 0x5EED);
    Arrangement arrangement;
    arrangement.seed = seed;
    arrangement.isa = source.pick(isas);
    const std::size_t disabled = source.below(10);
    const std::size_t percent = disabled < 5 ? 0 : disabled < 7 ? 7 : disabled < 9 ? 40 : 100;
    for (const std::string_view pass : optimization_names()) {
        if (source.chance(percent)) {
            arrangement.disabled_passes.emplace_back(pass);
        }
    }
    arrangement.raised_limits = source.chance(10);
    arrangement.shared_labels = source.chance(30);
    arrangement.plain_columns = source.chance(25);
    arrangement.used_context = source.chance(60);
    arrangement.threads = source.chance(2);
    arrangement.block = source.pick(blocks);
    arrangement.outputs = source.chance(80) ? 1 : 2 + source.below(3);
    return arrangement;
}

std::vector<Arrangement> simpler(const Arrangement &arrangement) {
    std::vector<Arrangement> all;
    const auto with = [&](const auto &change) {
        all.push_back(arrangement);
        change(all.back());
    };
    if (arrangement.outputs > 1) {
        with([](Arrangement &changed) { changed.outputs = 1; });
    }
    for (const std::size_t block : {std::size_t{1}, std::size_t{3}, arrangement.block / 2}) {
        if (block != 0 && block < arrangement.block) {
            with([&](Arrangement &changed) { changed.block = block; });
        }
    }
    const auto drop = [&](bool Arrangement::*flag, bool wanted) {
        if (arrangement.*flag != wanted) {
            with([&](Arrangement &changed) { changed.*flag = wanted; });
        }
    };
    drop(&Arrangement::threads, false);
    drop(&Arrangement::plain_columns, true);
    drop(&Arrangement::used_context, false);
    drop(&Arrangement::shared_labels, false);
    drop(&Arrangement::raised_limits, false);
    if (!arrangement.disabled_passes.empty()) {
        with([](Arrangement &changed) { changed.disabled_passes.clear(); });
        for (std::size_t i = 0; i < arrangement.disabled_passes.size(); ++i) {
            with([&](Arrangement &changed) {
                changed.disabled_passes.erase(changed.disabled_passes.begin() + static_cast<std::ptrdiff_t>(i));
            });
        }
    }
    if (arrangement.isa != "baseline") {
        with([](Arrangement &changed) { changed.isa = "baseline"; });
    }
    return all;
}

std::string Arrangement::to_string() const {
    return fmt::format("instructions {}, without [{}], a block of {}, {} outputs{}{}{}{}{}",
                       isa.empty() ? "of the environment" : isa, fmt::join(disabled_passes, ","), block, outputs,
                       plain_columns ? "" : ", columns of any layout", used_context ? ", a context used before" : "",
                       shared_labels ? ", labels of the caller" : "", raised_limits ? ", raised limits" : "",
                       threads ? ", threads" : "");
}

}  // namespace tenrex::differential
