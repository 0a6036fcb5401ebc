#include <new>

#include <tenrex/onnx.h>

#include "lib/onnx/tree_ensemble.h"
#include "lib/storage/mapped_file.h"

namespace tenrex {

Result<Forest> load_onnx_forest(const std::string &path) {
    const auto file = MappedFile::open(path);
    if (!file) {
        return file.error();
    }
    auto forest = read_onnx_forest((*file)->bytes());
    if (!forest) {
        Error error = std::move(forest).error();
        error.set_source_name(path);
        return error;
    }
    return forest;
}

Result<Forest> read_onnx_forest(std::string_view bytes) {
    try {
        return onnx::read_tree_ensemble(bytes);
    } catch (const std::bad_alloc &) {
        return Error("there is not enough memory for the model");
    }
}

}  // namespace tenrex
