// Makes packed models: what plans of all outputs have packed is what is stored.
#include <algorithm>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <tenrex/onnx.h>
#include <tenrex/plan.h>
#include <tenrex/version.h>

#include "lib/onnx/import.h"
#include "lib/onnx/packed_model.h"
#include "lib/runtime/packed_weights.h"

namespace tenrex {

namespace {

using onnx::PackedModel;

Status compile_all(const onnx::ImportedModel &model, const CompileOptions &options, std::vector<Plan> &plans) {
    Schema schema;
    for (const onnx::ModelPort &input : model.inputs) {
        schema.document(input.inner, input.type);
    }
    for (const auto &[symbol, tensor] : model.constants) {
        schema.constant(symbol, tensor);
    }
    for (const ForestDeclaration &forest : model.forests) {
        schema.forest(forest.name, forest.forest, forest.inputs);
    }
    for (const auto &[symbol, text] : model.definitions) {
        schema.define(symbol, text);
    }
    for (const onnx::ModelPort &output : model.outputs) {
        auto plan = compile(output.symbol, schema, options);
        if (!plan) {
            return plan.error();
        }
        plans.push_back(*std::move(plan));
    }
    return {};
}

// The file with those of the weights that stand in it, each byte once.
PackedModel::File file_of(std::string_view name, std::string_view bytes, std::vector<std::string_view> weights) {
    const auto begin_of = [&](std::string_view part) { return static_cast<std::size_t>(part.data() - bytes.data()); };
    const std::less_equal<const char *> not_behind;
    std::erase_if(weights, [&](std::string_view part) {
        return part.empty() || !not_behind(bytes.data(), part.data()) ||
               !not_behind(part.data() + part.size(), bytes.data() + bytes.size());
    });
    std::sort(weights.begin(), weights.end(), [&](auto a, auto b) { return begin_of(a) < begin_of(b); });
    PackedModel::File file{std::string(name), bytes, {}};
    for (const std::string_view part : weights) {
        if (!file.weights.empty() && begin_of(part) < begin_of(file.weights.back()) + file.weights.back().size()) {
            const std::size_t begin = begin_of(file.weights.back());
            const std::size_t end = std::max(begin + file.weights.back().size(), begin_of(part) + part.size());
            file.weights.back() = bytes.substr(begin, end - begin);
        } else {
            file.weights.push_back(part);
        }
    }
    return file;
}

}  // namespace

Status pack_onnx_model(const std::string &path, const OnnxOptions &options,
                       const std::function<void(std::string_view bytes)> &write) {
    return onnx::unless_out_of_memory([&]() -> Status {
        auto files = onnx::ModelFiles::in(std::filesystem::path(path).parent_path());
        const auto bytes = files.open(path);
        if (!bytes) {
            return bytes.error();
        }
        if (files.packed() != nullptr) {
            return Error("the model is packed already", "pack the file that it was made of");
        }
        const auto model = onnx::import_model(*bytes, {options.name, options.inputs, options.sizes, options.constants,
                                                       options.type_of, &files, options.limits, options.precision});
        if (!model) {
            return model.error();
        }
        CompileOptions compile_options;
        compile_options.weights = std::make_shared<WeightStore>();
        std::vector<Plan> plans;
        if (Status status = compile_all(*model, compile_options, plans); !status) {
            return status;
        }
        PackedModel packed;
        packed.version = version();
        packed.instruction_set = instruction_set();
        packed.source = std::filesystem::path(path).filename().string();
        packed.precision = options.precision;
        packed.files.push_back(file_of({}, *bytes, model->weight_bytes));
        for (const auto &[name, beside] : files.read_beside()) {
            packed.files.push_back(file_of(name, beside, model->weight_bytes));
        }
        for (const auto &[symbol, tensor] : model->constants) {
            const auto origin = model->origins.find(symbol);
            if (origin == model->origins.end()) {
                continue;
            }
            for (auto &[order, cells] : packed_of(*compile_options.weights, tensor)) {
                packed.matrices.emplace(origin->second, PackedModel::Matrix{std::move(order), cells});
            }
        }
        packed.columns = model->columns;
        write_packed_model(packed, write);
        return {};
    });
}

bool is_packed_model(const std::string &path) {
    const auto file = MappedFile::open(path);
    return file && onnx::is_packed_model((*file)->bytes());
}

Status check_packed_model(const std::string &path) {
    const auto file = MappedFile::open(path);
    return file ? onnx::check_packed_model((*file)->bytes()) : Status(file.error());
}

}  // namespace tenrex
