// Runs what may need more memory than there is: no exception leaves the library.
#pragma once

#include <exception>
#include <new>

#include <tenrex/result.h>

#include "lib/support/format.h"

namespace tenrex {

template <class Function>
auto guarded(Function function) -> decltype(function()) {
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
