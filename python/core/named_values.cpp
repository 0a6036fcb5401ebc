#include "python/core/named_values.h"

#include <algorithm>
#include <string>

namespace tenrex::python {

Keywords::Keywords(PyObject *names, PyObject *const *values) noexcept {
    if (names != nullptr) {
        const auto count = static_cast<std::size_t>(PyTuple_GET_SIZE(names));
        names_ = {&PyTuple_GET_ITEM(names, 0), count};
        values_ = {values, count};
    }
}

std::size_t Keywords::find(PyObject *name, std::size_t hint) const {
    for (std::size_t i = 0; i < names_.size(); ++i) {
        const std::size_t place = (hint + i) % names_.size();
        if (names_[place] == name) {
            return place;
        }
    }
    const auto same = std::ranges::find_if(names_, [&](PyObject *each) {
        return PyUnicode_CheckExact(each) && !PyUnicode_CHECK_INTERNED(each) && PyUnicode_Compare(each, name) == 0;
    });
    return static_cast<std::size_t>(same - names_.begin());
}

DictKeywords::DictKeywords(const py::dict &dict) : entries_(2 * dict.size()) {
    const std::size_t count = dict.size();
    std::size_t i = 0;
    for (const auto &[name, value] : dict) {
        entries_[i] = name.ptr();
        entries_[count + i++] = value.ptr();
    }
    names_ = std::span(entries_).first(count);
    values_ = std::span(entries_).subspan(count);
}

PyObject *NamedValues::find(const InputPort &port) {
    for (const py::object *const name : {&port.name, &port.alias}) {
        const std::size_t place = *name ? named_.find(name->ptr(), next_) : named_.size();
        if (place != named_.size()) {
            next_ = place + 1;
            ++used_;
            return named_.value(place);
        }
    }
    for (const py::object *const name : {&port.name, &port.alias}) {
        PyObject *value = values_ == nullptr || !*name ? nullptr : PyDict_GetItemWithError(values_, name->ptr());
        if (value != nullptr) {
            return value;
        }
        if (PyErr_Occurred() != nullptr) {
            throw py::error_already_set();
        }
    }
    return nullptr;
}

void NamedValues::require_all_known(std::span<const InputPort> ports, const py::object &declared) const {
    if (all_used()) {
        return;
    }
    py::list names;
    for (const InputPort &port : ports) {
        names.append(port.alias ? port.alias : port.name);
    }
    py::list given;
    for (std::size_t i = 0; i < named_.size(); ++i) {
        const py::handle name = named_.name(i);
        if (!name.equal(py::str("out"))) {
            given.append(name);
        }
    }
    package("_values", "require_known")(given, names, declared);
}

void raise_missing(const InputPort &port, const char *call) {
    const std::string name = from_python(port.name);
    const py::object &keyword = port.alias ? port.alias : port.name;
    const bool is_word = PyUnicode_IsIdentifier(keyword.ptr()) == 1;
    raise("there is no value for '" + name + "', a " + port.declaration->type_text(),
          std::string(call) + (is_word ? "(" + from_python(keyword) + "=...)" : "({'" + name + "': ...})"));
}

}  // namespace tenrex::python
