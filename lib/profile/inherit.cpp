#include "lib/profile/inherit.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "lib/support/format.h"
#include "lib/syntax/printer.h"

namespace tenrex::profile {

namespace {

// ---- whether two definitions say the same

bool say_the_same(const ExpressionText &a, const ExpressionText &b) {
    return a.ast != nullptr && b.ast != nullptr && syntax::equal(a.ast->root(), b.ast->root());
}

bool say_the_same(const FunctionText &a, const FunctionText &b) {
    const auto same_name = [](const Word &x, const Word &y) { return x.text == y.text; };
    return std::equal(a.parameters.begin(), a.parameters.end(), b.parameters.begin(), b.parameters.end(), same_name) &&
           say_the_same(a.expression, b.expression);
}

// An input without a default has zeros, or no cells.
bool say_the_same(const InputText &a, const InputText &b) {
    const auto value = [](const InputText &input) {
        return input.value ? *input.value : TensorBuilder(input.type).build();
    };
    return a.type == b.type && ((!a.value && !b.value) || value(a) == value(b));
}

bool say_the_same(const ConstantText &a, const ConstantText &b) {
    return a.type == b.type && a.value == b.value && a.file.text == b.file.text;
}

bool say_the_same(const PropertyText &a, const PropertyText &b) {
    return a.value.text == b.value.text;
}

bool say_the_same(const NetworkText &a, const NetworkText &b) {
    const auto same_port = [](const NetworkPortText &x, const NetworkPortText &y) {
        return x.name.text == y.name.text && x.value.text == y.value.text;
    };
    return a.file.text == b.file.text &&
           std::equal(a.inputs.begin(), a.inputs.end(), b.inputs.begin(), b.inputs.end(), same_port) &&
           std::equal(a.outputs.begin(), a.outputs.end(), b.outputs.begin(), b.outputs.end(), same_port);
}

bool say_the_same(std::uint64_t a, std::uint64_t b) {
    return a == b;
}

bool say_the_same(double a, double b) {
    return a == b;
}

bool say_the_same(const WholeFeatures &a, const WholeFeatures &b) {
    const auto same_feature = [](const FeatureText *x, const FeatureText *y) { return x->name.text == y->name.text; };
    return std::equal(a.features.begin(), a.features.end(), b.features.begin(), b.features.end(), same_feature);
}

class Inheritance {
public:
    Inheritance(const FileText &file, const Limits &limits, Findings &findings) : limits_(limits), findings_(findings) {
        for (const ProfileText &profile : file.profiles) {
            by_name_.emplace(profile.name.text, &profile);
        }
    }

    std::optional<WholeProfile> run(const ProfileText &profile) {
        if (!find_ancestors(profile)) {
            return std::nullopt;
        }
        for (const ProfileText *one : ancestors_) {
            add_profile(*one);
        }
        WholeProfile whole = std::move(whole_.at(&profile));
        resolve(whole.match_features, &WholeProfile::match_features);
        resolve(whole.summary_features, &WholeProfile::summary_features);
        return whole;
    }

private:
    const ProfileText &named(const Word &name) const { return *by_name_.at(name.text); }
    const WholeProfile &parent(const Word &name) const { return whole_.at(&named(name)); }

    // All that the profile inherits from and itself, parents first, and how many children each has among them. Without
    // recursion: a file may nest profiles as deep as it likes.
    bool find_ancestors(const ProfileText &profile) {
        std::unordered_set<const ProfileText *> known{&profile};
        std::vector<std::pair<const ProfileText *, std::size_t>> path{{&profile, 0}};
        while (!path.empty()) {
            auto &[at, seen] = path.back();
            if (seen == at->parents.size()) {
                ancestors_.push_back(at);
                path.pop_back();
                continue;
            }
            const ProfileText *parent = &named(at->parents[seen++]);
            ++children_[parent];
            if (!known.insert(parent).second) {
                continue;
            }
            if (path.size() == limits_.nesting) {
                findings_.error(profile.name.span,
                                fmt::format("the profile inherits more than {} levels deep", limits_.nesting),
                                "the limit is called nesting");
                return false;
            }
            path.emplace_back(parent, 0);
        }
        return true;
    }

    void conflict(const ProfileText &profile, std::string_view what) {
        findings_.error(profile.name.span,
                        fmt::format("rank-profile '{}' inherits {} from more than one parent, and they differ",
                                    profile.name.text, what),
                        "define it in this profile, too");
    }

    // What the first parent is. An only child takes the declarations away from it, so that a chain of profiles costs no
    // more than what they declare; phases and features stay known of each.
    WholeProfile first_parent(const ProfileText &profile) {
        if (profile.parents.empty()) {
            return {};
        }
        const ProfileText *first = &named(profile.parents.front());
        WholeProfile &whole = whole_.at(first);
        if (children_.at(first) > 1) {
            return whole;
        }
        WholeProfile taken;
        taken.functions = std::move(whole.functions);
        taken.inputs = std::move(whole.inputs);
        taken.constants = std::move(whole.constants);
        taken.properties = std::move(whole.properties);
        taken.networks = std::move(whole.networks);
        std::copy(std::begin(whole.phases), std::end(whole.phases), std::begin(taken.phases));
        taken.match_features = whole.match_features;
        taken.summary_features = whole.summary_features;
        return taken;
    }

