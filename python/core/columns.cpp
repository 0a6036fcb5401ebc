#include "python/core/columns.h"

#include <algorithm>

namespace tenrex::python {

namespace {

// numpy.ndarray itself: subclasses, such as masked arrays, may mean more than their memory says.
PyTypeObject *array_type() {
    static PyObject *const type = py::object(py::module_::import("numpy").attr("ndarray")).release().ptr();
    return reinterpret_cast<PyTypeObject *>(type);
}

// Whether the cells of a document lie one after the other.
bool is_packed(const Py_buffer &view, py::ssize_t cell_bytes, int first_dimension) {
    py::ssize_t stride = cell_bytes;
    for (int i = view.ndim; i-- > first_dimension;) {
        if (view.shape[i] != 1 && view.strides[i] != stride) {
            return false;
        }
        stride *= view.shape[i];
    }
    return true;
}

}  // namespace

DocumentColumns::DocumentColumns(std::shared_ptr<SharedPlan> plan, NamedValues given) : plan_(std::move(plan)) {
    const std::size_t count = plan_->document_inputs.size();
    held_.resize(count);
    columns_.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
        PyObject *value = given.find(plan_->document_inputs[i]);
        if (value == nullptr) {
            given.require_all_known(plan_->document_inputs, plan_->declared);
            raise_missing(plan_->document_inputs[i], "query");
        }
        take(i, value);
    }
    given.require_all_known(plan_->document_inputs, plan_->declared);
    for (std::size_t i = 0; i < count; ++i) {
        if (held_[i].sparse && held_[i].sparse->single() && documents_.value_or(1) != 1) {
            raise("'" + from_python(plan_->document_inputs[i].name) + "' is one value for all documents",
                  "repeat it: [value] * " + std::to_string(*documents_));
        }
    }
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

bool DocumentColumns::take_array(std::size_t index, PyObject *array, bool is_raw) {
    const InputPort &port = plan_->document_inputs[index];
    Held &held = held_[index];
    if (port.declaration->type.has_mapped() || (port.raw_only && !is_raw) ||
        !held.view.borrow(array, PyBUF_RECORDS_RO)) {
        return false;
    }
    const Py_buffer &view = *held.view;
    const int own = static_cast<int>(port.shape.size());
    const int axes = view.ndim - own;
    if (view.format == nullptr || view.format[0] != port.format || view.format[1] != '\0' || axes < 0 || axes > 1 ||
        !std::equal(port.shape.begin(), port.shape.end(), view.shape + axes) ||
        !is_packed(view, port.cell_bytes, axes)) {
        held.view.release();
        return false;
    }
    if (axes == 0) {
        columns_[index] = Column::dense(view.buf, 0);
        return true;
    }
    columns_[index] = Column::dense(view.buf, view.shape[0] > 1 ? view.strides[0] : port.block_bytes);
    set_documents(index, static_cast<std::size_t>(view.shape[0]));
    return true;
}

void DocumentColumns::take(std::size_t index, PyObject *value) {
    const InputPort &port = plan_->document_inputs[index];
    Held &held = held_[index];
    if (Py_TYPE(value) == array_type() && take_array(index, value, false)) {
        return;
    }
    py::object prepared = py::reinterpret_borrow<py::object>(value);
    const bool is_number = port.declaration->type.is_scalar();
    if (!(is_number && PyFloat_CheckExact(value)) && !py::isinstance<SparseCells>(prepared)) {
        prepared = package("_columns", "prepare")(port.name, port.type, plan_->plan.labels(), prepared, port.is_string);
    }
    if (is_number && PyFloat_CheckExact(prepared.ptr())) {
        held.number = PyFloat_AS_DOUBLE(prepared.ptr());
        columns_[index] = Column::dense(&held.number, 0);
    } else if (py::isinstance<SparseCells>(prepared)) {
        held.sparse = prepared.cast<std::shared_ptr<SparseCells>>();
        if (!(held.sparse->type() == port.declaration->type) ||
            held.sparse->holder()->table() != plan_->plan.labels()) {
            raise("the sparse values for '" + from_python(port.name) + "' were made for another plan or type");
        }
        columns_[index] = held.sparse->column();
        if (!held.sparse->single()) {
            set_documents(index, held.sparse->documents());
        }
    } else {
        const bool is_raw = py::isinstance<RawCells>(prepared);
        if (!take_array(index, is_raw ? prepared.cast<RawCells &>().array.ptr() : prepared.ptr(), is_raw)) {
            raise("the value for '" + from_python(port.name) + "' cannot be read as " +
                  port.declaration->type.to_string());
        }
    }
}

bool DocumentColumns::overlap(const void *begin, const void *end) const noexcept {
    return std::any_of(held_.begin(), held_.end(), [&](const Held &held) {
        if (held.view->obj == nullptr) {
            return false;
        }
        // From the lowest to the highest byte: strides may be negative.
        const auto *low = static_cast<const char *>(held.view->buf);
        const char *high = low + held.view->itemsize;
        for (int i = 0; i < held.view->ndim; ++i) {
            const py::ssize_t reach = (held.view->shape[i] - 1) * held.view->strides[i];
            (reach < 0 ? low : high) += reach;
        }
        return low < end && begin < high;
    });
}

}  // namespace tenrex::python
