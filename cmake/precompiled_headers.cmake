# Headers that are compiled once and not in every source, where most of the time of a build goes. The presets for
# developing use them; those that users build with do not, so that a source which does not include all that it needs is
# found, and neither does the static analysis.
option(TENREX_PRECOMPILED_HEADERS "Compile the headers of the standard library and of tests once" OFF)

if(TENREX_PRECOMPILED_HEADERS)
  # What a compiler cache must know so that it may keep what is compiled with such headers, and to tell that two builds of
  # this directory compile the same.
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    add_compile_options(-fpch-preprocess)
  else()
    set(CMAKE_PCH_INSTANTIATE_TEMPLATES OFF)
    add_compile_options("SHELL:-Xclang -fno-pch-timestamp")
  endif()
  if(TENREX_CCACHE AND CMAKE_CXX_COMPILER_LAUNCHER STREQUAL TENREX_CCACHE)
    set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros
                                    CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} ${TENREX_CCACHE})
  endif()
endif()

# tenrex_precompile_headers(target [header...]): the usual ones of the standard library, and those. No headers of the
# project: what a compiler cache keeps of another checkout has their times, by which GCC tells files of #pragma once apart.
function(tenrex_precompile_headers target)
  if(TENREX_PRECOMPILED_HEADERS)
    target_precompile_headers(${target} PRIVATE <algorithm> <array> <cmath> <functional> <map> <memory> <optional> <span>
                              <string> <string_view> <unordered_map> <vector> ${ARGN})
  endif()
endfunction()
