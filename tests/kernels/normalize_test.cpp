// Kernels that normalize rows give the bits of the kernels that do one operation each.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "lib/kernels/elementwise/elementwise_kernels.h"
#include "lib/kernels/normalize/normalize_kernels.h"
#include "lib/kernels/reduce/reduce_kernels.h"
#include "lib/kernels/row_pairs/row_pairs_kernels.h"
#include "tests/kernels/guarded_memory.h"
#include "tests/kernels/row.h"

namespace tenrex::kernels {
namespace {

struct Numbers {
    double scale = 1;
    double divisor = 1;
    double epsilon = 0;
    double root_epsilon = 0;
    bool rounds_sums = false;
    bool gain = false;
    bool bias = false;
};

class Normalize : public testing::TestWithParam<const NormalizeKernel *> {
protected:
    void SetUp() override {
        const Isa absent = target_isa(kernel().target) - detected_isa();
        if (!absent.empty()) {
            GTEST_SKIP() << "this CPU lacks " << to_string(absent);
        }
    }

    static const NormalizeKernel &kernel() { return *GetParam(); }
    static bool is_softmax() {
        return kernel().operation == NormalizeOperation::softmax ||
               kernel().operation == NormalizeOperation::stable_softmax;
    }

    // The kernel for the same instruction set that does one operation.
    template <class K, class Matches>
    static const K &part(std::span<const K> kernels, const Matches &matches) {
        for (const K &other : kernels) {
            if (other.target == kernel().target && matches(other)) {
                return other;
            }
        }
        ADD_FAILURE() << "no such kernel";
        return kernels.front();
    }

    static Row apply(ElementwiseOperation operation, const Row &a, const Row &b) {
        Row out = make_row(a.type, a.length());
        const std::uint32_t fixed = b.length() == 1 ? 2 : 0;
        part(elementwise_kernels(), [&](const ElementwiseKernel &one) {
            return one.operation == operation && one.type == a.type;
        }).function({a.bytes.data(), b.bytes.data(), nullptr, out.bytes.data(), a.length(), fixed});
        return out;
    }
    static double reduce(ReduceOperation operation, const Row &row) {
        double out = 0;
        part(reduce_kernels(), [&](const ReduceKernel &one) {
            return one.operation == operation && one.type == row.type;
        }).function({row.bytes.data(), 0, 1, row.length(), &out});
        return out;
    }
    static double dot(const Row &row) {
        Row out = make_row(row.type, 1);
        part(row_pair_kernels(), [&](const RowPairKernel &one) {
            return one.operation == RowPairOperation::dot && one.a == row.type && one.b == row.type;
        }).function({row.bytes.data(), 0, row.bytes.data(), 0, 1, row.length(), out.bytes.data()});
        return out[0];
    }
    static Row number(double value) {
        Row row = make_row(kernel().type, 1);
        row.set(0, value);
        return row;
    }

    // In double if the divisor is no number of the cells' type, unless it is rounded to that first.
    static Row quotients(Row row, double divisor, bool rounds) {
        if (rounds || std::isinf(divisor) || !std::isinf(number(divisor)[0])) {
            return apply(ElementwiseOperation::divide, row, number(divisor));
        }
        for (std::size_t i = 0; i < row.length(); ++i) {
            row.set(i, row[i] / divisor);
        }
        return row;
    }

    static Row expected(Row row, const Numbers &numbers, const Row &gain, const Row &bias) {
        using enum ElementwiseOperation;
        const auto length = static_cast<double>(row.length());
        switch (kernel().operation) {
            case NormalizeOperation::softmax:
            case NormalizeOperation::stable_softmax:
                row = apply(multiply, row, number(numbers.scale));
                if (kernel().operation == NormalizeOperation::stable_softmax) {
                    row = apply(subtract, row, number(reduce(ReduceOperation::max, row)));
                }
                row = apply(exp, row, row);
                return quotients(row, reduce(ReduceOperation::sum, row), numbers.rounds_sums);
            case NormalizeOperation::standardize: {
                const double average = reduce(ReduceOperation::sum, row) / length;
                const Row nearest = number(average);
                row = apply(subtract, row, nearest);
                if (!numbers.rounds_sums && std::isfinite(nearest[0])) {
                    row = apply(subtract, row, number(average - nearest[0]));
                }
                break;
            }
            case NormalizeOperation::by_length:
                break;
        }
        Row divisor = number(dot(row));
        if (numbers.rounds_sums) {
            divisor = apply(divide, divisor, number(numbers.divisor));
            divisor = apply(sqrt, apply(add, divisor, number(numbers.epsilon)), divisor);
            divisor = apply(add, divisor, number(numbers.root_epsilon));
        } else {
            divisor = number(std::sqrt(divisor[0] / numbers.divisor + numbers.epsilon) + numbers.root_epsilon);
        }
        row = apply(divide, row, divisor);
        row = numbers.gain ? apply(multiply, row, gain) : row;
        return numbers.bias ? apply(add, row, bias) : row;
    }

