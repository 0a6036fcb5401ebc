#include "lib/kernels/convert/convert.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "lib/kernels/convert/convert_kernels.h"
#include "tests/kernels/guarded_memory.h"
#include "tests/kernels/row.h"

namespace tenrex::kernels {
namespace {

class Conversion : public testing::TestWithParam<const ConversionKernel *> {
protected:
    void SetUp() override {
        const Isa absent = target_isa(kernel().target) - detected_isa();
        if (!absent.empty()) {
            GTEST_SKIP() << "this CPU lacks " << to_string(absent);
        }
    }

    static const ConversionKernel &kernel() { return *GetParam(); }

    static bool unpacks() {
        return kernel().operation == ConversionOperation::unpack_bits_big ||
               kernel().operation == ConversionOperation::unpack_bits_little;
    }
    // What rows are rounded around, and what that is multiplied with. There are numbers for the most rows of a test.
    static constexpr float middle[] = {0.25F, -3.5F, 0, 100, -0.0F};
    static constexpr float factor[] = {1.5F, 127, 0x1p-20F, 1e6F, -2};
    static void call(RowConversion conversion) {
        if (kernel().operation == ConversionOperation::round_whole) {
            conversion.middle = middle;
            conversion.factor = factor;
        }
        kernel().function(conversion);
    }
    // Each operation is rounded to float, whatever the compiler would like to fuse.
    static float rounded(float number) {
        const volatile float once = number;
        return once;
    }
    static float in_few_bits(float cell, std::size_t number) {
        if (kernel().operation == ConversionOperation::round_whole) {
            const float whole = 12582912;
            const float scaled = rounded(rounded(cell - middle[number]) * factor[number]);
            return rounded(rounded(scaled + whole) - whole);
        }
        const float raised = rounded(cell * 65537);
        return rounded(raised - rounded(raised - cell));
    }

    static Row expected(const Row &in, std::size_t number = 0) {
        if (!unpacks()) {
            const bool converts = kernel().operation == ConversionOperation::convert;
            Row out = make_row(kernel().to, in.length());
            for (std::size_t i = 0; i < in.length(); ++i) {
                out.set(i, converts ? in[i] : in_few_bits(static_cast<float>(in[i]), number));
            }
            return out;
        }
        Row out = make_row(kernel().to, 8 * in.length());
        for (std::size_t i = 0; i < out.length(); ++i) {
            const std::size_t bit = kernel().operation == ConversionOperation::unpack_bits_big ? 7 - i % 8 : i % 8;
            out.set(i, static_cast<unsigned char>(in.bytes[i / 8]) >> bit & 1);
        }
        return out;
    }

