// What all bindings need of Python: exceptions for errors of the library, texts, and memory that Python objects lend.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <tenrex/result.h>

namespace py = pybind11;

namespace tenrex::python {

// Throws tenrex.Error with the rendered text and the issues.
[[noreturn]] void raise(const Error &error);
[[noreturn]] void raise(std::string message, std::string hint = {});

inline void require(const Status &status) {
    if (!status) {
        raise(status.error());
    }
}

template <class T>
T require(Result<T> result) {
    if (!result) {
        raise(result.error());
    }
    return *std::move(result);
}

// Texts of the library need not be UTF-8; other bytes become lone surrogates, as Python does with file names.
py::str to_python(std::string_view text);
std::string from_python(py::handle text);

// The attribute `name` of the module tenrex.`module`.
py::object package(const char *module, const char *name);

// Memory that a Python object lends for as long as this lives: the object cannot free it meanwhile. Needs the GIL.
class BufferView {
public:
    BufferView() noexcept = default;
    BufferView(BufferView &&other) noexcept : view_(std::exchange(other.view_, {})) {}
    BufferView &operator=(BufferView &&other) noexcept {
        std::swap(view_, other.view_);
        return *this;
    }
    ~BufferView() { release(); }

    // Borrows it; false if the object has none that can be described so, without an exception.
    bool borrow(PyObject *object, int flags) noexcept;
    // Borrows it as bytes one after the other, or throws.
    void borrow_bytes(py::handle object, bool writable = false);
    void release() noexcept;

    const Py_buffer &operator*() const noexcept { return view_; }
    const Py_buffer *operator->() const noexcept { return &view_; }
    std::size_t bytes() const noexcept { return static_cast<std::size_t>(view_.len); }

private:
    Py_buffer view_{};
};

// A new array of numpy; the format is that of its elements, as the module `struct` names them: 'l' has 64 bits.
static_assert(sizeof(long) == sizeof(std::int64_t));
py::object empty_array(const py::object &shape, char format);

// A new array of numpy with these elements; the last size is the innermost.
template <class T>
py::object array_of(std::span<const T> elements, const py::object &shape, char format) {
    py::object array = empty_array(shape, format);
    BufferView view;
    view.borrow_bytes(array, true);
    if (!elements.empty()) {
        std::memcpy(view->buf, elements.data(), elements.size_bytes());
    }
    return array;
}

void bind_types(py::module_ &module);
void bind_labels(py::module_ &module);
void bind_plans(py::module_ &module);
void bind_profiles(py::module_ &module);
void bind_forests(py::module_ &module);
void bind_arrow(py::module_ &module);
void bind_indexes(py::module_ &module);

}  // namespace tenrex::python
