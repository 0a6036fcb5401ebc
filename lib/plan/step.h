// A step of a program: it computes some values from others, for all documents of a frame at once.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <tenrex/issue.h>

#include "lib/plan/value.h"

namespace tenrex::plan {

class Step {
public:
    Step() = default;
    Step(const Step &) = delete;
    Step &operator=(const Step &) = delete;
    virtual ~Step() = default;

    // Throws only std::bad_alloc. A document's values depend on nothing but its own inputs.
    virtual void run(Frame &frame) const = 0;
    // What it does and with which kernel, for explain: "dot avx512::dot_f32_bf16, 768 cells".
    virtual std::string describe() const = 0;
};

using Program = std::vector<std::unique_ptr<const Step>>;

}  // namespace tenrex::plan
