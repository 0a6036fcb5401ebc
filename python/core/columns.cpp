#include "python/core/columns.h"

#include <algorithm>
#include <new>
#include <type_traits>

#include "python/core/plain_values.h"

namespace tenrex::python {

DocumentColumns::DocumentColumns(std::shared_ptr<SharedPlan> plan, NamedValues given) : plan_(std::move(plan)) {
    const std::size_t count = plan_->document_inputs.size();
    held_.resize(count);
    columns_.resize(count);
    for (; taken_ < count; ++taken_) {
        if (given.looks_into_dict()) {
            hold();  // keys may compare by code of Python
        }
        PyObject *value = given.find(plan_->document_inputs[taken_]);
        if (value == nullptr) {
            given.require_all_known(plan_->document_inputs, plan_->declared);
            raise_missing(plan_->document_inputs[taken_], "query");
        }
        take(taken_, value);
    }
    if (!given.all_used()) {
        hold();
        given.require_all_known(plan_->document_inputs, plan_->declared);
    }
    for (std::size_t i = 0; i < count; ++i) {
        if (held_[i].sparse && held_[i].sparse->single() && documents_.value_or(1) != 1) {
            raise("'" + from_python(plan_->document_inputs[i].name) + "' is one value for all documents",
                  "repeat it: [value] * " + std::to_string(*documents_));
        }
    }
}

// It is made where it belongs: a copy of what was written just now would wait for that.
void DocumentColumns::set_dense(std::size_t index, const void *cells, std::ptrdiff_t stride) noexcept {
    static_assert(std::is_trivially_destructible_v<Column>);
    ::new (static_cast<void *>(&columns_[index])) Column(Column::dense(cells, stride));
}

void DocumentColumns::set_documents(std::size_t index, std::size_t documents) {
    if (!documents_) {
        documents_ = documents;
        counted_by_ = index;
    } else if (*documents_ != documents) {
        raise("'" + from_python(plan_->document_inputs[index].name) + "' has " + std::to_string(documents) +
                  " documents, '" + from_python(plan_->document_inputs[counted_by_].name) + "' has " +
                  std::to_string(*documents_),
              "all columns have one length; a value without an axis of documents holds for all of them");
    }
}

void DocumentColumns::hold() {
    for (; unheld_ < taken_; ++unheld_) {
        held_[unheld_].view.hold();
    }
}

bool DocumentColumns::look_at_array(std::size_t index, PyObject *value) {
    const InputPort &port = plan_->document_inputs[index];
    return !port.declaration->type.has_mapped() && !port.raw_only && held_[index].view.look(value) && take_view(index);
}

bool DocumentColumns::take_array(std::size_t index, PyObject *array, bool is_raw) {
    const InputPort &port = plan_->document_inputs[index];
    return !port.declaration->type.has_mapped() && (is_raw || !port.raw_only) && held_[index].view.borrow(array) &&
           take_view(index);
}

// The column of what the view shows; false if it does not look as the input needs it.
bool DocumentColumns::take_view(std::size_t index) {
    const InputPort &port = plan_->document_inputs[index];
    ArrayView &view = held_[index].view;
    const std::size_t own = port.shape.size();
    const std::size_t axes = view.shape().size() - own;  // very many if there are fewer than its own
    if (view.format() != port.format || axes > 1 || !std::ranges::equal(port.shape, view.shape().subspan(axes)) ||
        !view.is_packed(port.cell_bytes, axes)) {
        view.release();
        return false;
    }
    if (axes == 0) {
        set_dense(index, view.data(), 0);
        return true;
    }
    const py::ssize_t documents = view.shape().front();
    set_dense(index, view.data(), documents > 1 ? view.strides().front() : port.block_bytes);
    set_documents(index, static_cast<std::size_t>(documents));
    return true;
}

void DocumentColumns::take_number(std::size_t index, double number) {
    held_[index].number = number;
    set_dense(index, &held_[index].number, 0);
}

void DocumentColumns::take_sparse(std::size_t index, std::shared_ptr<SparseCells> cells) {
    columns_[index] = cells->column();
    if (!cells->single()) {
        set_documents(index, cells->documents());
    }
    held_[index].sparse = std::move(cells);
}

bool DocumentColumns::take_plain(std::size_t index, PyObject *value) {
    const InputPort &port = plan_->document_inputs[index];
    if (port.declaration->type.has_mapped()) {
        std::shared_ptr<SparseCells> cells = plain_sparse_cells(port, plan_->plan.labels(), value);
        if (cells == nullptr) {
            return false;
        }
        take_sparse(index, std::move(cells));
        return true;
    }
    if (port.declaration->type.is_scalar()) {
        if (const std::optional<double> number = plain_number(value, port.is_string)) {
            take_number(index, *number);
            return true;
        }
    }
    std::optional<DenseCells> cells = plain_dense_cells(port, value);
    if (!cells) {
        return false;
    }
    if (cells->documents) {
        set_documents(index, *cells->documents);
    }
    held_[index].cells = std::move(cells->cells);
    set_dense(index, held_[index].cells.data(), cells->documents ? port.block_bytes : 0);
    return true;
}

void DocumentColumns::take(std::size_t index, PyObject *value) {
    if (look_at_array(index, value)) {
        return;
    }
    hold();
    const InputPort &port = plan_->document_inputs[index];
    py::object prepared = py::reinterpret_borrow<py::object>(value);
    if ((is_plain_array(value) && take_array(index, value, false)) || take_plain(index, value)) {
        return;
    }
    if (!py::isinstance<SparseCells>(prepared)) {
        prepared = package("_columns", "prepare")(port.name, port.type, plan_->plan.labels(), prepared, port.is_string);
    }
    if (port.declaration->type.is_scalar() && PyFloat_CheckExact(prepared.ptr())) {
        take_number(index, PyFloat_AS_DOUBLE(prepared.ptr()));
    } else if (py::isinstance<SparseCells>(prepared)) {
        auto sparse = prepared.cast<std::shared_ptr<SparseCells>>();
        if (!(sparse->type() == port.declaration->type) || sparse->holder()->table() != plan_->plan.labels()) {
            raise("the sparse values for '" + from_python(port.name) + "' were made for another plan or type");
        }
        take_sparse(index, std::move(sparse));
    } else {
        const bool is_raw = py::isinstance<RawCells>(prepared);
        if (!take_array(index, is_raw ? prepared.cast<RawCells &>().array.ptr() : prepared.ptr(), is_raw)) {
            raise("the value for '" + from_python(port.name) + "' cannot be read as " +
                  port.declaration->type.to_string());
        }
    }
}

bool DocumentColumns::overlap(const void *begin, const void *end) const noexcept {
    return std::ranges::any_of(held_, [&](const Held &held) { return held.view.overlaps(begin, end); });
}

}  // namespace tenrex::python
