#include "python/core/array_view.h"

#include <algorithm>
#include <array>

#include <pybind11/numpy.h>

namespace tenrex::python {

namespace {

// Flags of numpy's arrays, whose numbers are part of its binary interface.
constexpr int is_aligned = 0x0100;
constexpr int is_writable = 0x0400;

using ArrayFields = py::detail::PyArray_Proxy;

const ArrayFields &fields_of(PyObject *array) {
    return *py::detail::array_proxy(array);
}

struct Dtype {
    char format;
    py::ssize_t bytes;
    PyObject *dtype;  // the one that numpy gives arrays; null if their fields are not those that are known
};

// Set once, when the module is loaded: a local static would make threads wait for each other that hold the GIL.
PyObject *array_type = nullptr;
PyObject *floating_type = nullptr;
PyObject *integer_type = nullptr;
bool is_empty_builtin = false;
std::array<Dtype, 3> dtypes = {{{'d', 8, nullptr}, {'f', 4, nullptr}, {'b', 1, nullptr}}};

// Whether the fields of an array are where those of an array were in all versions of numpy so far.
bool has_known_fields(PyObject *array) {
    BufferView view;
    if (!view.borrow(array, PyBUF_RECORDS_RO) || view->ndim != 2) {
        return false;
    }
    const ArrayFields &fields = fields_of(array);
    return fields.data == view->buf && fields.nd == 2 && std::equal(view->shape, view->shape + 2, fields.dimensions) &&
           std::equal(view->strides, view->strides + 2, fields.strides) &&
           py::object(py::handle(array).attr("dtype")).is(py::handle(fields.descr)) &&
           fields.flags == py::handle(array).attr("flags").attr("num").cast<int>();
}

}  // namespace

void find_arrays() {
    const auto type_of_numpy = [numpy = py::module_::import("numpy")](const char *name) {
        return py::object(numpy.attr(name)).release().ptr();
    };
    array_type = type_of_numpy("ndarray");
    floating_type = type_of_numpy("floating");
    integer_type = type_of_numpy("integer");
    is_empty_builtin = PyCFunction_Check(py::module_::import("numpy").attr("empty").ptr()) != 0;
    for (Dtype &entry : dtypes) {
        const py::object array = empty_array(py::make_tuple(2, 3), entry.format);
        if (has_known_fields(array.ptr())) {
            entry.dtype = py::object(array.attr("dtype")).release().ptr();
        }
    }
}

bool is_plain_array(PyObject *object) noexcept {
    return reinterpret_cast<PyObject *>(Py_TYPE(object)) == array_type;
}

bool is_array_number(PyObject *object) noexcept {
    const auto is = [object](PyObject *type) {
        return PyObject_TypeCheck(object, reinterpret_cast<PyTypeObject *>(type)) != 0;
    };
    return is(floating_type) || is(integer_type);
}

bool ArrayView::look(PyObject *object, bool writable) noexcept {
    if (array_ || buffer_) {
        release();
    }
    const ArrayFields &fields = fields_of(object);
    const int needed = is_aligned | (writable ? is_writable : 0);
    if (!is_plain_array(object) || (fields.flags & needed) != needed) {
        return false;
    }
    for (const Dtype &known : dtypes) {
        if (fields.descr == known.dtype) {
            array_ = py::reinterpret_borrow<py::object>(object);
            format_ = known.format;
            data_ = fields.data;
            shape_ = {fields.dimensions, static_cast<std::size_t>(fields.nd)};
            strides_ = {fields.strides, static_cast<std::size_t>(fields.nd)};
            set_reach(known.bytes);
            return true;
        }
    }
    return false;
}

void ArrayView::hold() {
    if (!array_ || hold_) {
        return;  // a buffer holds its memory
    }
    hold_ = py::reinterpret_steal<py::object>(PyWeakref_NewRef(array_.ptr(), nullptr));
    if (!hold_) {
        throw py::error_already_set();
    }
    // Making an object may collect garbage, whose finalizers are other code.
    const ArrayFields &fields = fields_of(array_.ptr());
    const bool is_moved =
        fields.data != data_ || fields.dimensions != shape_.data() || fields.strides != strides_.data();
    const char *const low = low_;
    const char *const high = high_;
    if (!is_moved) {
        set_reach(cell_bytes_);
    }
    if (is_moved || low_ != low || high_ != high) {
        raise("an array was changed while a call began to read it");
    }
}

bool ArrayView::borrow(PyObject *object, bool writable) {
    release();
    if (look(object, writable)) {
        hold();
        return true;
    }
    auto buffer = std::make_unique<BufferView>();
    if (!buffer->borrow(object, writable ? PyBUF_RECORDS : PyBUF_RECORDS_RO)) {
        return false;
    }
    buffer_ = std::move(buffer);
    const Py_buffer &view = **buffer_;
    format_ = view.format != nullptr && view.format[0] != '\0' && view.format[1] == '\0' ? view.format[0] : '\0';
    data_ = static_cast<char *>(view.buf);
    shape_ = {view.shape, static_cast<std::size_t>(view.ndim)};
    strides_ = {view.strides, static_cast<std::size_t>(view.ndim)};
    set_reach(view.itemsize);
    return true;
}

void ArrayView::set_reach(py::ssize_t cell_bytes) noexcept {
    cell_bytes_ = cell_bytes;
    low_ = data_;
    high_ = data_ + cell_bytes;
    for (std::size_t i = 0; i < shape_.size(); ++i) {
        if (shape_[i] == 0) {
            high_ = low_ = data_;
            return;
        }
        const py::ssize_t reach = (shape_[i] - 1) * strides_[i];
        (reach < 0 ? low_ : high_) += reach;
    }
}

bool ArrayView::is_packed(py::ssize_t cell_bytes, std::size_t first_axis) const noexcept {
    if (std::ranges::count(shape_, 0) != 0) {
        return true;  // nothing has no place
    }
    py::ssize_t stride = cell_bytes;
    for (std::size_t i = shape_.size(); i-- > first_axis;) {
        if (shape_[i] != 1 && strides_[i] != stride) {
            return false;
        }
        stride *= shape_[i];
    }
    return true;
}

void ArrayView::release() noexcept {
    hold_ = py::object();
    array_ = py::object();
    buffer_.reset();
    format_ = '\0';
    data_ = nullptr;
    low_ = high_ = nullptr;
    shape_ = {};
    strides_ = {};  // not a copy of the other, which would wait until that is written
}

bool makes_arrays_alone() noexcept {
    return is_empty_builtin;
}

py::object empty_doubles(std::size_t count, double *&data) {
    py::object array = empty_array(py::int_(count), 'd');
    ArrayView view;
    if (!view.look(array.ptr(), true)) {
        view.borrow(array.ptr(), true);
    }
    data = reinterpret_cast<double *>(view.data());
    return array;
}

}  // namespace tenrex::python
