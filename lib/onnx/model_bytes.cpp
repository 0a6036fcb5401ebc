#include "lib/onnx/model_bytes.h"

#include <algorithm>
#include <system_error>
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

ModelFiles ModelFiles::in(std::filesystem::path folder) {
    return ModelFiles([folder = std::move(folder)](std::string_view location) -> Result<FileBytes> {
        const std::filesystem::path path = folder / std::filesystem::path(location);
        std::error_code no_error;
        if (std::filesystem::is_symlink(path, no_error)) {
            return not_beside(location);
        }
        auto mapped = MappedFile::open(path.string());
        if (!mapped) {
            return std::move(mapped).error();
        }
        const std::string_view all = (*mapped)->bytes();
        return FileBytes{{}, *std::move(mapped), all};
    });
}

Result<std::string_view> ModelFiles::open(const std::string &path) {
    auto mapped = MappedFile::open(path);
    if (!mapped) {
        return std::move(mapped).error();
    }
    return open(*std::move(mapped));
}

Result<std::string_view> ModelFiles::open_bytes(std::string_view bytes) {
    // What a model in memory consists of is copied as it is needed, but packed matrices need an address.
    return is_packed_model(bytes) ? open(MappedFile::copy(bytes)) : Result<std::string_view>(bytes);
}

Result<std::string_view> ModelFiles::open(std::shared_ptr<const MappedFile> file) {
    const std::string_view bytes = file->bytes();
    mapped_.push_back(file);
    if (!is_packed_model(bytes)) {
        return bytes;
    }
    auto model = read_packed_model(bytes);
    if (!model) {
        return std::move(model).error();
    }
    packed_ = std::make_shared<const PackedModel>(*std::move(model));
    read_ = [packed = packed_, file = std::move(file)](std::string_view location) -> Result<FileBytes> {
        const auto found = std::find_if(packed->files.begin() + 1, packed->files.end(),
                                        [&](const PackedModel::File &one) { return one.name == location; });
        return found == packed->files.end() ? Result<FileBytes>(not_beside(location))
                                            : FileBytes{{}, file, found->bytes};
    };
    return packed_->files.front().bytes;
}

std::vector<std::pair<std::string_view, std::string_view>> ModelFiles::read_beside() const {
    std::vector<std::pair<std::string_view, std::string_view>> read;
    for (const auto &[location, file] : files_) {
        read.emplace_back(location, file.view());
    }
    return read;
}

Result<std::string_view> ModelFiles::beside(std::string_view location) {
    const std::filesystem::path path(location);
    if (path.is_absolute() || std::find(path.begin(), path.end(), "..") != path.end()) {
        return not_beside(location);
    }
    const auto known = files_.find(location);
    if (known != files_.end()) {
        return known->second.view();
    }
    auto bytes = read_(location);
    if (!bytes) {
        return std::move(bytes).error();
    }
    if (bytes->mapped) {
        mapped_.push_back(bytes->mapped);
    }
    return files_.emplace(location, *std::move(bytes)).first->second.view();
}

std::shared_ptr<const MappedFile> ModelFiles::holder_of(std::string_view bytes) const {
    const auto found =
        std::find_if(mapped_.begin(), mapped_.end(), [&](const auto &file) { return file->holds(bytes); });
    return found == mapped_.end() ? nullptr : *found;
}

void ModelFiles::let_go() const noexcept {
    for (const std::shared_ptr<const MappedFile> &file : mapped_) {
        file->let_go(file->bytes());
    }
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
