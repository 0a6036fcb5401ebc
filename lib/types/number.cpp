#include "lib/types/number.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <limits>

#include "lib/support/format.h"
#include "lib/types/characters.h"

namespace tenrex {

namespace {

constexpr std::size_t exact_digits = 15;  // whole numbers of so many digits are doubles
constexpr double powers_of_ten[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                    1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};  // as these are
constexpr std::int64_t largest_power = std::size(powers_of_ten) - 1;
constexpr std::size_t worth_remembering = 1024;
constexpr double infinity = std::numeric_limits<double>::infinity();

std::size_t count_digits(std::string_view text) noexcept {
    std::size_t count = 0;
    while (count < text.size() && is_digit(text[count])) {
        ++count;
    }
    return count;
}

// A sign or none, and digits. Beyond 2^48 it is some large number.
std::int64_t exponent_of(std::string_view text) noexcept {
    std::int64_t exponent = 0;
    for (const char c : text) {
        if (is_digit(c) && exponent < (std::int64_t{1} << 48)) {
            exponent = exponent * 10 + (c - '0');
        }
    }
    return text.front() == '-' ? -exponent : exponent;
}

// Whether decimal text that is out of the range of double is too large for it, and not too small: whether its first
// digit that is not 0 stands for a power of ten above 1.
bool is_huge(std::string_view text) noexcept {
    const std::size_t e = std::min(text.find_first_of("eE"), text.size());
    const std::int64_t exponent = e < text.size() ? exponent_of(text.substr(e + 1)) : 0;
    const std::string_view digits = text.substr(0, e);
    const std::size_t point = std::min(digits.find('.'), digits.size());
    const std::size_t first = digits.find_first_of("123456789");
    if (first == std::string_view::npos) {
        return false;
    }
    const auto magnitude = static_cast<std::int64_t>(point) - static_cast<std::int64_t>(first);
    return magnitude + exponent > 0;
}

// Reads a fraction and an exponent behind `whole` digits.
NumberText read_digits(std::string_view text, std::size_t whole) noexcept {
    std::size_t length = whole;
    std::size_t fraction = 0;
    if (length < text.size() && text[length] == '.') {
        fraction = count_digits(text.substr(length + 1));
        if (whole + fraction == 0) {
            return {};
        }
        length += 1 + fraction;
    } else if (whole == 0) {
        return {};
    }
    const std::size_t without_exponent = length;
    if (length < text.size() && (text[length] | 0x20) == 'e') {
        std::size_t sign = length + 1;
        sign += sign < text.size() && (text[sign] == '+' || text[sign] == '-');
        if (const std::size_t digits = count_digits(text.substr(sign))) {
            length = sign + digits;
        }
    }
    NumberText number{0.0, length};
    if (whole + fraction <= exact_digits) {
        const std::int64_t exponent =
            length == without_exponent ? 0
                                       : exponent_of(text.substr(without_exponent + 1, length - without_exponent - 1));
        const std::int64_t power = exponent - static_cast<std::int64_t>(fraction);
        if (-largest_power <= power && power <= largest_power) {
            // The quotient or product of two doubles is the one next to the number.
            std::uint64_t integer = 0;
            for (const char c : text.substr(0, without_exponent)) {
                integer = c == '.' ? integer : integer * 10 + static_cast<std::uint64_t>(c - '0');
            }
            const double whole_number = static_cast<double>(integer);
            number.value = power < 0 ? whole_number / powers_of_ten[-power] : whole_number * powers_of_ten[power];
            return number;
        }
    }
    const auto [end, error] = std::from_chars(text.data(), text.data() + length, number.value);
    if (error == std::errc::result_out_of_range) {
        number.value = is_huge(text.substr(0, length)) ? infinity : 0.0;
    }
    return number;
}

// The length of nan, inf or infinity at the start of the text, in any case, and what it means.
NumberText read_word(std::string_view text) noexcept {
    const auto begins_with = [&](std::string_view word) {
        if (text.size() < word.size()) {
            return false;
        }
        for (std::size_t i = 0; i < word.size(); ++i) {
            if ((text[i] | 0x20) != word[i]) {
                return false;
            }
        }
        return true;
    };
    if (begins_with("nan")) {
        return {std::numeric_limits<double>::quiet_NaN(), 3};
    }
    if (begins_with("infinity")) {
        return {infinity, 8};
    }
    if (begins_with("inf")) {
        return {infinity, 3};
    }
    return {};
}

NumberText with_sign(bool negative, std::size_t sign, NumberText number) noexcept {
    if (number.length != 0) {
        number.value = negative ? -number.value : number.value;
        number.length += sign;
    }
    return number;
}

// Appends what fmt makes of a number: the fewest digits that read back to the same number of that type.
template <class T>
void append_shortest(std::string &out, T value) {
    char buffer[40];
    char *const end = fmt::format_to(buffer, "{}", value);
    out.append(buffer, end);
}

template <class T>
void append_floating(std::string &out, T value) {
    if (std::isnan(value)) {
        out += "nan";
    } else if (std::isinf(value)) {
        out += value > 0 ? "inf" : "-inf";
    } else {
        append_shortest(out, value);
    }
}

// The decimal number with the fewest digits that becomes this cell of two bytes. A bfloat16 drops bits, so every number
// from the cell up to the next one will do; of those with the same number of digits the one next to the cell is taken.
// NOLINTNEXTLINE(bugprone-exception-escape): what it calls throws nothing for a buffer that is large enough
template <class T>
double shortest_decimal(T cell) noexcept {
    const float exact = cell;
    const auto bits = static_cast<std::uint16_t>(cell.bits & 0x7fff);
    for (int digits = 1; digits < 9; ++digits) {
        // The number rounded to that many digits, as mantissa * 10^exponent.
        char text[32];
        char *const end =
            std::to_chars(text, text + sizeof(text), std::fabs(exact), std::chars_format::scientific, digits - 1).ptr;
        char *const e = std::find(text, end, 'e');
        std::uint32_t mantissa = 0;
        for (const char *at = text; at != e; ++at) {
            mantissa = *at == '.' ? mantissa : mantissa * 10 + static_cast<std::uint32_t>(*at - '0');
        }
        int exponent = 0;
        std::from_chars(e + 1 + (e[1] == '+'), end, exponent);
        // It may lie below the cell; then the next one up is the only other that is near enough.
        for (std::uint32_t candidate : {mantissa, mantissa + 1}) {
            const char *const stop = fmt::format_to(text, "{}e{}", candidate, exponent - (digits - 1));
            double value = 0.0;
            std::from_chars(text, stop, value);
            if (to_cell<T>(value).bits == bits) {
                return std::copysign(value, exact);
            }
        }
    }
    return exact;
}

template <class T>
T load(const void *cells, std::size_t index) noexcept {
    T cell{};
    std::memcpy(&cell, static_cast<const std::byte *>(cells) + index * sizeof(T), sizeof(T));
    return cell;
}

}  // namespace

NumberText read_decimal(std::string_view text) noexcept {
    const std::size_t whole = count_digits(text);
    return whole == 0 ? NumberText{} : read_digits(text, whole);
}

NumberText read_number(std::string_view text) noexcept {
    const std::size_t sign = !text.empty() && (text[0] == '-' || text[0] == '+');
    const bool negative = sign != 0 && text[0] == '-';
    text.remove_prefix(sign);
    if (text.empty()) {
        return {};
    }
    const bool is_decimal = is_digit(text[0]) || text[0] == '.';
    return with_sign(negative, sign, is_decimal ? read_digits(text, count_digits(text)) : read_word(text));
}

bool read_special_number(std::string_view text, double &value) noexcept {
    const std::size_t sign = !text.empty() && (text[0] == '-' || text[0] == '+');
    const NumberText number = with_sign(sign != 0 && text[0] == '-', sign, read_word(text.substr(sign)));
    value = number.value;
    return number.length != 0 && number.length == text.size();
}

void append_number(std::string &out, double value) {
    append_floating(out, value);
}

CellWriter::CellWriter(CellType type, const void *cells, std::size_t count) : type_(type), cells_(cells) {
    if (byte_size(type) == 2 && count > worth_remembering) {
        known_.resize(std::size_t{1} << 16);
    }
}

template <class T>
double CellWriter::decimal(T cell) {
    if (known_.empty() || cell.bits == 0) {
        return shortest_decimal(cell);
    }
    double &known = known_[cell.bits];
    if (known == 0.0) {
        known = shortest_decimal(cell);
    }
    return known;
}

void CellWriter::append(std::string &out, std::size_t index) {
    visit_cell_type(type_, [&](auto zero) {
        using T = decltype(zero);
        const T cell = load<T>(cells_, index);
        if constexpr (sizeof(T) == 1) {
            append_shortest(out, static_cast<int>(cell));
        } else if constexpr (sizeof(T) == 2) {
            const float value = cell;
            append_floating(out, std::isfinite(value) ? decimal(cell) : static_cast<double>(value));
        } else {
            append_floating(out, cell);
        }
    });
}

double load_cell(CellType type, const void *cells, std::size_t index) noexcept {
    return visit_cell_type(type, [&](auto zero) { return static_cast<double>(load<decltype(zero)>(cells, index)); });
}

void store_cell(CellType type, void *cells, std::size_t index, double value) noexcept {
    visit_cell_type(type, [&](auto zero) {
        using T = decltype(zero);
        const T cell = to_cell<T>(value);
        std::memcpy(static_cast<std::byte *>(cells) + index * sizeof(T), &cell, sizeof(T));
    });
}

}  // namespace tenrex
