// Kernels as data, and the choice among them by estimated cost.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lib/kernels/isa.h"

namespace tenrex::kernels {

// An estimate for one row, in nanoseconds on the machine where the figures of the lists were measured. Only their
// ratios matter.
struct Cost {
    double per_row = 0;
    double per_cell = 0;

    constexpr double of(std::size_t length) const noexcept { return per_row + per_cell * static_cast<double>(length); }
};

// What every kernel has; a family derives from it and adds what it distinguishes kernels by.
template <class Function>
struct Kernel {
    std::string_view function_name;
    Target target;
    Cost cost;
    Function *function;
};

// "avx512::dot_f32_i8"
template <class Function>
std::string full_name(const Kernel<Function> &kernel) {
    return std::string(name(kernel.target)) + "::" + std::string(kernel.function_name);
}

enum class Verdict : std::uint8_t {
    chosen,
    dearer,       // another one costs less
    not_allowed,  // the CPU could, the caller's cap forbids it
    not_present,  // the CPU lacks a feature
};

template <class K>
struct Candidate {
    const K *kernel;
    double cost;  // for the row in question
    Verdict verdict;
    Isa missing;  // the features that made it not allowed or not present
};

// The cheapest of the kernels that match and that run with `isa`; the first of equals; null if there is none. The
// number of rows has no say, so that a row's result cannot depend on how many rows are computed with it.
template <class K, class Matches, class CostOf>
const K *cheapest_by(std::span<const K> kernels, const Matches &matches, const CostOf &cost_of, Isa isa) noexcept {
    const K *best = nullptr;
    for (const K &kernel : kernels) {
        if (matches(kernel) && isa.contains(target_isa(kernel.target)) &&
            (best == nullptr || cost_of(kernel) < cost_of(*best))) {
            best = &kernel;
        }
    }
    return best;
}
template <class K, class Matches>
const K *cheapest(std::span<const K> kernels, const Matches &matches, std::size_t length, Isa isa) noexcept {
    return cheapest_by(
        kernels, matches, [=](const K &kernel) { return kernel.cost.of(length); }, isa);
}

// All kernels that match, for explaining a choice: the chosen one, the other usable ones by cost, then the unusable
// ones.
template <class K, class Matches, class CostOf>
std::vector<Candidate<K>> candidates_by(std::span<const K> kernels, const Matches &matches, const CostOf &cost_of,
                                        Isa isa) {
    const K *best = cheapest_by(kernels, matches, cost_of, isa);
    std::vector<Candidate<K>> found;
    for (const K &kernel : kernels) {
        if (!matches(kernel)) {
            continue;
        }
        const Isa needed = target_isa(kernel.target);
        const Isa absent = needed - detected_isa();
        Verdict verdict = &kernel == best ? Verdict::chosen : Verdict::dearer;
        if (!isa.contains(needed)) {
            verdict = absent.empty() ? Verdict::not_allowed : Verdict::not_present;
        }
        found.push_back({&kernel, cost_of(kernel), verdict, absent.empty() ? needed - isa : absent});
    }
    std::stable_sort(found.begin(), found.end(), [](const Candidate<K> &x, const Candidate<K> &y) {
        return x.verdict != y.verdict ? x.verdict < y.verdict : x.cost < y.cost;
    });
    return found;
}
template <class K, class Matches>
std::vector<Candidate<K>> candidates(std::span<const K> kernels, const Matches &matches, std::size_t length, Isa isa) {
    return candidates_by(
        kernels, matches, [=](const K &kernel) { return kernel.cost.of(length); }, isa);
}

// Why a candidate was not taken: "estimated 21.4 ns per row", "needs avx512_vnni, which this CPU lacks", "needs avx512,
// which the cap excludes". `cost` is Candidate::cost.
std::string explain(Verdict verdict, double cost, Isa missing);

template <class K>
std::string explain(const Candidate<K> &candidate) {
    return explain(candidate.verdict, candidate.cost, candidate.missing);
}

}  // namespace tenrex::kernels
