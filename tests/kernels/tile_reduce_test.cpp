// Operations on tiles whose results are aggregated at once: right for rows of any length and operands of any kind, and
// nothing behind the last cell of a row is read.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <random>
#include <vector>

#include "lib/kernels/tile/tile_kernels.h"
#include "tests/kernels/guarded_memory.h"

namespace tenrex::kernels {
namespace {

template <class T>
constexpr CellType type_of = sizeof(T) == 4 ? CellType::f32 : CellType::f64;

// What an operand is: cells for each row, a row for all, a cell for each row, or one for all.
enum class Kind { rows, same, each_cell, one_cell };
constexpr Kind all_kinds[] = {Kind::rows, Kind::same, Kind::each_cell, Kind::one_cell};

struct Case {
    std::size_t cells, rows, together;
};
constexpr Case cases[] = {{64, 1, 1}, {1, 1, 1},  {15, 1, 1}, {16, 1, 1}, {17, 1, 1},  {130, 1, 1}, {1024, 1, 1},
                          {64, 6, 3}, {65, 6, 2}, {16, 8, 8}, {79, 5, 5}, {100, 4, 1}, {200, 3, 3}, {33, 12, 4}};

template <class T>
struct Operand {
    Operand(const Case &size, Kind kind, std::mt19937 &random, const TileTarget &target)
        : kind_(kind), cells_(size.cells) {
        const bool goes_on = kind == Kind::rows || kind == Kind::same;
        const std::size_t count = kind == Kind::rows        ? size.cells * size.rows
                                  : kind == Kind::same      ? size.cells
                                  : kind == Kind::each_cell ? size.rows
                                                            : 1;
        for (std::size_t i = 0; i < count; ++i) {
            numbers.push_back(static_cast<T>(static_cast<double>(random() % 4001) / 128 - 15));
        }
        const bool is_vector = size.rows == 1 && !goes_on;
        memory_ = std::make_unique<GuardedMemory>(count * sizeof(T) + 64);
        auto *const bytes = reinterpret_cast<std::byte *>(memory_->back(is_vector ? 64 : count * sizeof(T)));
        value = {bytes, goes_on ? ~std::uintptr_t{0} : 0, 0};
        if (is_vector) {
            const auto *const cell = reinterpret_cast<const std::byte *>(numbers.data());
            target.of(type_of<T>).broadcast(&value, &cell, 1);
            return;
        }
        std::memcpy(bytes, numbers.data(), count * sizeof(T));
        const std::size_t step = kind == Kind::rows ? size.cells : kind == Kind::each_cell ? 1 : 0;
        value.row_bytes = static_cast<std::ptrdiff_t>(step * sizeof(T));
    }
    T at(std::size_t row, std::size_t cell) const {
        switch (kind_) {
            case Kind::rows:
                return numbers[row * cells_ + cell];
            case Kind::same:
                return numbers[cell];
            case Kind::each_cell:
                return numbers[row];
            case Kind::one_cell:
                break;
        }
        return numbers[0];
    }

    std::vector<T> numbers;
    TileValue value = {};

private:
    Kind kind_;
    std::size_t cells_;
    std::unique_ptr<GuardedMemory> memory_;
};

class TileReduce : public testing::TestWithParam<const TileTarget *> {
protected:
    void SetUp() override {
        if (const Isa absent = target_isa(GetParam()->target) - detected_isa(); !absent.empty()) {
            GTEST_SKIP() << "this CPU lacks " << to_string(absent);
        }
    }

    template <class T>
    static const TileReductions &reductions(ElementwiseOperation operation) {
        return GetParam()->of(type_of<T>).reductions[static_cast<std::size_t>(operation)];
    }

