#include "lib/kernels/row_pairs/row_pairs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "tests/conformance/few_cases.h"
#include "tests/kernels/guarded_memory.h"
#include "tests/kernels/row_pair_reference.h"

namespace tenrex::kernels {
namespace {

// Every kernel of the lists, one test each; those that this machine cannot run are skipped and say why.
class RowPairs : public testing::TestWithParam<const RowPairKernel *> {
protected:
    static constexpr std::size_t most_rows = 17;

    void SetUp() override {
        const Isa absent = target_isa(kernel().target) - detected_isa();
        if (!absent.empty()) {
            GTEST_SKIP() << "this CPU lacks " << to_string(absent);
        }
    }

    static const RowPairKernel &kernel() { return *GetParam(); }

    static double run(const kernels::RowPairs &pairs, std::size_t row) {
        double out[most_rows];
        float narrow[most_rows];
        kernels::RowPairs call = pairs;
        call.out = kernel().out == CellType::f64 ? static_cast<void *>(out) : static_cast<void *>(narrow);
        kernel().function(call);
        return kernel().out == CellType::f64 ? out[row] : static_cast<double>(narrow[row]);
    }
    static double run(const Row &a, const Row &b) {
        return run({a.bytes.data(), 0, b.bytes.data(), 0, 1, b.length(), nullptr}, 0);
    }

