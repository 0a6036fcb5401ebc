// Documents of many lengths, with open dimensions, compiled and by the reference evaluator.
#pragma once

#include <cstddef>
#include <vector>

#include <tenrex/schema.h>

namespace tenrex {

struct OpenInput {
    const char *name;
    const char *type;
    Stage stage;
    std::size_t length = 0;  // of the query's values; documents have lengths from 0 on
};
// Open dimensions have one length within a document, but u and those behind it by name another one.
struct OpenCase {
    const char *expression;
    std::vector<OpenInput> inputs;
    std::size_t longest = 300;
};

// In blocks of several sizes, on every instruction set: the values are those of the reference evaluator, and the bits
// are the same in any block.
void compare_open(const OpenCase &one);

}  // namespace tenrex
