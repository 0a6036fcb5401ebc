// Any file as a forest of ONNX: it is read, and has values, or there is an error.
#include <tenrex/onnx.h>

#include "tests/fuzz/forest_checks.h"

namespace tenrex::fuzz {

void run(std::string_view bytes) {
    check(read_onnx_forest(bytes), bytes);
}

}  // namespace tenrex::fuzz
