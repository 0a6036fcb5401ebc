// The bytes of a model: of its file, and of files beside it that hold weights.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <tenrex/result.h>

#include "lib/onnx/model_file.h"
#include "lib/storage/mapped_file.h"

namespace tenrex::onnx {

// The bytes of a file that a model consists of, in memory or where the file is.
struct FileBytes {
    std::string text;
    std::shared_ptr<const MappedFile> mapped;

    std::string_view view() const noexcept { return mapped ? mapped->bytes() : std::string_view(text); }
};

// The files of a model, each read once. Those beside it must stand in its folder.
class ModelFiles {
public:
    using Read = std::function<Result<FileBytes>(std::string_view location)>;

    explicit ModelFiles(Read beside) : read_(std::move(beside)) {}
    // Of a model in that folder: files are mapped.
    static ModelFiles in(std::filesystem::path folder);

    // The file of the model itself.
    Result<std::string_view> open(const std::string &path);
    Result<std::string_view> beside(std::string_view location);
    // The mapped file that these bytes are a part of; null: there is none.
    std::shared_ptr<const MappedFile> holder_of(std::string_view bytes) const;
    // Gives back the memory that the files take.
    void let_go() const noexcept;

private:
    Read read_;
    std::map<std::string, FileBytes, std::less<>> files_;
    std::vector<std::shared_ptr<const MappedFile>> mapped_;
};

// A network: an ONNX file, or the weights of one whose sizes a file config.json beside it tells. The model has views of
// the bytes.
Result<Model> read_network(std::string_view bytes,
                           const std::function<Result<std::string_view>(std::string_view location)> &beside);

}  // namespace tenrex::onnx
