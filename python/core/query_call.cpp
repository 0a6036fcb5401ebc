// tenrex._core.CalledQuery: a query that is called. A type of its own, because a call through Python's or pybind11's
// machinery costs as much as evaluating thousands of documents.
#include <cstddef>
#include <exception>
#include <new>

#include <Python.h>
#include <structmember.h>

#include "python/core/query.h"

namespace tenrex::python {

namespace {

struct CalledQuery {
    PyObject_HEAD PyObject *plan;  // tenrex.Plan
    PyObject *core;                // tenrex._core.Query
    const BoundQuery *bound;       // in it
    vectorcallfunc vectorcall;     // what a call runs
};

CalledQuery &called(PyObject *object) {
    return *reinterpret_cast<CalledQuery *>(object);
}

PyObject *name_of_out() {
    static PyObject *const name = PyUnicode_InternFromString("out");
    return name;
}

// Runs `make`, which may throw, as a function of C has to.
template <class Make>
PyObject *without_exceptions(const Make &make) noexcept {
    try {
        return make();
    } catch (py::error_already_set &error) {
        error.restore();
    } catch (const py::builtin_exception &error) {
        error.set_error();
    } catch (const std::bad_alloc &) {
        PyErr_NoMemory();
    } catch (const std::exception &error) {
        PyErr_SetString(PyExc_RuntimeError, error.what());
    }
    return nullptr;
}

// query(documents, out=..., column=...): what is common is done here, the rest by the method _call of the class.
PyObject *call(PyObject *self, PyObject *const *arguments, std::size_t flags, PyObject *names) {
    return without_exceptions([&]() -> PyObject * {
        const BoundQuery *const bound = called(self).bound;
        if (bound == nullptr) {
            throw py::type_error("the query has no plan: queries are made by Plan.bind");
        }
        const py::ssize_t count = PyVectorcall_NARGS(flags);
        const Keywords named(names, arguments + count);
        const std::size_t place = named.find(name_of_out());
        PyObject *const out = place == named.size() ? nullptr : named.value(place);
        PyObject *const documents = count == 0 ? Py_None : arguments[0];
        const bool is_read =
            documents == Py_None || PyDict_CheckExact(documents) || prepared_columns(documents) != nullptr;
        const bool has_out = out != nullptr && out != Py_None;
        if (count > 1 || !is_read || !bound->plan->only_scalars || (has_out && !bound->plan->is_single)) {
            const py::object method = py::reinterpret_borrow<py::object>(self).attr("_call");
            return PyObject_Vectorcall(method.ptr(), arguments, static_cast<std::size_t>(count), names);
        }
        const py::object given = py::reinterpret_borrow<py::object>(out == nullptr ? Py_None : out);
        return scores_of(*bound, documents, named, out == nullptr ? 0 : 1, given).release().ptr();
    });
}

PyObject *create(PyTypeObject *type, PyObject *arguments, PyObject *named) {
    PyObject *const made = PyType_GenericNew(type, arguments, named);
    if (made != nullptr) {
        called(made).vectorcall = &call;
    }
    return made;
}

int initialize(PyObject *self, PyObject *arguments, PyObject *named) {
    PyObject *plan = nullptr;
    PyObject *core = nullptr;
    if (named != nullptr && PyDict_Size(named) != 0) {
        PyErr_SetString(PyExc_TypeError, "a query is made of a plan and what is bound, in this order");
        return -1;
    }
    if (PyArg_ParseTuple(arguments, "OO", &plan, &core) == 0) {
        return -1;
    }
    if (called(self).bound != nullptr) {  // a call that runs meanwhile reads it
        PyErr_SetString(PyExc_TypeError, "the query has a plan already: another one is made by Plan.bind");
        return -1;
    }
    PyObject *const done = without_exceptions([&] {
        const auto &bound = py::handle(core).cast<const BoundQuery &>();
        CalledQuery &query = called(self);
        Py_XSETREF(query.plan, Py_NewRef(plan));
        Py_XSETREF(query.core, Py_NewRef(core));
        query.bound = &bound;
        return Py_None;
    });
    return done == nullptr ? -1 : 0;
}

int visit(PyObject *self, visitproc visit, void *arg) {
    Py_VISIT(Py_TYPE(self));
    Py_VISIT(called(self).plan);
    Py_VISIT(called(self).core);
    return 0;
}

int clear(PyObject *self) {
    called(self).bound = nullptr;
    Py_CLEAR(called(self).plan);
    Py_CLEAR(called(self).core);
    return 0;
}

void destroy(PyObject *self) {
    PyObject_GC_UnTrack(self);
    clear(self);
    PyTypeObject *const type = Py_TYPE(self);
    type->tp_free(self);
    Py_DECREF(type);
}

template <class Function>
PyType_Slot slot(int number, Function *function) {
    return {number, reinterpret_cast<void *>(function)};
}

}  // namespace

void bind_query_calls(py::module_ &module) {
    static PyMemberDef members[] = {
        {"_plan", T_OBJECT_EX, offsetof(CalledQuery, plan), READONLY, nullptr},
        {"_core", T_OBJECT_EX, offsetof(CalledQuery, core), READONLY, nullptr},
        {"__vectorcalloffset__", T_PYSSIZET, offsetof(CalledQuery, vectorcall), READONLY, nullptr},
        {}};
    PyType_Slot slots[] = {slot(Py_tp_init, &initialize), slot(Py_tp_call, &PyVectorcall_Call),
                           slot(Py_tp_traverse, &visit),  slot(Py_tp_clear, &clear),
                           slot(Py_tp_dealloc, &destroy), slot(Py_tp_new, &create),
                           {Py_tp_members, members},      {0, nullptr}};
    PyType_Spec spec = {"tenrex._core.CalledQuery", sizeof(CalledQuery), 0,
                        Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_HAVE_VECTORCALL,
                        slots};
    const auto type = py::reinterpret_steal<py::object>(PyType_FromSpec(&spec));
    if (!type) {
        throw py::error_already_set();
    }
    module.attr("CalledQuery") = type;
    // Until Python 3.12 a class does not inherit that it is called without tuples and dicts of arguments.
    module.def("called_directly", [](py::type query) {
        reinterpret_cast<PyTypeObject *>(query.ptr())->tp_flags |= Py_TPFLAGS_HAVE_VECTORCALL;
        return query;
    });
}

}  // namespace tenrex::python
