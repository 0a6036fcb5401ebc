// Networks of ONNX files, which are imported once it is known what their inputs are.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <tenrex/onnx.h>

#include "python/core/python.h"

namespace tenrex::python {

// Models that were imported, for those who compile with them again: by their names, and by the types that they have
// asked for.
class ImportedModels {
public:
    using Types = std::vector<std::pair<std::string, std::optional<TensorType>>>;

    std::optional<OnnxModel> find(const std::string &name, const Schema &schema) const;
    void keep(std::string name, Types types, OnnxModel model);

private:
    struct Entry {
        std::string name;
        Types types;
        OnnxModel model;
    };
    mutable std::mutex mutex_;
    std::deque<Entry> entries_;
};

struct Network {
    std::string path;   // empty: the bytes
    std::string bytes;  // of a model in memory
    std::string folder;
    std::map<std::string, std::string, std::less<>> inputs;
    ModelPrecision precision = ModelPrecision::f32;
    OnnxContents contents;
    std::shared_ptr<ImportedModels> imported = std::make_shared<ImportedModels>();

    // As the model of that name, for what the schema declares; once for all who ask for the same. To be called without
    // the lock of the interpreter.
    Result<OnnxModel> import(const std::string &name, const Schema &schema) const;
};

void bind_networks(py::module_ &module);

}  // namespace tenrex::python
