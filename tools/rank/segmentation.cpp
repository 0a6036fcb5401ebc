#include "tools/rank/segmentation.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <iterator>
#include <optional>
#include <utility>

namespace tenrex::tool {

namespace {

// Words of a segment are less than this apart.
constexpr std::int64_t limit = 10;
// Segmentations beside those that are found first.
constexpr std::size_t most_alternatives = 1000;

// What a pair counts whose words are so far apart: 0 is the next place. Words in reverse order count less.
constexpr std::array<double, limit + 1> forward = {1, 0.71, 0.5, 0.35, 0.25, 0.18, 0.13, 0.09, 0.06, 0.04, 0.03};
constexpr std::array<double, limit + 1> reverse = {1, 0.33, 0.24, 0.17, 0.12, 0.08, 0.06, 0.04, 0.03, 0.02, 0.01};

// The order in which places are looked at from one of them: those near behind it, near before it, and then the others.
class Order {
public:
    Order(std::int64_t from, std::int64_t length) {
        const std::int64_t near_begin = from - std::min(limit, from);
        const std::int64_t near_end = from + std::min(limit, length - from);
        ranges_ = {
            {{from, near_end, true}, {near_begin, from, false}, {near_end, length, true}, {0, near_begin, false}}};
    }

    std::int64_t number_of(std::int64_t place) const {
        std::int64_t before = 0;
        for (const Range &range : ranges_) {
            if (place >= range.begin && place < range.end) {
                return before + (range.ascends ? place - range.begin : range.end - 1 - place);
            }
            before += range.end - range.begin;
        }
        return before;
    }

    // The place with the least number from `number` on; -1: there is none.
    std::int64_t first(const std::vector<std::uint32_t> &places, std::int64_t number) const {
        for (const Range &range : ranges_) {
            const std::int64_t size = range.end - range.begin;
            if (number >= size) {
                number -= size;
                continue;
            }
            if (range.ascends) {
                const auto at = std::lower_bound(places.begin(), places.end(), range.begin + number);
                if (at != places.end() && *at < range.end) {
                    return *at;
                }
            } else {
                const auto behind = std::upper_bound(places.begin(), places.end(), range.end - 1 - number);
                if (behind != places.begin() && *std::prev(behind) >= range.begin) {
                    return *std::prev(behind);
                }
            }
            number = 0;
        }
        return -1;
    }

private:
    struct Range {
        std::int64_t begin, end;
        bool ascends;
    };
    std::array<Range, 4> ranges_;
};

// Finds segmentations from the first word of the query on. What is found up to a word is kept if it is the best one;
// then the words from there on are matched in other places.
class Search {
public:
    explicit Search(const FieldPlaces &field) : field_(field), starts_(field.places.size() + 1) {}

    Segmentation run() {
        starts_.front().emplace();
        std::size_t word = 0;
        while (const std::optional<std::size_t> open = next_open(word)) {
            word = *open;
            if (!find_segment(word)) {
                starts_[word]->is_open = false;
            }
        }
        const auto last =
            std::find_if(starts_.rbegin(), starts_.rend(), [](const auto &start) { return start.has_value(); });
        return std::move((*last)->before);
    }

private:
    // A word of the query that a segment may begin with.
    struct Start {
        Segmentation before;        // of the words in front of it
        std::int64_t previous = 0;  // the last place of those
        std::size_t skipped = 0;    // words from it on that the field does not have
        std::int64_t explored = 0;  // numbers of places that were tried
        bool is_open = true;
    };

    static double score(const Segmentation &segmentation) {
        const auto segments = static_cast<double>(segmentation.starts.size());
        return segments == 0 ? 0 : segmentation.mean_proximity() / (segments * segments);
    }

    std::optional<std::size_t> next_open(std::size_t from) {
        for (std::size_t word = from; word < starts_.size(); ++word) {
            const std::optional<Start> &start = starts_[word];
            if (!start || !start->is_open) {
                continue;
            }
            if (start->explored == 0 || alternatives_++ < most_alternatives) {
                return word;
            }
        }
        return std::nullopt;
    }

