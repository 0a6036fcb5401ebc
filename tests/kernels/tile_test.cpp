// Kernels on tiles, and those on single cells, give what the kernels on rows of the same instruction set give for each
// cell alone, to the last bit: so a cell of a chain depends neither on its place nor on the number of cells.
#include "lib/kernels/tile/tile_kernels.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <vector>

#include "tests/kernels/elementwise_reference.h"
#include "tests/kernels/guarded_memory.h"

namespace tenrex::kernels {
namespace {

constexpr std::size_t most = 80;

template <class T>
constexpr CellType type_of = sizeof(T) == 4 ? CellType::f32 : CellType::f64;

template <class T>
bool same(T x, T y) {
    return std::memcmp(&x, &y, sizeof(T)) == 0 || (std::isnan(x) && std::isnan(y));
}

// Values of a tile; the last one is for results.
template <class T>
class Tile {
public:
    Tile(const TileTarget &target, std::size_t values) : target_(target), memory_(values * room), values_(values) {
        for (std::size_t i = 0; i < values; ++i) {
            values_[i] = {memory_.data() + i * room, ~std::uintptr_t{0}};
        }
    }
    void set(std::size_t value, const std::vector<T> &cells) { std::memcpy(values_[value].cells, cells.data(), room); }
    void spread(std::size_t value, T cell) {
        const auto *const source = reinterpret_cast<const std::byte *>(&cell);
        target_.of(type_of<T>).broadcast(&values_[value], &source, 1);
        values_[value].goes_on = 0;
    }
    T get(std::size_t value, std::size_t i) const {
        T cell;
        std::memcpy(&cell, values_[value].cells + i * sizeof(T), sizeof(T));
        return cell;
    }
    const TileValue *values() const { return values_.data(); }

    // Runs an operation as a tile, and on some cells alone, which must give the same.
    void run(const TileOperation &call, std::size_t count) {
        const TileOperation operations[] = {call, {target_.kernels->end}};
        std::vector<std::vector<std::byte>> singles;
        for (std::size_t i = 0; i < count; i += 7) {
            std::vector<std::byte> &cells = singles.emplace_back(values_.size() * single_cell_bytes);
            for (std::size_t value = 0; value < values_.size(); ++value) {
                const std::size_t from = values_[value].goes_on == 0 ? 0 : i * sizeof(T);
                std::memcpy(cells.data() + value * single_cell_bytes, values_[value].cells + from, sizeof(T));
            }
            compute_single_cells(operations, cells.data());
        }
        call.function.tile(call, values(), count);
        for (std::size_t i = 0; i < count; i += 7) {
            T cell;
            std::memcpy(&cell, singles[i / 7].data() + call.out * single_cell_bytes, sizeof(T));
            ASSERT_TRUE(same(cell, get(call.out, i)))
                << "cell " << i << " alone is " << cell << ", not " << get(call.out, i);
        }
    }

