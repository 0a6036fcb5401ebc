// Any file as a packed model, and any table in one whose hashes are right: it is imported and has values, or there is
// an error.
#include <algorithm>
#include <cstdint>
#include <cstring>

#include <tenrex/version.h>

#include "lib/onnx/packed_model.h"
#include "lib/runtime/packed_weights.h"
#include "tests/fuzz/onnx_checks.h"

namespace tenrex::fuzz {

namespace {

void read(std::string_view bytes) {
    OnnxOptions options;
    options.limits = small_limits();
    const auto model = OnnxModel::read(bytes, options);
    if (!model) {
        require(!model.error().render().empty(), "an error renders");
        return;
    }
    check_imported(*model, options.limits);
}

}  // namespace

// The length of the table, the table, the parts.
void run(std::string_view bytes) {
    read(bytes);
    std::uint64_t size = 0;
    if (bytes.size() < sizeof(size)) {
        return;
    }
    std::memcpy(&size, bytes.data(), sizeof(size));
    bytes.remove_prefix(sizeof(size));
    const std::string_view table =
        bytes.substr(0, static_cast<std::size_t>(std::min<std::uint64_t>(size, bytes.size())));
    auto model = onnx::read_packed_table(table, bytes.substr(table.size()));
    if (!model) {
        return;
    }
    model->version = version();
    model->instruction_set = instruction_set();
    std::string file;
    write_packed_model(*model, [&](std::string_view part) { file += part; });
    read(file);
}

}  // namespace tenrex::fuzz
