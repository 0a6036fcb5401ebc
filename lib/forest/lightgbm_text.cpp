// Models that LightGBM saves: lines of "key=value", a part for each tree.
#include <algorithm>
#include <charconv>
#include <cstring>
#include <map>
#include <span>

#include "lib/forest/check_forest.h"
#include "lib/forest/lightgbm.h"
#include "lib/forest/lightgbm_objective.h"
#include "lib/forest/model_builder.h"
#include "lib/support/format.h"
#include "lib/types/number.h"
#include "lib/types/quoted_text.h"

namespace tenrex::forest {

namespace {

// A failure within the file, which the reader ends with.
struct Broken {
    Error error;
};

class LightGbmText {
public:
    explicit LightGbmText(std::string_view source) : source_(source) {}

    Result<Model> run() {
        try {
            header();
            while (!ended_) {
                tree();
            }
            tail();
        } catch (const Broken &broken) {
            return broken.error;
        }
        builder_.model.format = "LightGBM text";
        return std::move(builder_).finish();
    }

private:
    using Lines = std::map<std::string_view, std::string_view>;

    [[noreturn]] void fail(std::string_view where, std::string message, std::string hint = {}) const {
        const auto begin = static_cast<std::size_t>(where.data() - source_.data());
        throw Broken{
            error_at(source_, FileKind::text, begin, begin + where.size(), std::move(message), std::move(hint))};
    }

    [[noreturn]] void fail_at_end() const {
        fail(source_.substr(source_.size()), "the file ends before 'end of trees'",
             "the file is cut off: copy it again");
    }

    // The next line without its end; nothing at the end of the file.
    std::optional<std::string_view> next_line() noexcept {
        if (at_ >= source_.size()) {
            return std::nullopt;
        }
        const std::size_t end = std::min(source_.find('\n', at_), source_.size());
        std::string_view line = source_.substr(at_, end - at_);
        at_ = std::min(end + 1, source_.size());
        if (line.ends_with('\r')) {
            line.remove_suffix(1);
        }
        return line;
    }

    // Lines of "key=value" up to an empty one, or up to the first one of a tree or the end of trees.
    void read_part(Lines &lines) {
        lines.clear();
        for (;;) {
            const std::size_t begin = at_;
            const auto line = next_line();
            if (!line) {
                fail_at_end();
            }
            if (line->empty() && !lines.empty()) {
                return;
            }
            if (line->starts_with("Tree=") || *line == "end of trees") {
                at_ = begin;
                return;
            }
            const std::size_t sign = std::min(line->find('='), line->size());
            lines[line->substr(0, sign)] = sign < line->size() ? line->substr(sign + 1) : line->substr(sign);
        }
    }

    std::string_view value_of(const Lines &lines, std::string_view key, std::string_view part) const {
        const auto found = lines.find(key);
        if (found == lines.end()) {
            fail(part, fmt::format("the line '{}=' is missing", key), "the file is damaged, or of another version");
        }
        return found->second;
    }

    template <class T>
    std::vector<T> numbers(std::string_view text) const {
        std::vector<T> values;
        const char *at = text.data();
        const char *const end = at + text.size();
        for (;;) {
            while (at != end && *at == ' ') {
                ++at;
            }
            if (at == end) {
                return values;
            }
            const char *behind = at;
            T value{};
            if constexpr (std::is_floating_point_v<T>) {
                const NumberText number = read_number({at, static_cast<std::size_t>(end - at)});
                value = number.value;
                behind += number.length;
            } else {
                const auto read = std::from_chars(at, end, value);
                behind = read.ec == std::errc() ? read.ptr : at;
            }
            if (behind == at || (behind != end && *behind != ' ')) {
                const auto *const space =
                    static_cast<const char *>(std::memchr(at, ' ', static_cast<std::size_t>(end - at)));
                const std::string_view word(at, static_cast<std::size_t>((space == nullptr ? end : space) - at));
                fail(word, fmt::format("'{}' is not a number that may stand here", clipped(word)));
            }
            values.push_back(value);
            at = behind;
        }
    }

    template <class T>
    T number(std::string_view text) const {
        const std::vector<T> values = numbers<T>(text);
        if (values.size() != 1) {
            fail(text, "one number is expected here");
        }
        return values.front();
    }

    // As many numbers as there are splits or leaves.
    template <class T>
    std::vector<T> list(const Lines &lines, std::string_view key, std::size_t count, std::string_view part) const {
        const std::string_view text = value_of(lines, key, part);
        std::vector<T> values = numbers<T>(text);
        if (values.size() != count) {
            fail(text, fmt::format("'{}' has {} numbers, but the tree needs {}", key, values.size(), count),
                 "the file is damaged");
        }
        return values;
    }

