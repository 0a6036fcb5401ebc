#include "lib/storage/derived_tensor.h"

#include <atomic>
#include <cstring>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <tenrex/formats.h>

namespace tenrex {
namespace {

constexpr std::size_t count = 1000;

// Cells 0, 1, 2, ... that count how often they are made.
struct Counted {
    std::shared_ptr<std::atomic<int>> times = std::make_shared<std::atomic<int>>(0);
    Tensor tensor = make(times, 0);

    static Tensor make(const std::shared_ptr<std::atomic<int>> &times, float first) {
        TensorBuilder builder(*TensorType::parse("tensor<float>(x[1000])"));
        const auto fill = [times, first](std::byte *to) {
            for (std::size_t i = 0; i < count; ++i) {
                const float cell = first + static_cast<float>(i);
                std::memcpy(to + i * sizeof(float), &cell, sizeof(float));
            }
            ++*times;
        };
        fill(static_cast<std::byte *>(builder.cells(0)));
        return DerivedTensor::make(std::move(builder).build(), fill);
    }
};

float cell_of(const BorrowedCells &cells, std::size_t index) {
    float cell = 0;
    std::memcpy(&cell, cells.data() + index * sizeof(float), sizeof(float));
    return cell;
}

TEST(DerivedTensor, CellsAreThereUntilTheyAreGivenBack) {
    const Counted one;
    const std::size_t bytes = count * sizeof(float);
    EXPECT_GE(one.tensor.memory_bytes(), bytes);
    {
        const BorrowedCells first(one.tensor);
        const BorrowedCells second(one.tensor);
        EXPECT_EQ(cell_of(first, 999), 999.0F);
        EXPECT_EQ(first.data(), second.data());
    }
    EXPECT_EQ(*one.times, 1);
    EXPECT_LT(one.tensor.memory_bytes(), bytes);
    EXPECT_EQ(cell_of(BorrowedCells(one.tensor), 17), 17.0F);
    EXPECT_EQ(*one.times, 2);
}

TEST(DerivedTensor, CellsAreMadeWhenTheyAreNeeded) {
    const auto times = std::make_shared<std::atomic<int>>(0);
    const auto make = [times](std::byte *to) {
        std::memset(to, 0, count * sizeof(float));
        ++*times;
    };
    const Tensor tensor = DerivedTensor::make(*TensorType::parse("tensor<float>(x[1000])"), make);
    DerivedCells &cells = *DerivedTensor::cells_of(tensor);
    EXPECT_EQ(tensor.cell_count(), count);
    EXPECT_EQ(cells.known_hash(), std::nullopt);
    EXPECT_EQ(*times, 0);
    // Who asks for the hash needs the cells most likely.
    const auto hash = cells.hash();
    EXPECT_EQ(cells.known_hash(), hash);
    EXPECT_EQ(cell_of(BorrowedCells(tensor), 3), 0);
    EXPECT_EQ(*times, 1);
    EXPECT_LT(tensor.memory_bytes(), count);
    const Tensor other = DerivedTensor::make(tensor.type(), make);
    EXPECT_EQ(DerivedTensor::cells_of(other)->hash(), hash);
    EXPECT_EQ(*times, 2);
    DerivedTensor::let_go(other);
    EXPECT_LT(other.memory_bytes(), count);
}

TEST(DerivedTensor, CellsThatAreAskedForStay) {
    const Counted one;
    { const BorrowedCells borrowed(one.tensor); }
    const std::span<const float> cells = one.tensor.cells<float>();
    EXPECT_EQ(cells[999], 999.0F);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(cells.data()) % 64, 0U);
    { const BorrowedCells borrowed(one.tensor); }
    EXPECT_EQ(static_cast<const void *>(cells.data()), one.tensor.view().cells());
    EXPECT_EQ(one.tensor.cell(5), 5);
    EXPECT_EQ(*one.times, 2);
}

TEST(DerivedTensor, IsTheValueThatItWas) {
    const Counted one;
    const Counted same;
    TensorBuilder builder(one.tensor.type());
    for (std::size_t i = 0; i < count; ++i) {
        builder.set(0, i, static_cast<double>(i));
    }
    EXPECT_EQ(one.tensor, std::move(builder).build());
    EXPECT_EQ(one.tensor, same.tensor);
    EXPECT_NE(one.tensor, Counted::make(one.times, 1));
    EXPECT_EQ(*from_literal(to_literal(one.tensor)), one.tensor);
    EXPECT_NE(DerivedTensor::cells_of(one.tensor)->known_hash(), std::nullopt);
    EXPECT_EQ(DerivedTensor::cells_of(one.tensor)->hash(), DerivedTensor::cells_of(same.tensor)->hash());
    EXPECT_NE(DerivedTensor::identity(one.tensor), DerivedTensor::identity(same.tensor));
    EXPECT_EQ(DerivedTensor::cells_of(Tensor(1)), nullptr);
}

TEST(DerivedTensor, CellsMayStandInOtherOrders) {
    const Counted one;
    DerivedCells &cells = *DerivedTensor::cells_of(one.tensor);
    cells.add({"by column", "columns", nullptr});
    cells.add({"by tile", "tiles", nullptr});
    EXPECT_EQ(cells.ordered("by column"), "columns");
    EXPECT_EQ(cells.ordered("by tile"), "tiles");
    EXPECT_EQ(cells.ordered("by row"), "");
    EXPECT_EQ(*one.times, 1);
}

TEST(DerivedTensor, ThreadsMayBorrowAndKeep) {
    const Counted one;
    std::vector<std::thread> threads;
    std::atomic<int> wrong = 0;
    for (std::size_t i = 0; i < 4; ++i) {
        threads.emplace_back([&, i] {
            for (std::size_t k = 0; k < 100; ++k) {
                const BorrowedCells borrowed(one.tensor);
                wrong += cell_of(borrowed, k) != static_cast<float>(k);
                if (i == 3 && k == 50) {
                    wrong += one.tensor.cells<float>()[k] != static_cast<float>(k);
                }
            }
        });
    }
    for (std::thread &thread : threads) {
        thread.join();
    }
    EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace tenrex
