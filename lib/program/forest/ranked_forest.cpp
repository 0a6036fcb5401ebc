#include "lib/program/forest/ranked_forest.h"

#include <algorithm>
#include <limits>
#include <map>
#include <string>
#include <utility>

#include "lib/program/forest/cuts.h"
#include "lib/program/sort_by_bytes.h"

namespace tenrex::program {

namespace {

// Bytes tell apart so many cuts.
constexpr std::uint32_t cuts_of_column = 255;

// What the numbers are that pass a split: those below a cut, those above it, or others.
enum class Form : std::uint8_t { prefix, suffix, set };

struct Passing {
    Form form;
    Cut cut;  // not of a set
};

constexpr double below_all = -std::numeric_limits<double>::infinity();

Passing passing(const std::vector<CutRange> &ranges) noexcept {
    if (ranges.empty()) {
        return {Form::prefix, below_all};  // no number is below it
    }
    if (ranges.size() > 1 || (ranges[0].from != below_all && ranges[0].to == ranges[0].to)) {
        return {Form::set, 0};
    }
    return ranges[0].from == below_all ? Passing{Form::prefix, ranges[0].to} : Passing{Form::suffix, ranges[0].from};
}

// A split of a feature.
struct FeatureSplit {
    Cut cut = 0;                    // not of a set
    std::uint32_t first_range = 0;  // of a set: among the ranges of all sets
    std::uint32_t range_count = 0;
    std::uint32_t number = 0;  // among those of the forest
    bool is_set = false;
    bool missing_passes = false;  // the first branch, which is that of numbers below the cut
    bool zero_is_missing = false;
};

// Turns the splits of one feature into columns and keys.
class FeatureRanks {
public:
    FeatureRanks(std::span<const CutRange> set_ranges, bool as_float, RankedForest &ranked)
        : set_ranges_(set_ranges), ranked_(ranked), as_float_(as_float) {}

    // The splits ascend by their cuts. The rest of the feature is to be said by others.
    kernels::ForestFeature rank(std::span<const FeatureSplit> splits) {
        for (const FeatureSplit &split : splits) {
            find_cuts(split);
        }
        cuts_.finish();
        const std::vector<std::uint32_t> levels =
            as_float_ ? cuts_.append_levels(ranked_.floats) : cuts_.append_levels(ranked_.doubles);
        feature_.level_count = static_cast<std::uint8_t>(levels.size());
        std::copy(levels.begin(), levels.end(), feature_.levels);
        feature_.missing = static_cast<std::uint32_t>(cuts_.size()) + 1;
        if (zeros_) {
            const CutRange zeros = zero_range(as_float_);
            feature_.zeros[0] = cuts_.find(zeros.from) + 1;
            feature_.zeros[1] = cuts_.find(zeros.to) + 1;
        }
        feature_.first_column = static_cast<std::uint32_t>(ranked_.columns.size());
        compared_.assign(4 * (cuts_.size() / cuts_of_column + 1), none);
        for (const bool sets : {false, true}) {
            for (const FeatureSplit &split : splits) {
                if (split.is_set == sets) {
                    rank_split(split, ranked_.splits[split.number]);
                }
            }
        }
        feature_.set_count = static_cast<std::uint32_t>(sets_.size());
        write_rows();
        feature_.column_count = static_cast<std::uint32_t>(ranked_.columns.size()) - feature_.first_column;
        return feature_;
    }

private:
    static constexpr std::uint32_t none = ~std::uint32_t{0};

    void find_cuts(const FeatureSplit &split) {
        if (split.is_set) {
            for (const CutRange &range : ranges_of(split)) {
                cuts_.add(range.from);
                cuts_.add(range.to);
            }
        } else {
            cuts_.add(split.cut);
        }
        if (split.zero_is_missing && !zeros_) {
            zeros_ = true;
            cuts_.add(zero_range(as_float_).from);
            cuts_.add(zero_range(as_float_).to);
        }
    }

