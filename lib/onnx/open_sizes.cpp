#include "lib/onnx/open_sizes.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace tenrex::onnx {

namespace {

std::size_t number_of(std::int64_t size) noexcept {
    return static_cast<std::size_t>(size - open_size(0));
}

std::string over(const std::string &symbol, std::string_view dimension) {
    return dimension == "d0" ? symbol : fmt::format("rename({},d0,{})", symbol, dimension);
}

}  // namespace

bool has_open(const Shape &shape) noexcept {
    return std::any_of(shape.begin(), shape.end(), [](std::int64_t size) { return is_open(size); });
}

double element_of(std::int64_t size) noexcept {
    return is_open(size) ? -0.5 - static_cast<double>(number_of(size)) : static_cast<double>(size);
}

std::int64_t size_of(double element) noexcept {
    constexpr double limit = 9.2e18;
    if (std::isnan(element)) {
        return 0;
    }
    return is_open_element(element) ? open_size(static_cast<std::size_t>(-0.5 - element))
                                    : static_cast<std::int64_t>(std::clamp(element, -limit, limit));
}

bool is_open_element(double element) noexcept {
    return element < 0 && element > -static_cast<double>(most_open_sizes) && element != std::floor(element);
}

std::optional<std::int64_t> rest_of(const Shape &all, const Shape &taken) {
    std::vector<std::int64_t> open;
    std::uint64_t fixed = 1;
    for (const std::int64_t size : all) {
        if (is_open(size)) {
            open.push_back(size);
        } else {
            fixed *= static_cast<std::uint64_t>(size);
        }
    }
    std::uint64_t divisor = 1;
    for (const std::int64_t size : taken) {
        const auto found = std::find(open.begin(), open.end(), size);
        if (found != open.end()) {
            open.erase(found);
        } else if (is_open(size)) {
            return std::nullopt;
        } else {
            divisor *= static_cast<std::uint64_t>(size);
        }
    }
    if (divisor == 0 || fixed % divisor != 0) {
        return std::nullopt;
    }
    const std::uint64_t rest = fixed / divisor;
    if (open.empty()) {
        return static_cast<std::int64_t>(rest);
    }
    return open.size() == 1 && rest == 1 ? std::optional(open.front()) : std::nullopt;
}

std::int64_t OpenSizes::add(std::string_view name) {
    sums_.push_back({{names_.size()}, 0});
    names_.emplace_back(name.empty() ? "?" : name);
    return open_size(names_.size() - 1);
}

std::optional<OpenSizes::Sum> OpenSizes::parts_of(std::int64_t size) const {
    constexpr std::int64_t most = std::int64_t{1} << 53;
    if (is_open(size)) {
        return number_of(size) < sums_.size() ? std::optional(sums_[number_of(size)]) : std::nullopt;
    }
    return size >= 0 && size <= most ? std::optional(Sum{{}, size}) : std::nullopt;
}

std::optional<std::int64_t> OpenSizes::find_or_add(Sum sum) {
    if (sum.more < 0) {
        return std::nullopt;
    }
    if (sum.sizes.empty()) {
        return sum.more;
    }
    const auto known = std::find(sums_.begin(), sums_.end(), sum);
    if (known != sums_.end()) {
        return open_size(static_cast<std::size_t>(known - sums_.begin()));
    }
    if (names_.size() == most_open_sizes) {
        return std::nullopt;
    }
    std::string name;
    for (const std::size_t part : sum.sizes) {
        name += (name.empty() ? "" : "+") + names_[part];
    }
    names_.push_back(sum.more == 0 ? name : fmt::format("{}+{}", name, sum.more));
    sums_.push_back(std::move(sum));
    return open_size(names_.size() - 1);
}

std::optional<std::int64_t> OpenSizes::sum(std::int64_t a, std::int64_t b) {
    auto sum = parts_of(a);
    const auto more = parts_of(b);
    constexpr std::size_t most = 16;  // what is repeated more often is no sequence
    if (!sum || !more || sum->sizes.size() + more->sizes.size() > most) {
        return std::nullopt;
    }
    sum->sizes.insert(sum->sizes.end(), more->sizes.begin(), more->sizes.end());
    std::sort(sum->sizes.begin(), sum->sizes.end());
    sum->more += more->more;
    return find_or_add(*std::move(sum));
}

std::optional<std::int64_t> OpenSizes::difference(std::int64_t a, std::int64_t b) {
    auto rest = parts_of(a);
    const auto less = parts_of(b);
    if (!rest || !less) {
        return std::nullopt;
    }
    for (const std::size_t part : less->sizes) {
        const auto found = std::find(rest->sizes.begin(), rest->sizes.end(), part);
        if (found == rest->sizes.end()) {
            return std::nullopt;
        }
        rest->sizes.erase(found);
    }
    rest->more -= less->more;
    return find_or_add(*std::move(rest));
}

std::string OpenSizes::ones_of_parts(std::int64_t size) const {
    const Sum parts = parts_of(size).value_or(Sum());
    std::string text;
    for (const std::size_t part : parts.sizes) {
        const std::string ones = ones_symbol(open_size(part));
        text = text.empty() ? ones : fmt::format("concat({},{},d0)", text, ones);
    }
    return parts.more == 0 ? text : fmt::format("concat({},tensor<int8>(d0[{}])(1),d0)", text, parts.more);
}

std::string OpenSizes::number(std::int64_t size) const {
    return is_open(size) ? fmt::format("reduce({},sum)", ones_symbol(size)) : fmt::format("{}", size);
}

std::string OpenSizes::text(std::int64_t size) const {
    return is_open(size) && number_of(size) < names_.size() ? names_[number_of(size)] : fmt::format("{}", size);
}

std::string OpenSizes::text(const Shape &shape) const {
    std::vector<std::string> sizes;
    for (const std::int64_t size : shape) {
        sizes.push_back(text(size));
    }
    return fmt::format("[{}]", fmt::join(sizes, ","));
}

std::string OpenSizes::ones_symbol(std::int64_t size) const {
    return fmt::format("onnx_ones({},{})", model_, number_of(size));
}

std::string OpenSizes::indexes_symbol(std::int64_t size) const {
    return fmt::format("onnx_indexes({},{})", model_, number_of(size));
}

std::string OpenSizes::ones(std::int64_t size, std::string_view dimension) const {
    return over(ones_symbol(size), dimension);
}

std::string OpenSizes::indexes(std::int64_t size, std::string_view dimension) const {
    return over(indexes_symbol(size), dimension);
}

}  // namespace tenrex::onnx
