// Writes the fields of a message in the wire format of protocol buffers.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "lib/onnx/wire_reader.h"

namespace tenrex::onnx {

inline void append_varint(std::string &message, std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) {
        message += static_cast<char>(value | 0x80);
    }
    message += static_cast<char>(value);
}

inline void append_number(std::string &message, std::uint32_t field, std::uint64_t value) {
    append_varint(message, std::uint64_t{field} << 3);
    append_varint(message, value);
}

// A text, a message or bytes.
inline void append_bytes(std::string &message, std::uint32_t field, std::string_view bytes) {
    append_varint(message, std::uint64_t{field} << 3 | static_cast<std::uint64_t>(WireType::bytes));
    append_varint(message, bytes.size());
    message += bytes;
}

}  // namespace tenrex::onnx
