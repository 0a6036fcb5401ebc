// tenrex._core.Plan: compiling, binding, and what a plan tells of itself.
#include "python/core/plan.h"

#include <algorithm>
#include <limits>
#include <map>

#include <tenrex/forest.h>

#include "python/core/buffer_format.h"
#include "python/core/named_values.h"
#include "python/core/network.h"
#include "python/core/query.h"

namespace tenrex::python {

namespace {

// The part in parentheses of query(q), attribute(d) and the like; the whole name of others.
std::string_view short_name(std::string_view name) {
    for (const std::string_view prefix : {"query(", "attribute(", "constant("}) {
        if (name.starts_with(prefix) && name.ends_with(")")) {
            return name.substr(prefix.size(), name.size() - prefix.size() - 1);
        }
    }
    return name;
}

py::object interned(std::string_view text) {
    PyObject *object = to_python(text).release().ptr();
    PyUnicode_InternInPlace(&object);
    return py::reinterpret_steal<py::object>(object);
}

std::vector<InputPort> ports_of(const std::vector<InputDeclaration> &inputs) {
    std::map<std::string_view, int> uses;
    for (const InputDeclaration &input : inputs) {
        ++uses[input.name];
        const std::string_view alias = short_name(input.name);
        uses[alias] += alias != input.name;
    }
    std::vector<InputPort> ports;
    for (const InputDeclaration &input : inputs) {
        InputPort port;
        port.name = interned(input.name);
        const std::string_view alias = short_name(input.name);
        if (alias != input.name && uses[alias] == 1) {
            port.alias = interned(alias);
        }
        port.type = py::cast(input.type);
        port.declaration = &input;
        for (const Dimension &dimension : input.type.dimensions()) {
            if (dimension.is_indexed()) {
                port.shape.push_back(static_cast<py::ssize_t>(dimension.size));
            }
        }
        port.cell_bytes = static_cast<py::ssize_t>(byte_size(input.type.cell_type()));
        port.block_bytes = port.cell_bytes * static_cast<py::ssize_t>(input.type.block_cells());
        port.is_string = input.is_string;
        port.format = buffer_format(input.type.cell_type());
        port.raw_only = input.type.cell_type() == CellType::bf16;
        ports.push_back(std::move(port));
    }
    return ports;
}

py::list declarations(const std::vector<InputPort> &ports) {
    py::list result;
    for (const InputPort &port : ports) {
        result.append(py::make_tuple(port.name, port.alias ? port.alias : py::none(), port.type, port.is_string));
    }
    return result;
}

// expressions: a str, or a list of pairs of a name and an expression. Inputs: lists of pairs of a name and a type,
// constants of a name and a tensor.
std::shared_ptr<SharedPlan> compile_plan(const py::object &expressions, const py::list &query, const py::list &document,
                                         const py::list &constants, const py::dict &options) {
    Schema schema;
    const auto each = [](const py::list &list, const auto &visit) {
        for (const py::handle entry : list) {
            const py::tuple pair = py::reinterpret_borrow<py::tuple>(entry);
            visit(from_python(pair[0]), pair[1]);
        }
    };
    const auto declare = [](const py::object &type, const auto &of_text, const auto &of_type) {
        if (py::isinstance<py::str>(type)) {
            of_text(from_python(type));
        } else {
            of_type(type.cast<TensorType>());
        }
    };
    each(query, [&](const std::string &name, const py::object &type) {
        declare(
            type, [&](const std::string &text) { schema.query(name, text); },
            [&](const TensorType &of) { schema.query(name, of); });
    });
    each(document, [&](const std::string &name, const py::object &type) {
        declare(
            type, [&](const std::string &text) { schema.document(name, text); },
            [&](const TensorType &of) { schema.document(name, of); });
    });
    each(constants,
         [&](const std::string &name, const py::object &value) { schema.constant(name, value.cast<Tensor>()); });
    each(options["forests"],
         [&](const std::string &name, const py::object &value) { schema.forest(name, value.cast<Forest>()); });
    each(options["networks"], [&](const std::string &name, const py::object &value) {
        const auto &network = value.cast<const Network &>();
        Result<OnnxModel> model = [&] {
            const py::gil_scoped_release released;
            return network.import(name, schema);
        }();
        require(std::move(model)).add_to(schema);
    });
    CompileOptions compile_options;
    compile_options.expression.dialect = options["java"].cast<bool>() ? Dialect::java : Dialect::core;
    compile_options.expression.seed = options["seed"].cast<std::uint64_t>();
    compile_options.max_isa = from_python(options["max_isa"]);
    compile_options.disabled_passes = options["disabled"].cast<std::vector<std::string>>();
    if (!options["labels"].is_none()) {
        compile_options.labels = options["labels"].cast<std::shared_ptr<LabelTable>>();
    }
    // One store for all plans of the process: weights that none of them has any more are freed.
    static const auto weights = std::make_shared<WeightStore>();
    compile_options.weights = weights;
    std::vector<NamedExpression> several;
    std::string single;
    if (py::isinstance<py::str>(expressions)) {
        single = from_python(expressions);
    } else {
        each(expressions, [&](const std::string &name, const py::object &text) {
            several.push_back({name, from_python(text)});
        });
    }
    Result<Plan> plan = [&] {
        const py::gil_scoped_release released;
        return several.empty() ? compile(single, schema, compile_options) : compile(several, schema, compile_options);
    }();
    return std::make_shared<SharedPlan>(require(std::move(plan)), options["declared"]);
}

std::shared_ptr<BoundQuery> bind_plan(const std::shared_ptr<SharedPlan> &shared, const py::dict &values,
                                      const py::dict &named) {
    const DictKeywords keywords(named);
    NamedValues given(values.ptr(), keywords);
    const py::object tensor_of = package("_values", "core_tensor_for");
    std::vector<NamedTensor> tensors;
    for (const InputPort &port : shared->query_inputs) {
        PyObject *value = given.find(port);
        if (value == nullptr) {
            given.require_all_known(shared->query_inputs, shared->declared);
            raise_missing(port, "bind");
        }
        tensors.emplace_back(port.declaration->name,
                             tensor_of(port.name, port.type, py::handle(value), port.is_string).cast<Tensor>());
    }
    given.require_all_known(shared->query_inputs, shared->declared);
    Result<Query> query = [&] {
        const py::gil_scoped_release released;
        return shared->plan.bind(tensors);
    }();
    return std::make_shared<BoundQuery>(shared, require(std::move(query)), std::move(tensors));
}

py::list steps_of(const SharedPlan &shared, const std::string &stage) {
    py::list result;
    const Stage which = stage == "constant" ? Stage::constant : stage == "query" ? Stage::query : Stage::document;
    for (const PlanStep &step : shared.plan.steps(which)) {
        py::dict fields;
        fields["what"] = to_python(step.what);
        fields["kernel"] = to_python(step.kernel);
        fields["flops"] = step.flops;
        fields["bytes_read"] = step.bytes_read;
        fields["bytes_written"] = step.bytes_written;
        fields["per_block"] = step.per_block;
        fields["per_shared_block"] = step.per_shared_block;
        fields["text"] = to_python(step.text);
        fields["place"] = to_python(step.place);
        result.append(fields);
    }
    return result;
}

// Of a core that computes 4 numbers and moves 32 bytes in a nanosecond, which most do at least.
double estimated_seconds(const Plan &plan) {
    double work = 0;
    for (const PlanStep &step : plan.steps(Stage::document)) {
        if (step.per_block || step.per_shared_block) {
            return std::numeric_limits<double>::infinity();
        }
        work += 1e-9 * std::max(step.flops / 4, (step.bytes_read + step.bytes_written) / 32);
    }
    return std::max(work, 0.25e-9);  // the score is written at least
}

}  // namespace

std::unique_ptr<Context> ContextPool::take() {
    if (Context *const spare = spare_.exchange(nullptr, std::memory_order_acquire)) {
        return std::unique_ptr<Context>(spare);
    }
    {
        const std::scoped_lock lock(mutex_);
        if (!idle_.empty()) {
            std::unique_ptr<Context> context = std::move(idle_.back());
            idle_.pop_back();
            return context;
        }
    }
    return std::make_unique<Context>(plan_);
}

void ContextPool::give_back(std::unique_ptr<Context> context) {
    Context *none = nullptr;
    if (spare_.compare_exchange_strong(none, context.get(), std::memory_order_release, std::memory_order_relaxed)) {
        static_cast<void>(context.release());
        return;
    }
    const std::scoped_lock lock(mutex_);
    idle_.push_back(std::move(context));
}

SharedPlan::SharedPlan(Plan compiled, py::object declared_names)
    : plan(std::move(compiled)),
      declared(std::move(declared_names)),
      query_inputs(ports_of(plan.query_inputs())),
      document_inputs(ports_of(plan.document_inputs())),
      contexts(plan) {
    for (const Plan::Output &output : plan.outputs()) {
        only_scalars = only_scalars && output.type.is_scalar();
    }
    seconds_per_document = estimated_seconds(plan);
    is_single = plan.outputs().size() == 1 && plan.outputs().front().name.empty();
}

void bind_plans(py::module_ &module) {
    py::class_<SharedPlan, std::shared_ptr<SharedPlan>>(module, "Plan")
        .def("bind", &bind_plan)
        .def_property_readonly("outputs",
                               [](const SharedPlan &shared) {
                                   py::list result;
                                   for (const Plan::Output &output : shared.plan.outputs()) {
                                       result.append(py::make_tuple(to_python(output.name), output.type));
                                   }
                                   return result;
                               })
        .def_property_readonly("query_inputs",
                               [](const SharedPlan &shared) { return declarations(shared.query_inputs); })
        .def_property_readonly("document_inputs",
                               [](const SharedPlan &shared) { return declarations(shared.document_inputs); })
        .def_property_readonly("labels", [](const SharedPlan &shared) { return shared.plan.labels(); })
        .def_property_readonly("warnings",
                               [](const SharedPlan &shared) {
                                   py::list result;
                                   for (const Issue &issue : shared.plan.warnings()) {
                                       result.append(to_python(render(issue)));
                                   }
                                   return result;
                               })
        .def("explain", [](const SharedPlan &shared, bool why) { return to_python(shared.plan.explain({why})); })
        .def("graph", [](const SharedPlan &shared) { return to_python(shared.plan.graph()); })
        .def("graph_dot", [](const SharedPlan &shared) { return to_python(shared.plan.graph_dot()); })
        .def("steps", &steps_of);
    module.def("compile", &compile_plan);
    module.def("optimizations", [] {
        py::list result;
        for (const std::string_view name : optimization_names()) {
            result.append(to_python(name));
        }
        return result;
    });
    bind_queries(module);
}

}  // namespace tenrex::python
