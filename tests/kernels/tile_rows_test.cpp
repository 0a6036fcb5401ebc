// Kernels on tiles of several rows give what they give for each row alone, wherever the rows are; and a value with one
// cell for each row is taken for what it is: its cells written out.
#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <vector>

#include "lib/kernels/tile/tile_kernels.h"
#include "tests/kernels/elementwise_reference.h"

namespace tenrex::kernels {
namespace {

constexpr std::size_t most_rows = 5;
constexpr std::size_t most_cells = 80;  // of a row

template <class T>
constexpr CellType type_of = sizeof(T) == 4 ? CellType::f32 : CellType::f64;

// What an operand is.
enum class Kind {
    apart,      // rows of whole vectors
    close,      // the next row begins behind the last cell, at any place
    same,       // all rows are one
    each_cell,  // a cell for each row
    one_cell,   // a cell for all rows
};
constexpr Kind all_kinds[] = {Kind::apart, Kind::close, Kind::same, Kind::each_cell, Kind::one_cell};

// Operands of a tile, and results of two kinds: of all rows at a time, and row by row with all cells written out.
template <class T, class Result = T>
class TwoTiles {
public:
    TwoTiles(const TileTarget &target, TileSize size) : target_(target), size_(size), random_(1) {}

    void set(std::size_t value, Kind kind) {
        const std::size_t whole = (size_.cells + tile_cells - 1) / tile_cells * tile_cells;
        const std::size_t step = kind == Kind::apart   ? whole
                                 : kind == Kind::close ? size_.cells
                                                       : kind == Kind::each_cell;
        const bool goes_on = kind != Kind::each_cell && kind != Kind::one_cell;
        std::byte *const first = room(1);
        for (std::size_t i = 0; i <= (size_.rows - 1) * step + (goes_on ? whole : 1); ++i) {
            const T cell = static_cast<T>(static_cast<int>(random_() % 17) - 8) / 2;
            std::memcpy(first + i * sizeof(T), &cell, sizeof(T));
        }
        const auto row_bytes = static_cast<std::ptrdiff_t>(step * sizeof(T));
        together_[value] = {first, goes_on ? ~std::uintptr_t{0} : 0, row_bytes};
        for (std::size_t row = 0; row < size_.rows; ++row) {
            alone_[row][value] = {room(0), ~std::uintptr_t{0}};
            for (std::size_t i = 0; i < whole; ++i) {
                std::memcpy(alone_[row][value].cells + i * sizeof(T),
                            first + (row * step + (goes_on ? i : 0)) * sizeof(T), sizeof(T));
            }
        }
        if (size_.rows == 1 && !goes_on) {
            const std::byte *const cell = first;
            together_[value].cells = room(0);
            target_.of(type_of<T>).broadcast(&together_[value], &cell, 1);
        }
    }
    // One number in a vector, for all rows.
    void set_number(std::size_t value, T number) {
        const auto *const cell = reinterpret_cast<const std::byte *>(&number);
        together_[value] = {room(0), 0};
        target_.of(type_of<T>).broadcast(&together_[value], &cell, 1);
        for (auto &row : alone_) {
            row[value] = together_[value];
        }
    }
    // close: each row is written over the end of the one before.
    void expect_same(TileOperation operation, bool close) {
        operation.out = values - 1;
        const std::size_t whole = (size_.cells + tile_cells - 1) / tile_cells * tile_cells;
        const std::size_t step = close ? size_.cells : whole;
        together_[operation.out] = {room(1), ~std::uintptr_t{0}, static_cast<std::ptrdiff_t>(step * sizeof(Result))};
        operation.function.tile(operation, together_, size_);
        for (std::size_t row = 0; row < size_.rows; ++row) {
            alone_[row][operation.out] = {room(0), ~std::uintptr_t{0}};
            operation.function.tile(operation, alone_[row], size_.cells);
            const std::byte *const result =
                together_[operation.out].cells + static_cast<std::ptrdiff_t>(row) * together_[operation.out].row_bytes;
            ASSERT_EQ(std::memcmp(result, alone_[row][operation.out].cells, size_.cells * sizeof(Result)), 0)
                << "row " << row << " of " << size_.rows << " with " << size_.cells << " cells";
        }
    }