    Order order_from(std::int64_t place) const { return {place, static_cast<std::int64_t>(field_.length)}; }

    static void add_pair(Segmentation &found, std::int64_t place, std::int64_t previous) {
        const std::int64_t distance = place > previous ? place - previous - 1 : previous - place;
        if (distance <= limit) {
            found.proximity += place > previous ? forward[static_cast<std::size_t>(distance)]
                                                : reverse[static_cast<std::size_t>(distance)];
            ++found.pairs;
        }
    }

    static void add_gap(Segmentation &found, std::int64_t place, std::int64_t previous) {
        ++found.gaps;
        found.out_of_order += place > previous ? 0 : 1;
        found.gap_length += static_cast<std::uint32_t>(place > previous ? place - previous - 1 : previous - place);
    }

    static void begin_sequence(Segmentation &found, std::int64_t place) {
        found.first = found.first < 0 ? place : std::min(found.first, place);
        found.sequence = 1;
    }

    static void end_sequence(Segmentation &found, std::int64_t place) {
        found.last = std::max(found.last, place);
        found.longest_sequence = std::max(found.longest_sequence, found.sequence);
        found.sequence = 0;
    }

    // False: there is none that begins at another place than those before.
    bool find_segment(std::size_t first_word) {
        Start &start = *starts_[first_word];
        Segmentation found = start.before;
        std::int64_t previous = start.previous;
        std::int64_t begin = start.explored;
        std::size_t previous_word = 0;
        bool has_begun = false;
        for (std::size_t word = first_word + start.skipped; word < field_.places.size(); ++word) {
            const std::int64_t place = order_from(previous).first(field_.places[word], begin);
            if (place < 0 && begin > 0 && !has_begun) {
                return false;
            }
            if (found.sequence != 0 && place != previous + 1) {
                end_sequence(found, previous);
            }
            if (has_begun) {
                // The place of a word that the field lacks is -1, which is far from all places but the first ones. An
                // engine ends the segment there, too.
                if (std::abs(place - previous) >= limit) {
                    end_segment(word, previous, std::move(found));
                    return true;
                }
                if (place >= 0) {
                    add_pair(found, place, previous);
                    if (place == previous + 1 && word == previous_word + 1) {
                        ++found.sequence;
                    } else {
                        add_gap(found, place, previous);
                    }
                }
            } else if (place >= 0) {
                found.starts.push_back(static_cast<std::uint32_t>(place));
                start.explored = order_from(previous).number_of(place) + 1;
                has_begun = true;
            } else {
                ++start.skipped;
            }
            begin = 0;
            if (place >= 0) {
                if (found.matched.size() < field_.length) {
                    found.matched.push_back(static_cast<std::uint32_t>(word));
                }
                if (found.sequence == 0) {
                    begin_sequence(found, place);
                }
                begin = 1;  // not the same place again
                previous_word = word;
                previous = place;
            }
        }
        if (found.sequence != 0) {
            end_sequence(found, previous);
        }
        if (has_begun) {
            end_segment(field_.places.size(), previous, std::move(found));
        }
        return has_begun;
    }

    // The segment is followed by one that begins with that word.
    void end_segment(std::size_t word, std::int64_t previous, Segmentation found) {
        std::optional<Start> &next = starts_[word];
        if (!next) {
            next.emplace();
        } else if (score(found) <= score(next->before)) {
            return;
        }
        next->before = std::move(found);
        next->previous = previous;
    }

    const FieldPlaces &field_;
    std::vector<std::optional<Start>> starts_;  // of each word, and behind the last one
    std::size_t alternatives_ = 0;
};

}  // namespace

Segmentation best_segmentation(const FieldPlaces &field) {
    return Search(field).run();
}

}  // namespace tenrex::tool
