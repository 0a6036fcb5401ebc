// The columns of a block of documents, from arrays and numbers, with all that keeps them alive.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "python/core/array_view.h"
#include "python/core/named_values.h"
#include "python/core/plan.h"
#include "python/core/sparse_cells.h"

namespace tenrex::python {

// Marks an array whose cells are those of the input's type already, although their format does not say so: bfloat16.
struct RawCells {
    py::object array;
};

class DocumentColumns {
public:
    // Takes a value for each document input of the plan.
    DocumentColumns(std::shared_ptr<SharedPlan> plan, NamedValues given);

    const SharedPlan *plan() const noexcept { return plan_.get(); }
    // Nothing: no value has an axis of documents, so they are those of one.
    std::optional<std::size_t> documents() const noexcept { return documents_; }
    std::span<const Column> columns() const noexcept { return columns_; }
    // Whoever lets other code of Python run calls this first: until then nobody is kept from resizing arrays.
    void hold();
    // Whether a column reads memory of [begin, end).
    bool overlap(const void *begin, const void *end) const noexcept;

private:
    struct Held {
        Held() noexcept {}  // not "= default": a vector would write zeros over all of it first
        ArrayView view;
        std::shared_ptr<SparseCells> sparse;
        double number = 0;
        std::vector<std::byte> cells;  // of lists
    };
    void take(std::size_t index, PyObject *value);
    // An array as most are: no code of Python runs.
    bool look_at_array(std::size_t index, PyObject *value);
    // Lists, dicts, numbers and texts; false: the package's Python is needed.
    bool take_plain(std::size_t index, PyObject *value);
    void take_number(std::size_t index, double number);
    void take_sparse(std::size_t index, std::shared_ptr<SparseCells> cells);
    // False: the array does not look as the input needs it.
    bool take_array(std::size_t index, PyObject *array, bool is_raw);
    bool take_view(std::size_t index);
    void set_dense(std::size_t index, const void *cells, std::ptrdiff_t stride) noexcept;
    void set_documents(std::size_t index, std::size_t documents);

    std::shared_ptr<SharedPlan> plan_;
    std::optional<std::size_t> documents_;
    std::size_t counted_by_ = 0;  // the input that said how many
    std::size_t taken_ = 0;       // so many have their columns
    std::size_t unheld_ = 0;      // the first of them that may not be held yet
    std::vector<Held> held_;      // never moved: columns point into it
    std::vector<Column> columns_;
};

}  // namespace tenrex::python
