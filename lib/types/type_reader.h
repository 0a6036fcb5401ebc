// Reads type specifications, for TensorType::parse and for literals, where the written order of the dimensions matters.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <tenrex/issue.h>
#include <tenrex/limits.h>
#include <tenrex/tensor_type.h>

#include "lib/types/text_reader.h"

namespace tenrex {

struct WrittenType {
    TensorType type;
    std::vector<std::size_t> order;  // of each dimension as written: its place in type.dimensions()
    Span span;
};

// True if a type specification begins here: the word tensor or double.
bool begins_with_type(TextReader &in);

// Whether the type is that of a value, in which a dimension may have size 0, or what values shall fit.
enum class TypeOf : std::uint8_t { value, declaration };

// Reads a type where the reader stands. False: the reader has the error.
bool read_type(TextReader &in, const Limits &limits, WrittenType &written, TypeOf of = TypeOf::value);

}  // namespace tenrex
