// The node tests of the ONNX project, which Debian's package libonnx-testdata has: each of a listed
// operator gives its outputs, by the reference evaluator and compiled; the others are refused with the operator's name.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <tenrex/onnx.h>
#include <tenrex/tenrex.h>

#include "lib/onnx/model_file.h"
#include "lib/onnx/operators.h"
#include "lib/onnx/tensor_data.h"
#include "tests/onnx/evaluated.h"

namespace tenrex::onnx {
namespace {

namespace fs = std::filesystem;

std::string bytes_of(const fs::path &path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

fs::path folder() {
    const char *set = std::getenv("TENREX_ONNX_TESTS");
    return set == nullptr ? "/usr/share/libonnx-testdata/data/node" : set;
}

// Tests that must not pass, and why.
struct Exception {
    std::string_view name;  // begins with this
    std::string_view why;
    bool is_of_1_12 = false;  // newer tests of the name must pass
};
constexpr Exception exceptions[] = {
    {"test_batchnorm_epsilon_training_mode", "training is refused"},
    {"test_batchnorm_example_training_mode", "training is refused"},
    {"test_training_dropout", "training is refused"},
    {"test_einsum_batch_diagonal", "diagonals are refused"},
    {"test_cast_FLOAT_to_BFLOAT16", "version 1.12 cuts bits off; later ones round to the nearest number", true},
    {"test_castlike_FLOAT_to_BFLOAT16", "the same", true},
    {"test_ai_onnx_ml_tree_ensemble", "several rows are refused: trees take one, that of the document"},
};

bool is_exception(std::string_view name) {
    const bool are_others = std::getenv("TENREX_ONNX_TESTS") != nullptr;
    return std::any_of(std::begin(exceptions), std::end(exceptions), [&](const Exception &each) {
        return name.starts_with(each.name) && !(each.is_of_1_12 && are_others);
    });
}

struct Case {
    std::string model;
    std::vector<std::string> bytes;  // that the inputs and outputs are views of
    std::vector<TensorData> inputs;
    std::vector<TensorData> outputs;
    bool is_plain = true;  // all are tensors of numbers
};

Case read_case(const fs::path &path) {
    Case result;
    result.model = bytes_of(path / "model.onnx");
    for (const auto &[name, tensors] : {std::pair("input", &result.inputs), std::pair("output", &result.outputs)}) {
        for (int i = 0;; ++i) {
            const fs::path file = path / "test_data_set_0" / fmt::format("{}_{}.pb", name, i);
            if (!fs::exists(file)) {
                break;
            }
            result.bytes.push_back(bytes_of(file));
        }
    }
    std::size_t next = 0;
    for (const auto &[name, tensors] : {std::pair("input", &result.inputs), std::pair("output", &result.outputs)}) {
        for (int i = 0; fs::exists(path / "test_data_set_0" / fmt::format("{}_{}.pb", name, i)); ++i) {
            auto data = read_tensor(result.bytes[next++]);
            // There are no tensors without elements but those that only decide shapes.
            const bool is_there = data && (name == std::string_view("input") || data->elements() > 0);
            result.is_plain = result.is_plain && is_there && numbers_of(*data);
            tensors->push_back(data ? *std::move(data) : TensorData{});
        }
    }
    return result;
}

// Not a number where one is expected, the same infinity, or within the tolerance that the tests come with.
std::string difference(const Tensor &tensor, const TensorData &data, bool is_cast) {
    const auto expected = numbers_of(data);
    if (!expected) {
        return expected.error().issues().front().message;
    }
    if (tensor.cell_count() != expected->size()) {
        return fmt::format("{} cells, {} expected", tensor.cell_count(), expected->size());
    }
    // Whole numbers are exact, and casts alone. Beside the tests of version 1.12 there are newer ones and random
    // models: numbers of 16 bits are rounded by ONNX after each step, and here at the end, and what is left of numbers
    // that cancel each other is noise of their size.
    const ElementTypeInfo &type = info(data.type);
    const bool is_real = type.kind == ElementKind::real && !is_cast;
    const bool are_others = std::getenv("TENREX_ONNX_TESTS") != nullptr;
    const double relative = !is_real                                       ? 0
                            : are_others && data.type == ElementType::bf16 ? 1e-2
                            : are_others && data.type == ElementType::f16  ? 2e-3
                                                                           : 1e-3;
    double largest = 0;
    for (const double wanted : *expected) {
        largest = are_others && std::isfinite(wanted) ? std::max(largest, std::abs(wanted)) : largest;
    }
    const double absolute = is_real ? 1e-7 + 1e-6 * largest : 0;
    for (std::size_t i = 0; i < expected->size(); ++i) {
        const double cell = tensor.cell(i);
        const double wanted = (*expected)[i];
        if (std::isnan(cell) != std::isnan(wanted) ||
            (cell != wanted && !(std::abs(cell - wanted) <= absolute + relative * std::abs(wanted)) &&
             !std::isnan(wanted))) {
            return fmt::format("cell {} is {}, {} expected", i, cell, wanted);
        }
    }
    return {};
}

// Empty: all outputs are right. `sized`: axes without a number have the sizes of the values, and else are open.
std::string run(const Case &one, const std::vector<bool> &is_constant, bool sized, const Model &file) {
    OnnxOptions options;
    std::vector<NamedTensor> values;
    std::map<std::string, TensorType, std::less<>> types;
    for (std::size_t i = 0; i < one.inputs.size(); ++i) {
        if (one.inputs[i].elements() == 0) {
            continue;
        }
        auto tensor = tensor_of(one.inputs[i]);
        if (!tensor) {
            return tensor.error().issues().front().message;
        }
        const std::string name(file.inputs[i].name);
        if (is_constant[i]) {
            options.constants.emplace(name, *tensor);
            continue;
        }
        options.inputs.emplace(name, fmt::format("in({})", i));
        types.emplace(name, tensor->type());
        values.emplace_back(fmt::format("in({})", i), *std::move(tensor));
    }
    if (sized) {
        options.type_of = [&](std::string_view input) {
            const auto found = types.find(input);
            return found == types.end() ? std::nullopt : std::optional(found->second);
        };
    }
    const auto model = OnnxModel::read(one.model, options);
    if (!model) {
        return model.error().issues().front().message;
    }
    const Schema schema = schema_with(*model);
    const bool is_cast = std::all_of(file.nodes.begin(), file.nodes.end(),
                                     [](const Node &node) { return node.op == "Cast" || node.op == "CastLike"; });
    for (std::size_t i = 0; i < one.outputs.size() && i < model->outputs().size(); ++i) {
        const auto expression = Expression::parse(model->outputs()[i].symbol, schema);
        if (!expression) {
            return expression.error().render();
        }
        const auto reference = expression->evaluate_reference(values);
        if (!reference) {
            return reference.error().render();
        }
        if (std::string wrong = difference(*reference, one.outputs[i], is_cast); !wrong.empty()) {
            return "reference: " + wrong;
        }
        const auto plan = compile(*expression);
        if (!plan) {
            return plan.error().render();
        }
        const auto compiled = evaluated(*plan, {values});
        if (!compiled) {
            return compiled.error().render();
        }
        if (std::string wrong = difference(compiled->front(), one.outputs[i], is_cast); !wrong.empty()) {
            return "compiled: " + wrong;
        }
    }
    return {};
}

bool has_names(const ValueInfo &input) {
    return std::any_of(input.shape.begin(), input.shape.end(), [](const DimensionData &size) { return !size.size; });
}

// Any size first; then with those of the values, where an operator needs one; what decides shapes is given when
// importing.
std::string run(const Case &one, const Model &file, bool &needs_sizes) {
    std::vector<bool> constants(one.inputs.size());
    std::string wrong = run(one, constants, false, file);
    const bool is_computed = wrong.empty() || wrong.starts_with("reference:") || wrong.starts_with("compiled:");
    needs_sizes = !is_computed && std::any_of(file.inputs.begin(), file.inputs.end(), has_names);
    if (needs_sizes) {
        wrong = run(one, constants, true, file);
    }
    for (std::size_t i = 0; i < constants.size() && wrong.find("known when") != std::string::npos; ++i) {
        constants[constants.size() - 1 - i] = true;
        wrong = run(one, constants, needs_sizes, file);
    }
    return wrong;
}

std::string full_name(std::string_view domain, std::string_view name) {
    return domain.empty() || domain == "ai.onnx" ? std::string(name) : fmt::format("{}.{}", domain, name);
}

// For docs/onnx.md.
std::string operator_table(const std::map<std::string, int> &tests_of) {
    std::string table = "| operator | tests | operator | tests | operator | tests |\n|---|--:|---|--:|---|--:|\n";
    std::vector<std::string> names;
    for (const Operator &each : operators()) {
        names.push_back(full_name(each.domain, each.name));
    }
    std::sort(names.begin(), names.end());
    const std::size_t rows = (names.size() + 2) / 3;
    for (std::size_t row = 0; row < rows; ++row) {
        for (std::size_t i = row; i < 3 * rows; i += rows) {
            const auto count = i < names.size() ? tests_of.find(names[i]) : tests_of.end();
            table += i < names.size() ? fmt::format("| {} | {} ", names[i], count == tests_of.end() ? 0 : count->second)
                                      : "| | ";
        }
        table += "|\n";
    }
    return table;
}

TEST(OnnxBackend, EachTestOfAListedOperatorPasses) {
    ASSERT_TRUE(fs::exists(folder()))
        << "the tests of ONNX are not installed: install the package libonnx-testdata, or "
           "say with TENREX_ONNX_TESTS where they are";
    std::vector<fs::path> paths;
    for (const auto &entry : fs::directory_iterator(folder())) {
        if (fs::exists(entry.path() / "model.onnx")) {
            paths.push_back(entry.path());
        }
    }
    std::sort(paths.begin(), paths.end());
    const char *only = std::getenv("TENREX_ONNX_TEST");
    std::size_t passed = 0;
    std::size_t refused = 0;
    std::size_t sized = 0;
    std::map<std::string, std::string> failed;
    std::map<std::string, int> tests_of;
    for (const fs::path &path : paths) {
        if (only != nullptr && path.filename().string().find(only) == std::string::npos) {
            continue;
        }
        Case one = read_case(path);
        const auto file = read_model(one.model);
        ASSERT_TRUE(file) << path << file.error().render();
        // The files have numbers of 16 bits as whole numbers.
        for (std::size_t i = 0; i < std::min(one.inputs.size(), file->inputs.size()); ++i) {
            one.inputs[i].type = file->inputs[i].type.value_or(one.inputs[i].type);
        }
        for (std::size_t i = 0; i < std::min(one.outputs.size(), file->outputs.size()); ++i) {
            one.outputs[i].type = file->outputs[i].type.value_or(one.outputs[i].type);
        }
        const bool is_listed = std::all_of(file->nodes.begin(), file->nodes.end(), [](const Node &node) {
            return find_operator(node.domain, node.op) != nullptr;
        });
        if (!is_listed || !one.is_plain || one.inputs.size() > file->inputs.size()) {
            ++refused;
            continue;
        }
        bool needs_sizes = false;
        const std::string wrong = run(one, *file, needs_sizes);
        sized += needs_sizes ? 1 : 0;
        if (is_exception(path.filename().string())) {
            EXPECT_NE(wrong, "") << path;
            ++refused;
        } else if (wrong.empty()) {
            ++passed;
            std::set<std::string_view> seen;
            for (const Node &node : file->nodes) {
                if (seen.insert(node.op).second) {
                    ++tests_of[full_name(node.domain, node.op)];
                }
            }
        } else {
            failed.emplace(path.filename().string(), wrong);
        }
    }
    std::cout << fmt::format("{} passed, {} of other operators or types, {} failed; {} needed sizes\n", passed, refused,
                             failed.size(), sized);
    for (const auto &[name, wrong] : failed) {
        ADD_FAILURE() << name << ": " << wrong;
    }
    constexpr std::size_t cases_of_1_12 = 932;
    if (only == nullptr && paths.size() == cases_of_1_12) {
        const std::string table = operator_table(tests_of);
        EXPECT_NE(bytes_of("docs/onnx.md").find(table), std::string::npos) << "docs/onnx.md should have\n" << table;
    }
}

}  // namespace
}  // namespace tenrex::onnx