    void header() {
        const auto first = next_line();
        if (!first || *first != "tree") {
            fail(source_.substr(0, std::min<std::size_t>(source_.size(), 4)), "a model of LightGBM begins with 'tree'",
                 "save it with Booster.save_model");
        }
        Lines lines;
        while (source_.substr(at_, 5) != "Tree=" && !source_.substr(at_).starts_with("end of trees")) {
            Lines part;
            read_part(part);
            lines.merge(part);
        }
        const std::string_view top = *first;
        Forest &forest = builder_.model.forest;
        forest.outputs = number<std::uint32_t>(value_of(lines, "num_tree_per_iteration", top));
        if (forest.outputs == 0 || forest.outputs > most_outputs) {
            fail(lines["num_tree_per_iteration"],
                 fmt::format("from 1 to {} trees per iteration are possible", most_outputs));
        }
        forest.initial.assign(forest.outputs, 0.0);
        names(value_of(lines, "feature_names", top));
        if (const auto infos = lines.find("feature_infos"); infos != lines.end()) {
            feature_infos(infos->second);
        }
        const std::string_view objective = lines.contains("objective") ? lines["objective"] : top.substr(4);
        const auto transform = lightgbm_transform(objective);
        if (!transform) {
            fail(objective, transform.error().issues().front().message, transform.error().issues().front().hint);
        }
        builder_.model.objective = objective;
        builder_.model.transform = *transform;
        is_average_ = lines.contains("average_output");
    }

    void names(std::string_view text) {
        while (!text.empty()) {
            const std::size_t end = std::min(text.find(' '), text.size());
            FeatureInfo &feature = builder_.model.features.emplace_back();
            feature.name = text.substr(0, end);
            feature.has_name = true;
            text.remove_prefix(std::min(end + 1, text.size()));
        }
    }

    // "none", "[least:largest]", or the codes of a categorical feature: "3:0:1".
    void feature_infos(std::string_view text) {
        for (FeatureInfo &feature : builder_.model.features) {
            const std::size_t end = std::min(text.find(' '), text.size());
            const std::string_view info = text.substr(0, end);
            feature.is_categorical = !info.empty() && info != "none" && info.front() != '[';
            text.remove_prefix(std::min(end + 1, text.size()));
        }
    }

    void tree() {
        auto title = next_line();
        while (title && title->empty()) {
            title = next_line();
        }
        if (!title) {
            fail_at_end();
        }
        if (*title == "end of trees") {
            ended_ = true;
            return;
        }
        Lines lines;
        read_part(lines);
        Forest &forest = builder_.model.forest;
        const auto output = static_cast<std::uint32_t>(forest.trees.size() % forest.outputs);
        const auto leaves = number<std::uint32_t>(value_of(lines, "num_leaves", *title));
        if (leaves == 0 || leaves > most_parts) {
            fail(lines["num_leaves"], "a tree has at least one leaf");
        }
        const std::int32_t first_split = builder_.first_split();
        const std::int32_t first_leaf = builder_.first_leaf();
        forest.trees.push_back({leaves == 1 ? ~first_leaf : first_split, output});
        const std::vector<double> values = list<double>(lines, "leaf_value", leaves, *title);
        forest.leaves.insert(forest.leaves.end(), values.begin(), values.end());
        if (lines.contains("is_linear") && lines["is_linear"] == "1") {
            linear_leaves(lines, leaves, *title);
        }
        if (leaves > 1) {
            splits(lines, leaves, *title);
        }
        notes(lines, leaves, *title);
    }

    void linear_leaves(Lines &lines, std::uint32_t leaves, std::string_view part) {
        const std::vector<double> constants = list<double>(lines, "leaf_const", leaves, part);
        const std::vector<std::uint32_t> counts = list<std::uint32_t>(lines, "num_features", leaves, part);
        std::size_t total = 0;
        for (const std::uint32_t count : counts) {
            total += count;
        }
        const auto features = list<std::uint32_t>(lines, "leaf_features", total, part);
        const auto coefficients = list<double>(lines, "leaf_coeff", total, part);
        const auto first = static_cast<std::uint32_t>(builder_.first_leaf()) - leaves;
        std::size_t next = 0;
        for (std::uint32_t leaf = 0; leaf < leaves; ++leaf) {
            LinearLeaf &linear = builder_.model.forest.linear_leaves.emplace_back();
            linear.leaf = first + leaf;
            linear.constant = constants[leaf];
            for (std::uint32_t term = 0; term < counts[leaf]; ++term, ++next) {
                linear.terms.push_back({features[next], coefficients[next]});
            }
        }
    }

