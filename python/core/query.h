// A query as Python sees it.
#pragma once

#include <memory>
#include <vector>

#include <tenrex/plan.h>

#include "python/core/named_values.h"
#include "python/core/plan.h"

namespace tenrex::python {

struct BoundQuery {
    BoundQuery(std::shared_ptr<SharedPlan> of, Query bound, std::vector<NamedTensor> given)
        : plan(std::move(of)), query(std::move(bound)), values(std::move(given)) {}

    std::shared_ptr<SharedPlan> plan;
    Query query;
    std::vector<NamedTensor> values;  // that were bound
};

class DocumentColumns;

// Of prepared documents, tenrex.Documents, their columns; null of others.
DocumentColumns *prepared_columns(PyObject *documents);
// The scores of documents: prepared ones, a dict, or None; so many others of the named ones are no columns.
py::object scores_of(const BoundQuery &bound, PyObject *documents, const Keywords &named, std::size_t others,
                     const py::object &out);

// What tenrex.Query is made of: an object that is called (query_call.cpp).
void bind_query_calls(py::module_ &module);

}  // namespace tenrex::python