    static std::vector<Row> random_rows(CellType type, std::size_t length, std::mt19937 &random) {
        std::vector<Row> rows;
        for (std::size_t i = 0; i < most_rows; ++i) {
            rows.push_back(random_row(type, length, random));
        }
        return rows;
    }
};

class ExactRowPairs : public RowPairs {};

std::vector<const RowPairKernel *> kernels_that(bool (*match)(const RowPairKernel &)) {
    std::vector<const RowPairKernel *> found;
    for (const RowPairKernel &kernel : row_pair_kernels()) {
        if (match(kernel)) {
            found.push_back(&kernel);
        }
    }
    return found;
}

bool all(const RowPairKernel &) {
    return true;
}

std::string test_name(const testing::TestParamInfo<const RowPairKernel *> &parameter) {
    return std::string(parameter.param->function_name) + "_" + std::string(name(parameter.param->target));
}

INSTANTIATE_TEST_SUITE_P(Kernels, RowPairs, testing::ValuesIn(kernels_that(all)), test_name);
INSTANTIATE_TEST_SUITE_P(Kernels, ExactRowPairs, testing::ValuesIn(kernels_that(is_exact)), test_name);

// Few are a fifth of these.
std::vector<std::size_t> lengths() {
    const bool few = few_cases();
    std::vector<std::size_t> all;
    for (std::size_t length = 0; length <= 200; length += few && length > 16 ? 13 : 1) {
        all.push_back(length);
    }
    for (std::size_t power = 256; power <= (few ? 512 : 2048); power *= 2) {
        all.insert(all.end(), {power - 1, power, power + 1, power + power / 2 - 3});
    }
    return all;
}

// Equal bit for bit, except that a NaN equals any other.
testing::AssertionResult same(double x, double y) {
    if (std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y) || (std::isnan(x) && std::isnan(y))) {
        return testing::AssertionSuccess();
    }
    return testing::AssertionFailure() << x << " is not " << y << ", the difference is " << x - y;
}

TEST_P(RowPairs, are_within_the_error_bound) {
    std::mt19937 random(1);
    for (std::size_t length : lengths()) {
        const Row a = random_row(kernel().a, a_length(kernel().operation, length), random);
        const Row b = random_row(kernel().b, length, random);
        const Expected reference = expected(kernel().operation, a, b);
        const long double error = std::fabs(static_cast<long double>(run(a, b)) - reference.sum);
        ASSERT_LE(error, error_bound(kernel(), length, reference)) << length << " cells";
    }
}

// The rows of an operand laid out in guarded memory, at its very end or its very beginning.
class Layout {
public:
    Layout(const GuardedMemory &memory, const std::vector<Row> &rows, std::size_t count, std::ptrdiff_t padding,
           bool at_end, std::size_t shift)
        : stride_(static_cast<std::ptrdiff_t>(rows[0].bytes.size()) + padding) {
        const std::size_t row_size = rows[0].bytes.size();
        const std::size_t used = count == 0 ? 0 : (count - 1) * static_cast<std::size_t>(std::abs(stride_)) + row_size;
        char *lowest = at_end ? memory.back(used + shift) : memory.front() + shift;
        first_ = count != 0 && stride_ < 0 ? lowest + (used - row_size) : lowest;
        for (std::size_t i = 0; i < count; ++i) {
            std::copy(rows[i].bytes.begin(), rows[i].bytes.end(), first_ + static_cast<std::ptrdiff_t>(i) * stride_);
        }
    }
    const void *first() const { return first_; }
    std::ptrdiff_t stride() const { return stride_; }

private:
    std::ptrdiff_t stride_;
    char *first_;
};

TEST_P(RowPairs, do_not_depend_on_company_position_alignment_or_sharing_and_read_nothing_else) {
    std::mt19937 random(2);
    const GuardedMemory a_memory(most_rows * (a_length(kernel().operation, 3100) * sizeof(double) + 64));
    const GuardedMemory b_memory(most_rows * (3100 * sizeof(double) + 64));
    for (std::size_t length : lengths()) {
        const std::vector<Row> a = random_rows(kernel().a, a_length(kernel().operation, length), random);
        const std::vector<Row> b = random_rows(kernel().b, length, random);
        double both[most_rows];
        double a_shared[most_rows];
        double b_shared[most_rows];
        for (std::size_t i = 0; i < most_rows; ++i) {
            both[i] = run(a[i], b[i]);
            a_shared[i] = run(a[0], b[i]);
            b_shared[i] = run(a[i], b[0]);
        }
        std::size_t variant = length;
        for (std::size_t rows : {0, 1, 2, 3, 4, 5, 8, 17}) {
            for (std::size_t shift : {0, 1, 4}) {
                // Every length sees all counts of rows and shifts, every few lengths all kinds of stride and both ends.
                constexpr std::ptrdiff_t paddings[] = {0, 1, 60, 8};
                const bool at_end = variant % 3 != 0;
                const Layout as(a_memory, a, rows, paddings[variant % 4], at_end, at_end ? 0 : shift);
                const Layout bs(b_memory, b, rows, paddings[(variant / 4 + 1) % 4], at_end, shift);
                ++variant;
                float narrow[most_rows + 1];
                double wide[most_rows + 1];
                const auto check = [&](std::ptrdiff_t a_stride, std::ptrdiff_t b_stride, const double *results) {
                    std::fill(std::begin(narrow), std::end(narrow), 77.0F);
                    std::fill(std::begin(wide), std::end(wide), 77.0);
                    const bool is_wide = kernel().out == CellType::f64;
                    void *out = is_wide ? static_cast<void *>(wide) : static_cast<void *>(narrow);
                    kernel().function({as.first(), a_stride, bs.first(), b_stride, rows, length, out});
                    for (std::size_t i = 0; i <= rows; ++i) {
                        ASSERT_TRUE(
                            same(is_wide ? wide[i] : static_cast<double>(narrow[i]), i == rows ? 77.0 : results[i]))
                            << "row " << i << " of " << rows << ", " << length << " cells, strides " << a_stride
                            << " and " << b_stride << ", shift " << shift;
                    }
                };
                check(as.stride(), bs.stride(), both);
                check(0, bs.stride(), a_shared);
                check(as.stride(), 0, b_shared);
                if (HasFatalFailure()) {
                    return;
                }
            }
        }
    }
}

TEST_P(RowPairs, take_negative_strides) {
    std::mt19937 random(3);
    const std::vector<Row> a = random_rows(kernel().a, a_length(kernel().operation, 100), random);
    const std::vector<Row> b = random_rows(kernel().b, 100, random);
    const GuardedMemory a_memory(most_rows * 800 * sizeof(double));
    const GuardedMemory b_memory(most_rows * 100 * sizeof(double));
    const auto backwards = [](const std::vector<Row> &rows) {
        return -2 * static_cast<std::ptrdiff_t>(rows[0].bytes.size());
    };
    const Layout as(a_memory, a, most_rows, backwards(a), true, 0);
    const Layout bs(b_memory, b, most_rows, backwards(b), true, 0);
    for (std::size_t i = 0; i < most_rows; ++i) {
        const kernels::RowPairs pairs{as.first(), as.stride(), bs.first(), bs.stride(), most_rows, 100, nullptr};
        ASSERT_TRUE(same(run(pairs, i), run(a[i], b[i]))) << "row " << i;
    }
}

TEST_P(RowPairs, follow_ieee_for_infinities_and_nan) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    std::mt19937 random(4);
    const auto check = [&](std::size_t length, std::size_t a_at, double a_value, std::size_t b_at, double b_value) {
        Row a = random_row(kernel().a, a_length(kernel().operation, length), random);
        Row b = random_row(kernel().b, length, random);
        if (kernel().a != CellType::i8) {
            a.set(a_at, a_value);
        }
        if (kernel().b != CellType::i8) {
            b.set(b_at, b_value);
        }
        const Expected reference = expected(kernel().operation, a, b);
        const double result = run(a, b);
        if (std::isfinite(reference.sum)) {
            ASSERT_TRUE(std::isfinite(result)) << result << " is not " << reference.sum;
        } else {
            ASSERT_TRUE(same(result, static_cast<double>(reference.sum)))
                << length << " cells, " << a_value << " at " << a_at << ", " << b_value << " at " << b_at;
        }
    };
    for (std::size_t length : {1, 2, 3, 7, 8, 9, 16, 31, 33, 64, 65, 100, 257}) {
        for (double a_value : {infinity, -infinity, std::nan(""), 0.0}) {
            for (double b_value : {infinity, -infinity, std::nan(""), 0.0}) {
                for (std::size_t at : {std::size_t{0}, length / 2, length - 1}) {
                    check(length, at, a_value, at, b_value);
                    check(length, at, a_value, length - 1 - at, b_value);
                }
            }
        }
        // Behind the first of eight bits the cells of a are as good as any.
        for (std::size_t at = 0; takes_bits(kernel().operation) && at < 8 * length; ++at) {
            check(length, at, infinity, 0, 0);
        }
    }
}

TEST_P(ExactRowPairs, have_totals_beyond_32_bits) {
    std::mt19937 random(5);
    for (std::size_t length : {1, 63, 64, 2000, 32767, 32768, 32769, 65536 + 31, 140000, 300001}) {
        for (auto [x, y] : {std::pair{-128, -128}, {-128, 127}, {127, 127}, {-1, 0}}) {
            Row a{CellType::i8, std::vector<char>(length, static_cast<char>(x))};
            const Row b{CellType::i8, std::vector<char>(length, static_cast<char>(y))};
            ASSERT_EQ(run(a, b), static_cast<double>(expected(kernel().operation, a, b).sum))
                << length << " " << x << " " << y;
            a = random_row(CellType::i8, length, random);
            ASSERT_EQ(run(a, b), static_cast<double>(expected(kernel().operation, a, b).sum)) << length;
        }
    }
}

}  // namespace
}  // namespace tenrex::kernels
