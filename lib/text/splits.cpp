#include "lib/text/splits.h"

#include <algorithm>

#include <fmt/format.h>

namespace tenrex::text {

namespace {

struct Stretch {
    TextRange range;
    bool is_match;
};

// All of the piece, matches and what lies between them.
std::vector<Stretch> stretches_of(const std::vector<TextRange> &matches, TextRange piece, bool inverts) {
    std::vector<Stretch> stretches;
    stretches.reserve(2 * matches.size() + 1);
    std::uint32_t at = piece.begin;
    for (const TextRange match : matches) {
        if (at < match.begin) {
            stretches.push_back({{at, match.begin}, inverts});
        }
        stretches.push_back({match, !inverts});
        at = match.end;
    }
    if (at < piece.end) {
        stretches.push_back({{at, piece.end}, inverts});
    }
    return stretches;
}

}  // namespace

void split_at(const std::vector<TextRange> &matches, TextRange piece, Behavior behavior, bool inverts,
              std::vector<TextRange> &pieces) {
    if (matches.empty()) {  // as most words have none
        if (!inverts || behavior != Behavior::removed) {
            pieces.push_back(piece);
        }
        return;
    }
    const std::vector<Stretch> stretches = stretches_of(matches, piece, inverts);
    const auto first = static_cast<std::ptrdiff_t>(pieces.size());
    const auto is_first = [&] { return static_cast<std::ptrdiff_t>(pieces.size()) == first; };
    bool previous_was_match = false;
    if (behavior == Behavior::merged_with_next) {
        for (auto stretch = stretches.rbegin(); stretch != stretches.rend(); ++stretch) {
            if (stretch->is_match && !previous_was_match && !is_first()) {
                pieces.back().begin = stretch->range.begin;
            } else {
                pieces.push_back(stretch->range);
            }
            previous_was_match = stretch->is_match;
        }
        std::reverse(pieces.begin() + first, pieces.end());
        return;
    }
    for (const auto &[range, is_match] : stretches) {
        const bool joins = (behavior == Behavior::contiguous && is_match == previous_was_match) ||
                           (behavior == Behavior::merged_with_previous && is_match && !previous_was_match);
        if (joins && !is_first()) {
            pieces.back().end = range.end;
        } else if (!is_match || behavior != Behavior::removed) {
            pieces.push_back(range);
        }
        previous_was_match = is_match;
    }
}

Behavior read_behavior(const JsonPart &part) {
    const std::string_view name = part.text();
    if (name == "Removed") {
        return Behavior::removed;
    }
    if (name == "Isolated") {
        return Behavior::isolated;
    }
    if (name == "MergedWithPrevious") {
        return Behavior::merged_with_previous;
    }
    if (name == "MergedWithNext") {
        return Behavior::merged_with_next;
    }
    if (name == "Contiguous") {
        return Behavior::contiguous;
    }
    part.fail(fmt::format("there is no behavior \"{}\"", name),
              "behaviors are Contiguous, Isolated, MergedWithNext, MergedWithPrevious and Removed");
}

}  // namespace tenrex::text
