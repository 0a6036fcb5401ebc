// What the two formats of LightGBM share: the meaning of a split, and the labels of categories.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "lib/forest/document.h"
#include "lib/forest/model_builder.h"

namespace tenrex::forest {

Result<Model> read_lightgbm_text(std::string_view source);
// What Booster.dump_model gives, as JSON.
Result<Model> read_lightgbm_dump(const Document &document);

struct LightGbmSplit {
    static constexpr std::uint32_t categorical = 1;
    static constexpr std::uint32_t default_left = 2;
    static constexpr std::uint32_t missing_shift = 2;
    static constexpr std::uint32_t missing_mask = 3;
    enum Missing : std::uint32_t { none, zero, nan };

    std::uint32_t feature = 0;
    double threshold = 0;
    std::uint32_t decision = 0;  // the bits above
    std::int32_t left = 0;       // of the forest
    std::int32_t right = 0;
};

Split numerical_split(const LightGbmSplit &split) noexcept;
// members: the categories that go left, ascending.
void add_categorical_split(ModelBuilder &builder, const LightGbmSplit &split, std::vector<double> members);

// Gives the categorical features, in their order, the labels of a list of lists in JSON. `text` is a part of `source`.
std::optional<Error> add_pandas_categories(Model &model, std::string_view source, std::string_view text);
std::optional<Error> add_pandas_categories(Model &model, const Document &document, Document::Id lists);

}  // namespace tenrex::forest
