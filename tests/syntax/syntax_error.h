// A text that the parser must refuse, and the test of one: place, message and hint are exact.
#pragma once

#include <cstdint>
#include <string_view>

#include <gtest/gtest.h>

#include "lib/syntax/parser.h"

namespace tenrex::syntax {

struct RefusedText {
    const char *text;
    const char *where;  // the text that the error points to; "$" for an error at the end that more text could mend
    const char *message;
    const char *hint = "";
    Dialect dialect = Dialect::core;
};

inline void expect_refused(const RefusedText &row) {
    ParseOptions options;
    options.dialect = row.dialect;
    const auto ast = parse(row.text, options);
    ASSERT_FALSE(ast) << row.text;
    const Error &error = ast.error();
    ASSERT_EQ(error.issues().size(), 1u) << row.text;
    const Issue &issue = error.issues()[0];
    EXPECT_EQ(issue.message, row.message) << row.text;
    EXPECT_EQ(issue.hint, row.hint) << row.text;
    const std::string_view text = row.text;
    const bool at_end = std::string_view(row.where) == "$";
    EXPECT_EQ(error.incomplete(), at_end) << row.text;
    if (at_end) {
        EXPECT_EQ(issue.span, (Span{static_cast<std::uint32_t>(text.size()), static_cast<std::uint32_t>(text.size())}))
            << row.text;
    } else {
        EXPECT_EQ(text.substr(issue.span.begin, issue.span.end - issue.span.begin), row.where) << row.text;
    }
}

}  // namespace tenrex::syntax
