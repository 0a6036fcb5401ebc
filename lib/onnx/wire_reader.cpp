#include "lib/onnx/wire_reader.h"

#include <bit>

namespace tenrex::onnx {

namespace {

// Adds the fixed bits of a field, each `size` bytes, as `Bits` that are the number `T`.
template <class T, class Bits>
bool add_fixed(const WireField &field, WireType single, std::vector<T> &numbers) {
    if (field.type == single) {
        numbers.push_back(std::bit_cast<T>(static_cast<Bits>(field.value)));
        return true;
    }
    if (field.type != WireType::bytes || field.bytes.size() % sizeof(Bits) != 0) {
        return false;
    }
    for (std::size_t i = 0; i < field.bytes.size(); i += sizeof(Bits)) {
        Bits bits = 0;
        for (std::size_t byte = 0; byte < sizeof(Bits); ++byte) {
            bits |= static_cast<Bits>(static_cast<unsigned char>(field.bytes[i + byte])) << (8 * byte);
        }
        numbers.push_back(std::bit_cast<T>(bits));
    }
    return true;
}

}  // namespace

std::optional<WireField> WireReader::next() {
    if (problem_ != nullptr || rest_.empty()) {
        return std::nullopt;
    }
    const auto key = varint();
    if (!key) {
        return std::nullopt;
    }
    WireField field;
    constexpr std::uint64_t most_fields = (std::uint64_t{1} << 29) - 1;
    if ((*key >> 3) == 0 || (*key >> 3) > most_fields) {
        return fail("a field has a number that no field can have");
    }
    field.number = static_cast<std::uint32_t>(*key >> 3);
    field.type = static_cast<WireType>(*key & 7);
    field.offset = offset_;
    std::optional<std::uint64_t> value;
    switch (field.type) {
        case WireType::varint:
            value = varint();
            break;
        case WireType::fixed64:
            value = fixed(8);
            break;
        case WireType::fixed32:
            value = fixed(4);
            break;
        case WireType::bytes:
            value = varint();
            if (value && *value > rest_.size()) {
                return fail("a field is longer than the message that it stands in");
            }
            if (value) {
                field.offset = offset_;
                field.bytes = rest_.substr(0, static_cast<std::size_t>(*value));
                skip(field.bytes.size());
            }
            break;
        default:
            return fail("a field has a type that does not exist");
    }
    if (!value) {
        return std::nullopt;
    }
    field.value = *value;
    return field;
}

std::optional<std::uint64_t> WireReader::varint() {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < rest_.size() && i < 10; ++i) {
        const auto byte = static_cast<unsigned char>(rest_[i]);
        value |= static_cast<std::uint64_t>(byte & 0x7f) << (7 * i);
        if (byte < 0x80) {
            skip(i + 1);
            return value;
        }
    }
    return fail("a number does not end");
}

std::optional<std::uint64_t> WireReader::fixed(std::size_t bytes) {
    if (rest_.size() < bytes) {
        return fail("a number does not end");
    }
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < bytes; ++i) {
        value |= static_cast<std::uint64_t>(static_cast<unsigned char>(rest_[i])) << (8 * i);
    }
    skip(bytes);
    return value;
}

std::nullopt_t WireReader::fail(const char *problem) noexcept {
    problem_ = problem;
    return std::nullopt;
}

void WireReader::skip(std::size_t bytes) noexcept {
    rest_.remove_prefix(bytes);
    offset_ += bytes;
}

bool add_integers(const WireField &field, std::vector<std::int64_t> &numbers) {
    if (field.type == WireType::varint) {
        numbers.push_back(static_cast<std::int64_t>(field.value));
        return true;
    }
    if (field.type != WireType::bytes) {
        return false;
    }
    std::uint64_t value = 0;
    unsigned shift = 0;
    for (const char c : field.bytes) {
        const auto byte = static_cast<unsigned char>(c);
        if (shift > 63) {
            return false;
        }
        value |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
        shift += 7;
        if (byte < 0x80) {
            numbers.push_back(static_cast<std::int64_t>(value));
            value = 0;
            shift = 0;
        }
    }
    return shift == 0;
}

bool add_floats(const WireField &field, std::vector<float> &numbers) {
    return add_fixed<float, std::uint32_t>(field, WireType::fixed32, numbers);
}

bool add_doubles(const WireField &field, std::vector<double> &numbers) {
    return add_fixed<double, std::uint64_t>(field, WireType::fixed64, numbers);
}

}  // namespace tenrex::onnx
