# The warnings that every target of the project is compiled with. The presets for developing make them errors; whoever
# builds to use the library, maybe with a compiler that is newer than these lines, should not fail on one.
option(TENREX_WARNINGS_AS_ERRORS "Treat warnings as errors" OFF)

function(tenrex_set_warnings target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion
                                           -Wnon-virtual-dtor -Wold-style-cast -Wcast-qual)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    # Optimizing, GCC 12 warns of "text" + std::string(...) wherever it is written (its bug 105651).
    target_compile_options(${target} PRIVATE $<$<NOT:$<CONFIG:Debug>>:-Wno-restrict>)
  endif()
  if(TENREX_WARNINGS_AS_ERRORS)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
endfunction()
