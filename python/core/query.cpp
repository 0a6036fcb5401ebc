// tenrex._core.Query: evaluates documents and gives arrays.
#include "python/core/query.h"

#include <algorithm>
#include <cstring>

#include "python/core/buffer_format.h"
#include "python/core/columns.h"

namespace tenrex::python {

namespace {

// Room for the scores of an output: memory of the caller or a new array.
class Scores {
public:
    // out: an array, or None.
    Scores(std::size_t documents, const py::object &out, DocumentColumns &columns) : documents_(documents) {
        if (out.is_none()) {
            if (!makes_arrays_alone()) {
                columns.hold();
            }
            array_ = empty_doubles(documents, scores_);
            return;
        }
        array_ = out;
        if (!view_.look(out.ptr(), true)) {
            columns.hold();
            view_.borrow(out.ptr(), true);
        }
        if (view_.format() != 'd' || view_.shape().size() != 1 ||
            static_cast<std::size_t>(view_.shape().front()) != documents ||
            (documents > 1 && view_.strides().front() != sizeof(double))) {
            raise("out must be a contiguous, writable array of " + std::to_string(documents) + " doubles",
                  "numpy.empty(" + std::to_string(documents) + ")");
        }
        scores_ = reinterpret_cast<double *>(view_.data());
        if (columns.overlap(scores_, scores_ + documents)) {
            apart_.resize(documents);
        }
    }

    void hold() { view_.hold(); }
    std::span<double> span() noexcept { return {apart_.empty() ? scores_ : apart_.data(), documents_}; }
    py::object finish() {
        if (!apart_.empty()) {
            std::memcpy(scores_, apart_.data(), documents_ * sizeof(double));
        }
        view_.release();
        return std::move(array_);
    }

private:
    std::size_t documents_;
    py::object array_;
    ArrayView view_;  // of the caller's memory
    double *scores_ = nullptr;
    std::vector<double> apart_;  // where a column lies in the caller's memory
};

Status evaluate_here(const BoundQuery &bound, const Block &block, std::span<const std::span<double>> scores) {
    ContextPool::Lease context(bound.plan->contexts);
    return scores.size() == 1 ? bound.query.evaluate(block, *context, scores.front())
                              : bound.query.evaluate(block, *context, scores);
}

// scores: memory of `arrays`, or of the caller of this function.
Status evaluate(const BoundQuery &bound, DocumentColumns &columns, std::span<const std::span<double>> scores,
                std::span<Scores> arrays) {
    const Block block{columns.documents().value_or(1), columns.columns()};
    if (!bound.plan->is_long(block.documents)) {
        return evaluate_here(bound, block, scores);
    }
    columns.hold();
    std::ranges::for_each(arrays, &Scores::hold);
    const py::gil_scoped_release released;
    return evaluate_here(bound, block, scores);
}

// Of the only output. With an axis of documents an array, without one a number.
py::object single_scores(const BoundQuery &bound, DocumentColumns &columns, const py::object &out) {
    if (!columns.documents() && out.is_none()) {
        double score = 0;
        const std::span<double> one(&score, 1);
        require(evaluate(bound, columns, {&one, 1}, {}));
        return py::float_(score);
    }
    Scores array(columns.documents().value_or(1), out, columns);
    const std::span<double> scores = array.span();
    require(evaluate(bound, columns, {&scores, 1}, {&array, 1}));
    return array.finish();
}

// Of several outputs: a dict of them.
py::object scores_of(const BoundQuery &bound, DocumentColumns &columns, const py::object &out) {
    if (bound.plan->is_single) {
        return single_scores(bound, columns, out);
    }
    columns.hold();
    const auto &outputs = bound.plan->plan.outputs();
    const std::size_t documents = columns.documents().value_or(1);
    std::vector<Scores> arrays;
    std::vector<std::span<double>> spans;
    for (const Plan::Output &output : outputs) {
        py::object own = out.is_none() ? out : py::object(out.attr("get")(to_python(output.name)));
        spans.push_back(arrays.emplace_back(documents, own, columns).span());
        arrays.back().hold();
    }
    require(evaluate(bound, columns, spans, arrays));
    py::dict result;
    for (std::size_t i = 0; i < arrays.size(); ++i) {
        py::object array = arrays[i].finish();
        const bool as_number = !columns.documents() && out.is_none();
        result[to_python(outputs[i].name)] = as_number ? py::object(py::float_(array[py::int_(0)])) : array;
    }
    return result;
}

// The values of one output: an array of dense ones, a list of Tensors of others.
py::object values_of(const TensorType &type, std::span<Tensor> tensors, bool has_documents) {
    if (type.has_mapped()) {
        py::list list;
        for (Tensor &tensor : tensors) {
            list.append(py::cast(std::move(tensor)));
        }
        return list;
    }
    std::vector<py::object> shape;
    if (has_documents) {
        shape.emplace_back(py::int_(tensors.size()));
    }
    for (const Dimension &dimension : type.dimensions()) {
        shape.emplace_back(py::int_(dimension.size));
    }
    py::tuple sizes(shape.size());
    for (std::size_t i = 0; i < shape.size(); ++i) {
        sizes[i] = shape[i];
    }
    py::object array = empty_array(sizes, buffer_format(type.cell_type()));
    BufferView view;
    view.borrow_bytes(array, true);
    const std::size_t bytes = type.block_cells() * byte_size(type.cell_type());
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        std::memcpy(static_cast<std::byte *>(view->buf) + i * bytes, tensors[i].view().cells(), bytes);
    }
    return array;
}

py::list tensors_of(const BoundQuery &bound, DocumentColumns &columns) {
    columns.hold();
    const std::size_t documents = columns.documents().value_or(1);
    Result<std::vector<Tensor>> result = [&] {
        const py::gil_scoped_release released;
        ContextPool::Lease context(bound.plan->contexts);
        return bound.query.evaluate_tensors({documents, columns.columns()}, *context);
    }();
    std::vector<Tensor> tensors = require(std::move(result));
    py::list list;
    for (std::size_t i = 0; i < bound.plan->plan.outputs().size(); ++i) {
        list.append(values_of(bound.plan->plan.outputs()[i].type, std::span(tensors).subspan(i * documents, documents),
                              columns.documents().has_value()));
    }
    return list;
}

// Seconds for each step of the documents.
py::list profile(const BoundQuery &bound, DocumentColumns &columns) {
    columns.hold();
    std::vector<double> seconds(bound.plan->plan.steps(Stage::document).size());
    const Status status = [&] {
        const py::gil_scoped_release released;
        ContextPool::Lease context(bound.plan->contexts);
        return bound.query.profile({columns.documents().value_or(1), columns.columns()}, *context, seconds);
    }();
    require(status);
    return py::cast(seconds);
}

// documents: DocumentColumns, a dict, or None; so many others of the named ones are no columns.
template <class Use>
auto with_columns(const BoundQuery &bound, PyObject *documents, const Keywords &named, std::size_t others,
                  const Use &use) {
    if (DocumentColumns *const columns = documents == Py_None ? nullptr : prepared_columns(documents)) {
        if (columns->plan() != bound.plan.get()) {
            raise("the documents were made for another plan", "make them with documents() of this query's plan");
        }
        if (named.size() != others) {
            raise("columns cannot be added to prepared documents");
        }
        return use(*columns);
    }
    DocumentColumns columns(bound.plan, NamedValues(documents == Py_None ? nullptr : documents, named, others));
    return use(columns);
}

}  // namespace

