#include "lib/forest/xgboost_objective.h"

#include <cmath>

namespace tenrex::forest {

namespace {

constexpr XgboostObjective xgboost_objectives[] = {
    {"reg:squarederror", Link::identity, BaseScore::margin},
    {"reg:linear", Link::identity, BaseScore::margin},
    {"reg:squaredlogerror", Link::identity, BaseScore::margin},
    {"reg:pseudohubererror", Link::identity, BaseScore::margin},
    {"reg:absoluteerror", Link::identity, BaseScore::margin},
    {"reg:quantileerror", Link::identity, BaseScore::margin},
    {"reg:expectileerror", Link::identity, BaseScore::margin},
    {"reg:logistic", Link::clamped_sigmoid, BaseScore::probability},
    {"binary:logistic", Link::clamped_sigmoid, BaseScore::probability},
    {"binary:logitraw", Link::identity, BaseScore::margin},
    {"binary:hinge", Link::step, BaseScore::margin},
    {"reg:gamma", Link::exp, BaseScore::mean},
    {"reg:tweedie", Link::exp, BaseScore::mean},
    {"count:poisson", Link::exp, BaseScore::mean},
    {"survival:cox", Link::exp, BaseScore::mean},
    {"survival:aft", Link::exp, BaseScore::mean},
    {"multi:softmax", Link::index_of_largest, BaseScore::margin},
    {"multi:softprob", Link::softmax, BaseScore::margin},
    {"rank:pairwise", Link::identity, BaseScore::margin},
    {"rank:ndcg", Link::identity, BaseScore::margin},
    {"rank:map", Link::identity, BaseScore::margin},
};

}  // namespace

float margin_of(BaseScore meaning, float base_score) noexcept {
    switch (meaning) {
        case BaseScore::margin:
            return base_score;
        case BaseScore::probability:
            return -std::log(1.0F / base_score - 1.0F);
        case BaseScore::mean:
            return std::log(base_score);
    }
    __builtin_unreachable();
}

const XgboostObjective *find_xgboost_objective(std::string_view name) noexcept {
    for (const XgboostObjective &objective : xgboost_objectives) {
        if (objective.name == name) {
            return &objective;
        }
    }
    return nullptr;
}

}  // namespace tenrex::forest
