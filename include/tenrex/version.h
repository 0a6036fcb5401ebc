// Which version of the library this is: of the headers at compile time, of the library at run time; for C and C++. The
// numbers here are those of the whole project.
#pragma once

#define TENREX_VERSION_MAJOR 0
#define TENREX_VERSION_MINOR 1
#define TENREX_VERSION_PATCH 0
// Can be compared: 100 is 0.1.0.
#define TENREX_VERSION_NUMBER (TENREX_VERSION_MAJOR * 10000 + TENREX_VERSION_MINOR * 100 + TENREX_VERSION_PATCH)

#ifdef __cplusplus

#include <string_view>

#include <tenrex/export.h>

namespace tenrex {

// "0.1.0": of the library that the program is linked with.
TENREX_EXPORT std::string_view version() noexcept;

}  // namespace tenrex

#endif
