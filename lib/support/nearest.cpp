#include <algorithm>

#include "lib/support/diagnostics.h"

namespace tenrex {

namespace {

constexpr std::size_t longest_name = 64;  // longer names are not worth the quadratic comparison

char lower(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

constexpr std::size_t edit = 4;         // cost of inserting, removing, replacing or swapping letters
constexpr std::size_t case_change = 1;  // cost of writing a letter in the other case

// The least cost of edits that turn one name into the other.
std::size_t distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> before_last(b.size() + 1), last(b.size() + 1), current(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) {
        last[j] = edit * j;
    }
    for (std::size_t i = 1; i <= a.size(); ++i) {
        current[0] = edit * i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const char x = a[i - 1];
            const char y = b[j - 1];
            const std::size_t replace = x == y ? 0 : (lower(x) == lower(y) ? case_change : edit);
            current[j] = std::min({last[j] + edit, current[j - 1] + edit, last[j - 1] + replace});
            if (i > 1 && j > 1 && x == b[j - 2] && a[i - 2] == y && x != y) {
                current[j] = std::min(current[j], before_last[j - 2] + edit);
            }
        }
        std::swap(before_last, last);
        std::swap(last, current);
    }
    return last[b.size()];
}

}  // namespace

std::string_view nearest(std::string_view name, std::span<const std::string_view> candidates) {
    if (name.empty() || name.size() > longest_name) {
        return {};
    }
    // A third of the letters may differ; of a very short name only the case or one letter.
    std::size_t least = edit * std::max<std::size_t>(1, name.size() / 3) + 1;
    std::string_view best;
    for (std::string_view candidate : candidates) {
        const std::size_t difference =
            candidate.size() > name.size() ? candidate.size() - name.size() : name.size() - candidate.size();
        if (candidate == name || candidate.size() > longest_name || edit * difference >= least) {
            continue;
        }
        const std::size_t d = distance(name, candidate);
        // Replacing a name of one letter altogether is no likeness.
        if (d < least && (name.size() > 1 || d == case_change)) {
            least = d;
            best = candidate;
        }
    }
    return best;
}

}  // namespace tenrex
