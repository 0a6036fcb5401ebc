// Reads the fields of a message in the wire format of protocol buffers, one after the other, without copying anything.
//
//   WireReader reader(bytes);
//   while (const std::optional<WireField> field = reader.next()) { ... field->number, field->bytes ... }
//   if (reader.problem() != nullptr) { ... }
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace tenrex::onnx {

enum class WireType : std::uint8_t { varint = 0, fixed64 = 1, bytes = 2, fixed32 = 5 };

struct WireField {
    std::uint32_t number = 0;
    WireType type = WireType::varint;
    std::uint64_t value = 0;   // of a varint or of fixed bits
    std::string_view bytes;    // of a text, a message or packed numbers
    std::uint64_t offset = 0;  // where the value begins, from the begin of the file
};

class WireReader {
public:
    // offset: where the message begins in its file.
    explicit WireReader(std::string_view message, std::uint64_t offset = 0) : rest_(message), offset_(offset) {}

    // Nothing: the message ends here, or it is broken.
    std::optional<WireField> next();
    // Why the message is broken; null: it is not.
    const char *problem() const noexcept { return problem_; }
    // Where it is.
    std::uint64_t offset() const noexcept { return offset_; }

private:
    std::optional<std::uint64_t> varint();
    std::optional<std::uint64_t> fixed(std::size_t bytes);
    std::nullopt_t fail(const char *problem) noexcept;
    void skip(std::size_t bytes) noexcept;

    std::string_view rest_;
    std::uint64_t offset_;
    const char *problem_ = nullptr;
};

// The numbers of a repeated field, which stand in one field of bytes or in a field each, are added to `numbers`. False:
// the field holds no such numbers.
bool add_integers(const WireField &field, std::vector<std::int64_t> &numbers);
bool add_floats(const WireField &field, std::vector<float> &numbers);
bool add_doubles(const WireField &field, std::vector<double> &numbers);

}  // namespace tenrex::onnx