    void rank_split(const FeatureSplit &split, RankedSplit &ranked) {
        if (split.is_set) {
            ranked.column = set_column(split);
            ranked.key = 0;
            return;
        }
        const std::uint32_t cut = last_cut_ = cuts_.find_from(last_cut_, split.cut);
        const std::uint32_t part = cut / cuts_of_column;
        const std::uint32_t base = part * cuts_of_column;
        std::uint32_t &column = compared_[4 * part + (split.missing_passes ? 2 : 0) + (split.zero_is_missing ? 1 : 0)];
        if (column == none) {
            column = static_cast<std::uint32_t>(ranked_.columns.size());
            ranked_.columns.push_back({base, split.missing_passes, split.zero_is_missing});
        }
        ranked.key = static_cast<std::uint8_t>(cut - base);
        ranked.column = column;
    }

    // By rank whether a number passes; the last bit is of what is missing.
    std::uint32_t set_column(const FeatureSplit &split) {
        bits_.assign(feature_.missing / 8 + 1, '\0');
        const auto put = [&](std::uint32_t rank, bool passes) {
            const auto bit = static_cast<char>(1U << (rank % 8));
            char &byte = bits_[rank / 8];
            byte = static_cast<char>(passes ? byte | bit : byte & ~bit);
        };
        for (const CutRange &range : ranges_of(split)) {
            const std::uint32_t to = cuts_.find(range.to);
            for (std::uint32_t rank = cuts_.find(range.from) + 1; rank <= to; ++rank) {
                put(rank, true);
            }
        }
        if (split.zero_is_missing) {
            for (std::uint32_t rank = feature_.zeros[0]; rank < feature_.zeros[1]; ++rank) {
                put(rank, split.missing_passes);
            }
        }
        put(feature_.missing, split.missing_passes);
        const auto [found, is_new] = sets_.emplace(bits_, static_cast<std::uint32_t>(ranked_.columns.size()));
        if (is_new) {
            ranked_.columns.push_back({static_cast<std::uint32_t>(ranked_.sets.size()), false, false});
            ranked_.sets.insert(ranked_.sets.end(), bits_.begin(), bits_.end());
        }
        return found->second;
    }

    // A document that comes alone takes a row, instead of a bit of each set.
    void write_rows() {
        const std::size_t row = feature_.row_bytes();
        feature_.first_row = static_cast<std::uint32_t>(ranked_.set_rows.size());
        ranked_.set_rows.resize(feature_.first_row + (sets_.empty() ? 0 : row * (feature_.missing + 1)));
        const std::size_t first_set = ranked_.columns.size() - sets_.size();
        for (std::size_t set = 0; set < sets_.size(); ++set) {
            const std::uint8_t *const bits = ranked_.sets.data() + ranked_.columns[first_set + set].base;
            std::uint8_t *out = ranked_.set_rows.data() + feature_.first_row + set / 8;
            for (std::size_t rank = 0; rank <= feature_.missing; ++rank, out += row) {
                const auto fails = static_cast<std::uint8_t>(~bits[rank / 8] >> (rank % 8) & 1);
                *out = static_cast<std::uint8_t>(*out | fails << (set % 8));
            }
        }
    }

    std::span<const CutRange> ranges_of(const FeatureSplit &split) const noexcept {
        return set_ranges_.subspan(split.first_range, split.range_count);
    }

