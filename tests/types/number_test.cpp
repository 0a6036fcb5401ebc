#include "lib/types/number.h"

#include <bit>
#include <clocale>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace tenrex::number_test {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

TEST(ReadNumber, ReadsTheLongestNumber) {
    const struct {
        std::string_view text;
        double value;
        std::size_t length;
    } cases[] = {
        {"0", 0, 1},
        {"1", 1, 1},
        {"-1", -1, 2},
        {"+1", 1, 2},
        {"007", 7, 3},
        {"1.5", 1.5, 3},
        {"1.", 1, 2},
        {".5", 0.5, 2},
        {"-.5", -0.5, 3},
        {"1e3", 1000, 3},
        {"1E+3", 1000, 4},
        {"1.e-3", 0.001, 5},
        {"1e", 1, 1},
        {"1e+", 1, 1},
        {"1ex", 1, 1},
        {"1x", 1, 1},
        {"1_000", 1, 1},
        {"0x10", 0, 1},
        {"1.5.5", 1.5, 3},
        {"1--1", 1, 1},
        {"123456789012345", 123456789012345, 15},
        {"999999999999999", 999999999999999, 15},
        {"9007199254740993", 9007199254740992, 16},
        {"12345678901234567890", 12345678901234567890.0, 20},
        {"0.1", 0.1, 3},
        {"inf", infinity, 3},
        {"-INF", -infinity, 4},
        {"+Infinity", infinity, 9},
        {"infinit", infinity, 3},
        {"info", infinity, 3},
        {"1e308", 1e308, 5},
        {"1e309", infinity, 5},
        {"-1e309", -infinity, 6},
        {"1e-400", 0, 6},
        {"-1e-400", -0.0, 7},
        {"4e-324", 5e-324, 6},
        {"1e-320", 1e-320, 6},
        {"0e999999999999999999999", 0, 23},
        {"0.0e99999", 0, 9},
        {"1e99999999999999999999999", infinity, 25},
        {"1e-99999999999999999999999", 0, 26},
    };
    for (const auto &c : cases) {
        const NumberText number = read_number(c.text);
        EXPECT_EQ(number.length, c.length) << c.text;
        EXPECT_EQ(number.value, c.value) << c.text;
        EXPECT_EQ(std::signbit(number.value), std::signbit(c.value)) << c.text;
    }
    EXPECT_TRUE(std::isnan(read_number("nan").value));
    EXPECT_EQ(read_number("-NaN").length, 4U);
}

TEST(ReadNumber, RefusesWhatIsNoNumber) {
    for (const std::string_view text :
         {"", "-", "+", ".", "-.", "e1", ".e1", "--1", "+-1", "- 1", "x", "na", "in", "\"1\"", " 1", "[", "$"}) {
        EXPECT_EQ(read_number(text).length, 0U) << text;
    }
}

TEST(ReadNumber, DecidesBetweenHugeAndTinyByAllDigits) {
    EXPECT_EQ(read_number(std::string(400, '1')).value, infinity);
    EXPECT_EQ(read_number("1" + std::string(400, '0') + "e-400").value, 1.0);
    EXPECT_EQ(read_number("0." + std::string(400, '0') + "1").value, 0.0);
    EXPECT_EQ(read_number("0." + std::string(400, '0') + "1e401").value, 1.0);
    EXPECT_EQ(read_number("0." + std::string(400, '0') + "1e800").value, infinity);
    EXPECT_EQ(read_number(std::string(400, '1') + "e-800").value, 0.0);
    EXPECT_EQ(read_number("0." + std::string(1000, '0')).value, 0.0);
}

TEST(ReadDecimal, WantsADigitFirst) {
    EXPECT_EQ(read_decimal("1.5e1x").length, 5U);
    for (const std::string_view text : {".5", "-1", "+1", "nan", "inf", ""}) {
        EXPECT_EQ(read_decimal(text).length, 0U) << text;
    }
}

TEST(ReadSpecialNumber, ReadsWholeTextsOnly) {
    double value = 0;
    EXPECT_TRUE(read_special_number("-inf", value));
    EXPECT_EQ(value, -infinity);
    EXPECT_TRUE(read_special_number("+Infinity", value));
    EXPECT_EQ(value, infinity);
    EXPECT_TRUE(read_special_number("NAN", value));
    EXPECT_TRUE(std::isnan(value));
    for (const std::string_view text : {"", "1", "nan1", "inf ", "infinit", "-", "--inf"}) {
        EXPECT_FALSE(read_special_number(text, value)) << text;
    }
}

