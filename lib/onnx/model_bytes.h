// The bytes of a model: of its file, and of files beside it that hold weights.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tenrex/result.h>

#include "lib/onnx/model_file.h"
#include "lib/onnx/packed_model.h"
#include "lib/storage/mapped_file.h"

namespace tenrex::onnx {

// The bytes of a file that a model consists of, in memory or where the file is.
struct FileBytes {
    std::string text;
    std::shared_ptr<const MappedFile> mapped;
    std::string_view part = {};  // of the mapped one

    std::string_view view() const noexcept { return mapped ? part : std::string_view(text); }
};

// The files of a model, each read once. Those beside it must stand in its folder.
class ModelFiles {
public:
    using Read = std::function<Result<FileBytes>(std::string_view location)>;

    explicit ModelFiles(Read beside) : read_(std::move(beside)) {}
    // Of a model in that folder: files are mapped.
    static ModelFiles in(std::filesystem::path folder);

    // The file of the model itself. If it is packed: the model in it, and what is beside it is in there, too.
    Result<std::string_view> open(const std::string &path);
    // The same for its bytes.
    Result<std::string_view> open_bytes(std::string_view bytes);
    // What else the packed model has; null: it is not packed.
    const PackedModel *packed() const noexcept { return packed_.get(); }
    // The files beside it that were read: names and bytes.
    std::vector<std::pair<std::string_view, std::string_view>> read_beside() const;
    Result<std::string_view> beside(std::string_view location);
    // The mapped file that these bytes are a part of; null: there is none.
    std::shared_ptr<const MappedFile> holder_of(std::string_view bytes) const;
    // Gives back the memory that the files take.
    void let_go() const noexcept;

private:
    Result<std::string_view> open(std::shared_ptr<const MappedFile> file);

    Read read_;
    std::shared_ptr<const PackedModel> packed_;
    std::map<std::string, FileBytes, std::less<>> files_;
    std::vector<std::shared_ptr<const MappedFile>> mapped_;
};

// A network: an ONNX file, or the weights of one whose sizes a file config.json beside it tells. The model has views of
// the bytes.
Result<Model> read_network(std::string_view bytes,
                           const std::function<Result<std::string_view>(std::string_view location)> &beside);

}  // namespace tenrex::onnx
