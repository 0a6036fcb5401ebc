// Parsing takes linear time and little of it. The bounds are generous: they hold in unoptimized builds on busy machines
// and catch quadratic behaviour, not a few percent.
#include <gtest/gtest.h>

#include <algorithm>
#include <ctime>
#include <iostream>
#include <string>

#include "lib/syntax/parser.h"
#include "tests/syntax/tree_sum.h"

namespace tenrex::syntax {
namespace {

// The best of a few runs, in seconds of processor time: other programs do not count.
template <class Run>
double seconds(int runs, Run run) {
    double best = 1e9;
    for (int i = 0; i < runs; ++i) {
        const std::clock_t start = std::clock();
        run();
        best = std::min(best, static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
    }
    return best;
}

void report(std::string_view what, double value, std::string_view unit) {
    std::cout << what << ": " << value << ' ' << unit << '\n';
}

TEST(Speed, OfAThousandTrees) {
    const std::string text = TreeSum().text(1000, 5);
    ASSERT_GT(text.size(), 1000000u);
    const double time = seconds(5, [&] { ASSERT_TRUE(parse(text)); });
    report("1000 trees, " + std::to_string(text.size()) + " bytes", time * 1e3, "ms");
    EXPECT_LT(time, 2.5);
}

TEST(Speed, OfUsualExpressions) {
    const char *const texts[] = {
        "bm25(title) + 3 * sum(query(q) * attribute(embedding))",
        "reduce(map(join(a,b,f(x,y)(x-y)),f(x)(x*x)),sum,x) + if(attribute(a)<3,1,2)",
        "tensor<float>(x[4],y[3]):[[1,0.125,-0.25],[-0.625,-0.875,-0.375],[-1,0,-0.375],[-0.875,-1,-0.125]]",
        "t{x:i+1,y:a}+0.5*fieldMatch(title).completeness",
    };
    for (const char *text : texts) {
        const double time = seconds(5, [&] {
            for (int i = 0; i < 100; ++i) {
                ASSERT_TRUE(parse(text));
            }
        });
        report(text, time / 100 * 1e6, "us");
        EXPECT_LT(time / 100, 0.5e-3) << text;
    }
}

// Twice the text takes about twice the time, for all kinds of texts.
TEST(Speed, IsLinear) {
    const auto repeat = [](std::string_view text, std::size_t times) {
        std::string result;
        for (std::size_t i = 0; i < times; ++i) {
            result += text;
        }
        return result;
    };
    struct Kind {
        const char *before;
        const char *repeated;
        const char *after;
    };
    const Kind kinds[] = {
        {"a", "+b*2", ""},
        {"a", "{x:0}", ""},
        {"tensor(x[1000000]):[1", ",0.5", "]"},
        {"tensor(x{}):{b:0", ",a:1", "}"},
        {"tensor(x{}):{{x:b}:0", ",{x:a}:1", "}"},
        {"a in [0", ",1", "]"},
        {"a + # comment\n", "# comment\n", "b"},
        {"foo(a", ", b", ")"},
        {"t{x:a", ",x:b+1", "}"},
        {"t{x:a", ",x:b(", "}"},
        {"switch(a){case 0: 0,", "case 1: 2,", "default: 3}"},
        {"\"", "\\n", "\""},
        {"a", "          ", ""},
        {"max(a", ",b", ")"},
    };
    constexpr std::size_t times = 5000;
    for (const Kind &kind : kinds) {
        const std::string small = kind.before + repeat(kind.repeated, times) + kind.after;
        const std::string large = kind.before + repeat(kind.repeated, 8 * times) + kind.after;
        ASSERT_TRUE(parse(large)) << kind.repeated;
        const double one = seconds(3, [&] { (void)parse(small); });
        const double eight = seconds(2, [&] { (void)parse(large); });
        EXPECT_LT(eight, 8 * 4 * one + 0.05) << kind.before << kind.repeated;
    }
}

}  // namespace
}  // namespace tenrex::syntax
