// tenrex._core.Network: networks of ONNX files.
#include "python/core/network.h"

#include <algorithm>

namespace tenrex::python {

namespace {

std::optional<TensorType> type_in(const Schema &schema, std::string_view input) {
    const InputDeclaration *const declared = schema.find_input(input);
    return declared == nullptr ? std::nullopt : std::optional(declared->type);
}

}  // namespace

std::optional<OnnxModel> ImportedModels::find(const std::string &name, const Schema &schema) const {
    const std::scoped_lock lock(mutex_);
    for (const Entry &entry : entries_) {
        const auto is_same = [&](const auto &asked) { return type_in(schema, asked.first) == asked.second; };
        if (entry.name == name && std::all_of(entry.types.begin(), entry.types.end(), is_same)) {
            return entry.model;
        }
    }
    return std::nullopt;
}

void ImportedModels::keep(std::string name, Types types, OnnxModel model) {
    constexpr std::size_t most = 4;
    const std::scoped_lock lock(mutex_);
    if (entries_.size() == most) {
        entries_.pop_front();
    }
    entries_.push_back({std::move(name), std::move(types), std::move(model)});
}

Result<OnnxModel> Network::import(const std::string &name, const Schema &schema) const {
    if (std::optional<OnnxModel> known = imported->find(name, schema)) {
        return *std::move(known);
    }
    ImportedModels::Types asked;
    OnnxOptions options;
    options.name = name;
    options.inputs = inputs;
    options.folder = folder;
    options.precision = precision;
    options.type_of = [&](std::string_view input) { return asked.emplace_back(input, type_in(schema, input)).second; };
    auto model = path.empty() ? OnnxModel::read(bytes, options) : OnnxModel::load(path, options);
    if (!model) {
        Error error = std::move(model).error();
        error.set_source_name(path.empty() ? name : path);
        return error;
    }
    imported->keep(name, std::move(asked), *model);
    return model;
}

namespace {

// content: a path or bytes.
Network open(const py::object &content, const py::str &folder, const py::dict &inputs, const py::str &precision) {
    Network network;
    const auto known = precision_from_name(from_python(precision));
    if (!known) {
        raise("there is no precision '" + from_python(precision) + "'", "there are f32, bf16 and int8");
    }
    network.precision = *known;
    network.folder = from_python(folder);
    for (const auto &[name, symbol] : inputs) {
        network.inputs.emplace(from_python(name), from_python(symbol));
    }
    if (py::isinstance<py::str>(content)) {
        network.path = from_python(content);
    } else {
        BufferView view;
        view.borrow_bytes(content);
        network.bytes.assign(static_cast<const char *>(view->buf), view.bytes());
    }
    Result<OnnxContents> contents = [&] {
        const py::gil_scoped_release released;
        return network.path.empty() ? OnnxContents::read(network.bytes, network.folder)
                                    : OnnxContents::load(network.path);
    }();
    network.contents = require(std::move(contents));
    if (network.contents.packed && network.precision == ModelPrecision::f32) {
        network.precision = network.contents.packed->precision;
    }
    return network;
}

// The file as a forest, which it is.
Forest forest_of(const Network &network) {
    Result<Forest> forest = [&] {
        const py::gil_scoped_release released;
        return network.path.empty() ? read_onnx_forest(network.bytes) : load_onnx_forest(network.path);
    }();
    return require(std::move(forest));
}

py::dict ports_of(const std::vector<OnnxContents::Port> &ports) {
    py::dict result;
    for (const OnnxContents::Port &port : ports) {
        result[to_python(port.name)] = to_python(port.type);
    }
    return result;
}

py::list operators_of(const Network &network) {
    py::list result;
    for (const OnnxContents::Operator &each : network.contents.operators) {
        result.append(py::make_tuple(to_python(each.name), each.nodes, each.is_supported));
    }
    return result;
}

}  // namespace

void bind_networks(py::module_ &module) {
    py::class_<Network>(module, "Network")
        .def_static("open", &open)
        .def("forest", &forest_of)
        .def_property_readonly("is_forest", [](const Network &network) { return network.contents.is_forest; })
        .def_property_readonly("producer", [](const Network &network) { return to_python(network.contents.producer); })
        .def_property_readonly("parameters", [](const Network &network) { return network.contents.parameters; })
        .def_property_readonly("precision", [](const Network &network) { return to_python(name(network.precision)); })
        .def_property_readonly("inputs", [](const Network &network) { return ports_of(network.contents.inputs); })
        .def_property_readonly("outputs", [](const Network &network) { return ports_of(network.contents.outputs); })
        .def_property_readonly("operators", &operators_of);
}

}  // namespace tenrex::python
