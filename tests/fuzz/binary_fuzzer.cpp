// Any bytes as the typed binary format: a value or an error; a value's bytes give the value back.
#include <cstddef>
#include <span>
#include <vector>

#include <tenrex/formats.h>

#include "tests/fuzz/fuzz_target.h"

namespace tenrex::fuzz {

void run(std::string_view bytes) {
    const Result<Tensor> tensor =
        from_binary(std::as_bytes(std::span<const char>(bytes.data(), bytes.size())), small_limits());
    if (!tensor) {
        require(!tensor.error().render().empty(), "an error renders");
        return;
    }
    const std::vector<std::byte> written = to_binary(tensor->view());
    const Result<Tensor> again = from_binary(written);
    require(again.has_value(), "written bytes can be read");
    require(*again == *tensor, "written bytes mean the same");
    require(to_binary(again->view()) == written, "written bytes are stable");
}

}  // namespace tenrex::fuzz
