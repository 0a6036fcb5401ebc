// How readers of models fail deep within a file: they throw, and the reader's outermost function returns the error.
#pragma once

#include <utility>

#include <tenrex/result.h>

namespace tenrex::forest {

struct Broken {
    Error error;
};

// The value; throws if there is none.
template <class T>
T get(Result<T> result) {
    if (!result) {
        throw Broken{std::move(result).error()};
    }
    return *std::move(result);
}

}  // namespace tenrex::forest
