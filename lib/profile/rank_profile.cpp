#include <algorithm>

#include <tenrex/rank_profile.h>

#include "lib/profile/profile_content.h"
#include "lib/runtime/guarded.h"
#include "lib/sema/random.h"
#include "lib/sema/symbol_name.h"
#include "lib/support/diagnostics.h"
#include "lib/support/format.h"
#include "lib/types/derived_type.h"

namespace tenrex {

double random_number(std::uint64_t seed, std::uint64_t document, std::string_view name) noexcept {
    return sema::random_number(seed, document, name);
}

const std::string &RankProfile::name() const noexcept {
    return content_->name;
}
const std::vector<ProfileInput> &RankProfile::inputs() const noexcept {
    return content_->inputs;
}
const RankPhase &RankProfile::first_phase() const noexcept {
    return content_->first;
}
const RankPhase &RankProfile::second_phase() const noexcept {
    return content_->second;
}
const GlobalPhase &RankProfile::global_phase() const noexcept {
    return content_->global;
}
const FeatureOutputs &RankProfile::features() const noexcept {
    return content_->features;
}
const std::vector<ColumnNeed> &RankProfile::columns() const noexcept {
    return content_->columns;
}
const std::vector<Attribute> &RankProfile::attributes() const noexcept {
    return content_->attributes;
}
const std::vector<FeatureProperty> &RankProfile::feature_properties() const noexcept {
    return content_->feature_properties;
}
const std::shared_ptr<LabelTable> &RankProfile::labels() const noexcept {
    return content_->labels;
}
const std::vector<Issue> &RankProfile::warnings() const noexcept {
    return content_->warnings;
}

Result<std::vector<NamedTensor>> RankProfile::query_values(const std::vector<NamedTensor> &given, double now) const {
    return guarded([&]() -> Result<std::vector<NamedTensor>> {
        std::vector<NamedTensor> values;
        const auto find = [](const auto &list, std::string_view name) {
            return std::find_if(list.begin(), list.end(), [&](const auto &one) { return one.first == name; });
        };
        for (const auto &[written, value] : given) {
            std::string name = sema::normal_name(written);
            const auto named = [&](const ProfileInput &input) { return input.name == name; };
            auto input = std::find_if(content_->inputs.begin(), content_->inputs.end(), named);
            if (input == content_->inputs.end()) {
                name = fmt::format("query({})", name);
                input = std::find_if(content_->inputs.begin(), content_->inputs.end(), named);
            }
            if (input == content_->inputs.end()) {
                std::vector<std::string_view> candidates;
                for (const ProfileInput &one : content_->inputs) {
                    candidates.push_back(one.name);
                }
                std::string_view near = nearest(sema::normal_name(written), candidates);
                near = near.empty() ? nearest(name, candidates) : near;
                return Error(fmt::format("the profile '{}' has no input '{}'", content_->name, written),
                             !near.empty() ? fmt::format("did you mean '{}'?", near)
                                           : fmt::format("its inputs are: {}", fmt::join(candidates, ", ")));
            }
            if (!value.type().fits(input->type)) {
                return Error(fmt::format("the value of {} has type {}, not {}", name, value.type().to_string(),
                                         input->type.to_string()));
            }
            if (find(values, name) == values.end()) {
                values.emplace_back(name, value);
            }
        }
        for (const ProfileInput &input : content_->inputs) {
            if (find(values, input.name) == values.end()) {
                values.emplace_back(input.name, input.default_value ? *input.default_value
                                                                    : TensorBuilder(smallest_type(input.type)).build());
            }
        }
        values.emplace_back("now", Tensor(now));
        return values;
    });
}

}  // namespace tenrex
