#include "lib/retrieval/bit_planes.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <random>
#include <vector>

namespace tenrex::retrieval {
namespace {

struct Planes {
    std::vector<std::uint8_t> bytes;
    std::size_t stride;
    float step;

    // The level of a number, read from the bits as they are described.
    int level(std::size_t i) const {
        int level = 0;
        for (std::size_t plane = 0; plane < bit_planes; ++plane) {
            const bool bit = (bytes[plane * stride + i / 8] >> (7 - i % 8) & 1) != 0;
            level += (bit ? 1 : -1) * (1 << plane);
        }
        return level;
    }
};

Planes planes_of(const std::vector<float> &vector, std::size_t stride) {
    Planes planes{std::vector<std::uint8_t>(bit_planes * stride, 0xFF), stride, 0};
    planes.step = write_planes(vector, stride, planes.bytes.data()).factor;
    return planes;
}

std::vector<float> normal(std::size_t size, std::uint32_t seed) {
    std::mt19937 random(seed);
    std::normal_distribution<float> distribution;
    std::vector<float> vector(size);
    for (float &value : vector) {
        value = distribution(random);
    }
    return vector;
}

TEST(BitPlanes, are_the_levels_that_are_nearest) {
    for (const std::size_t size : {1, 7, 8, 9, 64, 100, 384}) {
        const auto vector = normal(size, 1);
        const Planes planes = planes_of(vector, 64);
        ASSERT_GT(planes.step, 0);
        for (std::size_t i = 0; i < size; ++i) {
            const float scaled = vector[i] / planes.step;
            const float left = std::fabs(scaled - static_cast<float>(planes.level(i)));
            EXPECT_LE(left,
                      std::fabs(scaled) <= largest_level + 1 ? 1.001F : std::fabs(scaled) - largest_level + 0.001F)
                << i;
        }
        for (std::size_t i = size; i < 512; ++i) {
            EXPECT_EQ(planes.level(i), -15) << "behind the end, all bits are 0";
        }
    }
}

TEST(BitPlanes, lose_little_of_numbers_of_any_size) {
    for (const float factor : {1e-15F, 1.0F, 1e15F}) {
        auto vector = normal(384, 2);
        for (const bool has_peak : {false, true}) {
            if (has_peak) {
                vector[5] = 12;  // one that is much larger is neither cut off much nor does it cost the others much
            }
            auto scaled = vector;
            for (float &value : scaled) {
                value *= factor;
            }
            const Planes planes = planes_of(scaled, 64);
            double error = 0, square = 0;
            for (std::size_t i = 0; i < scaled.size(); ++i) {
                const double x = static_cast<double>(scaled[i]) / static_cast<double>(factor);
                const double level = static_cast<double>(planes.step) / static_cast<double>(factor) * planes.level(i);
                error += (x - level) * (x - level);
                square += x * x;
            }
            EXPECT_LT(error / square, has_peak ? 0.16 : 0.013);  // 0.0115 is the least for normal numbers
        }
    }
}

// The planes' Hamming distances are the dot product of levels and signs.
TEST(BitPlanes, give_the_product_of_levels_and_signs) {
    for (const std::size_t size : {1, 9, 384}) {
        const auto query = normal(size, 3);
        const auto stored = normal(size, 4);
        const Planes planes = planes_of(query, 64);
        std::vector<std::uint8_t> signs(64);
        write_signs(stored, signs.data());
        int weighted = 0;
        for (std::size_t plane = 0; plane < bit_planes; ++plane) {
            for (std::size_t i = 0; i < 64; ++i) {
                weighted += std::popcount(static_cast<std::uint8_t>(planes.bytes[plane * 64 + i] ^ signs[i])) << plane;
            }
        }
        int product = 0;
        for (std::size_t i = 0; i < size; ++i) {
            product += stored[i] > 0 ? planes.level(i) : -planes.level(i);
        }
        EXPECT_EQ(15 * static_cast<int>(size) - 2 * weighted, product);
    }
}

TEST(BitPlanes, of_zeros_and_of_the_smallest_numbers_say_nothing) {
    for (const float value : {0.0F, 1e-42F, -1e-42F}) {
        EXPECT_EQ(planes_of(std::vector<float>(20, value), 64).step, 0);
    }
}

TEST(ScaleOfSigns, makes_the_sum_of_signed_numbers_the_square) {
    const auto vector = normal(384, 5);
    const RowScale scale = scale_of_signs(vector);
    double magnitudes = 0, square = 0;
    for (const float value : vector) {
        magnitudes += std::fabs(static_cast<double>(value));
        square += static_cast<double>(value) * static_cast<double>(value);
    }
    EXPECT_NEAR(static_cast<double>(scale.factor) * magnitudes, square, 1e-3);
    EXPECT_NEAR(static_cast<double>(scale.square), square, 1e-3);
    std::vector<std::uint8_t> planes(bit_planes * 64);
    EXPECT_EQ(write_planes(vector, 64, planes.data()).square, scale.square);
    EXPECT_EQ(scale_of_signs(std::vector<float>(5)).factor, 0);
}

}  // namespace
}  // namespace tenrex::retrieval
