#include "lib/forest/lightgbm.h"

#include <cmath>
#include <utility>

#include "lib/support/format.h"
#include "lib/types/number.h"

namespace tenrex::forest {

namespace {

// The trainer predicts for rows whose numbers from -1e-35 to 1e-35 have been made 0. The threshold that compares the
// same without that.
double threshold_of_rounded(double threshold) noexcept {
    constexpr double zero = 1e-35F;
    if (threshold >= 0 && threshold < zero) {
        return zero;
    }
    return threshold < 0 && threshold >= -zero ? std::nextafter(-zero, -1.0) : threshold;
}

}  // namespace

// Where nothing counts as missing, NaN is tested as 0. Where zero is missing, NaN is zero, too.
Split numerical_split(const LightGbmSplit &split) noexcept {
    const std::uint32_t missing = split.decision >> LightGbmSplit::missing_shift & LightGbmSplit::missing_mask;
    Split result;
    result.feature = split.feature;
    result.test = Test::less_equal;
    result.threshold = threshold_of_rounded(split.threshold);
    result.missing_passes =
        missing == LightGbmSplit::none ? 0 <= split.threshold : (split.decision & LightGbmSplit::default_left) != 0;
    result.zero_is_missing = missing == LightGbmSplit::zero;
    result.when_true = split.left;
    result.when_false = split.right;
    return result;
}

void add_categorical_split(ModelBuilder &builder, const LightGbmSplit &split, std::vector<double> members) {
    Split result;
    result.feature = split.feature;
    result.test = Test::in_set;
    result.set = builder.add_set({std::move(members), true});
    result.when_true = split.left;
    result.when_false = split.right;
    builder.model.forest.splits.push_back(result);
}

std::optional<Error> add_pandas_categories(Model &model, const Document &document, Document::Id lists) {
    using Kind = Document::Kind;
    if (document.kind(lists) != Kind::list) {
        return std::nullopt;  // null: there are none
    }
    auto feature = model.features.begin();
    for (Document::Id list = document.first(lists); list != Document::none; list = document.next(list)) {
        while (feature != model.features.end() && !feature->is_categorical) {
            ++feature;
        }
        if (feature == model.features.end()) {
            return document.error(list, "there are more lists of categories than categorical features",
                                  "the file is damaged");
        }
        double code = 0;
        if (document.kind(list) == Kind::numbers) {
            const Result<std::vector<double>> labels = document.numbers(list);
            if (!labels) {
                return labels.error();
            }
            for (const double label : *labels) {
                append_number(feature->categories.emplace_back().label, label);
                feature->categories.back().code = code++;
            }
        } else {
            for (Document::Id label = document.first(list); label != Document::none; label = document.next(label)) {
                Category &category = feature->categories.emplace_back();
                category.code = code++;
                if (document.kind(label) == Kind::text) {
                    category.label = *document.text(label);
                } else if (const Result<double> number = document.number(label)) {
                    append_number(category.label, *number);
                } else {
                    return number.error();
                }
            }
        }
        ++feature;
    }
    return std::nullopt;
}

std::optional<Error> add_pandas_categories(Model &model, std::string_view source, std::string_view text) {
    const Result<Document> document = Document::from_json(text);
    if (!document) {
        const auto begin = static_cast<std::size_t>(text.data() - source.data());
        const Issue &issue = document.error().issues().front();
        return error_at(source, FileKind::text, begin + issue.span.begin, begin + issue.span.end, issue.message,
                        issue.hint);
    }
    return add_pandas_categories(model, *document, document->root());
}

}  // namespace tenrex::forest
