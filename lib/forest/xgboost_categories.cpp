#include "lib/forest/xgboost_categories.h"

#include "lib/forest/broken.h"
#include "lib/support/format.h"
#include "lib/types/number.h"

namespace tenrex::forest {

namespace {

using Id = Document::Id;

// The bytes of all labels one behind the other, and where each begins and ends.
std::vector<std::string> text_labels(const Document &document, Id offsets_at, Id values_at) {
    const std::vector<std::int32_t> offsets = get(document.integers(offsets_at));
    const std::vector<std::int32_t> bytes = get(document.integers(values_at));
    std::string all;
    for (const std::int32_t byte : bytes) {
        all += static_cast<char>(byte);
    }
    std::vector<std::string> labels;
    for (std::size_t i = 1; i < offsets.size(); ++i) {
        if (offsets[i - 1] < 0 || offsets[i] < offsets[i - 1] || static_cast<std::size_t>(offsets[i]) > all.size()) {
            throw Broken{document.error(offsets_at,
                                        fmt::format("label {} has no place among {} bytes", i - 1, all.size()),
                                        "the file is damaged")};
        }
        labels.push_back(all.substr(static_cast<std::size_t>(offsets[i - 1]),
                                    static_cast<std::size_t>(offsets[i] - offsets[i - 1])));
    }
    return labels;
}

std::vector<std::string> number_labels(const Document &document, Id values) {
    std::vector<std::string> labels;
    for (const double number : get(document.numbers(values))) {
        append_number(labels.emplace_back(), number);
    }
    return labels;
}

}  // namespace

void read_xgboost_categories(const Document &document, Id trees, Model &model) {
    const Id cats = document.find(trees, "cats");
    if (cats == Document::none) {
        return;
    }
    const Id features = get(document.member(cats, "enc"));
    std::size_t number = 0;
    for (Id feature = document.first(features); feature != Document::none; feature = document.next(feature), ++number) {
        const Id offsets = document.find(feature, "offsets");
        const Id values = get(document.member(feature, "values"));
        const std::vector<std::string> labels =
            offsets == Document::none ? number_labels(document, values) : text_labels(document, offsets, values);
        if (!labels.empty() && number >= model.features.size()) {
            throw Broken{document.error(
                feature, fmt::format("there are labels for feature {} of {}", number, model.features.size()),
                "the file is damaged")};
        }
        double code = 0;
        for (const std::string &label : labels) {
            model.features[number].categories.push_back({label, code++});
        }
    }
}

}  // namespace tenrex::forest
