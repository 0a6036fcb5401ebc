#include "lib/kernels/tile/tile_kernels.h"

#include "lib/support/format.h"

#define TENREX_TILE_TARGET(target, bytes) \
    namespace tenrex::kernels::target {   \
    extern const TileKernels tile_table;  \
    }
#include "lib/kernels/tile/targets.def"
#undef TENREX_TILE_TARGET

namespace tenrex::kernels {
namespace {

constexpr TileTarget targets[] = {
#define TENREX_TILE_TARGET(target, bytes) {Target::target, bytes, &target::tile_table},
#include "lib/kernels/tile/targets.def"
#undef TENREX_TILE_TARGET
};

}  // namespace

std::span<const TileTarget> tile_targets() noexcept {
    return targets;
}

const TileTarget &choose_tiles(Isa isa) noexcept {
    const TileTarget *widest = &targets[0];
    for (const TileTarget &target : targets) {
        if (isa.contains(target_isa(target.target))) {
            widest = &target;
        }
    }
    return *widest;
}

std::string explain_tiles(Isa isa) {
    const Target chosen = choose_tiles(isa).target;
    std::string text = fmt::format("{:<9}{}: the widest vectors\n", "chosen", name(chosen));
    for (const TileTarget &target : targets) {
        const Isa needed = target_isa(target.target);
        if (target.target == chosen) {
            continue;
        }
        const Isa absent = needed - detected_isa();
        text += fmt::format("{:<9}{}: {}\n", "not", name(target.target),
                            isa.contains(needed) ? "narrower vectors"
                            : absent.empty()     ? explain(Verdict::not_allowed, 0, needed - isa)
                                                 : explain(Verdict::not_present, 0, absent));
    }
    return text;
}

}  // namespace tenrex::kernels
