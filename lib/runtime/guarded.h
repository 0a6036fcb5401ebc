// Runs what may need more memory than there is: no exception leaves the library.
#pragma once

#include <exception>
#include <new>

#include <tenrex/result.h>

#include "lib/support/format.h"

namespace tenrex {

// The function is taken as it is: a processor waits where what it captures has just been written and is copied.
template <class Function>
auto guarded(const Function &function) -> decltype(function()) {
    try {
        return function();
    } catch (const std::bad_alloc &) {
        return Error("there is not enough memory for this expression");
    } catch (const std::exception &exception) {
        // Mostly of a container that cannot have so many elements.
        return Error(fmt::format("the expression cannot be computed: {}", exception.what()));
    }
}

}  // namespace tenrex
