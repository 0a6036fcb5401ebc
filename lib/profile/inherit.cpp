#include "lib/profile/inherit.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "lib/support/format.h"

namespace tenrex::profile {

namespace {

class Inheritance {
public:
    Inheritance(const FileText &file, const Limits &limits, Findings &findings) : limits_(limits), findings_(findings) {
        for (const ProfileText &profile : file.profiles) {
            by_name_.emplace(profile.name.text, &profile);
        }
    }

    std::optional<WholeProfile> run(const ProfileText &profile) {
        // Parents first, without recursion: a file may nest profiles as deep as it likes.
        std::vector<std::pair<const ProfileText *, std::size_t>> path{{&profile, 0}};
        while (!path.empty()) {
            auto &[at, seen] = path.back();
            if (seen == at->parents.size()) {
                add_profile(*at);
                path.pop_back();
                continue;
            }
            const ProfileText *parent = by_name_.at(at->parents[seen++].text);
            if (whole_.contains(parent)) {
                continue;
            }
            if (path.size() == limits_.nesting) {
                findings_.error(profile.name.span,
                                fmt::format("the profile inherits more than {} levels deep", limits_.nesting),
                                "the limit is called nesting");
                return std::nullopt;
            }
            path.emplace_back(parent, 0);
        }
        return std::move(whole_.at(&profile));
    }

private:
    const WholeProfile &parent(const Word &name) { return whole_.at(by_name_.at(name.text)); }

    void conflict(const ProfileText &profile, std::string_view what) {
        findings_.error(profile.name.span,
                        fmt::format("rank-profile '{}' inherits {} from more than one parent, and they differ",
                                    profile.name.text, what),
                        "define it in this profile, too");
    }

    // Takes over what the parents have and the profile itself has not.
    template <class Text>
    void add_named(const ProfileText &profile, std::string_view what, Named<Text> WholeProfile::*member,
                   const std::vector<Text> &own, WholeProfile &whole) {
        Named<Text> &all = whole.*member;
        Named<Text> overriding;
        for (const Text &text : own) {
            overriding.set(text);
        }
        for (const Word &name : profile.parents) {
            for (const Text *text : (parent(name).*member).items()) {
                const Text *other = all.find(text->name.text);
                if (other != nullptr && other != text && overriding.find(text->name.text) == nullptr) {
                    conflict(profile, fmt::format("the {} '{}'", what, text->name.text));
                }
                all.set(*text);
            }
        }
        for (const Text &text : own) {
            all.set(text);
        }
    }

    void add_setting(const ProfileText &profile, bool is_own, std::size_t number, std::string_view what,
                     const PhaseText *WholePhase::*member, WholeProfile &whole) {
        const PhaseText *&setting = whole.phases[number].*member;
        if (is_own) {
            setting = &profile.phases[number];
            return;
        }
        for (const Word &name : profile.parents) {
            const PhaseText *other = parent(name).phases[number].*member;
            if (setting != nullptr && other != nullptr && setting != other) {
                conflict(profile, fmt::format("the {} of {}", what, phase_names[number]));
            }
            setting = other != nullptr ? other : setting;
        }
    }

    void add_features(const ProfileText &profile, std::string_view what, WholeFeatures WholeProfile::*member,
                      const FeatureList &own, WholeProfile &whole) {
        WholeFeatures &all = whole.*member;
        if (!own.given) {
            for (const Word &name : profile.parents) {
                const WholeFeatures &other = parent(name).*member;
                if (all.list != nullptr && other.list != nullptr && all.list != other.list) {
                    conflict(profile, what);
                }
                all = other.list != nullptr ? other : all;
            }
            return;
        }
        all.list = &own;
        std::unordered_set<std::string_view> names;
        const auto add = [&](const FeatureText &feature) {
            if (names.insert(feature.name.text).second) {
                all.features.push_back(&feature);
            }
        };
        for (const Word &name : own.inherits) {
            const auto found = whole_.find(by_name_.at(name.text));
            if (found == whole_.end()) {
                findings_.error(name.span,
                                fmt::format("'{}' is no parent of rank-profile '{}'", name.text, profile.name.text));
                continue;
            }
            for (const FeatureText *feature : (found->second.*member).features) {
                add(*feature);
            }
        }
        for (const FeatureText &feature : own.features) {
            add(feature);
        }
    }

    void add_profile(const ProfileText &profile) {
        WholeProfile whole;
        whole.text = &profile;
        add_named(profile, "function", &WholeProfile::functions, profile.functions, whole);
        add_named(profile, "input", &WholeProfile::inputs, profile.inputs, whole);
        add_named(profile, "constant", &WholeProfile::constants, profile.constants, whole);
        add_named(profile, "property", &WholeProfile::properties, profile.properties, whole);
        for (std::size_t number = 0; number < phase_count; ++number) {
            const PhaseText &own = profile.phases[number];
            add_setting(profile, own.expression.has_value(), number, "expression", &WholePhase::expression, whole);
            add_setting(profile, own.rerank_count.has_value(), number, "rerank-count", &WholePhase::rerank_count,
                        whole);
            add_setting(profile, own.drop_limit.has_value(), number, "rank-score-drop-limit", &WholePhase::drop_limit,
                        whole);
        }
        add_features(profile, "match-features", &WholeProfile::match_features, profile.match_features, whole);
        add_features(profile, "summary-features", &WholeProfile::summary_features, profile.summary_features, whole);
        whole_.emplace(&profile, std::move(whole));
    }

    const Limits &limits_;
    Findings &findings_;
    std::unordered_map<std::string_view, const ProfileText *> by_name_;
    std::unordered_map<const ProfileText *, WholeProfile> whole_;
};

}  // namespace

std::optional<WholeProfile> inherit(const FileText &file, const ProfileText &profile, const Limits &limits,
                                    Findings &findings) {
    return Inheritance(file, limits, findings).run(profile);
}

}  // namespace tenrex::profile
