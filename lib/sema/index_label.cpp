#include "lib/sema/index_label.h"

#include <charconv>
#include <cmath>
#include <system_error>

#include "lib/support/format.h"

namespace tenrex::sema {

namespace {

IndexLabel out_of_range(std::string_view label, std::string_view dimension, std::uint64_t size) {
    if (size == open_size) {
        return {0, fmt::format("index {} is outside of dimension '{}'", label, dimension), "indexes begin at 0"};
    }
    return {0, fmt::format("index {} is outside of dimension '{}' of size {}", label, dimension, size),
            fmt::format("indexes go from 0 to {}", size - 1)};
}

}  // namespace

bool is_whole_number(std::string_view label) noexcept {
    if (label.starts_with('-')) {
        label.remove_prefix(1);
    }
    return !label.empty() && label.find_first_not_of("0123456789") == label.npos;
}

IndexLabel index_label(std::string_view label, std::string_view dimension, std::uint64_t size) {
    if (!is_whole_number(label)) {
        const std::string end = size == open_size ? "on" : fmt::format("to {}", size - 1);
        return {0, fmt::format("'{}' is not an index of dimension '{}'", label, dimension),
                fmt::format("'{}' is indexed: its labels are the numbers from 0 {}", dimension, end)};
    }
    std::uint64_t index = 0;
    const auto [end, error] = std::from_chars(label.data(), label.data() + label.size(), index);
    if (error != std::errc() || end != label.data() + label.size() || index >= size) {
        return out_of_range(label, dimension, size);
    }
    return {index, {}, {}};
}

IndexLabel index_of_number(double number, std::string_view dimension, std::uint64_t size) {
    if (number > -1 && number < static_cast<double>(size)) {
        return {number > 0 ? static_cast<std::uint64_t>(number) : 0, {}, {}};
    }
    return out_of_range(std::isnan(number) ? "nan" : fmt::format("{}", number), dimension, size);
}

std::string label_of_number(double number) {
    if (number >= -9223372036854775808.0 && number < 9223372036854775808.0) {
        return fmt::format("{}", static_cast<std::int64_t>(number));
    }
    return {};
}

}  // namespace tenrex::sema
