// What BERT does to a text, in one go: control characters, ideographs, accents, upper case. What becomes of a code
// point is in a table; only where marks change their order is the text changed step by step.
#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "lib/text/normalizer.h"

namespace tenrex::text {

namespace {

// What becomes of each of 256 code points.
struct ReplacementPage {
    struct Entry {
        std::uint32_t begin = 0;  // in the bytes
        std::uint8_t length = 0;
        bool reorders = false;
    };
    std::array<Entry, 256> entries{};
    std::string bytes;
};

// Separates ideographs by spaces and leaves the rest.
class ChineseSpaces : public Normalizer {
public:
    void write(const AlignedText &in, AlignedText &out) const override {
        for (std::size_t at = 0; at < in.size();) {
            const CodePoint c = decode(in.text().data() + at);
            const TextRange origin = in.origin_of_character(at, c.length);
            const std::string_view character = std::string_view(in.text()).substr(at, c.length);
            if (has(c.value, is_chinese)) {
                out.put(" ", origin);
                out.put(character, origin);
                out.put(" ", origin);
            } else {
                out.put(character, origin);
            }
            at += c.length;
        }
    }
};

bool is_kept_control(char32_t c) {
    return c == '\t' || c == '\n' || c == '\r';
}

// What cleaning makes of a code point; 0: it is left out.
char32_t cleaned(char32_t c) {
    if (c == 0 || c == 0xFFFD || (has(c, is_control) && !is_kept_control(c))) {
        return 0;
    }
    return has(c, is_white_space) ? U' ' : c;
}

class CleanText : public Normalizer {
public:
    void write(const AlignedText &in, AlignedText &out) const override {
        for (std::size_t at = 0; at < in.size();) {
            const CodePoint c = decode(in.text().data() + at);
            if (const char32_t kept = cleaned(c.value)) {
                out.put(Utf8Bytes(kept), in.origin_of_character(at, c.length));
            }
            at += c.length;
        }
    }
};

class BertNormalizer : public Normalizer {
public:
    explicit BertNormalizer(const BertRules &rules) : rules_(rules) {
        if (rules.cleans_text) {
            steps_.add(std::make_unique<CleanText>());
        }
        if (rules.separates_chinese) {
            steps_.add(std::make_unique<ChineseSpaces>());
        }
        if (rules.strips_accents) {
            steps_.add(make_unicode_form(Decomposition::canonical, false));
            steps_.add(make_filter(is_nonspacing));
        }
        if (rules.makes_lower_case) {
            steps_.add(make_lower_case());
        }
        for (char32_t c = 0; c < 0x80; ++c) {
            const std::u32string made = replaced(c);
            ascii_[c] = static_cast<char>(made.empty() ? left_out : static_cast<unsigned char>(made[0]));
        }
    }

    void write(const AlignedText &in, AlignedText &out) const override {
        const char *bytes = in.text().data();
        for (std::size_t at = 0; at < in.size();) {
            const std::size_t run = ascii_run(in.text(), at);
            if (run > at) {
                char *to = out.put_same(in, at, run);
                std::transform(bytes + at, bytes + run, to,
                               [this](char c) { return ascii_[static_cast<unsigned char>(c)]; });
                at = run;
                continue;
            }
            const CodePoint c = decode(bytes + at);
            if (c.value >= 0x80) {
                const ReplacementPage &page =
                    pages_.page_of(c.value, [this](char32_t first) { return make_page(first); });
                const ReplacementPage::Entry &entry = page.entries[c.value & 0xFF];
                if (entry.reorders) {
                    write_by_steps(in, out);
                    return;
                }
                out.put_each(std::string_view(page.bytes).substr(entry.begin, entry.length),
                             in.origin_of_character(at, c.length));
            }
            at += c.length;
        }
    }

private:
    static constexpr unsigned char left_out = 0xFF;

    // Where the ASCII characters end that begin here and all have one to replace them.
    std::size_t ascii_run(std::string_view text, std::size_t at) const noexcept {
        while (at < text.size()) {
            const auto byte = static_cast<unsigned char>(text[at]);
            if (byte >= 0x80 || static_cast<unsigned char>(ascii_[byte]) == left_out) {
                break;
            }
            ++at;
        }
        return at;
    }

    void write_by_steps(const AlignedText &in, AlignedText &out) const {
        AlignedText spare;
        out.assign(in, 0, in.size());
        steps_.apply(out, spare);
    }

    std::u32string replaced(char32_t c) const {
        if (rules_.cleans_text) {
            c = cleaned(c);
            if (c == 0) {
                return {};
            }
        }
        std::u32string parts;
        if (rules_.strips_accents) {
            append_decomposed(c, Decomposition::canonical, parts);
            std::erase_if(parts, [](char32_t part) { return has(part, is_nonspacing); });
        } else {
            parts += c;
        }
        std::u32string result;
        for (const char32_t part : parts) {
            if (rules_.makes_lower_case) {
                append_lower_case(part, result);
            } else {
                result += part;
            }
        }
        if (rules_.separates_chinese && has(c, is_chinese)) {
            result = U' ' + result + U' ';
        }
        return result;
    }

    ReplacementPage make_page(char32_t first) const {
        ReplacementPage page;
        for (char32_t i = 0; i < 256; ++i) {
            const std::size_t begin = page.bytes.size();
            bool changes_order = false;
            for (const char32_t part : replaced(first + i)) {
                changes_order |= rules_.strips_accents && has(part, reorders);
                page.bytes += std::string_view(Utf8Bytes(part));
            }
            page.entries[i] = {static_cast<std::uint32_t>(begin), static_cast<std::uint8_t>(page.bytes.size() - begin),
                               changes_order};
        }
        return page;
    }

    BertRules rules_;
    Normalizers steps_;
    std::array<char, 128> ascii_{};
    CodePointPages<ReplacementPage> pages_;
};

}  // namespace

std::unique_ptr<Normalizer> make_bert_normalizer(const BertRules &rules) {
    return std::make_unique<BertNormalizer>(rules);
}

}  // namespace tenrex::text