TEST(ReadNumber, AgreesWithStrtod) {
    std::mt19937_64 engine(7);
    for (int i = 0; i < 5000; ++i) {
        const double number = std::bit_cast<double>(engine());
        if (!std::isfinite(number)) {
            continue;
        }
        char text[64];
        std::snprintf(text, sizeof(text), "%.*e", static_cast<int>(engine() % 20), number);
        ASSERT_EQ(read_number(text).value, std::strtod(text, nullptr)) << text;
        ASSERT_EQ(read_number(text).length, std::string_view(text).size()) << text;
        const std::string integer = std::to_string(engine() >> (engine() % 64));
        ASSERT_EQ(read_number(integer).value, std::strtod(integer.c_str(), nullptr)) << integer;
    }
}

TEST(ReadNumber, AgreesWithStrtodForFewDigits) {
    std::mt19937_64 engine(8);
    for (int i = 0; i < 20000; ++i) {
        std::string text = std::to_string(engine() >> (engine() % 50 + 14));
        text.insert(engine() % (text.size() + 1), ".");
        if (engine() % 4 != 0) {
            text += (engine() % 2 != 0 ? "e" : "E") + std::to_string(static_cast<int>(engine() % 61) - 30);
        }
        if (text.starts_with(".e") || text.starts_with(".E")) {
            continue;
        }
        ASSERT_EQ(read_number(text).value, std::strtod(text.c_str(), nullptr)) << text;
        ASSERT_EQ(read_number(text).length, text.size()) << text;
    }
}

std::string text_of(double value) {
    std::string out;
    append_number(out, value);
    return out;
}

TEST(AppendNumber, WritesFewDigits) {
    EXPECT_EQ(text_of(0), "0");
    EXPECT_EQ(text_of(-0.0), "-0");
    EXPECT_EQ(text_of(1), "1");
    EXPECT_EQ(text_of(0.1), "0.1");
    EXPECT_EQ(text_of(-2.5), "-2.5");
    EXPECT_EQ(text_of(1e6), "1000000");
    EXPECT_EQ(text_of(123456789), "123456789");
    EXPECT_EQ(text_of(1e15), "1000000000000000");
    EXPECT_EQ(text_of(1e16), "1e+16");
    EXPECT_EQ(text_of(1e-4), "0.0001");
    EXPECT_EQ(text_of(1e-5), "1e-05");
    EXPECT_EQ(text_of(5e-324), "5e-324");
    EXPECT_EQ(text_of(1.7976931348623157e308), "1.7976931348623157e+308");
    EXPECT_EQ(text_of(0.1 + 0.2), "0.30000000000000004");
    EXPECT_EQ(text_of(infinity), "inf");
    EXPECT_EQ(text_of(-infinity), "-inf");
    EXPECT_EQ(text_of(std::numeric_limits<double>::quiet_NaN()), "nan");
    EXPECT_EQ(text_of(-std::numeric_limits<double>::quiet_NaN()), "nan");
}

template <class T>
std::string cell_text(T cell, CellType type, std::size_t count = 1) {
    std::string out;
    CellWriter(type, &cell, count).append(out, 0);
    return out;
}

TEST(CellWriter, WritesTheFewestDigitsOfTheCellType) {
    EXPECT_EQ(cell_text(0.1, CellType::f64), "0.1");
    EXPECT_EQ(cell_text(0.1F, CellType::f32), "0.1");
    EXPECT_EQ(cell_text(16777216.0F, CellType::f32), "16777216");
    EXPECT_EQ(cell_text(3.4028235e38F, CellType::f32), "3.4028235e+38");
    EXPECT_EQ(cell_text(BFloat16(0.1F), CellType::bf16), "0.1");
    EXPECT_EQ(cell_text(BFloat16(-0.1F), CellType::bf16), "-0.1");
    EXPECT_EQ(cell_text(BFloat16(1.0F), CellType::bf16), "1");
    EXPECT_EQ(cell_text(BFloat16(100.0F), CellType::bf16), "100");
    EXPECT_EQ(cell_text(BFloat16(-0.0F), CellType::bf16), "-0");
    EXPECT_EQ(cell_text(BFloat16(std::nanf("")), CellType::bf16), "nan");
    EXPECT_EQ(cell_text(BFloat16(-std::numeric_limits<float>::infinity()), CellType::bf16), "-inf");
    EXPECT_EQ(cell_text(std::int8_t{-128}, CellType::i8), "-128");
    EXPECT_EQ(cell_text(std::int8_t{0}, CellType::i8), "0");
}

