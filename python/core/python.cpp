#include "python/core/python.h"

namespace tenrex::python {

void raise(const Error &error) {
    py::list issues;
    for (const Issue &issue : error.issues()) {
        py::dict fields;
        fields["severity"] = issue.severity == Severity::error ? "error" : "warning";
        fields["line"] = issue.line;
        fields["column"] = issue.column;
        fields["begin"] = issue.span.begin;
        fields["end"] = issue.span.end;
        fields["message"] = to_python(issue.message);
        fields["hint"] = to_python(issue.hint);
        fields["excerpt"] = to_python(issue.excerpt);
        issues.append(fields);
    }
    const py::object type = package("_error", "Error");
    const py::object exception = type.attr("of_issues")(to_python(error.render()), issues);
    PyErr_SetObject(type.ptr(), exception.ptr());
    throw py::error_already_set();
}

void raise(std::string message, std::string hint) {
    raise(Error(std::move(message), std::move(hint)));
}

py::str to_python(std::string_view text) {
    PyObject *result = PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "surrogateescape");
    if (result == nullptr) {
        throw py::error_already_set();
    }
    return py::reinterpret_steal<py::str>(result);
}

std::string from_python(py::handle text) {
    if (!PyUnicode_Check(text.ptr())) {
        throw py::type_error("expected a str, not " + std::string(py::str(py::type::handle_of(text))));
    }
    Py_ssize_t size = 0;
    if (const char *bytes = PyUnicode_AsUTF8AndSize(text.ptr(), &size)) {
        return {bytes, static_cast<std::size_t>(size)};
    }
    PyErr_Clear();
    const auto encoded =
        py::reinterpret_steal<py::bytes>(PyUnicode_AsEncodedString(text.ptr(), "utf-8", "surrogateescape"));
    if (!encoded) {
        throw py::error_already_set();
    }
    return encoded;
}

py::object package(const char *module, const char *name) {
    return py::module_::import((std::string("tenrex.") + module).c_str()).attr(name);
}

bool BufferView::borrow(PyObject *object, int flags) noexcept {
    release();
    if (PyObject_GetBuffer(object, &view_, flags) != 0) {
        PyErr_Clear();
        view_ = {};
        return false;
    }
    return true;
}

void BufferView::borrow_bytes(py::handle object, bool writable) {
    release();
    if (PyObject_GetBuffer(object.ptr(), &view_, PyBUF_C_CONTIGUOUS | (writable ? PyBUF_WRITABLE : 0)) != 0) {
        view_ = {};
        throw py::error_already_set();
    }
}

void BufferView::release() noexcept {
    if (view_.obj != nullptr) {
        PyBuffer_Release(&view_);
    }
    view_ = {};
}

py::object empty_array(const py::object &shape, char format) {
    static PyObject *const empty = py::object(py::module_::import("numpy").attr("empty")).release().ptr();
    PyObject *array = nullptr;
    if (format == 'd') {
        array = PyObject_CallOneArg(empty, shape.ptr());
    } else {
        const py::str dtype(std::string(1, format));
        array = PyObject_CallFunctionObjArgs(empty, shape.ptr(), dtype.ptr(), nullptr);
    }
    if (array == nullptr) {
        throw py::error_already_set();
    }
    return py::reinterpret_steal<py::object>(array);
}

}  // namespace tenrex::python
