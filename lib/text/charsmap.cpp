// The map of characters that SentencePiece makes when it trains: a double array, as its library Darts writes it, and
// the texts that stand for what it finds.
#include <array>
#include <bit>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lib/text/graphemes.h"
#include "lib/text/normalizer.h"
#include "lib/text/utf8.h"

namespace tenrex::text {

namespace {

// -1: the character stands for no six bits.
int six_bits(char c) noexcept {
    constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const std::size_t found = digits.find(c);
    return found == std::string_view::npos ? -1 : static_cast<int>(found);
}

std::string from_base64(const JsonPart &part) {
    std::string_view text = part.text();
    while (text.ends_with('=')) {
        text.remove_suffix(1);
    }
    std::string bytes;
    bytes.reserve(text.size() / 4 * 3 + 3);
    std::uint32_t bits = 0;
    int count = 0;
    for (const char c : text) {
        const int digit = six_bits(c);
        if (digit < 0) {
            part.fail("the map of characters is no base64");
        }
        bits = (bits << 6U) | static_cast<std::uint32_t>(digit);
        count += 6;
        if (count >= 8) {
            count -= 8;
            bytes += static_cast<char>((bits >> static_cast<unsigned>(count)) & 0xFFU);
        }
    }
    return bytes;
}

// Of 256 code points.
using KeptPage = std::array<bool, 256>;

class Charsmap : public Normalizer {
public:
    Charsmap(std::vector<std::uint32_t> units, std::string texts)
        : units_(std::move(units)), texts_(std::move(texts)) {}

    // SentencePiece looks at clusters of characters. Those of less than six bytes are replaced as a whole by what their
    // beginning stands for, of others each character.
    void write(const AlignedText &in, AlignedText &out) const override {
        std::vector<Change> changes;
        ChangeWriter writer(in, out);
        bool is_shifted = false;  // the writer is at another character: see replace()
        const std::string_view text = in.text();
        for (std::size_t at = 0; at < text.size();) {
            if (const std::size_t last = is_shifted ? at : last_kept(text, at); at < last) {
                put_all(changes, writer);
                writer.keep_until(last);
                at = last;
            }
            const std::size_t end = grapheme_end(text, at);
            if (end - at < 6 && replace(text.substr(at, end - at), changes)) {
                at = end;
            }
            while (at < end) {
                const CodePoint c = decode(text.data() + at);
                if (!replace(text.substr(at, c.length), changes)) {
                    changes.push_back({c.value, 0});
                }
                at += c.length;
            }
            is_shifted |= changes.empty();
        }
        put_all(changes, writer);
    }

private:
    // As ChangeWriter has it.
    struct Change {
        char32_t value = 0;
        std::int64_t change = 0;
    };

    static void put_all(std::vector<Change> &changes, ChangeWriter &writer) {
        for (const Change &change : changes) {
            writer.put(change.value, change.change);
        }
        changes.clear();
    }

    // Where the last one is of the characters that begin at a place, are clusters of their own and stay as they are.
    // What is left out behind that one will be a part of its change.
    std::size_t last_kept(std::string_view text, std::size_t at) const {
        std::size_t last = at;
        std::size_t before_last = at;
        for (std::size_t next = at; next < text.size();) {
            const CodePoint c = decode(text.data() + next);
            if (!is_kept(c.value)) {
                // A mark may belong to the character before it.
                return stands_alone(c.value) ? last : before_last;
            }
            before_last = last;
            last = next;
            next += c.length;
        }
        return last;
    }

    bool is_kept(char32_t c) const {
        const auto make = [this](char32_t first) {
            KeptPage page;
            for (char32_t i = 0; i < page.size(); ++i) {
                page[i] = stands_alone(first + i) && find(Utf8Bytes(first + i)) == nullptr;
            }
            return page;
        };
        return kept_.page_of(c, make)[c & 0xFF];
    }

    // Units of Darts.
    static bool has_leaf(std::uint32_t unit) noexcept { return ((unit >> 8U) & 1U) == 1; }
    static std::uint32_t value(std::uint32_t unit) noexcept { return unit & 0x7FFFFFFFU; }
    static std::uint32_t label(std::uint32_t unit) noexcept { return unit & 0x800000FFU; }
    static std::size_t offset(std::uint32_t unit) noexcept { return (unit >> 10U) << ((unit & 0x200U) >> 6U); }

    // What the shortest beginning that the map has stands for; null: it has none.
    const char *find(std::string_view key) const noexcept {
        if (units_.empty()) {
            return nullptr;
        }
        std::size_t at = offset(units_[0]);
        for (const char c : key) {
            const auto byte = static_cast<unsigned char>(c);
            at ^= byte;
            if (byte == 0 || at >= units_.size() || label(units_[at]) != byte) {
                return nullptr;
            }
            const std::uint32_t unit = units_[at];
            at ^= offset(unit);
            if (has_leaf(unit)) {
                const std::uint32_t place = at < units_.size() ? value(units_[at]) : UINT32_MAX;
                return place < texts_.size() ? texts_.c_str() + place : nullptr;
            }
        }
        return nullptr;
    }

    bool replace(std::string_view part, std::vector<Change> &changes) const {
        const char *found = find(part);
        if (found == nullptr) {
            return false;
        }
        const std::string_view made = found;
        const std::int64_t old_count = count(part);
        std::int64_t new_count = 0;
        for (std::size_t at = 0; at < made.size(); ++new_count) {
            const CodePoint c = decode(made.data() + at);
            at += c.length;
            changes.push_back(
                {c.value, new_count < old_count ? 0 : 1});  // more than there were: the last ones are added
        }
        // Fewer: the last one so far stands for the rest, even if it is that of a part before. What is left out at the
        // beginning of a text moves all origins by a character, as in the package `tokenizers`.
        if (new_count < old_count && !changes.empty()) {
            changes.back().change += new_count - old_count;
        }
        return true;
    }

    static std::int64_t count(std::string_view text) noexcept {
        std::int64_t count = 0;
        for (std::size_t at = 0; at < text.size(); ++count) {
            at += decode(text.data() + at).length;
        }
        return count;
    }

    std::vector<std::uint32_t> units_;
    std::string texts_;  // each ends with a zero byte
    CodePointPages<KeptPage> kept_;
};

}  // namespace

std::unique_ptr<Normalizer> make_charsmap(const JsonPart &base64) {
    const std::string bytes = from_base64(base64);
    std::uint32_t array_bytes = 0;
    const auto fail = [&] { base64.fail("the map of characters ends too early, or its texts are no UTF-8"); };
    if (bytes.size() < sizeof array_bytes) {
        fail();
    }
    static_assert(std::endian::native == std::endian::little);
    std::memcpy(&array_bytes, bytes.data(), sizeof array_bytes);
    if (array_bytes % sizeof(std::uint32_t) != 0 || array_bytes > bytes.size() - sizeof array_bytes) {
        fail();
    }
    std::vector<std::uint32_t> units(array_bytes / sizeof(std::uint32_t));
    if (!units.empty()) {
        std::memcpy(units.data(), bytes.data() + sizeof array_bytes, array_bytes);
    }
    std::string texts = bytes.substr(sizeof array_bytes + array_bytes);
    if (!is_valid_utf8(texts)) {
        fail();
    }
    return std::make_unique<Charsmap>(std::move(units), std::move(texts));
}

}  // namespace tenrex::text