    std::span<const CutRange> set_ranges_;
    RankedForest &ranked_;
    bool as_float_;
    kernels::ForestFeature feature_;
    Cuts cuts_;
    bool zeros_ = false;  // whether zeros are missing somewhere
    std::uint32_t last_cut_ = 0;
    std::string bits_;
    std::vector<std::uint32_t> compared_;        // columns by part of the cuts, and by what is missing
    std::map<std::string, std::uint32_t> sets_;  // columns by bits
};

bool is_as_float(const forest::Forest &forest, const FeatureSource &source) {
    return forest.float_features || source.cell_type == CellType::f32;
}

// The splits by feature, in the order of their cuts, and where those of each end.
class SplitsByFeature {
public:
    SplitsByFeature(const forest::Forest &forest, std::span<const FeatureSource> sources, RankedForest &ranked)
        : ends_(sources.size() + 1), splits_(forest.splits.size()) {
        for (const forest::Split &split : forest.splits) {
            ++ends_[split.feature + 1];
        }
        for (std::size_t i = 0; i < sources.size(); ++i) {
            ends_[i + 1] += ends_[i];
        }
        struct Key {
            std::uint64_t key;
            std::uint32_t number;
        };
        std::vector<FeatureSplit> found(forest.splits.size());
        std::vector<Key> keys(forest.splits.size());
        std::vector<CutRange> ranges;
        for (std::uint32_t number = 0; number < forest.splits.size(); ++number) {
            const forest::Split &split = forest.splits[number];
            find_ranges(forest, split, is_as_float(forest, sources[split.feature]), ranges);
            const auto [form, cut] = passing(ranges);
            RankedSplit &own = ranked.splits[number];
            own.when_true = form == Form::suffix ? split.when_false : split.when_true;
            own.when_false = form == Form::suffix ? split.when_true : split.when_false;
            FeatureSplit &of_feature = found[number];
            of_feature.cut = cut;
            of_feature.number = number;
            of_feature.is_set = form == Form::set;
            of_feature.missing_passes = split.missing_passes != (form == Form::suffix);
            of_feature.zero_is_missing = split.zero_is_missing;
            if (of_feature.is_set) {
                of_feature.first_range = static_cast<std::uint32_t>(set_ranges_.size());
                of_feature.range_count = static_cast<std::uint32_t>(ranges.size());
                set_ranges_.insert(set_ranges_.end(), ranges.begin(), ranges.end());
            }
            keys[number] = {key_of(cut), number};
        }
        sort_by_bytes(keys, [](const Key &each) { return each.key; });
        std::vector<std::uint32_t> next(ends_.begin(), ends_.end() - 1);
        for (const Key &each : keys) {
            splits_[next[forest.splits[each.number].feature]++] = found[each.number];
        }
    }

    // That the sets among the splits refer to.
    std::span<const CutRange> set_ranges() const noexcept { return set_ranges_; }

    std::span<const FeatureSplit> of(std::size_t feature) const noexcept {
        return std::span(splits_).subspan(ends_[feature], ends_[feature + 1] - ends_[feature]);
    }

private:
    std::vector<std::uint32_t> ends_;
    std::vector<FeatureSplit> splits_;
    std::vector<CutRange> set_ranges_;
};

}  // namespace

kernels::ForestRanking RankedForest::ranking() const noexcept {
    kernels::ForestRanking ranking;
    ranking.features = features.data();
    ranking.columns = columns.data();
    ranking.doubles = doubles.data();
    ranking.floats = floats.data();
    ranking.sets = sets.data();
    ranking.set_rows = set_rows.data();
    return ranking;
}

RankedForest rank_splits(const forest::Forest &forest, std::span<const FeatureSource> sources) {
    RankedForest ranked;
    ranked.splits.resize(forest.splits.size());
    ranked.features.resize(sources.size());
    ranked.columns.emplace_back();
    const SplitsByFeature splits(forest, sources, ranked);
    ranked.features_of_columns.push_back(0);
    for (std::uint32_t i = 0; i < sources.size(); ++i) {
        if (splits.of(i).empty()) {
            continue;
        }
        const bool as_float = is_as_float(forest, sources[i]);
        kernels::ForestFeature &feature = ranked.features[i];
        feature = FeatureRanks(splits.set_ranges(), as_float, ranked).rank(splits.of(i));
        feature.source = sources[i].operand;
        feature.offset = sources[i].offset;
        feature.numbers = sources[i].cell_type == CellType::f32 ? kernels::ForestNumbers::f32
                          : as_float                            ? kernels::ForestNumbers::f64_as_f32
                                                                : kernels::ForestNumbers::f64;
        ranked.features_of_columns.resize(ranked.columns.size(), i);
    }
    ranked.sets.resize(ranked.sets.size() + kernels::forest_set_padding);
    return ranked;
}

}  // namespace tenrex::program
