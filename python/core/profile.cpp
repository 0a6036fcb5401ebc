// tenrex._core.ProfileSet and tenrex._core.RankProfile: reading, compiling, and what happens between the phases.
#include <optional>

#include <tenrex/onnx.h>
#include <tenrex/profile_files.h>
#include <tenrex/rank_profile.h>
#include <tenrex/ranking.h>

#include "python/core/plan.h"

namespace tenrex::python {

namespace {

// Attributes, as a list of (name, kind, of strings, type or None, a bool).
std::vector<Attribute> attributes_of(const py::list &list) {
    std::vector<Attribute> attributes;
    for (const py::handle entry : list) {
        const py::tuple fields = py::reinterpret_borrow<py::tuple>(entry);
        Attribute attribute{from_python(fields[0]), fields[1].cast<AttributeKind>(), fields[2].cast<bool>()};
        if (!fields[3].is_none()) {
            attribute.type = fields[3].cast<TensorType>();
        }
        attribute.is_bool = fields[4].cast<bool>();
        attributes.push_back(std::move(attribute));
    }
    return attributes;
}

// Calls a Python function for the content of a file; what it throws becomes an issue.
FileLoader loader_of(const py::object &function) {
    if (function.is_none()) {
        return {};
    }
    // Copied and destroyed where the library likes, with the GIL or without.
    const std::shared_ptr<py::object> shared(new py::object(function), [](py::object *object) {
        const py::gil_scoped_acquire acquired;
        delete object;
    });
    return [shared](std::string_view path) -> Result<std::string> {
        const py::gil_scoped_acquire acquired;
        try {
            return std::string(py::bytes((*shared)(to_python(path))));
        } catch (const py::error_already_set &error) {
            return Error(from_python(py::str(error.value())));
        }
    };
}

py::list issues_of(const std::vector<Issue> &issues) {
    py::list result;
    for (const Issue &issue : issues) {
        result.append(to_python(render(issue)));
    }
    return result;
}

struct SharedProfile {
    RankProfile profile;
};

py::list needs_of(const std::vector<ColumnNeed> &columns) {
    py::list needs;
    for (const ColumnNeed &need : columns) {
        needs.append(
            py::make_tuple(to_python(need.name), need.type, need.source, to_python(need.argument), need.members));
    }
    return needs;
}

// What a phase needs and does: None if the profile does not have it.
py::object phase_of(const std::optional<Plan> &plan, const std::vector<ColumnNeed> &columns) {
    if (!plan) {
        return py::none();
    }
    py::dict result;
    result["plan"] = std::make_shared<SharedPlan>(*plan, py::frozenset(py::list()));
    result["columns"] = needs_of(columns);
    return result;
}

py::object phase_of(const RankPhase &phase) {
    py::object result = phase_of(phase.plan, phase.columns);
    if (!result.is_none()) {
        result["rerank_count"] = py::int_(phase.rerank_count);
        result["drop_limit"] = phase.drop_limit ? py::object(py::float_(*phase.drop_limit)) : py::none();
    }
    return result;
}

py::list normalizers_of(const GlobalPhase &phase) {
    py::list result;
    for (const Normalizer &normalizer : phase.normalizers) {
        result.append(py::make_tuple(to_python(normalizer.name), normalizer.kind == NormalizerKind::linear,
                                     normalizer.k, normalizer.output));
    }
    return result;
}

py::list inputs_of(const RankProfile &profile) {
    py::list result;
    for (const ProfileInput &input : profile.inputs()) {
        result.append(py::make_tuple(to_python(input.name), input.type,
                                     input.default_value ? py::cast(*input.default_value) : py::none(),
                                     input.is_string));
    }
    return result;
}

py::dict query_values(const SharedProfile &shared, const py::dict &given, double now) {
    std::vector<NamedTensor> values;
    for (const auto &[name, value] : given) {
        values.emplace_back(from_python(name), value.cast<Tensor>());
    }
    py::dict result;
    for (const auto &[name, value] : require(shared.profile.query_values(values, now))) {
        result[to_python(name)] = value;
    }
    return result;
}

std::vector<double> doubles_of(const py::object &array) {
    BufferView view;
    view.borrow_bytes(array);
    const auto *numbers = static_cast<const double *>(view->buf);
    return {numbers, numbers + view.bytes() / sizeof(double)};
}

py::list pairs_of(const std::vector<Hit> &hits) {
    py::list result;
    for (const Hit &hit : hits) {
        result.append(py::make_tuple(hit.document, hit.score));
    }
    return result;
}

// The best documents by their scores, without those up to the limit.
py::list best(const py::object &scores, std::size_t most, const std::optional<double> &drop_limit) {
    const std::vector<double> all = doubles_of(scores);
    TopHits top(most);
    for (std::size_t document = 0; document < all.size(); ++document) {
        if (!drop_limit || all[document] > *drop_limit) {
            top.add(document, all[document]);
        }
    }
    return pairs_of(std::move(top).take());
}

py::list rerank_pairs(const py::list &pairs, const py::object &scores) {
    std::vector<Hit> hits;
    for (const py::handle entry : pairs) {
        const py::tuple pair = py::reinterpret_borrow<py::tuple>(entry);
        hits.push_back({pair[0].cast<std::uint64_t>(), pair[1].cast<double>()});
    }
    rerank(hits, doubles_of(scores));
    return pairs_of(hits);
}

// The profiles of a text, with what the application says of their inputs.
struct SharedProfiles {
    ProfileSet set;
    std::vector<ProfileInput> query_inputs;
};

SharedProfiles profiles_of_text(const py::str &text, const py::str &file_name, const py::object &loader) {
    const std::string content = from_python(text);
    const std::string name = from_python(file_name);
    FileLoader load = loader_of(loader);
    Result<ProfileSet> set = [&] {
        const py::gil_scoped_release released;
        return ProfileSet::parse(content, name, std::move(load));
    }();
    return {require(std::move(set)), {}};
}

SharedProfiles profiles_of_file(const py::str &path) {
    const std::string name = from_python(path);
    std::vector<ProfileInput> inputs;
    Result<ProfileSet> set = [&]() -> Result<ProfileSet> {
        const py::gil_scoped_release released;
        auto found = read_profile_files(name);
        if (!found) {
            return found.error();
        }
        inputs = std::move(found->query_inputs);
        return ProfileSet::parse(found->files, std::move(found->loader));
    }();
    return {require(std::move(set)), std::move(inputs)};
}

// given: attributes as attributes_of takes them, features as (name, type), nearest as (label, attribute, input).
ProfileOptions options_of(const SharedProfiles &profiles, const py::dict &given) {
    ProfileOptions options;
    options.attributes = attributes_of(given["attributes"]);
    options.undeclared_attributes = given["undeclared_attributes"].cast<bool>();
    options.check_unused_functions = true;
    options.query_inputs = profiles.query_inputs;
    options.models = read_onnx_model;
    for (const py::handle entry : py::list(given["features"])) {
        const py::tuple pair = py::reinterpret_borrow<py::tuple>(entry);
        options.features.push_back({from_python(pair[0]), pair[1].cast<TensorType>()});
    }
    if (given["all_features"].cast<bool>()) {
        options.host_feature = [](std::string_view feature) -> std::optional<TensorType> {
            const auto known = engine_feature(feature);
            return known ? std::optional(known->type) : std::nullopt;
        };
    }
    for (const py::handle entry : py::list(given["nearest"])) {
        const py::tuple parts = py::reinterpret_borrow<py::tuple>(entry);
        options.nearest_neighbors.push_back({from_python(parts[0]), from_python(parts[1]), from_python(parts[2])});
    }
    return options;
}

std::shared_ptr<SharedProfile> compile_one(const SharedProfiles &profiles, const py::str &name, const py::dict &given) {
    const ProfileOptions options = options_of(profiles, given);
    const std::string wanted = from_python(name);
    Result<RankProfile> profile = [&] {
        const py::gil_scoped_release released;
        return compile_profile(profiles.set, wanted, options);
    }();
    return std::make_shared<SharedProfile>(SharedProfile{require(std::move(profile))});
}

py::list needs_of_engine(const SharedProfiles &profiles, const py::str &name, const py::dict &given) {
    const ProfileOptions options = options_of(profiles, given);
    const std::string wanted = from_python(name);
    const std::vector<HostFeature> needs = [&] {
        const py::gil_scoped_release released;
        return needed_features(profiles.set, wanted, options);
    }();
    py::list result;
    for (const HostFeature &feature : needs) {
        result.append(py::make_tuple(to_python(feature.name), feature.type));
    }
    return result;
}

}  // namespace

void bind_profiles(py::module_ &module) {
    py::enum_<AttributeKind>(module, "AttributeKind")
        .value("number", AttributeKind::number)
        .value("string", AttributeKind::string)
        .value("tensor", AttributeKind::tensor)
        .value("array", AttributeKind::array)
        .value("weighted_set", AttributeKind::weighted_set);
    py::enum_<ColumnSource>(module, "ColumnSource")
        .value("attribute", ColumnSource::attribute)
        .value("labels", ColumnSource::labels)
        .value("structs", ColumnSource::structs)
        .value("host", ColumnSource::host)
        .value("random", ColumnSource::random)
        .value("first_phase", ColumnSource::first_phase)
        .value("second_phase", ColumnSource::second_phase)
        .value("normalizer", ColumnSource::normalizer);
    py::class_<SharedProfiles>(module, "ProfileSet")
        .def(py::init(&profiles_of_text))
        .def_static("read", &profiles_of_file)
        .def_property_readonly("names",
                               [](const SharedProfiles &profiles) {
                                   py::list names;
                                   for (const std::string &name : profiles.set.names()) {
                                       names.append(to_python(name));
                                   }
                                   return names;
                               })
        .def_property_readonly("warnings",
                               [](const SharedProfiles &profiles) { return issues_of(profiles.set.warnings()); })
        .def("compile", &compile_one)
        .def("needs", &needs_of_engine);
    py::class_<SharedProfile, std::shared_ptr<SharedProfile>>(module, "RankProfile")
        .def_property_readonly("name", [](const SharedProfile &shared) { return to_python(shared.profile.name()); })
        .def_property_readonly("inputs", [](const SharedProfile &shared) { return inputs_of(shared.profile); })
        .def_property_readonly(
            "attributes",
            [](const SharedProfile &shared) {
                py::list result;
                for (const Attribute &attribute : shared.profile.attributes()) {
                    result.append(py::make_tuple(to_python(attribute.name), attribute.kind, attribute.of_strings,
                                                 attribute.type, attribute.is_bool));
                }
                return result;
            })
        .def_property_readonly("columns",
                               [](const SharedProfile &shared) { return needs_of(shared.profile.columns()); })
        .def_property_readonly("warnings",
                               [](const SharedProfile &shared) { return issues_of(shared.profile.warnings()); })
        .def_property_readonly("labels", [](const SharedProfile &shared) { return shared.profile.labels(); })
        .def("first_phase", [](const SharedProfile &shared) { return phase_of(shared.profile.first_phase()); })
        .def("second_phase", [](const SharedProfile &shared) { return phase_of(shared.profile.second_phase()); })
        .def("global_phase", [](const SharedProfile &shared) { return phase_of(shared.profile.global_phase()); })
        .def("normalized",
             [](const SharedProfile &shared) { return phase_of(shared.profile.global_phase().normalized); })
        .def("normalizers", [](const SharedProfile &shared) { return normalizers_of(shared.profile.global_phase()); })
        .def("features",
             [](const SharedProfile &shared) {
                 return phase_of(shared.profile.features().plan, shared.profile.features().columns);
             })
        .def("query_values", &query_values);
    module.def("best", &best);
    module.def("rerank", &rerank_pairs);
    module.def("normalize_linear", [](const py::object &values) { return normalize_linear(doubles_of(values)); });
    module.def("reciprocal_rank",
               [](const py::object &values, double k) { return reciprocal_rank(doubles_of(values), k); });
    module.def("random_number", [](std::uint64_t seed, std::uint64_t document, const py::str &name) {
        return random_number(seed, document, from_python(name));
    });
}

}  // namespace tenrex::python
