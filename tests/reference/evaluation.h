// Shorthand for tests that evaluate expressions: inputs and expected values are written as literals.
//
//   EXPECT_TRUE(gives("reduce(t,sum)", {{"t", "tensor(x[3]):[1,2,3]"}}, "6"));
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <tenrex/expression.h>
#include <tenrex/formats.h>

namespace tenrex {

using Literals = std::vector<std::pair<std::string, std::string>>;

inline Result<Tensor> evaluate(const std::string &text, const Literals &inputs = {},
                               const ExpressionOptions &options = {}) {
    Schema schema;
    std::vector<NamedTensor> values;
    for (const auto &[name, literal] : inputs) {
        auto value = from_literal(literal);
        if (!value) {
            return Error("input " + name + ": " + value.error().message());
        }
        schema.document(name, value->type());
        values.emplace_back(name, *std::move(value));
    }
    const auto expression = Expression::parse(text, schema, options);
    if (!expression) {
        return expression.error();
    }
    auto value = expression->evaluate_reference(values);
    if (value && !(value->type() == expression->type())) {
        return Error("the checker promised " + expression->type().to_string() + ", the value is " +
                     value->type().to_string());
    }
    return value;
}

// Texts made by tests may be very long.
inline std::string clipped(const std::string &text) {
    constexpr std::size_t most = 300;
    return text.size() <= most ? text : text.substr(0, most) + " ...";
}

// True if the expression has exactly that value; the order of blocks does not matter, NaN equals NaN.
inline testing::AssertionResult gives(const std::string &text, const Literals &inputs, const std::string &expected,
                                      const ExpressionOptions &options = {}) {
    const auto wanted = from_literal(expected);
    if (!wanted) {
        return testing::AssertionFailure() << expected << ": " << wanted.error().message();
    }
    const auto value = evaluate(text, inputs, options);
    if (!value) {
        return testing::AssertionFailure() << clipped(text) << " gives an error: " << value.error().message();
    }
    if (*value == *wanted) {
        return testing::AssertionSuccess();
    }
    return testing::AssertionFailure() << clipped(text) << " gives " << clipped(to_literal(*value)) << ", expected "
                                       << expected;
}
inline testing::AssertionResult gives(const std::string &text, const std::string &expected,
                                      const ExpressionOptions &options = {}) {
    return gives(text, {}, expected, options);
}

// True if the expression is rejected, or its evaluation fails, with a message that contains the words.
inline testing::AssertionResult fails(const std::string &text, const Literals &inputs, const std::string &words,
                                      const ExpressionOptions &options = {}) {
    const auto value = evaluate(text, inputs, options);
    if (value) {
        return testing::AssertionFailure()
               << clipped(text) << " gives " << clipped(to_literal(*value)) << ", expected an error";
    }
    const std::string message = value.error().message();
    if (message.find(words) != message.npos) {
        return testing::AssertionSuccess();
    }
    return testing::AssertionFailure() << clipped(text) << " fails with \"" << message << "\", expected \"" << words
                                       << "\"";
}

inline constexpr ExpressionOptions java{Dialect::java, 0, {}};

}  // namespace tenrex
