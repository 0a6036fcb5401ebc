// Any file as a forest: it is read, and has values and contributions, or there is an error.
#include "tests/fuzz/forest_checks.h"

namespace tenrex::fuzz {

void run(std::string_view bytes) {
    check(Forest::read(bytes), bytes);
}

}  // namespace tenrex::fuzz
