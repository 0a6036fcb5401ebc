// The forms of Unicode: characters taken apart, marks in their order, and characters put together again.
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "lib/text/normalizer.h"

namespace tenrex::text {

namespace {

struct Part {
    char32_t value = 0;
    std::uint8_t combining = 0;
    std::int64_t change = 0;  // as ChangeWriter has it
};

class UnicodeForm : public Normalizer {
public:
    UnicodeForm(Decomposition decomposition, bool composes)
        : decomposition_(decomposition), composes_(composes), changes_(trait_of(decomposition, composes)) {}

    void write(const AlignedText &in, AlignedText &out) const override {
        std::vector<Part> parts;
        ChangeWriter writer(in, out);
        std::u32string decomposed;
        for (std::size_t at = 0; at < in.size();) {
            const std::size_t end = unchanged_end(in.text(), at);
            if (at < end) {
                flush(parts, writer);
                writer.keep_until(end);
                at = end;
                continue;
            }
            const CodePoint c = decode(in.text().data() + at);
            at += c.length;
            decomposed.clear();
            if (c.value < 0x80) {
                decomposed += c.value;
            } else {
                append_decomposed(c.value, decomposition_, decomposed);
            }
            for (std::size_t i = 0; i < decomposed.size(); ++i) {
                const char32_t value = decomposed[i];
                const std::uint8_t combining = has(value, reorders) ? combining_class(value) : std::uint8_t{0};
                if (combining == 0 && !joins(parts, value)) {
                    flush(parts, writer);
                }
                parts.push_back({value, combining, i == 0 ? 0 : 1});
            }
        }
        flush(parts, writer);
    }

private:
    static Trait trait_of(Decomposition decomposition, bool composes) noexcept {
        const bool is_canonical = decomposition == Decomposition::canonical;
        return composes ? (is_canonical ? changes_in_nfc : changes_in_nfkc)
                        : (is_canonical ? changes_in_nfd : changes_in_nfkd);
    }

    // Where the code points end that stay as they are. One that another one may be put together with is none of them.
    std::size_t unchanged_end(std::string_view text, std::size_t at) const {
        const std::size_t end = end_without(text, at, changes_);
        return composes_ && at < end && end < text.size() ? end - decode_before(text, end).length : end;
    }

    // Whether a starter may be put together with the parts before it.
    bool joins(const std::vector<Part> &parts, char32_t value) const {
        return composes_ && !parts.empty() && parts.back().combining == 0 && value >= 0x300 &&
               composed(composed_all(parts), value) != 0;
    }

    // What starters alone are together, such as the letters of a syllable of Hangul.
    static char32_t composed_all(const std::vector<Part> &parts) {
        char32_t whole = parts.front().value;
        for (std::size_t i = 1; i < parts.size() && whole != 0; ++i) {
            whole = composed(whole, parts[i].value);
        }
        return whole;
    }

    void flush(std::vector<Part> &parts, ChangeWriter &writer) const {
        auto marks = std::find_if(parts.begin(), parts.end(), [](const Part &part) { return part.combining != 0; });
        std::stable_sort(marks, parts.end(), [](const Part &a, const Part &b) { return a.combining < b.combining; });
        if (composes_) {
            compose(parts);
        }
        for (const Part &part : parts) {
            writer.put(part.value, part.change);
        }
        parts.clear();
    }

    static void compose(std::vector<Part> &parts) {
        if (parts.size() < 2 || parts.front().combining != 0) {
            return;
        }
        Part &starter = parts.front();
        std::size_t kept = 1;
        for (std::size_t i = 1; i < parts.size(); ++i) {
            const Part part = parts[i];
            const bool is_blocked = kept > 1 && parts[kept - 1].combining >= part.combining;
            const char32_t whole = is_blocked ? U'\0' : composed(starter.value, part.value);
            if (whole != 0) {
                starter.value = whole;
                starter.change += part.change - 1;
            } else {
                parts[kept++] = part;
            }
        }
        parts.resize(kept);
    }

    Decomposition decomposition_;
    bool composes_;
    Trait changes_;
};

}  // namespace

std::unique_ptr<Normalizer> make_unicode_form(Decomposition decomposition, bool composes) {
    return std::make_unique<UnicodeForm>(decomposition, composes);
}

}  // namespace tenrex::text
