#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

#include "lib/kernels/reduce/reduce_kernels.h"
#include "tests/kernels/guarded_memory.h"
#include "tests/kernels/row.h"

namespace tenrex::kernels {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

bool adds(const ReduceKernel &kernel) {
    return kernel.operation == ReduceOperation::sum || kernel.operation == ReduceOperation::float_sum;
}

// How many roundings a term of a sum in float goes through at most: docs/numerics.md.
std::size_t additions(std::size_t length) {
    return std::max(length / 8 + 10, std::min<std::size_t>(length, 256) + length / 256 + 2);
}

class Reduce : public testing::TestWithParam<const ReduceKernel *> {
protected:
    void SetUp() override {
        const Isa absent = target_isa(kernel().target) - detected_isa();
        if (!absent.empty()) {
            GTEST_SKIP() << "this CPU lacks " << to_string(absent);
        }
    }

    static const ReduceKernel &kernel() { return *GetParam(); }

    static double reduce(const Row &row) {
        double out = 0;
        kernel().function({row.bytes.data(), 0, 1, row.length(), &out});
        return out;
    }

    static long double middle_of(const Row &row) {
        std::vector<double> sorted;
        for (std::size_t i = 0; i < row.length(); ++i) {
            sorted.push_back(row[i]);
        }
        std::sort(sorted.begin(), sorted.end());
        const std::size_t half = sorted.size() / 2;
        return sorted.size() % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
    }

    // The result in long double, and how far a double may be from it.
    static long double expected(const Row &row, long double &tolerance) {
        long double result = row[0];
        long double magnitudes = std::fabs(result);
        for (std::size_t i = 1; i < row.length(); ++i) {
            const long double x = row[i];
            magnitudes += std::fabs(x);
            switch (kernel().operation) {
                case ReduceOperation::sum:
                case ReduceOperation::float_sum:
                    result += x;
                    break;
                case ReduceOperation::prod:
                    result *= x;
                    break;
                case ReduceOperation::max:
                    result = std::fmax(result, x);
                    break;
                case ReduceOperation::min:
                    result = std::fmin(result, x);
                    break;
                case ReduceOperation::median:
                    break;
            }
        }
        if (kernel().operation == ReduceOperation::median) {
            result = middle_of(row);
        }
        tolerance = 0;
        if (kernel().operation == ReduceOperation::sum && kernel().type != CellType::i8) {
            tolerance = magnitudes * static_cast<long double>(row.length() / 8 + 10) * 0x1p-53L;
        } else if (kernel().operation == ReduceOperation::float_sum) {
            tolerance = magnitudes * static_cast<long double>(additions(row.length())) * 0x1p-24L;
        } else if (kernel().operation == ReduceOperation::prod) {
            tolerance = std::fabs(result) * static_cast<long double>(row.length()) * 0x1p-53L;
        }
        return result;
    }