// The digits of a number's text that say something: no leading zeros of fractions, no trailing ones of whole numbers.
std::size_t significant_digits(std::string_view text) {
    std::string digits;
    for (char c : text.substr(0, text.find('e'))) {
        if (c >= '0' && c <= '9') {
            digits += c;
        }
    }
    const std::size_t first = digits.find_first_not_of('0');
    return first == std::string::npos ? 0 : digits.find_last_not_of('0') + 1 - first;
}

// Whether a decimal number with so many digits becomes the cell. The two next to its value are all that can.
bool fits(BFloat16 cell, std::size_t digits) {
    char text[64];
    const double value = static_cast<double>(std::fabs(static_cast<float>(cell)));
    std::snprintf(text, sizeof(text), "%.16e", value);
    const std::string mantissa = text[0] + std::string(text + 2, digits - 1);
    const int exponent = std::atoi(std::strchr(text, 'e') + 1) - static_cast<int>(digits) + 1;
    for (const int step : {0, 1}) {
        const std::string decimal = std::to_string(std::stol(mantissa) + step) + "e" + std::to_string(exponent);
        if (to_cell<BFloat16>(std::strtod(decimal.c_str(), nullptr)).bits == (cell.bits & 0x7fff)) {
            return true;
        }
    }
    return false;
}

TEST(CellWriter, WritesEveryBFloat16WithTheFewestDigits) {
    std::vector<BFloat16> cells(65536);
    for (std::size_t i = 0; i < cells.size(); ++i) {
        cells[i].bits = static_cast<std::uint16_t>(i);
    }
    CellWriter remembers(CellType::bf16, cells.data(), cells.size());
    CellWriter forgets(CellType::bf16, cells.data(), 1);
    for (std::size_t i = 0; i < cells.size(); i += i % 256 == 0 ? 1 : 5) {
        std::string text;
        remembers.append(text, i);
        for (CellWriter *writer : {&remembers, &forgets}) {
            std::string again;
            writer->append(again, i);
            ASSERT_EQ(again, text);
        }
        if (std::isnan(static_cast<float>(cells[i]))) {
            ASSERT_EQ(text, "nan");
            continue;
        }
        ASSERT_EQ(to_cell<BFloat16>(read_number(text).value).bits, cells[i].bits) << text;
        const std::size_t digits = significant_digits(text);
        ASSERT_TRUE(digits <= 1 || !fits(cells[i], digits - 1)) << text;
    }
}

TEST(CellWriter, WritesFloatsThatReadBack) {
    std::mt19937 engine(3);
    for (int i = 0; i < 10000; ++i) {
        const float cell = std::bit_cast<float>(static_cast<std::uint32_t>(engine()));
        if (!std::isnan(cell)) {
            ASSERT_EQ(to_cell<float>(read_number(cell_text(cell, CellType::f32)).value), cell);
        }
    }
}

TEST(Numbers, DoNotDependOnTheLocale) {
    const std::string before = std::setlocale(LC_ALL, nullptr);
    for (const char *name : {"de_DE.UTF-8", "fr_FR.UTF-8", "C.UTF-8"}) {
        if (std::setlocale(LC_ALL, name) == nullptr) {
            continue;
        }
        EXPECT_EQ(text_of(1.5), "1.5");
        EXPECT_EQ(read_number("1.5").value, 1.5);
        EXPECT_EQ(read_number("1,5").length, 1U);
    }
    std::setlocale(LC_ALL, before.c_str());
}

TEST(Cells, LoadAndStoreWithoutAlignment) {
    for (CellType type : all_cell_types) {
        std::byte memory[64] = {};
        for (std::size_t offset = 0; offset < 8; ++offset) {
            store_cell(type, memory + offset, 2, 1.5);
            EXPECT_EQ(load_cell(type, memory + offset, 2), type == CellType::i8 ? 1.0 : 1.5);
        }
    }
}

}  // namespace
}  // namespace tenrex::number_test
