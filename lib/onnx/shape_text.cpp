#include "lib/onnx/shape_text.h"

#include <fmt/format.h>

namespace tenrex::onnx {

std::string shape_text(const std::vector<DimensionData> &shape) {
    std::vector<std::string> sizes;
    sizes.reserve(shape.size());
    for (const DimensionData &dimension : shape) {
        sizes.push_back(dimension.size           ? fmt::format("{}", *dimension.size)
                        : dimension.name.empty() ? "?"
                                                 : std::string(dimension.name));
    }
    return fmt::format("[{}]", fmt::join(sizes, ","));
}

}  // namespace tenrex::onnx
