#include "lib/forest/lightgbm_objective.h"

#include <algorithm>

#include "lib/support/format.h"
#include "lib/types/number.h"
#include "lib/types/quoted_text.h"

namespace tenrex::forest {

namespace {

struct Objective {
    std::string_view name;
    Link link;
};
constexpr Objective lightgbm_objectives[] = {
    {"", Link::identity},
    {"custom", Link::identity},
    {"none", Link::identity},
    {"null", Link::identity},
    {"regression", Link::identity},
    {"regression_l1", Link::identity},
    {"huber", Link::identity},
    {"fair", Link::identity},
    {"quantile", Link::identity},
    {"mape", Link::identity},
    {"poisson", Link::exp},
    {"gamma", Link::exp},
    {"tweedie", Link::exp},
    {"binary", Link::sigmoid},
    {"multiclass", Link::softmax},
    {"multiclassova", Link::sigmoid},
    {"cross_entropy", Link::sigmoid},
    {"cross_entropy_lambda", Link::log_of_one_plus_exp},
    {"lambdarank", Link::identity},
    {"rank_xendcg", Link::identity},
};

// The next word, which is taken away from the text.
std::string_view take_word(std::string_view &text) noexcept {
    const std::size_t begin = std::min(text.find_first_not_of(' '), text.size());
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    const std::string_view word = text.substr(begin, end - begin);
    text.remove_prefix(end);
    return word;
}

}  // namespace

Result<Transform> lightgbm_transform(std::string_view objective) {
    std::string_view rest = objective;
    const std::string_view name = take_word(rest);
    Transform transform;
    const Objective *known = nullptr;
    for (const Objective &candidate : lightgbm_objectives) {
        known = candidate.name == name ? &candidate : known;
    }
    if (known == nullptr) {
        return Error(fmt::format("the objective '{}' is not known", clipped(name)),
                     "if the raw scores are wanted, write 'objective=custom' in its place");
    }
    transform.link = known->link;
    for (std::string_view word = take_word(rest); !word.empty(); word = take_word(rest)) {
        constexpr std::string_view sigmoid = "sigmoid:";
        if (word == "sqrt" && transform.link == Link::identity) {
            transform.link = Link::signed_square;
        } else if (word.starts_with(sigmoid)) {
            const NumberText number = read_number(word.substr(sigmoid.size()));
            if (number.length == 0 || number.length + sigmoid.size() != word.size()) {
                return Error(fmt::format("'{}' has no number", clipped(word)));
            }
            // Rankers have the parameter, too, but it does not change what they predict.
            transform.scale = transform.link == Link::sigmoid ? number.value : 1;
        }
    }
    return transform;
}

}  // namespace tenrex::forest
