// tenrex._core.Forest: decision forests of LightGBM and XGBoost.
#include <tenrex/forest.h>

#include "python/core/python.h"

namespace tenrex::python {

namespace {

ForestOptions options_of(const py::str &feature_map, std::uint32_t outputs, double base_score) {
    return {from_python(feature_map), outputs, base_score};
}

Forest read_forest(const py::object &content, const py::str &feature_map, std::uint32_t outputs, double base_score) {
    BufferView view;
    view.borrow_bytes(content);
    const ForestOptions options = options_of(feature_map, outputs, base_score);
    Result<Forest> forest = [&] {
        const py::gil_scoped_release released;
        return Forest::read({static_cast<const char *>(view->buf), view.bytes()}, options);
    }();
    return require(std::move(forest));
}

Forest load_forest(const py::str &path, const py::str &feature_map, std::uint32_t outputs, double base_score) {
    const std::string name = from_python(path);
    const ForestOptions options = options_of(feature_map, outputs, base_score);
    Result<Forest> forest = [&] {
        const py::gil_scoped_release released;
        return Forest::load(name, options);
    }();
    return require(std::move(forest));
}

py::list features_of(const Forest &forest) {
    py::list result;
    for (const Forest::Feature &feature : forest.features()) {
        py::dict categories;
        for (const Forest::Category &category : feature.categories) {
            categories[to_python(category.label)] = category.code;
        }
        result.append(
            py::make_tuple(to_python(feature.name), feature.is_categorical, categories, feature.splits, feature.gain));
    }
    return result;
}

py::list texts_of(const std::vector<std::string> &texts) {
    py::list result;
    for (const std::string &text : texts) {
        result.append(to_python(text));
    }
    return result;
}

std::vector<double> contributions(const Forest &forest, const std::vector<double> &values) {
    return require(forest.contributions(values));
}

}  // namespace

void bind_forests(py::module_ &module) {
    py::class_<Forest>(module, "Forest")
        .def_static("read", &read_forest)
        .def_static("load", &load_forest)
        .def_property_readonly("format", [](const Forest &forest) { return to_python(forest.format()); })
        .def_property_readonly("objective", [](const Forest &forest) { return to_python(forest.objective()); })
        .def_property_readonly("trees", &Forest::trees)
        .def_property_readonly("leaves", &Forest::leaves)
        .def_property_readonly("depth", &Forest::depth)
        .def_property_readonly("outputs", &Forest::outputs)
        .def_property_readonly("features", &features_of)
        .def_property_readonly("used_features", [](const Forest &forest) { return texts_of(forest.used_features()); })
        .def("contributions", &contributions);
}

}  // namespace tenrex::python
