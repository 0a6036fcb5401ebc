#include "tools/npz/npy_array.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include <fmt/format.h>

namespace tenrex::tool {

namespace {

static_assert(std::endian::native == std::endian::little);

constexpr std::string_view magic = "\x93NUMPY";

struct Element {
    std::string_view name;
    std::size_t bytes;
    double (*read)(const char *bytes);
    void (*write)(double number, char *bytes);
};

template <class T>
double read_as(const char *bytes) {
    T number;
    std::memcpy(&number, bytes, sizeof(T));
    return static_cast<double>(number);
}

template <class T>
void write_as(double number, char *bytes) {
    T stored{};
    if constexpr (std::is_integral_v<T>) {
        const auto low = static_cast<double>(std::numeric_limits<T>::min());
        const auto high = static_cast<double>(std::numeric_limits<T>::max());
        stored = std::isnan(number) ? T{}
                 : number <= low    ? std::numeric_limits<T>::min()
                 : number >= high   ? std::numeric_limits<T>::max()
                                    : static_cast<T>(number);
    } else {
        stored = static_cast<T>(number);
    }
    std::memcpy(bytes, &stored, sizeof(T));
}

constexpr Element elements[] = {
    {"f4", 4, read_as<float>, write_as<float>},
    {"f8", 8, read_as<double>, write_as<double>},
    {"i1", 1, read_as<std::int8_t>, write_as<std::int8_t>},
    {"i2", 2, read_as<std::int16_t>, write_as<std::int16_t>},
    {"i4", 4, read_as<std::int32_t>, write_as<std::int32_t>},
    {"i8", 8, read_as<std::int64_t>, write_as<std::int64_t>},
    {"u1", 1, read_as<std::uint8_t>, write_as<std::uint8_t>},
    {"u2", 2, read_as<std::uint16_t>, write_as<std::uint16_t>},
    {"u4", 4, read_as<std::uint32_t>, write_as<std::uint32_t>},
    {"u8", 8, read_as<std::uint64_t>, write_as<std::uint64_t>},
    {"b1", 1, read_as<std::uint8_t>, write_as<std::uint8_t>},
};

const Element *find_element(std::string_view name) {
    const auto *const found = std::find_if(std::begin(elements), std::end(elements),
                                           [&](const Element &element) { return element.name == name; });
    return found == std::end(elements) ? nullptr : found;
}

// What stands behind 'key': in the header, up to the next comma, or the closing parenthesis if it begins with one.
std::string_view value_of(std::string_view header, std::string_view key) {
    const std::string quoted = fmt::format("'{}':", key);
    const std::size_t place = header.find(quoted);
    if (place == std::string_view::npos) {
        return {};
    }
    std::string_view rest = header.substr(place + quoted.size());
    rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
    return rest.starts_with('(') ? rest.substr(0, rest.find(')')) : rest.substr(0, rest.find_first_of(",}"));
}

std::optional<std::vector<std::uint64_t>> shape_of(std::string_view text) {
    if (!text.starts_with('(')) {
        return std::nullopt;
    }
    std::vector<std::uint64_t> shape;
    for (text.remove_prefix(1); !text.empty();) {
        text.remove_prefix(std::min(text.find_first_not_of(", "), text.size()));
        std::uint64_t size = 0;
        const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), size);
        if (text.empty()) {
            break;
        }
        if (problem != std::errc() || size > std::uint64_t{1} << 40) {
            return std::nullopt;
        }
        shape.push_back(size);
        text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    }
    return shape;
}

}  // namespace

Result<NpyView> NpyView::of(std::string_view bytes) {
    constexpr std::size_t before = 10;
    const Error damaged("it is no array of numpy", "is it a file that numpy has written?");
    if (!bytes.starts_with(magic) || bytes.size() < before + 2) {
        return damaged;
    }
    // Version 1 has two bytes for the length of the header, later ones four.
    const std::size_t digits = bytes[6] == 1 ? 2 : 4;
    std::size_t length = 0;
    std::memcpy(&length, bytes.data() + 8, digits);
    const std::size_t begin = 8 + digits;
    if (length > bytes.size() - begin) {
        return damaged;
    }
    const std::string_view header = bytes.substr(begin, length);
    std::string_view description = value_of(header, "descr");
    description = description.size() >= 2 ? description.substr(1, description.size() - 2) : std::string_view();
    const bool is_big = description.starts_with('>');
    const Element *element = description.empty() || is_big ? nullptr : find_element(description.substr(1));
    const auto shape = shape_of(value_of(header, "shape"));
    if (element == nullptr) {
        return Error(fmt::format("its elements, '{}', are not supported", description),
                     "numbers of this machine's order of bytes are, such as float32 and int64");
    }
    if (!shape) {
        return damaged;
    }
    if (value_of(header, "fortran_order") != "False" && shape->size() > 1) {
        return Error("its axes are in Fortran's order", "store numpy.ascontiguousarray(array)");
    }
    NpyView view;
    view.element_ = element->name;
    view.element_bytes_ = element->bytes;
    view.read_ = element->read;
    view.shape_ = *shape;
    view.cells_ = bytes.substr(begin + length);
    view.count_ = 1;
    for (const std::uint64_t size : *shape) {
        const bool too_many = size != 0 && view.count_ > view.cells_.size() / size;
        view.count_ = too_many ? view.cells_.size() + 1 : view.count_ * size;
    }
    if (view.count_ * element->bytes != view.cells_.size()) {
        return Error(fmt::format("it has {} bytes of elements, which is not what its shape says", view.cells_.size()));
    }
    return view;
}

Status NpyView::copy(std::uint64_t first, std::span<double> into) const {
    constexpr double most_exact = 9007199254740992;
    for (std::size_t i = 0; i < into.size(); ++i) {
        const double number = read_(cells_.data() + (first + i) * element_bytes_);
        if (element_[0] != 'f' && std::abs(number) > most_exact) {
            return Error(fmt::format("element {} is {}, beyond what is exact", first + i, number),
                         "whole numbers are computed in double, up to 2^53");
        }
        into[i] = number;
    }
    return {};
}

Result<NpyArray> read_npy(std::string_view bytes) {
    const auto view = NpyView::of(bytes);
    if (!view) {
        return view.error();
    }
    NpyArray array{std::string(view->element()), view->shape(), std::vector<double>(view->count())};
    if (const Status status = view->copy(0, array.cells); !status) {
        return status.error();
    }
    return array;
}

std::string write_npy(const NpyArray &array) {
    const Element &element = *find_element(array.element);
    std::string shape;
    for (const std::uint64_t size : array.shape) {
        shape += fmt::format("{},", size);
    }
    std::string header = fmt::format("{{'descr': '{}{}', 'fortran_order': False, 'shape': ({}), }}",
                                     element.bytes == 1 ? '|' : '<', element.name, shape);
    constexpr std::size_t before = 10, alignment = 64;
    header.append(alignment - 1 - (before + header.size()) % alignment, ' ');
    header += '\n';
    std::string bytes(magic);
    bytes += '\x01';
    bytes += '\0';
    bytes += static_cast<char>(header.size());
    bytes += static_cast<char>(header.size() >> 8);
    bytes += header;
    const std::size_t begin = bytes.size();
    bytes.resize(begin + array.cells.size() * element.bytes);
    for (std::size_t i = 0; i < array.cells.size(); ++i) {
        element.write(array.cells[i], bytes.data() + begin + i * element.bytes);
    }
    return bytes;
}

}  // namespace tenrex::tool
