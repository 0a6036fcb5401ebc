#include <tenrex/version.h>

namespace tenrex {

#define TENREX_TEXT_OF(number) #number
#define TENREX_TEXT(number) TENREX_TEXT_OF(number)

std::string_view version() noexcept {
    return TENREX_TEXT(TENREX_VERSION_MAJOR) "." TENREX_TEXT(TENREX_VERSION_MINOR) "." TENREX_TEXT(
        TENREX_VERSION_PATCH);
}

}  // namespace tenrex