    void splits(Lines &lines, std::uint32_t leaves, std::string_view part) {
        const std::size_t count = leaves - 1;
        const auto features = list<std::uint32_t>(lines, "split_feature", count, part);
        const auto thresholds = list<double>(lines, "threshold", count, part);
        const auto decisions = list<std::uint32_t>(lines, "decision_type", count, part);
        const auto left = list<std::int32_t>(lines, "left_child", count, part);
        const auto right = list<std::int32_t>(lines, "right_child", count, part);
        std::vector<std::uint32_t> boundaries;
        std::vector<std::uint32_t> words;
        if (lines.contains("cat_boundaries")) {
            boundaries = numbers<std::uint32_t>(lines["cat_boundaries"]);
            words = numbers<std::uint32_t>(value_of(lines, "cat_threshold", part));
        }
        const std::int32_t first_split = builder_.first_split();
        const std::int32_t first_leaf = builder_.first_leaf() - static_cast<std::int32_t>(leaves);
        const auto child = [&](std::int32_t number) {
            const auto place = static_cast<std::uint32_t>(number >= 0 ? number : ~number);
            if (place >= (number >= 0 ? count : count + 1)) {
                fail(value_of(lines, "left_child", part), fmt::format("the tree has no part {}", number),
                     "the file is damaged");
            }
            return number >= 0 ? number + first_split : ~(~number + first_leaf);
        };
        for (std::size_t i = 0; i < count; ++i) {
            if (features[i] >= builder_.model.features.size()) {
                fail(lines["split_feature"], fmt::format("there is no feature {}", features[i]), "the file is damaged");
            }
            LightGbmSplit split{features[i], thresholds[i], decisions[i], child(left[i]), child(right[i])};
            if ((split.decision & LightGbmSplit::categorical) == 0) {
                builder_.model.forest.splits.push_back(numerical_split(split));
                continue;
            }
            const double number = thresholds[i];
            if (!(number >= 0 && number + 1 < static_cast<double>(boundaries.size()))) {
                fail(lines["threshold"], fmt::format("the tree has no set {}", number), "the file is damaged");
            }
            const std::uint32_t begin = boundaries[static_cast<std::size_t>(number)];
            const std::uint32_t end = boundaries[static_cast<std::size_t>(number) + 1];
            if (begin > end || end > words.size()) {
                fail(lines["cat_boundaries"], "the sets go beyond 'cat_threshold'", "the file is damaged");
            }
            builder_.model.features[features[i]].is_categorical = true;
            add_categorical_split(builder_, split, bits(std::span(words).subspan(begin, end - begin)));
        }
    }

    static std::vector<double> bits(std::span<const std::uint32_t> words) {
        std::vector<double> members;
        for (std::size_t bit = 0; bit < words.size() * 32; ++bit) {
            if ((words[bit / 32] >> bit % 32 & 1U) != 0) {
                members.push_back(static_cast<double>(bit));
            }
        }
        return members;
    }

    // Trees of one leaf have none; old files lack the counts.
    void notes(Lines &lines, std::uint32_t leaves, std::string_view part) {
        TrainingNotes &notes = builder_.model.notes;
        const auto append = [&](std::vector<double> &all, std::string_view key, std::size_t count) {
            if (lines.contains(key)) {
                const std::vector<double> values = numbers<double>(lines[key]);
                if (values.size() == count) {
                    all.insert(all.end(), values.begin(), values.end());
                    return;
                }
                if (leaves > 1) {
                    list<double>(lines, key, count, part);
                }
            }
            all.resize(all.size() + count);
        };
        append(notes.gains, "split_gain", leaves - 1);
        append(notes.split_weights, "internal_count", leaves - 1);
        append(notes.leaf_weights, "leaf_count", leaves);
    }

    void tail() {
        Forest &forest = builder_.model.forest;
        if (is_average_ && !forest.trees.empty()) {
            builder_.model.transform.divisor =
                static_cast<double>(std::max<std::size_t>(1, forest.trees.size() / forest.outputs));
        }
        while (const auto line = next_line()) {
            constexpr std::string_view key = "pandas_categorical:";
            if (line->starts_with(key)) {
                if (auto error = add_pandas_categories(builder_.model, source_, line->substr(key.size()))) {
                    throw Broken{*std::move(error)};
                }
            }
        }
    }

    std::string_view source_;
    std::size_t at_ = 0;
    bool ended_ = false;
    bool is_average_ = false;
    ModelBuilder builder_;
};

}  // namespace

Result<Model> read_lightgbm_text(std::string_view source) {
    return LightGbmText(source).run();
}

}  // namespace tenrex::forest
