// Any file as a network: it is imported as definitions that hold together and have values, or there is an error.
#include "tests/fuzz/onnx_checks.h"

namespace tenrex::fuzz {

void run(std::string_view bytes) {
    if (const auto contents = OnnxContents::read(bytes); !contents) {
        require(!contents.error().render().empty(), "an error renders");
    }
    OnnxOptions options;
    options.limits = small_limits();
    for (const bool is_open : {true, false}) {
        if (!is_open) {
            options.sizes = {{"n", 3}, {"sequence", 2}};
        }
        const auto model = OnnxModel::read(bytes, options);
        if (!model) {
            require(!model.error().render().empty(), "an error renders");
            continue;
        }
        check_imported(*model, options.limits);
    }
}

}  // namespace tenrex::fuzz
