#include "lib/onnx/model_bytes.h"

#include <algorithm>
#include <fstream>
#include <utility>

#include <fmt/format.h>

#include "lib/onnx/bert.h"
#include "lib/onnx/safetensors.h"

namespace tenrex::onnx {

namespace {

Error not_beside(std::string_view location) {
    return Error(fmt::format("the file '{}' with weights is not in the folder of the model", location),
                 "put the model and its weights into one folder");
}

}  // namespace

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

FilesBeside FilesBeside::in(std::filesystem::path folder) {
    return FilesBeside([folder = std::move(folder)](std::string_view location) -> Result<std::string> {
        const std::filesystem::path path = folder / std::filesystem::path(location);
        std::error_code no_error;
        return std::filesystem::is_symlink(path, no_error) ? Result<std::string>(not_beside(location))
                                                           : read_file(path);
    });
}

Result<std::string_view> FilesBeside::operator()(std::string_view location) {
    const std::filesystem::path path(location);
    if (path.is_absolute() || std::find(path.begin(), path.end(), "..") != path.end()) {
        return not_beside(location);
    }
    const auto known = files_.find(location);
    if (known != files_.end()) {
        return std::string_view(known->second);
    }
    auto bytes = read_(location);
    if (!bytes) {
        return std::move(bytes).error();
    }
    return std::string_view(files_.emplace(location, *std::move(bytes)).first->second);
}

Result<Model> read_network(std::string_view bytes,
                           const std::function<Result<std::string_view>(std::string_view location)> &beside) {
    if (!is_safetensors(bytes)) {
        return read_model(bytes);
    }
    const auto config = beside ? beside("config.json") : Result<std::string_view>(Error(""));
    return config ? bert_model(bytes, *config)
                  : Error("the file has weights without a graph, and no file config.json is beside it",
                          "put both into one folder, and load the weights from there");
}

}  // namespace tenrex::onnx
