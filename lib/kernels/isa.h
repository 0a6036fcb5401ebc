// What a CPU can do, as a set of features; which of them this machine has and the caller allows.
//
//   Isa isa = allowed_isa();                          // this CPU, capped by TENREX_MAX_ISA
//   Isa isa = detected_isa() & *isa_level("avx2");    // this CPU, capped by hand
//   if (isa.contains(target_isa(Target::avx512vnni))) ...
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tenrex::kernels {

// Each name stands for a group that came together, so that kernels need only one name for it.
enum class Feature : std::uint8_t {
    avx2,              // with FMA, F16C, BMI1, BMI2, LZCNT and POPCNT
    avx_vnni,          // 8-bit dot products in 256-bit registers
    avx512,            // F, BW, CD, DQ and VL
    avx512_vnni,       // 8-bit dot products in 512-bit registers
    avx512_bf16,       // bfloat16 dot products
    avx512_popcnt,     // VPOPCNTDQ and BITALG: population counts in every lane width
    wide_conversions,  // Intel's AVX-512: 512 bits are converted to another type as fast as 256
    amx_tile,          // tile registers, and the kernel's permission to use them
    amx_int8,
    amx_bf16,
    neon,          // AdvSIMD, always there on AArch64
    neon_dotprod,  // 8-bit dot products
};

class Isa {
public:
    constexpr Isa() = default;
    constexpr Isa(Feature feature) noexcept : bits_(std::uint32_t{1} << static_cast<unsigned>(feature)) {}

    constexpr bool empty() const noexcept { return bits_ == 0; }
    constexpr bool contains(Isa other) const noexcept { return (other.bits_ & ~bits_) == 0; }
    friend constexpr Isa operator|(Isa x, Isa y) noexcept { return Isa(x.bits_ | y.bits_); }
    friend constexpr Isa operator&(Isa x, Isa y) noexcept { return Isa(x.bits_ & y.bits_); }
    // What x has and y lacks.
    friend constexpr Isa operator-(Isa x, Isa y) noexcept { return Isa(x.bits_ & ~y.bits_); }
    friend constexpr bool operator==(Isa x, Isa y) noexcept = default;

private:
    constexpr explicit Isa(std::uint32_t bits) noexcept : bits_(bits) {}

    std::uint32_t bits_ = 0;
};

constexpr Isa operator|(Feature x, Feature y) noexcept {
    return Isa(x) | Isa(y);
}

// "avx2 avx512 avx512_vnni", or "baseline" for the empty set.
std::string to_string(Isa isa);

// What a translation unit named <family>_<target>.cpp is compiled for.
enum class Target : std::uint8_t {
#define TENREX_TARGET(id, features) id,
#include "lib/kernels/targets.def"
#undef TENREX_TARGET
};

inline constexpr Target all_targets[] = {
#define TENREX_TARGET(id, features) Target::id,
#include "lib/kernels/targets.def"
#undef TENREX_TARGET
};

constexpr Isa target_isa(Target target) noexcept {
    using enum Feature;
    constexpr Isa features_of[] = {
#define TENREX_TARGET(id, features) features,
#include "lib/kernels/targets.def"
#undef TENREX_TARGET
    };
    return features_of[static_cast<unsigned>(target)];
}

constexpr std::string_view name(Target target) noexcept {
    constexpr std::string_view names[] = {
#define TENREX_TARGET(id, features) #id,
#include "lib/kernels/targets.def"
#undef TENREX_TARGET
    };
    return names[static_cast<unsigned>(target)];
}

// The levels that users name: "baseline", "avx2", "avx512" (the plain sets of these names) and "native" (everything).
// They are upper bounds; combine them with detected_isa().
std::optional<Isa> isa_level(std::string_view name) noexcept;

// What this CPU has and the operating system lets us use. On CPUs with AMX the first call asks the kernel for
// permission to use the tiles, which holds for the process.
Isa detected_isa() noexcept;

// The level that the environment variable TENREX_MAX_ISA names; it is read once, by the first call.
struct EnvironmentLevel {
    Isa max;          // everything if the variable is not set or not a level
    bool recognised;  // false: the variable holds something else, which is ignored
    std::string text;
};
const EnvironmentLevel &environment_level() noexcept;

// detected_isa() below environment_level(): what kernels are chosen from unless the caller says otherwise.
Isa allowed_isa() noexcept;

}  // namespace tenrex::kernels
