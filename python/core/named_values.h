// Values that are given to inputs by their names.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "python/core/plan.h"

namespace tenrex::python {

// The named arguments of a call, which others own: names and their values in one order.
class Keywords {
public:
    Keywords() noexcept = default;
    // Of a call by Python's vectorcall. names: a tuple, or null.
    Keywords(PyObject *names, PyObject *const *values) noexcept;

    std::size_t size() const noexcept { return names_.size(); }
    PyObject *name(std::size_t index) const noexcept { return names_[index]; }
    PyObject *value(std::size_t index) const noexcept { return values_[index]; }
    // The place of a name, or size(). Most calls have the names in the order in which they are looked for, each as the
    // same object: `hint` is where it most likely is.
    std::size_t find(PyObject *name, std::size_t hint = 0) const;

protected:
    std::span<PyObject *const> names_;
    std::span<PyObject *const> values_;
};

// The same of a dict, which must not change meanwhile.
class DictKeywords : public Keywords {
public:
    explicit DictKeywords(const py::dict &dict);
    DictKeywords(const DictKeywords &) = delete;
    DictKeywords &operator=(const DictKeywords &) = delete;

private:
    std::vector<PyObject *> entries_;
};

// The values for some inputs, found by their names or aliases.
class NamedValues {
public:
    // values: a dict, or null. named: so many of them are no values, such as "out".
    NamedValues(PyObject *values, const Keywords &named, std::size_t others = 0) noexcept
        : values_(values), named_(named), used_(others) {}
    // Borrowed; null if there is none. The named ones come first.
    PyObject *find(const InputPort &port);
    // Whether find() may ask the dict.
    bool looks_into_dict() const noexcept { return values_ != nullptr; }
    // Whether each of the named ones was found.
    bool all_used() const noexcept { return used_ == named_.size(); }
    // Throws if a name of `named` is neither one of these inputs nor among those declared.
    void require_all_known(std::span<const InputPort> ports, const py::object &declared) const;

private:
    PyObject *values_;
    const Keywords &named_;
    std::size_t used_;  // of the named ones
    std::size_t next_ = 0;
};

// Throws: there is no value for an input.
[[noreturn]] void raise_missing(const InputPort &port, const char *call);

}  // namespace tenrex::python
