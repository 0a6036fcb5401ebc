// Kernels on tiles take a value with one vector for each row of the tile for what it is: its cells written out.
#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <vector>

#include "lib/kernels/tile/tile_kernels.h"
#include "tests/kernels/elementwise_reference.h"

namespace tenrex::kernels {
namespace {

constexpr std::size_t most = 192;

template <class T>
constexpr CellType type_of = sizeof(T) == 4 ? CellType::f32 : CellType::f64;

// Operands of a tile, whose results are compared.
template <class T>
class TwoTiles {
public:
    explicit TwoTiles(const TileTarget &target) : target_(target), random_(1) {
        for (std::size_t i = 0; i < values; ++i) {
            whole_.push_back({room(), ~std::uintptr_t{0}});
            rows_.push_back(whole_.back());
        }
        rows_.back().cells = room();  // the results
    }
    // An operand of random cells; with `row` cells that are equal if that is not 0.
    void set(std::size_t value, std::size_t row) {
        T cell{};
        auto *const cells = reinterpret_cast<T *>(whole_[value].cells);
        std::byte *const vectors = row == 0 ? whole_[value].cells : room();
        for (std::size_t i = 0; i < most; ++i) {
            const bool is_new = row == 0 || i % row == 0;
            cell = is_new ? static_cast<T>(static_cast<int>(random_() % 17) - 8) / 2 : cell;
            cells[i] = cell;
            if (row != 0 && is_new) {
                const TileValue vector{vectors + i / row * target_.vector_bytes, 0};
                const auto *const source = reinterpret_cast<const std::byte *>(&cell);
                target_.of(type_of<T>).broadcast(&vector, &source, 1);
            }
        }
        rows_[value] = row == 0 ? whole_[value] : value_of_rows(vectors, row * sizeof(T), target_.vector_bytes);
    }
    void expect_same(TileOperation operation, std::size_t cells, std::size_t result_bytes) {
        operation.out = values - 1;
        operation.function.tile(operation, whole_.data(), cells);
        operation.function.tile(operation, rows_.data(), cells);
        ASSERT_EQ(std::memcmp(whole_.back().cells, rows_.back().cells, cells * result_bytes), 0) << cells << " cells";
    }

    static constexpr std::size_t values = 5;

private:
    std::byte *room() { return memory_.emplace_back(2 * most * sizeof(double)).data(); }

    const TileTarget &target_;
    std::mt19937 random_;
    std::vector<std::vector<std::byte>> memory_;
    std::vector<TileValue> whole_, rows_;
};

class TileRows : public testing::TestWithParam<const TileTarget *> {
protected:
    void SetUp() override {
        if (const Isa absent = target_isa(GetParam()->target) - detected_isa(); !absent.empty()) {
            GTEST_SKIP() << "this CPU lacks " << to_string(absent);
        }
    }
    // Runs an operation with operands of which those in the bits of a number have rows of one length or another.
    template <class T>
    static void check(const TileOperation &operation, std::size_t operands, std::size_t result_bytes = sizeof(T)) {
        for (std::uint32_t variant = 1; variant < (1u << operands); ++variant) {
            for (const std::size_t row : {16, 48, 64}) {
                TwoTiles<T> tiles(*GetParam());
                for (std::size_t k = 0; k < operands; ++k) {
                    tiles.set(k, (variant >> k & 1) == 0 ? 0 : k % 2 == 0 ? row : 16);
                }
                for (const std::size_t cells : {row, most}) {
                    tiles.expect_same(operation, cells, result_bytes);
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

TEST_P(TileRows, OfConversions) {
    check<double>({kernels<float>().convert, 0, {0}}, 1, sizeof(float));
    check<float>({kernels<double>().convert, 0, {0}}, 1, sizeof(double));
}

}  // namespace
}  // namespace tenrex::kernels
