// Runs what may need more memory than there is: no exception leaves the library.
#pragma once

#include <new>

#include <tenrex/result.h>

namespace tenrex {

template <class Function>
auto guarded(Function function) -> decltype(function()) {
    try {
        return function();
    } catch (const std::bad_alloc &) {
        return Error("there is not enough memory for this expression");
    }
}

}  // namespace tenrex