    // compute: of the operation, of one cell of each operand; rounds as it does.
    template <class T, std::size_t arity, class Compute>
    static void check(ElementwiseOperation operation, const Compute &compute) {
        std::mt19937 random(1);
        for (const Case &size : cases) {
            for (std::size_t kinds = 0; kinds < 64; kinds += arity == 3 ? 1 : 4) {
                SCOPED_TRACE(testing::Message() << size.rows << " rows of " << size.cells << ", kinds " << kinds);
                std::vector<Operand<T>> operands;
                TileValue values[arity];
                TileOperation call;
                for (std::size_t k = 0; k < arity; ++k) {
                    operands.emplace_back(size, all_kinds[(kinds >> (2 * (2 - k))) % 4], random, *GetParam());
                    values[k] = operands.back().value;
                    call.in[k] = static_cast<std::uint32_t>(k);
                }
                std::vector<double> sums(size.rows / size.together), largest = sums, smallest = sums;
                const TileSize tile(size.cells, size.rows);
                reductions<T>(operation).sum(call, values, tile, size.together, sums.data());
                reductions<T>(operation).largest(call, values, tile, size.together, largest.data());
                reductions<T>(operation).smallest(call, values, tile, size.together, smallest.data());
                for (std::size_t i = 0; i < sums.size(); ++i) {
                    long double sum = 0, magnitudes = 0;
                    double most = -std::numeric_limits<double>::infinity(), least = -most;
                    for (std::size_t row = i * size.together; row < (i + 1) * size.together; ++row) {
                        for (std::size_t cell = 0; cell < size.cells; ++cell) {
                            const T result = compute(operands, row, cell);
                            sum += static_cast<long double>(result);
                            magnitudes += std::fabs(static_cast<long double>(result));
                            most = std::max(most, static_cast<double>(result));
                            least = std::min(least, static_cast<double>(result));
                        }
                    }
                    const auto additions = static_cast<long double>(size.cells * size.together / 8 + 10);
                    const long double unit = std::numeric_limits<T>::epsilon() / 2;
                    EXPECT_LE(std::fabs(static_cast<long double>(sums[i]) - sum), magnitudes * additions * unit);
                    EXPECT_EQ(largest[i], most);
                    EXPECT_EQ(smallest[i], least);
                }
            }
        }
    }
    template <class T>
    static void check_all() {
        using enum ElementwiseOperation;
        check<T, 2>(add,
                    [](const auto &x, std::size_t row, std::size_t i) { return x[0].at(row, i) + x[1].at(row, i); });
        check<T, 2>(subtract,
                    [](const auto &x, std::size_t row, std::size_t i) { return x[0].at(row, i) - x[1].at(row, i); });
        check<T, 2>(multiply,
                    [](const auto &x, std::size_t row, std::size_t i) { return x[0].at(row, i) * x[1].at(row, i); });
        check<T, 3>(multiply_add, [](const auto &x, std::size_t row, std::size_t i) {
            const T product = x[0].at(row, i) * x[1].at(row, i);
            return product + x[2].at(row, i);
        });
    }
};

std::vector<const TileTarget *> targets() {
    std::vector<const TileTarget *> all;
    for (const TileTarget &target : tile_targets()) {
        all.push_back(&target);
    }
    return all;
}

INSTANTIATE_TEST_SUITE_P(Kernels, TileReduce, testing::ValuesIn(targets()),
                         [](const auto &test) { return std::string(name(test.param->target)); });

TEST_P(TileReduce, gives_what_long_double_gives) {
    check_all<float>();
    check_all<double>();
}

TEST_P(TileReduce, passes_over_NaN_unless_there_is_nothing_else) {
    const float infinity = std::numeric_limits<float>::infinity();
    const float nan = std::numeric_limits<float>::quiet_NaN();
    for (const std::size_t cells : {1, 5, 16, 63, 64, 70, 200}) {
        for (const float number : {-infinity, infinity, 2.0F, nan}) {
            for (std::size_t place = 0; place < cells; place += 7) {
                std::vector<float> row(cells, nan), zeros(cells, 0);
                row[place] = number;
                TileValue values[] = {{reinterpret_cast<std::byte *>(row.data()), ~std::uintptr_t{0}},
                                      {reinterpret_cast<std::byte *>(zeros.data()), ~std::uintptr_t{0}}};
                TileOperation call;
                call.in[1] = 1;
                const TileReductions &add = reductions<float>(ElementwiseOperation::add);
                double largest = 0, smallest = 0, sum = 0;
                add.largest(call, values, cells, 1, &largest);
                add.smallest(call, values, cells, 1, &smallest);
                add.sum(call, values, cells, 1, &sum);
                if (std::isnan(number)) {
                    EXPECT_TRUE(std::isnan(largest) && std::isnan(smallest)) << cells;
                } else {
                    EXPECT_EQ(largest, number) << place << " of " << cells;
                    EXPECT_EQ(smallest, number) << place << " of " << cells;
                }
                EXPECT_TRUE(cells == 1 ? sum == number || std::isnan(number) : std::isnan(sum));
            }
        }
    }
}

}  // namespace
}  // namespace tenrex::kernels
