#include "lib/text/utf8.h"

#include <cstdint>
#include <cstring>

#include "lib/types/utf8_text.h"

namespace tenrex::text {

namespace {

// Where ASCII ends that begins at a place.
std::size_t ascii_end(std::string_view text, std::size_t at) noexcept {
    constexpr std::uint64_t high_bits = 0x8080808080808080U;
    while (at + sizeof high_bits <= text.size()) {
        std::uint64_t bytes = 0;
        std::memcpy(&bytes, text.data() + at, sizeof bytes);
        if ((bytes & high_bits) != 0) {
            break;
        }
        at += sizeof bytes;
    }
    while (at < text.size() && static_cast<unsigned char>(text[at]) < 0x80) {
        ++at;
    }
    return at;
}

// Where the valid code points end that begin at a place.
std::size_t valid_end(std::string_view text, std::size_t at) noexcept {
    for (at = ascii_end(text, at); at < text.size(); at = ascii_end(text, at)) {
        const std::size_t length = utf8_length(text.substr(at));
        if (length == 0) {
            break;
        }
        at += length;
    }
    return at;
}

}  // namespace

bool is_valid_utf8(std::string_view text) noexcept {
    return valid_end(text, 0) == text.size();
}

bool is_ascii(std::string_view text) noexcept {
    return ascii_end(text, 0) == text.size();
}

void assign_repaired(std::string_view text, AlignedText &out) {
    out.clear();
    AlignedText valid;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = valid_end(text, at);
        valid.assign(text.substr(at, end - at), at);
        out.keep(valid, 0, valid.size());
        at = end;
        if (at < text.size()) {
            out.put("\xEF\xBF\xBD", {static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(at + 1)});
            ++at;
        }
    }
}

}  // namespace tenrex::text