    static bool is_same(const Row &expected, const char *cells) {
        Row found = make_row(expected.type, expected.length());
        std::memcpy(found.bytes.data(), cells, found.bytes.size());
        for (std::size_t i = 0; i < found.length(); ++i) {
            const bool both_nan = std::isnan(found[i]) && std::isnan(expected[i]);
            if (!both_nan && (found[i] != expected[i] || std::signbit(found[i]) != std::signbit(expected[i]))) {
                ADD_FAILURE() << "cell " << i << " is " << found[i] << ", not " << expected[i];
                return false;
            }
        }
        return true;
    }

    // Rows a few bytes apart, at the end or the beginning of the memory that there is.
    static void check(const std::vector<Row> &rows, const Numbers &numbers, const Row &gain, const Row &bias) {
        const std::size_t length = rows[0].length();
        const std::size_t size = rows[0].bytes.size();
        const std::size_t stride = size + length % 3 * 5;
        const std::size_t extent = (rows.size() - 1) * stride + size;
        static const GuardedMemory in(1 << 16), out(1 << 16), gains(1 << 14), biases(1 << 14);
        const bool at_end = length % 2 == 0;
        char *const first = at_end ? in.back(extent) : in.front() + length % 8;
        char *const result = at_end ? out.back(rows.size() * size) : out.front() + length % 8;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            std::memcpy(first + i * stride, rows[i].bytes.data(), size);
        }
        std::memcpy(gains.back(size), gain.bytes.data(), size);
        std::memcpy(biases.back(size), bias.bytes.data(), size);
        RowNormalization call;
        call.cells = first;
        call.stride = static_cast<std::ptrdiff_t>(stride);
        call.out = result;
        call.rows = rows.size();
        call.length = length;
        call.scale = numbers.scale;
        call.divisor = numbers.divisor;
        call.epsilon = numbers.epsilon;
        call.root_epsilon = numbers.root_epsilon;
        call.rounds_sums = numbers.rounds_sums;
        call.gain = numbers.gain ? gains.back(size) : nullptr;
        call.bias = numbers.bias ? biases.back(size) : nullptr;
        kernel().function(call);
        for (std::size_t i = 0; i < rows.size(); ++i) {
            ASSERT_TRUE(is_same(expected(rows[i], numbers, gain, bias), result + i * size))
                << "row " << i << " of " << rows.size() << " with " << length << " cells";
        }
    }
};

std::vector<const NormalizeKernel *> all_kernels() {
    std::vector<const NormalizeKernel *> all;
    for (const NormalizeKernel &kernel : normalize_kernels()) {
        all.push_back(&kernel);
    }
    return all;
}

std::string test_name(const testing::TestParamInfo<const NormalizeKernel *> &parameter) {
    return std::string(parameter.param->function_name) + "_" + std::string(name(parameter.param->target));
}

INSTANTIATE_TEST_SUITE_P(Kernels, Normalize, testing::ValuesIn(all_kernels()), test_name);

std::vector<Numbers> some_numbers(bool is_softmax, double length) {
    if (is_softmax) {
        return {{}, {.scale = 0.125}, {.scale = -30}};
    }
    return {{},
            {.divisor = length, .epsilon = 1e-5},
            {.divisor = length, .epsilon = 1e-5, .rounds_sums = true},
            {.epsilon = 1e-3, .root_epsilon = 0.01},
            {.root_epsilon = 0.01, .rounds_sums = true},
            {.gain = true},
            {.rounds_sums = true, .bias = true},
            {.epsilon = 0.1, .gain = true, .bias = true}};
}

TEST_P(Normalize, gives_what_operations_one_by_one_give) {
    std::mt19937 random(1);
    for (std::size_t length = 1; length <= 1500; length = length < 140 ? length + 1 : 2 * length - length % 7) {
        for (const Numbers &numbers : some_numbers(is_softmax(), static_cast<double>(length))) {
            for (const std::size_t count : {1, 2, 5}) {
                std::vector<Row> rows;
                for (std::size_t i = 0; i < count; ++i) {
                    rows.push_back(random_row(kernel().type, length, random));
                }
                const Row gain = random_row(kernel().type, length, random);
                const Row bias = random_row(kernel().type, length, random);
                ASSERT_NO_FATAL_FAILURE(check(rows, numbers, gain, bias));
            }
        }
    }
}

TEST_P(Normalize, treats_odd_numbers_as_these_do) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const double odd[] = {std::nan(""), infinity, -infinity, 0, -0.0, 1e38, -1e30, 1e-40, 88, -104};
    std::mt19937 random(1);
    for (const std::size_t length : {1, 2, 5, 8, 17, 40}) {
        for (int turn = 0; turn < 200; ++turn) {
            std::vector<Row> rows(3, make_row(kernel().type, length));
            for (Row &row : rows) {
                const bool one_number = turn % 10 == 0;
                const double all = odd[random() % std::size(odd)];
                for (std::size_t i = 0; i < length; ++i) {
                    const double plain = static_cast<double>(random() % 100) / 8 - 6;
                    row.set(i, one_number ? all : (random() % length == 0 ? odd[random() % std::size(odd)] : plain));
                }
            }
            for (const Numbers &numbers : some_numbers(is_softmax(), static_cast<double>(length))) {
                ASSERT_NO_FATAL_FAILURE(check(rows, numbers, rows[0], rows[1]));
            }
        }
    }
}

TEST_P(Normalize, does_nothing_to_no_rows) {
    RowNormalization call;
    call.length = 5;
    kernel().function(call);
}

}  // namespace
}  // namespace tenrex::kernels