DocumentColumns *prepared_columns(PyObject *documents) {
    static PyObject *const type = py::object(py::type::of<DocumentColumns>()).release().ptr();
    if (PyObject_TypeCheck(documents, reinterpret_cast<PyTypeObject *>(type)) == 0) {
        return nullptr;
    }
    // Looking for the class of the value takes longer than all else here, and mostly there is one class.
    auto *const instance = reinterpret_cast<py::detail::instance *>(documents);
    if (instance->simple_layout && instance->simple_value_holder[0] != nullptr) {
        return static_cast<DocumentColumns *>(instance->simple_value_holder[0]);
    }
    return &py::handle(documents).cast<DocumentColumns &>();
}

py::object scores_of(const BoundQuery &bound, PyObject *documents, const Keywords &named, std::size_t others,
                     const py::object &out) {
    return with_columns(bound, documents, named, others,
                        [&](DocumentColumns &columns) { return scores_of(bound, columns, out); });
}

void bind_queries(py::module_ &module) {
    py::class_<RawCells>(module, "RawCells").def(py::init<py::object>());
    py::class_<DocumentColumns, std::shared_ptr<DocumentColumns>>(module, "Documents")
        .def(py::init([](const std::shared_ptr<SharedPlan> &plan, const py::dict &values, const py::dict &named) {
            const DictKeywords keywords(named);
            auto columns = std::make_shared<DocumentColumns>(plan, NamedValues(values.ptr(), keywords));
            columns->hold();
            return columns;
        }))
        .def_property_readonly("_count", &DocumentColumns::documents);
    py::class_<BoundQuery, std::shared_ptr<BoundQuery>>(module, "Query")
        .def("scores",
             [](const BoundQuery &bound, const py::object &documents, const py::dict &named, const py::object &out) {
                 return scores_of(bound, documents.ptr(), DictKeywords(named), 0, out);
             })
        .def("tensors",
             [](const BoundQuery &bound, const py::object &documents, const py::dict &named) {
                 return with_columns(bound, documents.ptr(), DictKeywords(named), 0,
                                     [&](DocumentColumns &columns) { return tensors_of(bound, columns); });
             })
        .def("profile",
             [](const BoundQuery &bound, const py::object &documents, const py::dict &named) {
                 return with_columns(bound, documents.ptr(), DictKeywords(named), 0,
                                     [&](DocumentColumns &columns) { return profile(bound, columns); });
             })
        .def_property_readonly("values",
                               [](const BoundQuery &bound) {
                                   py::list result;
                                   for (const NamedTensor &value : bound.values) {
                                       result.append(py::make_tuple(to_python(value.first), value.second));
                                   }
                                   return result;
                               })
        .def_property_readonly("memory_bytes", [](const BoundQuery &bound) { return bound.query.memory_bytes(); });
    bind_query_calls(module);
}

}  // namespace tenrex::python
