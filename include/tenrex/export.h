// Marks what the shared library shows: functions and classes that are defined in it. Everything else is hidden.
//
// TENREX_SHARED is defined by the build, the CMake package and the pkg-config file of the shared library. In the static
// library all symbols stay hidden, so they do not leak out of a shared library that contains it.
#pragma once

#ifdef TENREX_SHARED
#define TENREX_EXPORT [[gnu::visibility("default")]]
#else
#define TENREX_EXPORT
#endif