    static testing::AssertionResult same(const Row &result, const Row &expected) {
        for (std::size_t i = 0; i < expected.length(); ++i) {
            const double x = result[i];
            const double y = expected[i];
            if (std::bit_cast<std::uint64_t>(x) != std::bit_cast<std::uint64_t>(y) &&
                !(std::isnan(x) && std::isnan(y))) {
                return testing::AssertionFailure() << "cell " << i << " is " << x << ", not " << y;
            }
        }
        return testing::AssertionSuccess();
    }
};

std::vector<const ConversionKernel *> all_kernels() {
    std::vector<const ConversionKernel *> all;
    for (const ConversionKernel &kernel : conversion_kernels()) {
        all.push_back(&kernel);
    }
    return all;
}

std::string test_name(const testing::TestParamInfo<const ConversionKernel *> &parameter) {
    return std::string(parameter.param->function_name) + "_" + std::string(name(parameter.param->target));
}

INSTANTIATE_TEST_SUITE_P(Kernels, Conversion, testing::ValuesIn(all_kernels()), test_name);

// Every int8 and bfloat16 cell, and of the wider types the borders of all conversions and random bits.
Row interesting(CellType type) {
    std::mt19937_64 random(1);
    if (type == CellType::i8 || type == CellType::bf16) {
        Row row = make_row(type, std::size_t{1} << (8 * byte_size(type)));
        for (std::size_t i = 0; i < row.length(); ++i) {
            std::memcpy(row.bytes.data() + i * byte_size(type), &i, byte_size(type));
        }
        return row;
    }
    std::vector<double> values = {0.0, -0.0, std::nan(""), -std::nan("")};
    for (double limit : {1e-45,
                         1e-38,
                         0x1p-149,
                         0x1p-1074,
                         1.0,
                         127.0,
                         128.0,
                         129.0,
                         255.0,
                         256.0,
                         32768.0,
                         2147483520.0,
                         2147483646.0,
                         2147483647.0,
                         2147483648.0,
                         4294967295.0,
                         4294967296.0,
                         3.38953138925e38,
                         3.40282346639e38,
                         3.40282356780e38,
                         1e300,
                         std::numeric_limits<double>::infinity()}) {
        for (double factor : {1.0, 1 - 0x1p-53, 1 - 0x1p-24, 1 - 0x1p-9, 1 + 0x1p-52, 1 + 0x1p-23, 1 + 0x1p-8, 1.5}) {
            values.insert(values.end(), {limit * factor, -limit * factor});
        }
        values.insert(values.end(), {limit - 0.5, limit + 0.5, 0.5 - limit, -limit - 0.5});
    }
    while (values.size() < 3000) {
        values.push_back(static_cast<double>(static_cast<std::int64_t>(random())) / 0x1p52);
    }
    Row row = make_row(type, 2 * values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
        row.set(i, values[i]);
    }
    for (std::size_t i = values.size() * byte_size(type); i < row.bytes.size(); ++i) {
        row.bytes[i] = static_cast<char>(random());
    }
    return row;
}

TEST_P(Conversion, gives_what_to_cell_gives) {
    const Row in = interesting(kernel().from);
    Row result = expected(in);
    std::fill(result.bytes.begin(), result.bytes.end(), char{85});
    call({in.bytes.data(), 0, result.bytes.data(), 0, 1, in.length()});
    EXPECT_TRUE(same(result, expected(in)));
}

TEST_P(Conversion, keeps_NaN_whose_payload_is_in_the_lower_half) {
    if (kernel().operation != ConversionOperation::convert || kernel().from != CellType::f32 ||
        kernel().to != CellType::bf16) {
        return;
    }
    for (std::uint32_t bits : {0x7F800001U, 0xFF80FFFFU, 0x7F80FFFFU}) {
        const float in = std::bit_cast<float>(bits);
        BFloat16 out;
        kernel().function({&in, 0, &out, 0, 1, 1});
        EXPECT_TRUE(std::isnan(static_cast<float>(out))) << std::hex << bits;
        EXPECT_EQ(out.bits >> 15, bits >> 31);
    }
}

TEST_P(Conversion, rounds_to_the_nearest_and_of_two_to_the_even_one) {
    if (kernel().operation != ConversionOperation::round_nearest) {
        return;
    }
    std::mt19937 random(3);
    for (int i = 0; i < 10000; ++i) {
        const std::uint32_t halfway = (random() & 0xFFFF0000U) | 0x8000U;
        for (const std::uint32_t bits : {halfway - 1, halfway, halfway + 1}) {
            const float in = std::bit_cast<float>(bits);
            if (!(std::fabs(in) < 1e33F && std::fabs(in) > 1e-33F)) {
                continue;
            }
            BFloat16 out;
            kernel().function({&in, 0, &out, 0, 1, 1});
            EXPECT_EQ(out.bits, (bits + 0x7FFF + (bits >> 16 & 1)) >> 16) << std::hex << bits;
        }
    }
}

TEST_P(Conversion, touches_its_rows_and_nothing_else) {
    constexpr std::size_t most_rows = 5;
    const std::size_t growth = unpacks() ? 8 : 1;
    std::mt19937 random(2);
    const GuardedMemory in_memory(most_rows * (2100 * 8 + 64));
    const GuardedMemory out_memory(most_rows * (2100 * 8 * growth + 64));
    std::size_t variant = 0;
    for (std::size_t length = 0; length <= 2049; length = length < 70 ? length + 1 : 2 * length - length % 7) {
        for (std::size_t rows : {std::size_t{0}, std::size_t{1}, std::size_t{2}, most_rows}) {
            for (std::size_t shift : {0, 1}) {
                const std::size_t in_size = length * byte_size(kernel().from);
                const std::size_t out_size = length * growth * byte_size(kernel().to);
                const std::size_t padding = variant++ % 3 * 7;
                const auto extent = [&](std::size_t size) {
                    return rows == 0 ? 0 : (rows - 1) * (size + padding) + size;
                };
                const bool at_end = variant % 2 == 0;
                char *in = at_end ? in_memory.back(extent(in_size)) : in_memory.front() + shift;
                char *out = at_end ? out_memory.back(extent(out_size)) : out_memory.front() + shift;
                // What surrounds the rows, as far as it exists, must stay as it is.
                char *from = std::max(out_memory.front(), out - 64);
                char *to = std::min(out_memory.front() + out_memory.size(), out + extent(out_size) + 64);
                std::fill(from, to, char{85});
                std::vector<Row> expectations;
                for (std::size_t i = 0; i < rows; ++i) {
                    const Row row = random_row(kernel().from, length, random);
                    std::copy(row.bytes.begin(), row.bytes.end(), in + i * (in_size + padding));
                    expectations.push_back(expected(row, i));
                }
                call({in, static_cast<std::ptrdiff_t>(in_size + padding), out,
                      static_cast<std::ptrdiff_t>(out_size + padding), rows, length});
                for (std::size_t i = 0; i < rows; ++i) {
                    char *first = out + i * (out_size + padding);
                    const Row result{kernel().to, std::vector<char>(first, first + out_size)};
                    ASSERT_TRUE(same(result, expectations[i])) << "row " << i << " of " << rows << ", " << length;
                    std::fill(first, first + out_size, char{85});
                }
                ASSERT_EQ(std::count(from, to, char{85}), to - from)
                    << "bytes between or around the rows were written; " << rows << " rows of " << length;
            }
        }
    }
}

}  // namespace
}  // namespace tenrex::kernels
