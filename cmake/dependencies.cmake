# Header-only libraries that Tenrex is compiled with (docs/adr/0001-dependencies.md). Who links the library needs none of
# them.
find_package(fmt 9 QUIET)
find_path(TENREX_XXHASH_INCLUDE xxhash.h)
set(needed fmt_FOUND TENREX_XXHASH_INCLUDE)
if(TENREX_BUILD_TOOLS OR TENREX_BUILD_TESTS)
  find_package(nlohmann_json 3.11 QUIET)
  list(APPEND needed nlohmann_json_FOUND)
endif()

foreach(found IN LISTS needed)
  if(NOT ${found})
    string(REGEX REPLACE "_FOUND$|^TENREX_|_INCLUDE$" "" name ${found})
    string(TOLOWER ${name} name)
    message(FATAL_ERROR "The headers of ${name} are missing. On Debian, scripts/install-dependencies installs all that "
                        "is needed: libfmt-dev libxxhash-dev nlohmann-json3-dev and others.")
  endif()
endforeach()
