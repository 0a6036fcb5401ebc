// Values have the same bits for any number of threads that share a step. The thread sanitizer watches (scripts/check
// tsan).
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <tenrex/formats.h>

#include "tests/conformance/isas.h"
#include "tests/differential/case.h"
#include "tests/differential/executors.h"
#include "tests/differential/vector_case.h"
#include "tests/differential/wide_case.h"

namespace tenrex::differential {
namespace {

using random::Numbers;

constexpr std::size_t numbers_of_threads[] = {1, 2, 3, 7};

std::vector<std::size_t> some_documents(const Case &described, std::size_t count) {
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < count; ++i) {
        order.push_back(i * 3 % described.documents.size());
    }
    return order;
}

// What differs from the values without an executor, or nothing; the calls of those in turn are counted.
std::string difference(const Case &described, const Settings &settings, std::size_t block, std::size_t &calls,
                       bool with_threads) {
    const auto compiled = Compiled::make(described, settings);
    if (!compiled) {
        return compiled.error().message();
    }
    const std::vector<std::size_t> order = some_documents(described, block);
    Context alone(compiled->plan());
    const auto expected = evaluate(*compiled, described, order, alone);
    const auto compare = [&](Executor &executor) -> std::string {
        Context context(compiled->plan(), executor);
        for (int round = 0; round < 2; ++round) {
            const auto values = evaluate(*compiled, described, order, context);
            if (!values || !expected) {
                const bool both = !values && !expected;
                return both && values.error().message() == expected.error().message() ? "" : "one of them fails";
            }
            for (std::size_t i = 0; i < values->size(); ++i) {
                if (!same_bits((*values)[i], (*expected)[i])) {
                    return "value " + std::to_string(i) + " for " + std::to_string(executor.concurrency()) +
                           " threads\n" + compiled->plan().explain();
                }
            }
        }
        return {};
    };
    for (const std::size_t threads : numbers_of_threads) {
        PartsInTurn in_turn(threads);
        std::string found = compare(in_turn);
        calls += in_turn.calls();
        if (found.empty() && with_threads && threads > 1) {
            ThreadsForParts together(threads);
            found = compare(together);
        }
        if (!found.empty()) {
            return found;
        }
    }
    return {};
}

Tensor random_value(const TensorType &open_type, std::size_t rows, std::uint32_t &state) {
    std::vector<Dimension> dimensions = open_type.dimensions();
    for (Dimension &dimension : dimensions) {
        dimension = dimension.is_open() ? Dimension{dimension.name, rows} : dimension;
    }
    TensorBuilder builder(*TensorType::make(open_type.cell_type(), std::move(dimensions)));
    const double largest = open_type.cell_type() == CellType::i8 ? 127 : 1;
    for (std::size_t i = 0; i < builder.type().block_cells(); ++i) {
        state = state * 1664525 + 1013904223;
        builder.set(0, i, largest * (std::ldexp(static_cast<double>(state >> 12U), -19) - 1));
    }
    return std::move(builder).build();
}

// Documents with so many rows in open dimensions.
Case case_of(std::string_view text, const std::vector<const char *> &types, const std::vector<std::size_t> &rows) {
    Case described{std::string(text), {}, std::vector<std::vector<NamedTensor>>(rows.size())};
    std::uint32_t state = 1;
    char name = 'a';
    for (const char *type : types) {
        const TensorType parsed = *TensorType::parse(type);
        const std::string input(1, name++);
        described.schema.document(input, parsed);
        for (std::size_t i = 0; i < rows.size(); ++i) {
            described.documents[i].emplace_back(input, random_value(parsed, rows[i], state));
        }
    }
    return described;
}

struct Kind {
    const char *what;
    const char *text;
    std::vector<const char *> types;
    std::vector<std::size_t> rows;
};

// Long steps of each kind.
const std::vector<Kind> &kinds() {
    static const std::vector<Kind> all = {
        {"many rows by a matrix that all share",
         "reduce(a*tensor<float>(h[70],o[150])(cos(h*7+o)),sum,h)",
         {"tensor<float>(t[],h[70])"},
         {300, 1, 33}},
        {"few rows by a matrix",
         "reduce(a*tensor<float>(h[300],o[530])(cos(h*7+o)),sum,h)",
         {"tensor<float>(t[],h[300])"},
         {5, 1, 2}},
        {"a layer with a bias and relu",
         "relu(reduce(a*tensor<float>(h[70],o[200])(cos(h*7+o)),sum,h)+tensor<float>(o[200])(o*0.01-1))",
         {"tensor<float>(t[],h[70])"},
         {9, 250}},
        {"bytes", "reduce(a*tensor<int8>(h[70],o[330])(cos(h*7+o)*120),sum,h)", {"tensor<int8>(t[],h[70])"}, {200, 3}},
        {"halves",
         "reduce(a*tensor<bfloat16>(h[70],o[330])(cos(h*7+o)),sum,h)",
         {"tensor<bfloat16>(t[],h[70])"},
         {200, 3}},
        {"doubles", "reduce(a*tensor(h[70],o[130])(cos(h*7+o)),sum,h)", {"tensor(t[],h[70])"}, {100, 3}},
        {"a product of two values",
         "reduce(a*b,sum,k)",
         {"tensor<float>(i[70],k[60])", "tensor<float>(k[60],j[170])"},
         {0}},
        {"attention",
         "sum(softmax(sum(a*b,x)/5,s)*c,s)",
         {"tensor<float>(h[5],t[],x[16])", "tensor<float>(h[5],s[],x[16])", "tensor<float>(h[5],s[],y[16])"},
         {37, 1, 5, 61}},
        {"softmax", "softmax(a,x)", {"tensor<float>(t[],x[50])"}, {40, 1, 9}},
        {"layer normalization",
         "(a-reduce(a,avg,x))/sqrt(reduce((a-reduce(a,avg,x))*(a-reduce(a,avg,x)),avg,x)+0.001)",
         {"tensor<float>(t[],x[50])"},
         {40, 1, 9}},
        {"cells of two values", "a+b", {"tensor<float>(x[90],y[101])", "tensor<float>(x[90],y[101])"}, {0, 0}},
        {"a formula", "a*b+sqrt(a*a+b*b)-0.5", {"tensor<float>(x[90],y[101])", "tensor<float>(x[90],y[101])"}, {0, 0}},
        {"a formula with rows and columns",
         "tanh(a*b+c)",
         {"tensor<float>(x[90],y[101])", "tensor<float>(x[90])", "tensor<float>(y[101])"},
         {0, 0, 0}},
        {"a formula with a number of the document",
         "tanh(a*b+b)",
         {"tensor<float>(t[],x[333])", "tensor<float>(y[1])"},
         {31, 70}},
        {"sums of formulas",
         "reduce(a*b+a*2,sum,y)",
         {"tensor<float>(x[190],y[101])", "tensor<float>(x[190],y[101])"},
         {0, 0}},
        {"roundings", "cell_cast(a,bfloat16)+0", {"tensor<float>(t[],x[333])"}, {31, 70}},
    };
    return all;
}

TEST(SharedSteps, HaveTheSameBitsForAnyNumberOfThreads) {
    for (const Kind &kind : kinds()) {
        std::size_t calls = 0;
        for (const char *isa : distinct_isas({"baseline", "avx2", "native"})) {
            Settings settings;
            settings.isa = isa;
            for (const std::size_t block : {std::size_t{1}, kind.rows.size()}) {
                EXPECT_EQ(difference(case_of(kind.text, kind.types, kind.rows), settings, block, calls, true), "")
                    << kind.what << " with " << isa << " in blocks of " << block;
            }
        }
        EXPECT_NE(calls, 0U) << kind.what;
    }
}

TEST(SharedSteps, HaveTheSameBitsInTheConformanceVectors) {
    std::size_t calls = 0;
    for (const VectorCase &vector : vector_cases(4, Stage::document, full_run() ? 1 : 40)) {
        EXPECT_EQ(difference(vector.described, {}, 5, calls, false), "") << vector.id << ": " << vector.described.text;
    }
}

TEST(SharedSteps, HaveTheSameBitsInRandomPrograms) {
    const std::uint64_t first = first_seed();
    for (std::uint64_t seed = first; seed < first + seed_count(30); ++seed) {
        const random::RandomExpression random = wide_expression(seed, Numbers::any);
        const Case described = make_case(random, Numbers::any, 4);
        std::size_t calls = 0;
        if (Compiled::make(described, {})) {  // it may be beyond the limits
            ASSERT_EQ(difference(described, {}, 5, calls, false), "") << random.reproducer();
        }
    }
}

}  // namespace
}  // namespace tenrex::differential
