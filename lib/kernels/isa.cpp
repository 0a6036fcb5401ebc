#include "lib/kernels/isa.h"

#include <cstdlib>

#if defined(__x86_64__)
#include <cpuid.h>
#if defined(__linux__)
#include <sys/syscall.h>
#include <unistd.h>
#endif
#elif defined(__aarch64__) && defined(__linux__)
#include <sys/auxv.h>
#endif

namespace tenrex::kernels {
namespace {

struct NamedFeature {
    Feature feature;
    std::string_view name;
};

constexpr NamedFeature named_features[] = {
    {Feature::avx2, "avx2"},
    {Feature::avx_vnni, "avx_vnni"},
    {Feature::avx512, "avx512"},
    {Feature::avx512_vnni, "avx512_vnni"},
    {Feature::avx512_bf16, "avx512_bf16"},
    {Feature::avx512_popcnt, "avx512_popcnt"},
    {Feature::wide_conversions, "wide_conversions"},
    {Feature::amx_tile, "amx_tile"},
    {Feature::amx_int8, "amx_int8"},
    {Feature::amx_bf16, "amx_bf16"},
    {Feature::neon, "neon"},
    {Feature::neon_dotprod, "neon_dotprod"},
};

constexpr Isa everything() noexcept {
    Isa all;
    for (const NamedFeature &entry : named_features) {
        all = all | entry.feature;
    }
    return all;
}

#if defined(__x86_64__)

constexpr bool has(unsigned word, std::initializer_list<unsigned> bits) noexcept {
    for (unsigned bit : bits) {
        if ((word >> bit & 1U) == 0) {
            return false;
        }
    }
    return true;
}

bool is_intel() noexcept {
    unsigned highest_leaf = 0;
    unsigned b = 0;
    unsigned c = 0;
    unsigned d = 0;
    return __get_cpuid(0, &highest_leaf, &b, &c, &d) != 0 && b == signature_INTEL_ebx && c == signature_INTEL_ecx &&
           d == signature_INTEL_edx;
}

// The register states that the operating system saves (XCR0).
std::uint64_t saved_states() noexcept {
    unsigned low = 0;
    unsigned high = 0;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return std::uint64_t{high} << 32 | low;
}

// Linux gives tile registers only to processes that ask.
bool may_use_tiles() noexcept {
#if defined(__linux__)
    constexpr int request_permission = 0x1023;  // ARCH_REQ_XCOMP_PERM
    constexpr int tile_data = 18;
    return syscall(SYS_arch_prctl, request_permission, tile_data) == 0;
#else
    return false;
#endif
}

Isa detect() noexcept {
    struct Registers {
        unsigned a = 0, b = 0, c = 0, d = 0;
    };
    Registers basic;
    Registers extended;
    Registers leaf7;
    Registers leaf7_1;
    if (__get_cpuid(1, &basic.a, &basic.b, &basic.c, &basic.d) == 0 || !has(basic.c, {27, 28})) {
        return {};  // no AVX, or an operating system that does not save its state
    }
    __get_cpuid(0x80000001, &extended.a, &extended.b, &extended.c, &extended.d);
    if (__get_cpuid_count(7, 0, &leaf7.a, &leaf7.b, &leaf7.c, &leaf7.d) == 0) {
        return {};
    }
    if (leaf7.a >= 1) {
        __get_cpuid_count(7, 1, &leaf7_1.a, &leaf7_1.b, &leaf7_1.c, &leaf7_1.d);
    }
    constexpr std::uint64_t avx_state = 0x6;
    constexpr std::uint64_t avx512_state = 0xE6;
    constexpr std::uint64_t tile_state = 0x60000;
    const std::uint64_t saved = saved_states();

    Isa isa;
    const auto add = [&isa](Feature feature, bool present) {
        if (present) {
            isa = isa | feature;
        }
    };
    add(Feature::avx2, (saved & avx_state) == avx_state && has(basic.c, {12, 23, 29}) && has(leaf7.b, {3, 5, 8}) &&
                           has(extended.c, {5}));
    if (!isa.contains(Feature::avx2)) {
        return {};
    }
    add(Feature::avx_vnni, has(leaf7_1.a, {4}));
    add(Feature::avx512, (saved & avx512_state) == avx512_state && has(leaf7.b, {16, 17, 28, 30, 31}));
    if (isa.contains(Feature::avx512)) {
        add(Feature::avx512_vnni, has(leaf7.c, {11}));
        add(Feature::avx512_bf16, has(leaf7_1.a, {5}));
        add(Feature::avx512_popcnt, has(leaf7.c, {12, 14}));
        add(Feature::wide_conversions, is_intel());
        add(Feature::amx_tile, (saved & tile_state) == tile_state && has(leaf7.d, {24}) && may_use_tiles());
        add(Feature::amx_int8, isa.contains(Feature::amx_tile) && has(leaf7.d, {25}));
        add(Feature::amx_bf16, isa.contains(Feature::amx_tile) && has(leaf7.d, {22}));
    }
    return isa;
}

#elif defined(__aarch64__)

Isa detect() noexcept {
    Isa isa = Feature::neon;
#if defined(__linux__)
    constexpr unsigned long dotprod = 1UL << 20;  // HWCAP_ASIMDDP
    if ((getauxval(AT_HWCAP) & dotprod) != 0) {
        isa = isa | Feature::neon_dotprod;
    }
#endif
    return isa;
}

#else

Isa detect() noexcept {
    return {};
}

#endif

EnvironmentLevel read_environment() {
    // Read once, before anything could change the environment. NOLINTNEXTLINE(concurrency-mt-unsafe)
    const char *text = std::getenv("TENREX_MAX_ISA");
    if (text == nullptr || *text == '\0') {
        return {everything(), true, {}};
    }
    const std::optional<Isa> level = isa_level(text);
    return {level.value_or(everything()), level.has_value(), text};
}

}  // namespace

std::string to_string(Isa isa) {
    std::string text;
    for (const NamedFeature &entry : named_features) {
        if (isa.contains(entry.feature)) {
            text += text.empty() ? "" : " ";
            text += entry.name;
        }
    }
    return text.empty() ? "baseline" : text;
}

std::optional<Isa> isa_level(std::string_view name) noexcept {
    if (name == "baseline") {
        return Isa{};
    }
    if (name == "avx2") {
        return target_isa(Target::avx2);
    }
    if (name == "avx512") {
        return target_isa(Target::avx512);
    }
    if (name == "native") {
        return everything();
    }
    return std::nullopt;
}

Isa detected_isa() noexcept {
    static const Isa isa = detect();
    return isa;
}

const EnvironmentLevel &environment_level() noexcept {
    static const EnvironmentLevel level = read_environment();
    return level;
}

Isa allowed_isa() noexcept {
    return detected_isa() & environment_level().max;
}

}  // namespace tenrex::kernels