    static constexpr std::size_t values = 5;

private:
    // shift: how many bytes it is beside an aligned place.
    std::byte *room(std::size_t shift) {
        return memory_.emplace_back((most_rows + 1) * most_cells * sizeof(double) + shift).data() + shift;
    }

    const TileTarget &target_;
    TileSize size_;
    std::mt19937 random_;
    std::vector<std::vector<std::byte>> memory_;
    TileValue together_[values] = {};
    TileValue alone_[most_rows][values] = {};
};

class TileRows : public testing::TestWithParam<const TileTarget *> {
protected:
    void SetUp() override {
        if (const Isa absent = target_isa(GetParam()->target) - detected_isa(); !absent.empty()) {
            GTEST_SKIP() << "this CPU lacks " << to_string(absent);
        }
    }
    // Runs an operation with operands of all kinds: of the first two all pairs.
    template <class T, class Result = T>
    static void check(const TileOperation &operation, std::size_t operands) {
        for (const TileSize size : {TileSize(16, 5), {64, 2}, {17, 3}, {33, 5}, {79, 4}, {30}, {65}}) {
            for (const Kind first : all_kinds) {
                for (std::size_t shift = 0; shift < std::size(all_kinds); ++shift) {
                    TwoTiles<T, Result> tiles(*GetParam(), size);
                    for (std::size_t k = 0; k < operands; ++k) {
                        tiles.set(k, all_kinds[(static_cast<std::size_t>(first) + k * shift) % std::size(all_kinds)]);
                    }
                    tiles.expect_same(operation, shift % 2 == 0);
                }
            }
        }
    }
    template <class T>
    static const TypedTileKernels &kernels() {
        return GetParam()->of(type_of<T>);
    }
    template <class Test>
    static void with_both_types(const Test &test) {
        test(float{});
        test(double{});
    }
};

std::vector<const TileTarget *> targets() {
    std::vector<const TileTarget *> all;
    for (const TileTarget &target : tile_targets()) {
        all.push_back(&target);
    }
    return all;
}

INSTANTIATE_TEST_SUITE_P(Kernels, TileRows, testing::ValuesIn(targets()),
                         [](const auto &test) { return std::string(name(test.param->target)); });

TEST_P(TileRows, OfAnyOperation) {
    with_both_types([]<class T>(T) {
        for (const ElementwiseOperation operation : all_elementwise_operations) {
            SCOPED_TRACE(name(operation));
            check<T>({GetParam()->operation(operation, type_of<T>), 0, {0, 1, 2}}, arity(operation));
        }
    });
}

TEST_P(TileRows, OfSumsOfProducts) {
    with_both_types([]<class T>(T) {
        const TileTerm terms[] = {{0, 1}, {1, 2}, {2, 0}, {3, 3}};
        check<T>({kernels<T>().sum_of_products, 0, {}, 4, terms}, 4);
    });
}

TEST_P(TileRows, OfChoices) {
    with_both_types([]<class T>(T) {
        for (const TileFunctions &choice : kernels<T>().choices) {
            check<T>({choice, 0, {0, 1, 2, 3}}, 4);
        }
    });
}

// Members are numbers for all.
TEST_P(TileRows, OfSets) {
    with_both_types([]<class T>(T) {
        for (const Kind kind : all_kinds) {
            TwoTiles<T> tiles(*GetParam(), {33, 4});
            tiles.set(0, kind);
            tiles.set_number(1, 2);
            tiles.set_number(2, -1.5);
            tiles.expect_same({kernels<T>().in_set, 0, {0, 1}, 2}, true);
        }
    });
}

TEST_P(TileRows, OfConversions) {
    check<double, float>({kernels<float>().convert, 0, {0}}, 1);
    check<float, double>({kernels<double>().convert, 0, {0}}, 1);
}

}  // namespace
}  // namespace tenrex::kernels
