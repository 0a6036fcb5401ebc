#include <tenrex/onnx.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <new>
#include <utility>

#include <fmt/format.h>

#include "lib/onnx/import.h"

namespace tenrex {

namespace {

Result<std::string> read_file(const std::filesystem::path &path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) {
        return Error(fmt::format("cannot read '{}'", path.string()), "does the file exist?");
    }
    std::error_code problem;
    const std::uintmax_t size = std::filesystem::file_size(path, problem);
    std::string bytes(problem ? 0 : static_cast<std::size_t>(size), '\0');
    if (problem || !file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()))) {
        return Error(fmt::format("cannot read '{}'", path.string()), "is it a file, and may it be read?");
    }
    return bytes;
}

// Files that hold weights, each read once. They must stand in the folder of the model.
class FilesBeside {
public:
    explicit FilesBeside(std::filesystem::path folder) : folder_(std::move(folder)) {}

    Result<std::string_view> operator()(std::string_view location) {
        const std::filesystem::path path(location);
        const bool leaves = path.is_absolute() || std::find(path.begin(), path.end(), "..") != path.end();
        std::error_code no_error;
        if (leaves || std::filesystem::is_symlink(folder_ / path, no_error)) {
            return Error(fmt::format("the file '{}' with weights is not in the folder of the model", location),
                         "put the model and its weights into one folder");
        }
        const auto known = files_.find(location);
        if (known != files_.end()) {
            return std::string_view(known->second);
        }
        auto bytes = read_file(folder_ / path);
        if (!bytes) {
            return std::move(bytes).error();
        }
        return std::string_view(files_.emplace(location, *std::move(bytes)).first->second);
    }

private:
    std::filesystem::path folder_;
    std::map<std::string, std::string, std::less<>> files_;
};

// A name as it may stand behind the dot of a symbol.
std::string as_output(std::string_view name) {
    std::string result(name);
    for (char &c : result) {
        const bool keeps = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
        c = keeps ? c : '_';
    }
    return result;
}

}  // namespace

struct OnnxModel::Content {
    std::vector<Port> inputs;
    std::vector<Port> outputs;
    std::vector<std::pair<std::string, Tensor>> constants;
    std::vector<DefinitionDeclaration> definitions;
    std::uint64_t parameters = 0;
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

}  // namespace

Result<OnnxModel> OnnxModel::load(const std::string &path, const OnnxOptions &options) {
    const auto bytes = read_file(path);
    if (!bytes) {
        return bytes.error();
    }
    FilesBeside beside(std::filesystem::path(path).parent_path());
    return import(*bytes, options, [&](std::string_view location) { return beside(location); });
}

Result<OnnxModel> OnnxModel::read(std::string_view bytes, const OnnxOptions &options) {
    return import(bytes, options, {});
}

Result<OnnxModel> OnnxModel::import(std::string_view bytes, const OnnxOptions &options,
                                    const std::function<Result<std::string_view>(std::string_view)> &beside) {
    try {
        auto imported = onnx::import_model(
            bytes, {options.name, options.inputs, options.sizes, options.constants, beside, options.limits});
        if (!imported) {
            return std::move(imported).error();
        }
        auto content = std::make_shared<Content>();
        content->inputs = ports_of(std::move(imported->inputs));
        content->outputs = ports_of(std::move(imported->outputs));
        content->constants = std::move(imported->constants);
        for (const auto &[symbol, tensor] : content->constants) {
            content->parameters += tensor.cell_count();
        }
        for (auto &[symbol, text] : imported->definitions) {
            content->definitions.push_back({std::move(symbol), std::move(text)});
        }
        for (Port &output : content->outputs) {
            const std::string symbol = fmt::format("onnx({}).{}", options.name, as_output(output.name));
            content->definitions.push_back({symbol, std::exchange(output.symbol, symbol)});
        }
        if (!content->outputs.empty()) {
            content->definitions.push_back({fmt::format("onnx({})", options.name), content->outputs.front().symbol});
        }
        return OnnxModel(std::move(content));
    } catch (const std::bad_alloc &) {
        return Error("there is not enough memory for the model");
    }
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

const std::vector<DefinitionDeclaration> &OnnxModel::definitions() const noexcept {
    return content_->definitions;
}

void OnnxModel::add_to(Schema &schema) const {
    for (const auto &[symbol, tensor] : content_->constants) {
        schema.constant(symbol, tensor);
    }
    for (const DefinitionDeclaration &definition : content_->definitions) {
        schema.define(definition.name, definition.text);
    }
}

}  // namespace tenrex
