// A query as Python sees it.
#pragma once

#include <memory>

#include <tenrex/plan.h>

#include "python/core/plan.h"

namespace tenrex::python {

struct BoundQuery {
    BoundQuery(std::shared_ptr<SharedPlan> of, Query bound) : plan(std::move(of)), query(std::move(bound)) {}

    std::shared_ptr<SharedPlan> plan;
    Query query;
};

}  // namespace tenrex::python
