# Instrumented builds. Sanitizers and coverage hold for every target, so that library, program and tests agree.
set(TENREX_SANITIZE "" CACHE STRING "Sanitizers to build with, such as address,undefined or thread")
option(TENREX_SANITIZE_TRAP "Stop at undefined behaviour without a message of its own, with Clang" OFF)
option(TENREX_FUZZ "Build the fuzz programs: Clang's libFuzzer" OFF)
option(TENREX_COVERAGE "Record which lines run: Clang's source-based coverage" OFF)

# What is instrumented takes long to optimize, and only the library has work to do.
set(TENREX_LIBRARY_OPTIONS "" CACHE STRING "Further options to compile the library with, and nothing else")

if(TENREX_SANITIZE)
  # A finding ends the program with a failure. float-cast-overflow is not part of `undefined`, yet a number that does
  # not fit an index or a label must never be converted.
  set(kinds ${TENREX_SANITIZE})
  if(TENREX_SANITIZE MATCHES "undefined")
    string(APPEND kinds ",float-cast-overflow")
  endif()
  add_compile_options(-fsanitize=${kinds} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  if(TENREX_SANITIZE_TRAP)
    # The address sanitizer reports such an instruction with the calls that led there (ASAN_OPTIONS=handle_sigill=1). What
    # messages are made of would be a third of the objects, and a quarter of the time that they take to compile. Only the
    # runtime sees that two types of functions are the same where two libraries have a description of each.
    add_compile_options(-fsanitize-trap=undefined,float-cast-overflow -fno-sanitize-trap=function)
  endif()
  add_link_options(-fsanitize=${kinds})
endif()

if(TENREX_FUZZ)
  if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "TENREX_FUZZ needs Clang's libFuzzer: configure with -DCMAKE_CXX_COMPILER=clang++.")
  endif()
  # Fuzzers follow the branches of all libraries. They do not ask where a branch is: tables of that would be half of what
  # every start of a program has to relocate.
  set(TENREX_BRANCH_COUNTERS -fsanitize=fuzzer-no-link -fno-sanitize-coverage=pc-table)
endif()

if(TENREX_COVERAGE)
  if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "TENREX_COVERAGE needs Clang: configure with -DCMAKE_CXX_COMPILER=clang++.")
  endif()
  add_compile_options(-fprofile-instr-generate -fcoverage-mapping)
  add_link_options(-fprofile-instr-generate)
endif()
