// What is known of code points: their properties, in pages that are made when the first of 256 code points is asked
// for.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace tenrex::text {

// A code point of valid UTF-8, and how many bytes it takes.
struct CodePoint {
    char32_t value = 0;
    std::uint32_t length = 0;
};

inline CodePoint decode(const char *at) noexcept {
    const auto byte = [at](std::size_t i) { return static_cast<char32_t>(static_cast<unsigned char>(at[i])); };
    const char32_t lead = byte(0);
    if (lead < 0x80) {
        return {lead, 1};
    }
    if (lead < 0xE0) {
        return {((lead & 0x1F) << 6) | (byte(1) & 0x3F), 2};
    }
    if (lead < 0xF0) {
        return {((lead & 0x0F) << 12) | ((byte(1) & 0x3F) << 6) | (byte(2) & 0x3F), 3};
    }
    return {((lead & 0x07) << 18) | ((byte(1) & 0x3F) << 12) | ((byte(2) & 0x3F) << 6) | (byte(3) & 0x3F), 4};
}

// The code point that ends before a position of valid UTF-8, which is not its beginning.
CodePoint decode_before(std::string_view text, std::size_t end) noexcept;

// How a code point is written in UTF-8.
class Utf8Bytes {
public:
    explicit Utf8Bytes(char32_t code_point) noexcept;
    operator std::string_view() const noexcept { return {bytes_.data(), size_}; }

private:
    std::array<char, 4> bytes_{};
    std::uint8_t size_ = 0;
};

inline constexpr char32_t last_code_point = 0x10FFFF;

// A value for each code point, computed page by page by threads that may compute the same page at once.
template <class Page>
class CodePointPages {
public:
    CodePointPages() = default;
    CodePointPages(const CodePointPages &) = delete;
    CodePointPages &operator=(const CodePointPages &) = delete;
    ~CodePointPages() {
        for (auto &page : pages_) {
            delete page.load(std::memory_order_relaxed);
        }
    }

    // make(first): the page of 256 code points.
    template <class Make>
    const Page &page_of(char32_t code_point, const Make &make) const {
        const Page *page = pages_[code_point >> 8].load(std::memory_order_acquire);
        return page != nullptr ? *page : add(code_point, make);
    }

private:
    // A function of its own, so that page_of() is small enough to be inlined.
    template <class Make>
    [[gnu::noinline]] const Page &add(char32_t code_point, const Make &make) const {
        std::atomic<const Page *> &slot = pages_[code_point >> 8];
        auto made = std::make_unique<const Page>(make(code_point & ~char32_t{0xFF}));
        const Page *expected = nullptr;
        if (slot.compare_exchange_strong(expected, made.get(), std::memory_order_acq_rel)) {
            expected = made.release();
        }
        return *expected;
    }

    mutable std::array<std::atomic<const Page *>, (last_code_point >> 8) + 1> pages_{};
};

// The rules of tokenizers were written when Unicode had fewer characters, and are kept as they were: what has come
// since counts as no punctuation, no mark and no control character.
enum Trait : std::uint16_t {
    is_white_space = 1 << 0,  // White_Space
    is_letter = 1 << 1,       // L
    is_number = 1 << 2,       // N
    is_word = 1 << 3,         // \w: Alphabetic, M, Nd, Pc, Join_Control
    is_control = 1 << 4,      // Cc, Cf or Co of Unicode 8
    is_punctuation = 1 << 5,  // P of Unicode 8, and ASCII's
    is_nonspacing = 1 << 6,   // Mn of Unicode 8
    is_mark = 1 << 7,         // M of Unicode 9
    is_chinese = 1 << 8,      // a CJK ideograph, for BERT
    reorders = 1 << 9,        // Canonical_Combining_Class of Unicode 9 is not 0
    // In that form these may become other code points, join the one before them, or change places with marks.
    changes_in_nfc = 1 << 10,
    changes_in_nfd = 1 << 11,
    changes_in_nfkc = 1 << 12,
    changes_in_nfkd = 1 << 13,
    has_lower_case = 1 << 14  // another one than itself
};

struct TraitPage {
    std::array<std::uint16_t, 256> traits{};
};
TraitPage make_trait_page(char32_t first);

// The traits of a code point, one or several of Trait.
inline std::uint16_t traits_of(char32_t code_point) {
    // Never destroyed: threads may still run when the program ends.
    static const auto &pages = *new CodePointPages<TraitPage>();
    return pages.page_of(code_point, make_trait_page).traits[code_point & 0xFF];
}

inline bool has(char32_t code_point, unsigned traits) {
    return (traits_of(code_point) & traits) != 0;
}

// The general category of today's Unicode as the bit 1 << its number in ICU, and two more; for regular expressions.
inline constexpr std::uint32_t white_space_bit = 1U << 30;
inline constexpr std::uint32_t word_bit = 1U << 31;
inline constexpr std::uint32_t every_category = white_space_bit - 1;

struct CategoryPage {
    std::array<std::uint32_t, 256> bits{};
};
CategoryPage make_category_page(char32_t first);

inline std::uint32_t categories_of(char32_t code_point) {
    static const auto &pages = *new CodePointPages<CategoryPage>();  // never destroyed, too
    return pages.page_of(code_point, make_category_page).bits[code_point & 0xFF];
}

// Where the code points end that begin at a place and have none of the traits.
std::size_t end_without(std::string_view text, std::size_t at, unsigned traits);

// Canonical_Combining_Class of Unicode 9.
std::uint8_t combining_class(char32_t code_point);

// Each appends: the lower case of a code point alone, and what it decomposes into in Unicode 9.
enum class Decomposition : std::uint8_t { canonical, compatible };
void append_lower_case(char32_t code_point, std::u32string &out);
void append_decomposed(char32_t code_point, Decomposition decomposition, std::u32string &out);
// What two code points compose to in Unicode 9; 0: nothing.
char32_t composed(char32_t first, char32_t second);

}  // namespace tenrex::text
