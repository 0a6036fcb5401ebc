// The small normalizers, and those of a file.
#include "lib/text/normalizer.h"

#include <algorithm>
#include <string>
#include <utility>

#include "lib/text/pattern.h"

namespace tenrex::text {

namespace {

class LowerCase : public Normalizer {
public:
    void write(const AlignedText &in, AlignedText &out) const override {
        std::u32string made;
        for (std::size_t at = 0; at < in.size();) {
            const std::size_t end = end_without(in.text(), at, has_lower_case);
            if (at < end) {
                out.keep(in, at, end);
                at = end;
                continue;
            }
            const CodePoint c = decode(in.text().data() + at);
            made.clear();
            append_lower_case(c.value, made);
            for (const char32_t part : made) {
                out.put(Utf8Bytes(part), in.origin_of_character(at, c.length));
            }
            at += c.length;
        }
    }
};

// Leaves out what has one of the traits.
class Filter : public Normalizer {
public:
    explicit Filter(unsigned traits) : traits_(traits) {}
    void write(const AlignedText &in, AlignedText &out) const override {
        for (std::size_t at = 0; at < in.size();) {
            const std::size_t end = end_without(in.text(), at, traits_);
            out.keep(in, at, end);
            at = end;
            if (at < in.size()) {
                at += decode(in.text().data() + at).length;
            }
        }
    }

private:
    unsigned traits_;
};

class Strip : public Normalizer {
public:
    Strip(bool left, bool right) : left_(left), right_(right) {}
    void write(const AlignedText &in, AlignedText &out) const override {
        std::size_t begin = 0;
        std::size_t end = in.size();
        while (left_ && begin < end) {
            const CodePoint c = decode(in.text().data() + begin);
            if (!has(c.value, is_white_space)) {
                break;
            }
            begin += c.length;
        }
        while (right_ && begin < end) {
            const CodePoint c = decode_before(in.text(), end);
            if (!has(c.value, is_white_space)) {
                break;
            }
            end -= c.length;
        }
        out.keep(in, begin, end);
    }

private:
    bool left_;
    bool right_;
};

class Prepend : public Normalizer {
public:
    explicit Prepend(std::string_view text) : text_(text) {}
    void write(const AlignedText &in, AlignedText &out) const override {
        if (in.size() != 0) {
            out.put_before(text_, in, 0);
            out.keep(in, 0, in.size());
        }
    }

private:
    std::string text_;
};

class Replace : public Normalizer {
public:
    Replace(std::unique_ptr<Pattern> pattern, std::string_view content)
        : pattern_(std::move(pattern)), content_(content) {}
    void write(const AlignedText &in, AlignedText &out) const override {
        std::size_t at = 0;
        for (const TextRange match : pattern_->matches(in.text())) {
            out.keep(in, at, match.begin);
            at = match.end;
            if (match.begin < match.end) {
                const CodePoint last = decode_before(in.text(), match.end);
                out.put_each(content_, in.origin_of_character(match.end - last.length, last.length));
            }
        }
        out.keep(in, at, in.size());
    }

private:
    std::unique_ptr<Pattern> pattern_;
    std::string content_;
};

// White space and control characters as SentencePiece's rules for translation have them.
class Nmt : public Normalizer {
public:
    void write(const AlignedText &in, AlignedText &out) const override {
        std::size_t kept = 0;  // what stays and begins there is still to be written
        for (std::size_t at = 0; at < in.size();) {
            const CodePoint c = decode(in.text().data() + at);
            const bool is_space = becomes_space(c.value);
            if (is_space || is_left_out(c.value)) {
                out.keep(in, kept, at);
                kept = at + c.length;
            }
            if (is_space) {
                out.put(" ", in.origin_of_character(at, c.length));
            }
            at += c.length;
        }
        out.keep(in, kept, in.size());
    }

private:
    static bool is_left_out(char32_t c) {
        return (c >= 0x01 && c <= 0x08) || c == 0x0B || (c >= 0x0E && c <= 0x1F) || c == 0x7F || c == 0x8F || c == 0x9F;
    }
    static bool becomes_space(char32_t c) {
        return c == 0x09 || c == 0x0A || c == 0x0C || c == 0x0D || c == 0x1680 || (c >= 0x200B && c <= 0x200F) ||
               c == 0x2028 || c == 0x2029 || c == 0x2581 || c == 0xFEFF || c == 0xFFFD;
    }
};

}  // namespace

void Normalizers::apply(AlignedText &text, AlignedText &spare) const {
    for (const auto &normalizer : list_) {
        spare.clear();
        normalizer->write(text, spare);
        std::swap(text, spare);
    }
}

std::string Normalizers::applied(std::string_view text) const {
    AlignedText aligned;
    AlignedText spare;
    aligned.assign(text, 0);
    apply(aligned, spare);
    return aligned.text();
}

std::unique_ptr<Normalizer> make_lower_case() {
    return std::make_unique<LowerCase>();
}

std::unique_ptr<Normalizer> make_filter(unsigned traits) {
    return std::make_unique<Filter>(traits);
}

void read_normalizers(const JsonPart &part, Normalizers &normalizers) {
    const std::string_view type = part.type();
    if (type == "Sequence") {
        for (const JsonPart &next : sequence_parts(part, "normalizers")) {
            read_normalizers(next, normalizers);
        }
    } else if (type == "BertNormalizer") {
        BertRules rules;
        rules.cleans_text = part.flag("clean_text", true);
        rules.separates_chinese = part.flag("handle_chinese_chars", true);
        rules.makes_lower_case = part.flag("lowercase", true);
        rules.strips_accents = part.flag("strip_accents", rules.makes_lower_case);
        normalizers.add(make_bert_normalizer(rules));
    } else if (type == "NFC" || type == "NFD") {
        normalizers.add(make_unicode_form(Decomposition::canonical, type == "NFC"));
    } else if (type == "NFKC" || type == "NFKD") {
        normalizers.add(make_unicode_form(Decomposition::compatible, type == "NFKC"));
    } else if (type == "Lowercase") {
        normalizers.add(make_lower_case());
    } else if (type == "StripAccents") {
        normalizers.add(make_filter(is_mark));
    } else if (type == "Strip") {
        normalizers.add(std::make_unique<Strip>(part.flag("strip_left", true), part.flag("strip_right", true)));
    } else if (type == "Prepend") {
        normalizers.add(std::make_unique<Prepend>(part.text("prepend")));
    } else if (type == "Replace") {
        normalizers.add(std::make_unique<Replace>(read_pattern(part.member("pattern")), part.text("content")));
    } else if (type == "Nmt") {
        normalizers.add(std::make_unique<Nmt>());
    } else if (type == "Precompiled") {
        normalizers.add(make_charsmap(part.member("precompiled_charsmap")));
    } else {
        part.fail_unknown(
            "the normalizer",
            "BertNormalizer, Lowercase, NFC, NFD, NFKC, NFKD, Nmt, Precompiled, Prepend, Replace, Sequence, "
            "Strip, StripAccents");
    }
}

}  // namespace tenrex::text
