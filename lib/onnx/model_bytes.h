// The bytes of a model: of its file, and of files beside it that hold weights.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include <tenrex/result.h>

#include "lib/onnx/model_file.h"

namespace tenrex::onnx {

Result<std::string> read_file(const std::filesystem::path &path);

// Files beside a model, each read once. They must stand in its folder.
class FilesBeside {
public:
    using Read = std::function<Result<std::string>(std::string_view location)>;

    explicit FilesBeside(Read read) : read_(std::move(read)) {}
    // Of a model in that folder.
    static FilesBeside in(std::filesystem::path folder);

    Result<std::string_view> operator()(std::string_view location);

private:
    Read read_;
    std::map<std::string, std::string, std::less<>> files_;
};

// A network: an ONNX file, or the weights of one whose sizes a file config.json beside it tells. The model has views of
// the bytes.
Result<Model> read_network(std::string_view bytes,
                           const std::function<Result<std::string_view>(std::string_view location)> &beside);

}  // namespace tenrex::onnx
