// Numbers beside float cells that are too large or too small for a float: a document that has one is computed in
// double, whatever its neighbours have.
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "lib/program/dense/float_parts.h"
#include "tests/optimizer/values.h"

namespace tenrex::program::number_range_test {
namespace {

using optimizer::literals;
using optimizer::Values;
using optimizer::wrong_value;

// Results of the largest and the smallest floats with these are neither infinite nor 0.
const std::vector<std::string> numbers = {"3",    "1e39",  "-1e39",  "2e-39",   "-1e-50", "0",
                                          "0.1",  "1e300", "-1e300", "inf",     "nan",    "3.4028236e38",
                                          "1e30", "1e-30", "3.5e38", "-3.5e38", "1e-300", "5e-324"};
const std::vector<std::string> cells = {"0",    "1e-30", "-1e-38", "3e38",  "-3.4e38", "1",   "-2.5",
                                        "1e30", "inf",   "-inf",   "1e-45", "nan",     "-0.0"};

std::string cell(std::size_t i) {
    return cells[i % cells.size()];
}

// A value for each number, of so many cells; of no and of many labels if it has some.
std::vector<Tensor> documents(const std::string &cell_type, const std::string &dimensions, std::size_t size) {
    std::vector<std::string> texts;
    for (std::size_t document = 0; document < numbers.size(); ++document) {
        std::vector<std::string> parts;
        const bool labels = dimensions.find('{') != dimensions.npos;
        const std::size_t count = labels ? document * 29 % (2 * size) : size;
        for (std::size_t i = 0; i < count; ++i) {
            parts.push_back(labels ? fmt::format("l{}:{}", i, cell(i + document)) : cell(i + document));
        }
        texts.push_back(fmt::format("tensor<{}>({}):{}{}{}", cell_type, dimensions, labels ? "{" : "[",
                                    fmt::join(parts, ","), labels ? "}" : "]"));
    }
    return literals(texts);
}

TEST(NumberRange, OfDocuments) {
    for (const char *type : {"float", "bfloat16"}) {
        for (const auto &[dimensions, size] : std::vector<std::pair<std::string, std::size_t>>{
                 {"x[1]", 1}, {"x[13]", 13}, {"x[64]", 64}, {"x[300]", 300}, {"k{}", 8}, {"k{}", 150}}) {
            const std::vector<Values> inputs = {{"a", Stage::document, documents(type, dimensions, size)},
                                                {"s", Stage::document, literals(numbers)}};
            for (const char *text : {"a*s",
                                     "a/s",
                                     "s/a",
                                     "a+s",
                                     "s-a",
                                     "a-s",
                                     "max(a,s)",
                                     "min(s,a)",
                                     "atan2(a,s)",
                                     "atan2(s,a)",
                                     "a^s",
                                     "fmod(a,s)",
                                     "tanh(a*s)",
                                     "a*s+a",
                                     "a+s*a-s",
                                     "relu(a*s)*2+a/s",
                                     "if(a>s,a*s,a/s)",
                                     "sum(tanh(a*s))",
                                     "(a-s)*s",
                                     "a*s+(a>s)",
                                     "tanh(a*s*0.25)+atan(a+s)"}) {
                EXPECT_EQ(wrong_value(text, inputs, optimizer::Agreement::within_bounds), "")
                    << text << " " << type << " " << dimensions;
            }
        }
    }
}

TEST(NumberRange, OfTheQueryAndConstants) {
    for (const auto &[dimensions, size] :
         std::vector<std::pair<std::string, std::size_t>>{{"x[13]", 13}, {"x[300]", 300}, {"k{}", 150}}) {
        std::vector<Tensor> cells_of_documents = documents("float", dimensions, size);
        cells_of_documents.resize(7);  // of no to many labels
        for (const std::string &number : numbers) {
            for (const Stage stage : {Stage::query, Stage::constant}) {
                const std::vector<Values> inputs = {{"a", Stage::document, cells_of_documents},
                                                    {"s", stage, literals({number})}};
                for (const char *text :
                     {"a*s", "a/s", "s/a", "a+s", "s-a", "atan2(a,s)", "a*s+a", "(a-s)*s+a", "max(a,s)", "tanh(a*s)"}) {
                    EXPECT_EQ(wrong_value(text, inputs, optimizer::Agreement::within_bounds), "")
                        << text << " " << dimensions << ", s = " << number;
                }
            }
        }
    }
}

// Not in a chain: cells of the query beside a number of the document, and cells that are known when compiling.
TEST(NumberRange, OfOtherSteps) {
    for (const std::string &number : numbers) {
        const std::vector<Values> inputs = {{"q", Stage::query, literals({"tensor<float>(k{}):{a:0,b:1e-30,c:1e38}"})},
                                            {"c", Stage::constant, literals({"tensor<float>(y[3]):[0,1e-30,1e38]"})},
                                            {"s", Stage::document, literals({number, "2"})},
                                            {"t", Stage::constant, literals({number})}};
        for (const char *text : {"q*s", "q/s+q", "q-s", "c*t", "c/sum(c*t)", "c*s", "s/c"}) {
            EXPECT_EQ(wrong_value(text, inputs, optimizer::Agreement::within_bounds), "") << text << ", s = " << number;
        }
    }
}

TEST(NumberRange, ANearestFloatLosesNoDigits) {
    for (const double number : {0.0, -0.0, 1.0, -1e-37, 3.4e38, -0x1p-126, double{0x1.fffffep127f}}) {
        EXPECT_TRUE(has_nearest_float(number)) << number;
    }
    const double infinity = std::numeric_limits<double>::infinity();
    for (const double number : {infinity, -infinity, std::nan("")}) {
        EXPECT_TRUE(has_nearest_float(number)) << number;
    }
    for (const double number : {1e-38, -1e-45, 5e-324, 3.41e38, -1e300, 0x1.ffffffp127}) {
        EXPECT_FALSE(has_nearest_float(number)) << number;
    }
}

}  // namespace
}  // namespace tenrex::program::number_range_test
