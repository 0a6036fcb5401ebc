// A text and all issues that it has, with the bytes that each points at.
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/sema/checking.h"

namespace tenrex::sema {

struct Case {
    const char *text;
    std::vector<std::string> issues;  // "begin-end: message (hint)"
};

inline void PrintTo(const Case &c, std::ostream *out) {
    *out << c.text;
}

class IssueCases : public testing::TestWithParam<Case> {
protected:
    static void expect_all_reported() {
        EXPECT_THAT(issues_of(GetParam().text), testing::ElementsAreArray(GetParam().issues)) << GetParam().text;
    }
};

}  // namespace tenrex::sema
