#include <tenrex/onnx.h>

#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "lib/onnx/import.h"
#include "lib/onnx/model_bytes.h"

namespace tenrex {

namespace {

// Files that the caller reads.
onnx::ModelFiles::Read files_of(const std::function<Result<std::string>(std::string_view location)> &beside) {
    return [&beside](std::string_view location) -> Result<onnx::FileBytes> {
        auto text = beside(location);
        return text ? onnx::FileBytes{*std::move(text), nullptr} : Result<onnx::FileBytes>(std::move(text).error());
    };
}

// What expressions call an output by: only some characters may stand behind the dot.
std::string output_symbol(std::string_view model, std::string_view name) {
    std::string output(name);
    for (char &c : output) {
        const bool keeps = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
        c = keeps ? c : '_';
    }
    return fmt::format("onnx({}).{}", model, output);
}

}  // namespace

struct OnnxModel::Content {
    std::vector<Port> inputs;
    std::vector<Port> outputs;
    std::vector<std::pair<std::string, Tensor>> constants;
    std::vector<DefinitionDeclaration> definitions;
    std::vector<ForestDeclaration> forests;
    std::uint64_t parameters = 0;
    Flops flops;
};

namespace {

std::vector<OnnxModel::Port> ports_of(std::vector<onnx::ModelPort> ports) {
    std::vector<OnnxModel::Port> result;
    result.reserve(ports.size());
    for (onnx::ModelPort &port : ports) {
        result.push_back({std::move(port.name), std::move(port.symbol), std::string(info(port.element_type).name),
                          std::move(port.type)});
    }
    return result;
}

// The definitions of the nodes and of the outputs, whose symbols become onnx(name).output.
void add_definitions(onnx::ImportedModel &model, std::string_view name,
                     std::vector<DefinitionDeclaration> &definitions) {
    for (auto &[symbol, text] : model.definitions) {
        definitions.push_back({std::move(symbol), std::move(text)});
    }
    for (onnx::ModelPort &output : model.outputs) {
        const std::string symbol = output_symbol(name, output.name);
        definitions.push_back({symbol, std::exchange(output.symbol, symbol)});
    }
    if (!model.outputs.empty()) {
        definitions.push_back({fmt::format("onnx({})", name), model.outputs.front().symbol});
    }
}

}  // namespace

Result<OnnxModel> OnnxModel::load(const std::string &path, const OnnxOptions &options) {
    return onnx::unless_out_of_memory([&]() -> Result<OnnxModel> {
        auto files = onnx::ModelFiles::in(std::filesystem::path(path).parent_path());
        const auto bytes = files.open(path);
        return bytes ? import(*bytes, options, &files) : Result<OnnxModel>(bytes.error());
    });
}

Result<OnnxModel> OnnxModel::read(std::string_view bytes, const OnnxOptions &options) {
    return onnx::unless_out_of_memory([&]() -> Result<OnnxModel> {
        auto files = options.beside ? onnx::ModelFiles(files_of(options.beside)) : onnx::ModelFiles::in(options.folder);
        const auto model = files.open_bytes(bytes);
        if (!model) {
            return model.error();
        }
        const bool has_files = options.beside || !options.folder.empty() || files.packed() != nullptr;
        return import(*model, options, has_files ? &files : nullptr);
    });
}

Result<OnnxModel> OnnxModel::import(std::string_view bytes, const OnnxOptions &options, onnx::ModelFiles *files) {
    auto imported = onnx::import_model(bytes, {options.name, options.inputs, options.sizes, options.constants,
                                               options.type_of, files, options.limits, options.precision});
    if (!imported) {
        return std::move(imported).error();
    }
    if (files != nullptr) {
        files->let_go();
    }
    auto content = std::make_shared<Content>();
    for (const onnx::ModelPort &input : imported->inputs) {
        content->definitions.push_back({input.inner, input.symbol});
    }
    content->flops = {imported->flops[0], imported->flops[1], imported->flops[2]};
    add_definitions(*imported, options.name, content->definitions);
    content->inputs = ports_of(std::move(imported->inputs));
    content->outputs = ports_of(std::move(imported->outputs));
    content->constants = std::move(imported->constants);
    content->forests = std::move(imported->forests);
    for (const auto &[symbol, tensor] : content->constants) {
        content->parameters += tensor.cell_count();
    }
    return OnnxModel(std::move(content));
}

Result<ModelDefinitions> read_onnx_model(std::string_view bytes, const ModelRequest &request) {
    return onnx::unless_out_of_memory([&]() -> Result<ModelDefinitions> {
        onnx::ImportOptions options;
        options.name = request.name;
        options.type_of = request.type_of;
        options.limits = request.limits;
        options.precision = request.precision;
        onnx::ModelFiles files(files_of(request.beside));
        const auto model = files.open_bytes(bytes);
        if (!model) {
            return model.error();
        }
        options.files = request.beside || files.packed() != nullptr ? &files : nullptr;
        auto imported = onnx::import_model(*model, options);
        if (!imported) {
            return std::move(imported).error();
        }
        ModelDefinitions result;
        add_definitions(*imported, request.name, result.definitions);
        for (onnx::ModelPort &input : imported->inputs) {
            result.inputs.push_back({std::move(input.name), std::move(input.inner), std::move(input.type)});
        }
        for (onnx::ModelPort &output : imported->outputs) {
            result.outputs.push_back({std::move(output.name), std::move(output.symbol), std::move(output.type)});
        }
        for (ModelDefinitions::Refused &refused : imported->refused) {
            refused.symbol = output_symbol(request.name, refused.name);
            result.refused.push_back(std::move(refused));
        }
        result.constants = std::move(imported->constants);
        result.forests = std::move(imported->forests);
        return result;
    });
}

const std::vector<OnnxModel::Port> &OnnxModel::inputs() const noexcept {
    return content_->inputs;
}

const std::vector<OnnxModel::Port> &OnnxModel::outputs() const noexcept {
    return content_->outputs;
}

std::uint64_t OnnxModel::parameters() const noexcept {
    return content_->parameters;
}

OnnxModel::Flops OnnxModel::flops() const noexcept {
    return content_->flops;
}

const std::vector<DefinitionDeclaration> &OnnxModel::definitions() const noexcept {
    return content_->definitions;
}

void OnnxModel::add_to(Schema &schema) const {
    for (const auto &[symbol, tensor] : content_->constants) {
        schema.constant(symbol, tensor);
    }
    for (const ForestDeclaration &forest : content_->forests) {
        schema.forest(forest.name, forest.forest, forest.inputs);
    }
    for (const DefinitionDeclaration &definition : content_->definitions) {
        schema.define(definition.name, definition.text);
    }
}

}  // namespace tenrex
