// Numbers, texts, lists and dicts of Python as cells: what needs neither numpy nor code of Python.
//
// A call for one document takes half a microsecond with arrays. The package's Python, which takes values of all kinds,
// needs twenty or more for each column. So what is plain is read here; what is not, or is wrong, is left to it.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "python/core/plan.h"
#include "python/core/sparse_cells.h"

namespace tenrex::python {

// A number or a text; for an input of texts the number that stands for one.
std::optional<double> plain_number(PyObject *value, bool is_string);

// Cells of a value without labels, and how many documents it has an axis of.
struct DenseCells {
    std::vector<std::byte> cells;
    std::optional<std::size_t> documents;
};

// Of lists and tuples, one in the other, with numbers or packed arrays. Missing are numbers, and rows of an axis of
// documents, that are None.
std::optional<DenseCells> plain_dense_cells(const InputPort &port, PyObject *value);

// Of a dict, or of a list or tuple of dicts and None. Null if it is not as plain as that.
std::shared_ptr<SparseCells> plain_sparse_cells(const InputPort &port, const std::shared_ptr<LabelTable> &table,
                                                PyObject *value);

}  // namespace tenrex::python
