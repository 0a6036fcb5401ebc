#include "lib/kernels/elementwise/elementwise.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>

#include "tests/kernels/elementwise_reference.h"
#include "tests/kernels/guarded_memory.h"

namespace tenrex::kernels {
namespace {

class ElementwiseKernels : public testing::TestWithParam<const ElementwiseKernel *> {
protected:
    void SetUp() override {
        const Isa absent = target_isa(kernel().target) - detected_isa();
        if (!absent.empty()) {
            GTEST_SKIP() << "this CPU lacks " << to_string(absent);
        }
    }

    static const ElementwiseKernel &kernel() { return *GetParam(); }

    template <class T>
    static T one(T a, T b, T c) {
        T out{};
        kernel().function({&a, &b, &c, &out, 1, 0});
        return out;
    }

    // Runs a test for float or double.
    template <class Test>
    static void with_type(const Test &test) {
        kernel().type == CellType::f32 ? test(float{}) : test(double{});
    }
};

template <class T>
bool same(T x, T y) {
    return std::memcmp(&x, &y, sizeof(T)) == 0 || (std::isnan(x) && std::isnan(y));
}

std::vector<const ElementwiseKernel *> all_kernels() {
    std::vector<const ElementwiseKernel *> all;
    for (const ElementwiseKernel &kernel : elementwise_kernels()) {
        all.push_back(&kernel);
    }
    return all;
}

std::string test_name(const testing::TestParamInfo<const ElementwiseKernel *> &parameter) {
    return std::string(parameter.param->function_name) + "_" + std::string(name(parameter.param->target));
}

INSTANTIATE_TEST_SUITE_P(Kernels, ElementwiseKernels, testing::ValuesIn(all_kernels()), test_name);

// What an operation without an error bound must give, to the last bit.
template <class T>
T rounded(ElementwiseOperation operation, T a, T b, T c) {
    using enum ElementwiseOperation;
    switch (operation) {
        case negate:
            return -a;
        case add:
            return a + b;
        case subtract:
            return a - b;
        case multiply:
            return a * b;
        case divide:
            return a / b;
        case square:
            return a * a;
        case sqrt:
            return std::sqrt(a);
        case select:
            return c != 0 ? a : b;
        case copy:
            return a;
        case multiply_add: {
            const volatile T product = a * b;  // rounded on its own
            return product + c;
        }
        default:
            return static_cast<T>(
                apply(static_cast<ScalarFunction>(operation), static_cast<double>(a), static_cast<double>(b)));
    }
}

TEST_P(ElementwiseKernels, give_the_rounded_result_where_no_bound_is_listed) {
    if (ulp_bound(kernel().operation, kernel().type) > 0) {
        return;
    }
    with_type([]<class T>(T) {
        std::mt19937 random(1);
        const std::vector<T> values = edges<T>();
        const auto any = [&] { return values[random() % values.size()]; };
        const auto check = [](T a, T b, T c) {
            const T expected = rounded(kernel().operation, a, b, c);
            const T result = one(a, b, c);
            ASSERT_TRUE(same(result, expected))
                << a << ", " << b << ", " << c << " gives " << result << ", not " << expected;
        };
        for (T a : values) {
            const std::size_t others = arity(kernel().operation) == 1 ? 1 : 60;
            for (std::size_t i = 0; i < others; ++i) {
                ASSERT_NO_FATAL_FAILURE(check(a, any(), any()));
            }
            ASSERT_NO_FATAL_FAILURE(check(a, a, a));
        }
        std::uniform_real_distribution<T> some(-20, 20);
        for (int i = 0; i < 3000; ++i) {
            ASSERT_NO_FATAL_FAILURE(check(some(random), some(random), some(random)));
            ASSERT_NO_FATAL_FAILURE(check(std::round(2 * some(random)) / 2, std::round(some(random)), some(random)));
        }
    });
}

// Every cell on its own gives what it gives in company, whatever the length, the alignment and the operands that are
// one cell for all; the result may replace an operand.
TEST_P(ElementwiseKernels, give_results_that_depend_on_the_operands_alone) {
    with_type([]<class T>(T) {
        constexpr std::size_t most = 515;
        std::mt19937 random(2);
        std::uniform_real_distribution<T> some(-8, 8);
        const std::vector<T> values = edges<T>();
        std::array<std::vector<T>, 3> operands;
        for (std::vector<T> &operand : operands) {
            for (std::size_t i = 0; i < most; ++i) {
                operand.push_back(i % 3 == 0 ? values[random() % values.size()] : some(random));
            }
        }
        std::array<std::vector<T>, 8> expected;
        for (std::size_t fixed = 0; fixed < 8; ++fixed) {
            for (std::size_t i = 0; i < most; ++i) {
                const auto cell = [&](std::size_t k) { return operands[k][(fixed >> k & 1) != 0 ? 0 : i]; };
                expected[fixed].push_back(one(cell(0), cell(1), cell(2)));
            }
        }
        const std::size_t size = most * sizeof(T) + 64;
        const std::array<GuardedMemory, 4> memory{GuardedMemory(size), GuardedMemory(size), GuardedMemory(size),
                                                  GuardedMemory(size)};
        std::uint32_t variant = 0;
        for (std::size_t length = 0; length <= most; length += length < 132 ? 1 : 127) {
            for (int repetition = 0; repetition < 4; ++repetition, ++variant) {
                const std::uint32_t fixed = variant * 5 % 8;
                const std::size_t result = variant % 7 < 4 ? 3 : variant % 7 - 4;  // a result of its own, or in place
                const std::size_t shift = variant % 3;
                std::array<char *, 4> at{};
                for (std::size_t k = 0; k < 4; ++k) {
                    const bool single = k < 3 && (fixed >> k & 1) != 0 && k != result;
                    const std::size_t bytes = (single ? 1 : length) * sizeof(T);
                    at[k] =
                        shift == 0 ? memory[k].back(std::max(bytes, k < 3 ? sizeof(T) : 0)) : memory[k].front() + shift;
                    if (k < 3) {
                        std::memcpy(at[k], operands[k].data(), std::max(bytes, sizeof(T)));
                    }
                }
                char *out = at[result];
                char *before = std::max(memory[result].front(), out - 64);
                char *after = out + length * sizeof(T);
                const std::size_t room = std::min<std::size_t>(
                    64, static_cast<std::size_t>(memory[result].front() + memory[result].size() - after));
                const std::vector<char> prefix(before, out);
                const std::vector<char> suffix(after, after + room);
                kernel().function({at[0], at[1], at[2], out, length, fixed});
                for (std::size_t i = 0; i < length; ++i) {
                    T cell{};
                    std::memcpy(&cell, out + i * sizeof(T), sizeof(T));
                    ASSERT_TRUE(same(cell, expected[fixed][i]))
                        << "cell " << i << " of " << length << " is " << cell << ", alone " << expected[fixed][i];
                }
                ASSERT_TRUE(std::equal(prefix.begin(), prefix.end(), before)) << length;
                ASSERT_TRUE(std::equal(suffix.begin(), suffix.end(), after)) << length;
            }
        }
    });
}

TEST(ElementwiseChoice, has_a_kernel_for_every_operation) {
    for (ElementwiseOperation operation : all_elementwise_operations) {
        for (CellType type : {CellType::f32, CellType::f64}) {
            const ElementwiseKernel *plain = choose_elementwise(operation, type, Isa{});
            ASSERT_NE(plain, nullptr) << name(operation);
            EXPECT_EQ(plain->target, Target::baseline);
            EXPECT_EQ(elementwise_candidates(operation, type, allowed_isa()).front().kernel,
                      choose_elementwise(operation, type, allowed_isa()));
        }
    }
}

TEST(ElementwiseChoice, names_the_scalar_functions) {
    EXPECT_EQ(name(operation_of(ScalarFunction::negate)), "negate");
    EXPECT_EQ(name(operation_of(ScalarFunction::tanh)), "tanh");
    EXPECT_EQ(arity(operation_of(ScalarFunction::atan2)), 2);
    EXPECT_EQ(arity(ElementwiseOperation::select), 3);
    EXPECT_EQ(ulp_bound(ElementwiseOperation::add, CellType::f32), 0);
    EXPECT_GT(ulp_bound(ElementwiseOperation::exp, CellType::f64), 0);
}

}  // namespace
}  // namespace tenrex::kernels