    static Row filled(std::size_t length, double value) {
        Row row = make_row(kernel().type, length);
        for (std::size_t i = 0; i < length; ++i) {
            row.set(i, value);
        }
        return row;
    }
};

std::vector<const ReduceKernel *> all_kernels() {
    std::vector<const ReduceKernel *> all;
    for (const ReduceKernel &kernel : reduce_kernels()) {
        all.push_back(&kernel);
    }
    return all;
}

std::string test_name(const testing::TestParamInfo<const ReduceKernel *> &parameter) {
    return std::string(parameter.param->function_name) + "_" + std::string(name(parameter.param->target));
}

INSTANTIATE_TEST_SUITE_P(Kernels, Reduce, testing::ValuesIn(all_kernels()), test_name);

// Cells whose product stays in range.
Row row_for(const ReduceKernel &kernel, std::size_t length, std::mt19937 &random) {
    Row row = random_row(kernel.type, length, random);
    if (kernel.operation == ReduceOperation::prod) {
        for (std::size_t i = 0; i < length; ++i) {
            const double sign = row[i] < 0 ? -1 : 1;
            row.set(i, kernel.type == CellType::i8 ? (i % 16 == 0 ? 2 * sign : sign) : sign * std::exp2(row[i]));
        }
    }
    return row;
}

TEST_P(Reduce, gives_what_long_double_gives) {
    std::mt19937 random(1);
    const GuardedMemory memory(3 * (5000 * 8 + 64));
    for (std::size_t length = 1; length <= 5000; length = length < 200 ? length + 1 : 2 * length - length % 7) {
        for (const std::size_t rows : {1, 3}) {
            std::vector<Row> contents;
            for (std::size_t i = 0; i < rows; ++i) {
                contents.push_back(row_for(kernel(), length, random));
            }
            const std::size_t size = contents[0].bytes.size();
            const std::size_t stride = size + length % 3 * 5;
            char *first = length % 2 == 0 ? memory.back((rows - 1) * stride + size) : memory.front() + length % 8;
            for (std::size_t i = 0; i < rows; ++i) {
                std::copy(contents[i].bytes.begin(), contents[i].bytes.end(), first + i * stride);
            }
            double out[4] = {-7, -7, -7, -7};
            kernel().function({first, static_cast<std::ptrdiff_t>(stride), rows, length, out});
            for (std::size_t i = 0; i < rows; ++i) {
                long double tolerance = 0;
                const long double wanted = expected(contents[i], tolerance);
                ASSERT_LE(std::fabs(out[i] - wanted), tolerance)
                    << "row " << i << " of " << length << " cells gives " << out[i] << ", not " << wanted;
                ASSERT_EQ(out[i], reduce(contents[i])) << "a row depends on its company";
            }
            ASSERT_EQ(out[rows], -7);
        }
    }
}

TEST_P(Reduce, sees_every_cell) {
    for (std::size_t length = 1; length <= 140; ++length) {
        for (std::size_t i = 0; i < length; ++i) {
            const bool min = kernel().operation == ReduceOperation::min;
            Row row = filled(length, kernel().operation == ReduceOperation::prod ? 1 : min ? 3 : -3);
            row.set(i, min ? -2 : 2);
            long double tolerance = 0;
            ASSERT_EQ(reduce(row), expected(row, tolerance)) << "cell " << i << " of " << length;
        }
    }
}

// Rows of few cells are combined without vectors, in the order of the loop for rows of any length.
TEST_P(Reduce, gives_a_short_row_the_bits_of_one_with_cells_that_change_nothing) {
    if (kernel().operation == ReduceOperation::median) {
        return;
    }
    constexpr std::size_t longer = 100;
    std::mt19937 random(2);
    for (std::size_t length = 1; length <= 8; ++length) {
        for (std::size_t turn = 0; turn < 100; ++turn) {
            const Row row = row_for(kernel(), length, random);
            const double neutral = adds(kernel()) ? 0 : kernel().operation == ReduceOperation::prod ? 1 : row[0];
            Row filled_up = filled(longer, neutral);
            std::copy(row.bytes.begin(), row.bytes.end(), filled_up.bytes.begin());
            ASSERT_EQ(std::bit_cast<std::uint64_t>(reduce(row)), std::bit_cast<std::uint64_t>(reduce(filled_up)))
                << length << " cells give " << reduce(row) << ", not " << reduce(filled_up);
        }
    }
}

// Many rows may be taken together, in another way than a row on its own. Few different cells, with zeros of both signs.
TEST_P(Reduce, gives_a_row_the_same_bits_among_others) {
    constexpr std::size_t count = 37;
    constexpr double specials[] = {0, -0.0, 1, infinity, -infinity, std::numeric_limits<double>::quiet_NaN()};
    std::mt19937 random(3);
    for (std::size_t length = 1; length <= 40; ++length) {
        for (const unsigned kinds : {0, 2, 5, 6}) {  // of special cells
            Row all = random_row(kernel().type, count * length, random);
            for (std::size_t i = 0; i < all.length() && kinds != 0; ++i) {
                const unsigned kind = std::uniform_int_distribution<unsigned>(0, 20)(random);
                all.set(i, kind < kinds ? specials[kind] : kinds == 2 ? -0.0 : static_cast<int>(kind) - 10);
            }
            double out[count];
            const std::size_t stride = length * byte_size(kernel().type);
            kernel().function({all.bytes.data(), static_cast<std::ptrdiff_t>(stride), count, length, out});
            for (std::size_t i = 0; i < count; ++i) {
                double alone = 0;
                kernel().function({all.bytes.data() + i * stride, 0, 1, length, &alone});
                const bool same = std::bit_cast<std::uint64_t>(alone) == std::bit_cast<std::uint64_t>(out[i]) ||
                                  (std::isnan(alone) && std::isnan(out[i]));
                ASSERT_TRUE(same) << "row " << i << " of " << length << " cells: " << alone << ", and " << out[i];
            }
        }
    }
}

// The largest magnitudes in all lanes, so often that sums of few bits would overflow.
TEST_P(Reduce, of_bytes_is_exact) {
    if (kernel().type != CellType::i8 || !adds(kernel())) {
        return;
    }
    for (const double value : {-128.0, 127.0}) {
        for (const std::size_t length : {300, 5000, 20000}) {
            EXPECT_EQ(reduce(filled(length, value)), value * static_cast<double>(length)) << length;
        }
        for (const std::size_t rows : {255, 256, 257, 1000}) {
            for (const std::size_t columns : {7, 16, 40, 90}) {
                std::vector<double> totals(columns, 0.5);
                kernel().columns({filled(columns, value).bytes.data(), 0, rows, columns, totals.data()});
                EXPECT_EQ(totals, std::vector<double>(columns, value * static_cast<double>(rows) + 0.5)) << rows;
            }
        }
    }
}

TEST_P(Reduce, treats_NaN_and_infinities_as_numerics_md_says) {
    if (kernel().type == CellType::i8) {
        return;
    }
    const bool extreme = kernel().operation == ReduceOperation::max || kernel().operation == ReduceOperation::min;
    for (std::size_t length : {1, 2, 3, 7, 8, 15, 16, 17, 31, 33, 64, 65, 100, 130}) {
        const double nan = std::nan("");
        EXPECT_TRUE(std::isnan(reduce(filled(length, nan)))) << length;
        for (double value : {-infinity, infinity, -1.0}) {
            Row row = filled(length, nan);
            row.set(length / 2, value);
            const double result = reduce(row);
            if (extreme || length == 1) {
                EXPECT_EQ(result, value) << length;
            } else {
                EXPECT_TRUE(std::isnan(result)) << length;
            }
            if (extreme) {
                EXPECT_EQ(reduce(filled(length, value)), value) << length;
            }
        }
    }
}

// Totals of columns that have seen nothing.
Row fresh_totals(const ReduceKernel &kernel, std::size_t columns) {
    Row totals = make_row(kernel.total(), columns);
    for (std::size_t i = 0; i < columns; ++i) {
        totals.set(i, adds(kernel) ? 0 : kernel.operation == ReduceOperation::prod ? 1 : std::nan(""));
    }
    return totals;
}

TEST_P(Reduce, finds_the_middle_of_any_cells) {
    if (kernel().operation != ReduceOperation::median) {
        return;
    }
    std::mt19937 random(3);
    const auto fraction = [&] { return static_cast<double>(random()) / 4294967296.0; };
    const std::vector<std::function<double()>> kinds = {
        [&] { return std::floor(5 * fraction()) - 2; },
        [&] { return std::ldexp(fraction() - 0.5, static_cast<int>(random() % 200) - 100); },
        [&] { return std::ldexp(fraction(), -static_cast<int>(random() % 149)); },
        [&] { return random() % 3 == 0   ? -infinity
                     : random() % 2 == 0 ? infinity
                                         : fraction(); },
        [&] { return random() % 2 == 0 ? 0.0 : -0.0; },
        [&] { return std::exp(8 * fraction() * fraction()); },
        [&] { return (random() % 2 == 0 ? 1 : -1) * 3e38 * fraction(); },
    };
    for (const auto &kind : kinds) {
        for (std::size_t length = 1; length <= 300; ++length) {
            Row row = make_row(kernel().type, length);
            for (std::size_t i = 0; i < length; ++i) {
                row.set(i, kind());
            }
            const auto wanted = static_cast<double>(middle_of(row));
            const double result = reduce(row);
            ASSERT_TRUE(result == wanted || (std::isnan(result) && std::isnan(wanted))) << length << ": " << result;
        }
    }
}

TEST_P(Reduce, of_columns_gives_what_each_column_gives) {
    if (kernel().columns == nullptr) {
        return;
    }
    std::mt19937 random(2);
    constexpr std::size_t most_rows = 20;
    const GuardedMemory memory(most_rows * (200 * 8 + 64));
    const GuardedMemory totals_memory(200 * 8);
    for (std::size_t columns = 1; columns <= 200; columns = columns < 80 ? columns + 1 : columns + 23) {
        for (const std::size_t rows : {1, 2, 9, 20}) {
            std::vector<Row> contents;
            for (std::size_t i = 0; i < rows; ++i) {
                contents.push_back(row_for(kernel(), columns, random));
            }
            const std::size_t size = contents[0].bytes.size();
            const std::size_t stride = size + columns % 3 * 5;
            char *first = columns % 2 == 0 ? memory.back((rows - 1) * stride + size) : memory.front() + columns % 8;
            for (std::size_t i = 0; i < rows; ++i) {
                std::copy(contents[i].bytes.begin(), contents[i].bytes.end(), first + i * stride);
            }
            Row totals = fresh_totals(kernel(), columns);
            char *const place = totals_memory.back(totals.bytes.size());
            std::copy(totals.bytes.begin(), totals.bytes.end(), place);
            // In two calls.
            const auto step = static_cast<std::ptrdiff_t>(stride);
            kernel().columns({first, step, rows / 2, columns, place});
            kernel().columns({first + rows / 2 * stride, step, rows - rows / 2, columns, place});
            std::copy(place, place + totals.bytes.size(), totals.bytes.begin());
            for (std::size_t i = 0; i < columns; ++i) {
                Row column = make_row(kernel().type, rows);
                for (std::size_t k = 0; k < rows; ++k) {
                    column.set(k, contents[k][i]);
                }
                long double tolerance = 0;
                const long double wanted = expected(column, tolerance);
                ASSERT_LE(std::fabs(totals[i] - wanted), tolerance)
                    << "column " << i << " of " << columns << " gives " << totals[i] << ", not " << wanted;
            }
        }
    }
}

TEST_P(Reduce, of_columns_treats_NaN_as_numerics_md_says) {
    if (kernel().type == CellType::i8 || kernel().columns == nullptr) {
        return;
    }
    const bool extreme = kernel().operation == ReduceOperation::max || kernel().operation == ReduceOperation::min;
    for (const std::size_t columns : {1, 4, 7, 16, 33, 70}) {
        const Row nans = filled(columns, std::nan(""));
        for (const double value : {-infinity, infinity, -1.0, 0.0}) {
            const Row numbers = filled(columns, value);
            for (const auto &[nans_first, rows] :
                 {std::pair<bool, std::size_t>{false, 3}, {true, 3}, {false, 10}, {true, 10}}) {
                Row totals = fresh_totals(kernel(), columns);
                kernel().columns({(nans_first ? nans : numbers).bytes.data(), 0, rows, columns, totals.bytes.data()});
                kernel().columns({(nans_first ? numbers : nans).bytes.data(), 0, rows, columns, totals.bytes.data()});
                for (std::size_t i = 0; i < columns; ++i) {
                    ASSERT_TRUE(extreme ? totals[i] == value : std::isnan(totals[i])) << totals[i];
                }
            }
        }
        Row totals = fresh_totals(kernel(), columns);
        kernel().columns({nans.bytes.data(), 0, 3, columns, totals.bytes.data()});
        ASSERT_TRUE(std::isnan(totals[columns / 2]));
    }
}

TEST(ReduceChoice, has_a_kernel_for_every_operation_and_cell_type) {
    for (ReduceOperation operation : {ReduceOperation::sum, ReduceOperation::float_sum, ReduceOperation::prod,
                                      ReduceOperation::max, ReduceOperation::min, ReduceOperation::median}) {
        for (CellType type : all_cell_types) {
            const ReduceKernel *plain = choose_reduce(operation, type, 100, Isa{});
            ASSERT_NE(plain, nullptr) << name(operation);
            EXPECT_EQ(plain->target, Target::baseline);
            const auto own = reduce_candidates(operation, type, 100, allowed_isa());
            const ReduceKernel *best = choose_reduce(operation, type, 100, allowed_isa());
            EXPECT_EQ(best, own.empty() ? choose_reduce(operation, CellType::f32, 100, allowed_isa()) : own[0].kernel);
        }
    }
}

}  // namespace
}  // namespace tenrex::kernels