    // Makes the first values those of the operands. Bit k says that operand k is one cell for all.
    template <std::size_t count>
    void set_operands(std::vector<T> (&operands)[count], std::uint32_t for_all) {
        for (std::size_t k = 0; k < count; ++k) {
            if ((for_all >> k & 1) != 0) {
                operands[k].assign(most, operands[k][0]);
                spread(k, operands[k][0]);
            } else {
                set(k, operands[k]);
            }
        }
    }

private:
    static constexpr std::size_t room = most * sizeof(T);
    const TileTarget &target_;
    std::vector<std::byte> memory_;
    std::vector<TileValue> values_;
};

template <class T>
class Cells {
public:
    explicit Cells(unsigned seed) : random_(seed), edges_(edges<T>()) {}
    T next() {
        const bool edge = random_() % 3 == 0;
        return edge ? edges_[random_() % edges_.size()] : std::uniform_real_distribution<T>(-8, 8)(random_);
    }
    std::vector<T> some(std::size_t count = most) {
        std::vector<T> cells(count);
        for (T &cell : cells) {
            cell = next();
        }
        return cells;
    }

private:
    std::mt19937 random_;
    std::vector<T> edges_;
};

class TileKernelsOf : public testing::TestWithParam<const TileTarget *> {
protected:
    void SetUp() override {
        if (const Isa absent = target_isa(target().target) - detected_isa(); !absent.empty()) {
            GTEST_SKIP() << "this CPU lacks " << to_string(absent);
        }
    }
    static const TileTarget &target() { return *GetParam(); }
    template <class Test>
    static void with_both_types(const Test &test) {
        test(float{});
        test(double{});
    }
};

std::vector<const TileTarget *> all_targets_of_tiles() {
    std::vector<const TileTarget *> all;
    for (const TileTarget &target : tile_targets()) {
        all.push_back(&target);
    }
    return all;
}

INSTANTIATE_TEST_SUITE_P(Kernels, TileKernelsOf, testing::ValuesIn(all_targets_of_tiles()),
                         [](const auto &test) { return std::string(name(test.param->target)); });

const ElementwiseKernel &row_kernel(ElementwiseOperation operation, CellType type, Target target) {
    for (const ElementwiseKernel &kernel : elementwise_kernels()) {
        if (kernel.operation == operation && kernel.type == type && kernel.target == target) {
            return kernel;
        }
    }
    std::abort();
}

TEST_P(TileKernelsOf, GiveWhatRowKernelsGive) {
    with_both_types([]<class T>(T) {
        for (const ElementwiseOperation operation : all_elementwise_operations) {
            SCOPED_TRACE(name(operation));
            Cells<T> cells(static_cast<unsigned>(operation));
            const ElementwiseKernel &alone = row_kernel(operation, type_of<T>, target().target);
            for (std::size_t count = 1; count <= most; count += count < 20 ? 1 : 15) {
                // Which operands are one cell for all, and which is replaced by the result; never all of the former.
                for (std::uint32_t variant = 0; variant < (1u << arity(operation)) - 1; ++variant) {
                    Tile<T> tile(target(), 4);
                    std::vector<T> operands[] = {cells.some(), cells.some(), cells.some()};
                    tile.set_operands(operands, variant);
                    TileOperation call{target().operation(operation, type_of<T>), 3, {0, 1, 2}};
                    call.out = (variant & 1) == 0 && count % 2 == 0 ? 0 : 3;
                    tile.run(call, count);
                    for (std::size_t i = 0; i < count; ++i) {
                        T expected{};
                        alone.function({&operands[0][i], &operands[1][i], &operands[2][i], &expected, 1, 0});
                        ASSERT_TRUE(same(tile.get(call.out, i), expected))
                            << "cell " << i << " of " << count << " is " << tile.get(call.out, i) << ", alone "
                            << expected;
                    }
                }
            }
        }
    });
}

TEST_P(TileKernelsOf, AddProductsInOrder) {
    with_both_types([]<class T>(T) {
        Cells<T> cells(7);
        for (std::size_t count = 1; count <= most; count += count < 20 ? 1 : 15) {
            Tile<T> tile(target(), 5);
            const std::vector<T> a = cells.some(), b = cells.some(), c = cells.some();
            const T factor = cells.next();
            tile.set(0, a);
            tile.set(1, b);
            tile.set(2, c);
            tile.spread(3, factor);
            const TileTerm terms[] = {{0, 3}, {1, 2}, {3, 2}, {2, 2}};
            const TileOperation call{target().of(type_of<T>).sum_of_products, 4, {}, 4, terms};
            tile.run(call, count);
            for (std::size_t i = 0; i < count; ++i) {
                volatile T sum = a[i] * factor;
                for (const T product : {b[i] * c[i], factor * c[i], c[i] * c[i]}) {
                    sum = sum + product;
                }
                ASSERT_TRUE(same<T>(tile.get(4, i), sum)) << "cell " << i << " of " << count;
            }
        }
    });
}

TEST_P(TileKernelsOf, ChooseByComparison) {
    with_both_types([]<class T>(T) {
        Cells<T> cells(11);
        for (std::size_t count = 1; count <= most; count += count < 20 ? 1 : 15) {
            for (std::uint32_t variant = 0; variant < 15; ++variant) {  // which operands are one cell for all
                Tile<T> tile(target(), 5);
                std::vector<T> operands[] = {cells.some(), cells.some(), cells.some(), cells.some()};
                for (std::size_t i = 0; i < most; i += 3) {
                    operands[3][i] = operands[2][i];  // so that some are equal
                }
                tile.set_operands(operands, variant);
                for (const TileComparison comparison :
                     {TileComparison::less, TileComparison::less_equal, TileComparison::equal}) {
                    const TileOperation call{
                        target().of(type_of<T>).choices[static_cast<std::size_t>(comparison)], 4, {0, 1, 2, 3}};
                    tile.run(call, count);
                    for (std::size_t i = 0; i < count; ++i) {
                        const T a = operands[2][i], b = operands[3][i];
                        const bool holds = comparison == TileComparison::less         ? a < b
                                           : comparison == TileComparison::less_equal ? a <= b
                                                                                      : a == b;
                        ASSERT_TRUE(same<T>(tile.get(4, i), operands[holds ? 0 : 1][i])) << "cell " << i;
                    }
                }
            }
        }
    });
}

TEST_P(TileKernelsOf, FindMembers) {
    with_both_types([]<class T>(T) {
        Tile<T> tile(target(), 5);
        const T nan = std::numeric_limits<T>::quiet_NaN();
        std::vector<T> cells(most);
        for (std::size_t i = 0; i < most; ++i) {
            cells[i] = i % 11 == 10 ? nan : static_cast<T>(i % 11);
        }
        tile.set(0, cells);
        tile.spread(1, 3);
        tile.spread(2, -0.0);
        tile.spread(3, 7);
        const TileOperation call{target().of(type_of<T>).in_set, 4, {0, 1}, 3};
        tile.run(call, most);
        for (std::size_t i = 0; i < most; ++i) {
            ASSERT_EQ(tile.get(4, i), cells[i] == 3 || cells[i] == 0 || cells[i] == 7 ? 1 : 0) << i;
        }
    });
}

TEST_P(TileKernelsOf, ConvertBothWays) {
    Cells<double> cells(5);
    for (std::size_t count = 1; count <= most; ++count) {
        const std::vector<double> doubles = cells.some();
        Tile<double> tile(target(), 4);
        tile.set(0, doubles);
        tile.spread(3, doubles[0]);
        const TileOperation narrow{target().of(CellType::f32).convert, 1, {0}};
        const TileOperation widen{target().of(CellType::f64).convert, 2, {1}};
        narrow.function.tile(narrow, tile.values(), count);
        widen.function.tile(widen, tile.values(), count);
        for (std::size_t i = 0; i < count; ++i) {
            ASSERT_TRUE(same(tile.get(2, i), static_cast<double>(static_cast<float>(doubles[i])))) << i;
        }
    }
}

TEST_P(TileKernelsOf, ConvertSingleCells) {
    Cells<double> cells(8);
    for (int repetition = 0; repetition < 100; ++repetition) {
        const double cell = cells.next();
        const TileOperation operations[] = {{target().of(CellType::f32).convert, 1, {0}},
                                            {target().of(CellType::f64).convert, 2, {1}},
                                            {target().kernels->end}};
        double values[3] = {cell};
        compute_single_cells(operations, reinterpret_cast<std::byte *>(values));
        ASSERT_TRUE(same(values[2], static_cast<double>(static_cast<float>(cell)))) << cell;
    }
}

TEST_P(TileKernelsOf, ConvertOneCellForAll) {
    Cells<double> cells(6);
    for (int repetition = 0; repetition < 100; ++repetition) {
        const double cell = cells.next();
        Tile<double> tile(target(), 3);
        for (const std::size_t value : {0, 1, 2}) {
            tile.spread(value, cell);
        }
        const TileOperation narrow{target().of(CellType::f32).convert, 1, {0}};
        const TileOperation widen{target().of(CellType::f64).convert, 2, {1}};
        narrow.function.tile(narrow, tile.values(), most);
        widen.function.tile(widen, tile.values(), most);
        for (std::size_t i = 0; i < target().vector_bytes / sizeof(double); ++i) {
            ASSERT_TRUE(same(tile.get(2, i), static_cast<double>(static_cast<float>(cell)))) << i;
        }
    }
}

// One vector stands for all cells of the operand, but not of the result.
TEST_P(TileKernelsOf, ConvertOneCellForAllToCells) {
    Cells<double> cells(10);
    for (std::size_t count = 1; count <= most; ++count) {
        const double number = cells.next();
        const auto nearest = static_cast<float>(number);
        Tile<double> doubles(target(), 2);
        doubles.set(0, cells.some());
        doubles.spread(0, number);
        const TileOperation narrow{target().of(CellType::f32).convert, 1, {0}};
        narrow.function.tile(narrow, doubles.values(), count);
        Tile<float> floats(target(), 1);
        floats.set(0, std::vector<float>(most, 3));
        floats.spread(0, nearest);
        const TileValue values[] = {floats.values()[0], doubles.values()[1]};
        for (std::size_t i = 0; i < count; ++i) {
            float cell;
            std::memcpy(&cell, doubles.values()[1].cells + i * sizeof(float), sizeof(float));
            ASSERT_TRUE(same(cell, nearest)) << i;
        }
        const TileOperation widen{target().of(CellType::f64).convert, 1, {0}};
        widen.function.tile(widen, values, count);
        for (std::size_t i = 0; i < count; ++i) {
            ASSERT_TRUE(same(doubles.get(1, i), static_cast<double>(nearest))) << i;
        }
    }
}

// Nothing beside the cells is touched, wherever they begin; behind the last ones there are zeros.
TEST_P(TileKernelsOf, LoadAndStoreCellsAlone) {
    with_both_types([]<class T>(T) {
        Cells<T> cells(9);
        const GuardedMemory outside(most * sizeof(T));
        for (std::size_t count = 1; count <= most; ++count) {
            const std::vector<T> expected = cells.some(count);
            const std::size_t bytes = count * sizeof(T);
            for (const bool at_the_end : {false, true}) {
                char *const place = at_the_end ? outside.back(bytes) : outside.front();
                std::memcpy(place, expected.data(), bytes);
                Tile<T> tile(target(), 1);
                tile.set(0, std::vector<T>(most, 1));
                const auto *const source = reinterpret_cast<const std::byte *>(place);
                target().of(type_of<T>).load(tile.values(), &source, 1, count);
                for (std::size_t i = 0; i < count; ++i) {
                    ASSERT_TRUE(same(tile.get(0, i), expected[i]));
                }
                const std::size_t lanes = target().vector_bytes / sizeof(T);
                for (std::size_t i = count; i % lanes != 0; ++i) {
                    ASSERT_EQ(tile.get(0, i), 0);
                }
                std::memset(place, 0, bytes);
                target().of(type_of<T>).store(reinterpret_cast<std::byte *>(place), tile.values()[0].cells, count);
                ASSERT_EQ(std::memcmp(place, expected.data(), bytes), 0) << count;
            }
        }
    });
}

TEST(TileTargets, AreChosenByTheWidthOfTheirVectors) {
    EXPECT_EQ(choose_tiles(Isa{}).target, Target::baseline);
    EXPECT_TRUE(detected_isa().contains(target_isa(choose_tiles(detected_isa()).target)));
    EXPECT_EQ(explain_tiles(Isa{}).find("chosen   baseline: the widest vectors\n"), 0u);
    std::size_t bytes = 0;
    for (const TileTarget &target : tile_targets()) {
        EXPECT_GT(target.vector_bytes, bytes);
        bytes = target.vector_bytes;
        EXPECT_LE(bytes, tile_cells * sizeof(float));
    }
}

}  // namespace
}  // namespace tenrex::kernels
