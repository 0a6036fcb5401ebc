// What a profile consists of together with what it inherits.
#pragma once

#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "lib/profile/profile_text.h"
#include "lib/profile/sources.h"

namespace tenrex::profile {

// Declarations by name, in the order in which they were met first, parents before children.
template <class Text>
class Named {
public:
    const Text *find(std::string_view name) const noexcept {
        const auto found = index_.find(name);
        return found == index_.end() ? nullptr : items_[found->second];
    }
    // Replaces the one of that name.
    void set(const Text &item) {
        const auto [found, is_new] = index_.try_emplace(item.name.text, items_.size());
        if (is_new) {
            items_.push_back(&item);
        } else {
            items_[found->second] = &item;
        }
    }
    const std::vector<const Text *> &items() const noexcept { return items_; }

private:
    std::vector<const Text *> items_;
    std::unordered_map<std::string_view, std::size_t> index_;
};

struct WholePhase {
    const PhaseText *expression = nullptr;  // the phases that have these settings
    const PhaseText *rerank_count = nullptr;
    const PhaseText *drop_limit = nullptr;
};

struct WholeFeatures {
    const FeatureList *list = nullptr;          // the one that counts
    std::vector<const FeatureText *> features;  // what it says and inherits, each name once
};

struct WholeProfile {
    const ProfileText *text = nullptr;
    Named<FunctionText> functions;
    Named<InputText> inputs;
    Named<ConstantText> constants;
    Named<PropertyText> properties;
    Named<NetworkText> networks;
    WholePhase phases[phase_count];
    WholeFeatures match_features;
    WholeFeatures summary_features;
};

// The profiles of the file have been checked: parents exist and inherit without cycles. Parents that give a name two
// meanings are an error; definitions that say the same in different white space, comments or digits have one meaning.
// Nothing: the parents are too many.
std::optional<WholeProfile> inherit(const FileText &file, const ProfileText &profile, const Limits &limits,
                                    Findings &findings);

}  // namespace tenrex::profile