    // Takes over what the other parents have and the profile itself has not.
    template <class Text>
    void add_named(const ProfileText &profile, std::string_view what, Named<Text> WholeProfile::*member,
                   const std::vector<Text> &own, WholeProfile &whole) {
        Named<Text> &all = whole.*member;
        Named<Text> overriding;
        for (const Text &text : own) {
            overriding.set(text);
        }
        for (std::size_t i = 1; i < profile.parents.size(); ++i) {
            for (const Text *text : (parent(profile.parents[i]).*member).items()) {
                const Text *other = all.find(text->name.text);
                if (other == nullptr) {
                    all.set(*text);
                } else if (other != text && overriding.find(text->name.text) == nullptr &&
                           !say_the_same(*other, *text)) {
                    conflict(profile, fmt::format("the {} '{}'", what, text->name.text));
                }
            }
        }
        for (const Text &text : own) {
            all.set(text);
        }
    }

    template <class Value>
    void add_setting(const ProfileText &profile, std::size_t number, std::string_view what,
                     const PhaseText *WholePhase::*member, std::optional<Value> PhaseText::*value,
                     WholeProfile &whole) {
        const PhaseText *&setting = whole.phases[number].*member;
        if (profile.phases[number].*value) {
            setting = &profile.phases[number];
            return;
        }
        for (const Word &name : profile.parents) {
            const PhaseText *other = parent(name).phases[number].*member;
            if (setting == nullptr) {
                setting = other;
            } else if (other != nullptr && other != setting && !say_the_same(*(setting->*value), *(other->*value))) {
                conflict(profile, fmt::format("the {} of {}", what, phase_names[number]));
            }
        }
    }

    void add_features(const ProfileText &profile, std::string_view what, WholeFeatures WholeProfile::*member,
                      FeatureList ProfileText::*own, WholeProfile &whole) {
        const FeatureList *&list = (whole.*member).list;
        for (const Word &name : (profile.*own).inherits) {
            if (!whole_.contains(&named(name))) {
                findings_.error(name.span,
                                fmt::format("'{}' is no parent of rank-profile '{}'", name.text, profile.name.text));
            }
        }
        if ((profile.*own).given) {
            list = &(profile.*own);
            return;
        }
        for (const Word &name : profile.parents) {
            const FeatureList *other = (parent(name).*member).list;
            if (list == nullptr) {
                list = other;
            } else if (other != nullptr && other != list) {
                WholeFeatures one{list, {}};
                WholeFeatures two{other, {}};
                resolve(one, member);
                resolve(two, member);
                if (!say_the_same(one, two)) {
                    conflict(profile, what);
                }
            }
        }
    }

    // Fills in the features of the list: those that it inherits come first, and each name counts once. A list that is
    // met again adds nothing.
    void resolve(WholeFeatures &whole, WholeFeatures WholeProfile::*member) const {
        if (whole.list == nullptr) {
            return;
        }
        std::unordered_set<std::string_view> names;
        std::unordered_set<const FeatureList *> known{whole.list};
        std::vector<std::pair<const FeatureList *, std::size_t>> path{{whole.list, 0}};
        while (!path.empty()) {
            auto &[list, seen] = path.back();
            if (seen < list->inherits.size()) {
                const auto found = whole_.find(&named(list->inherits[seen++]));
                const FeatureList *next = found == whole_.end() ? nullptr : (found->second.*member).list;
                if (next != nullptr && known.insert(next).second) {
                    path.emplace_back(next, 0);
                }
                continue;
            }
            for (const FeatureText &feature : list->features) {
                if (names.insert(feature.name.text).second) {
                    whole.features.push_back(&feature);
                }
            }
            path.pop_back();
        }
    }

    void add_profile(const ProfileText &profile) {
        WholeProfile whole = first_parent(profile);
        whole.text = &profile;
        add_named(profile, "function", &WholeProfile::functions, profile.functions, whole);
        add_named(profile, "input", &WholeProfile::inputs, profile.inputs, whole);
        add_named(profile, "constant", &WholeProfile::constants, profile.constants, whole);
        add_named(profile, "property", &WholeProfile::properties, profile.properties, whole);
        add_named(profile, "model", &WholeProfile::networks, profile.networks, whole);
        for (std::size_t number = 0; number < phase_count; ++number) {
            add_setting(profile, number, "expression", &WholePhase::expression, &PhaseText::expression, whole);
            add_setting(profile, number, "rerank-count", &WholePhase::rerank_count, &PhaseText::rerank_count, whole);
            add_setting(profile, number, "rank-score-drop-limit", &WholePhase::drop_limit, &PhaseText::drop_limit,
                        whole);
        }
        add_features(profile, "match-features", &WholeProfile::match_features, &ProfileText::match_features, whole);
        add_features(profile, "summary-features", &WholeProfile::summary_features, &ProfileText::summary_features,
                     whole);
        whole_.emplace(&profile, std::move(whole));
    }

    const Limits &limits_;
    Findings &findings_;
    std::unordered_map<std::string_view, const ProfileText *> by_name_;
    std::vector<const ProfileText *> ancestors_;
    std::unordered_map<const ProfileText *, std::size_t> children_;
    std::unordered_map<const ProfileText *, WholeProfile> whole_;
};

}  // namespace

std::optional<WholeProfile> inherit(const FileText &file, const ProfileText &profile, const Limits &limits,
                                    Findings &findings) {
    return Inheritance(file, limits, findings).run(profile);
}

}  // namespace tenrex::profile
