// The expressions of GPT-2 and of those after it, by hand. Both cut all of a text into pieces.
#include <algorithm>
#include <array>

#include "lib/text/code_points.h"
#include "lib/text/pattern.h"

namespace tenrex::text {

namespace {

constexpr std::string_view gpt2 = R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)";
constexpr std::string_view one_digit =
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
constexpr std::string_view three_digits =
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";

// Runs of a text.
class Runs {
public:
    explicit Runs(std::string_view text) noexcept : text_(text) {}

    std::size_t size() const noexcept { return text_.size(); }
    char byte(std::size_t at) const noexcept { return at < text_.size() ? text_[at] : '\0'; }
    CodePoint at(std::size_t at) const noexcept { return decode(text_.data() + at); }
    unsigned traits(std::size_t at) const { return at < text_.size() ? traits_of(this->at(at).value) : 0U; }

    // Where the code points end that have one of the traits, or none of them.
    std::size_t with(std::size_t at, unsigned traits) const { return run(at, traits, true); }
    std::size_t without(std::size_t at, unsigned traits) const { return run(at, traits, false); }

    // Where white space ends that begins at a place, without the last character if something follows: that one begins
    // the next piece, unless it is alone.
    std::size_t white_space_piece(std::size_t begin) const {
        const std::size_t end = with(begin, is_white_space);
        if (end == text_.size()) {
            return end;
        }
        const std::size_t before_last = end - decode_before(text_, end).length;
        return before_last > begin ? before_last : end;
    }

    // Where a contraction such as 've ends that begins with an apostrophe; npos: there is none.
    std::size_t contraction(std::size_t at, bool any_case) const noexcept {
        const auto letter = [&](std::size_t place) {
            const char c = byte(place);
            return any_case && c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
        };
        const char first = letter(at + 1);
        const char second = letter(at + 2);
        if ((first == 'r' && second == 'e') || (first == 'v' && second == 'e') || (first == 'l' && second == 'l')) {
            return at + 3;
        }
        if (first == 's' || first == 't' || first == 'm' || first == 'd') {
            return at + 2;
        }
        // U+017F is an s in another case.
        return any_case && first == '\xC5' && byte(at + 2) == '\xBF' ? at + 3 : std::string_view::npos;
    }

private:
    std::size_t run(std::size_t at, unsigned traits, bool wanted) const {
        while (at < text_.size()) {
            const CodePoint c = this->at(at);
            if (has(c.value, traits) != wanted) {
                break;
            }
            at += c.length;
        }
        return at;
    }

    std::string_view text_;
};

template <class End>
void cut(std::string_view text, const End &end_of_piece, std::vector<TextRange> &pieces) {
    const Runs runs(text);
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = end_of_piece(runs, at);
        pieces.push_back({static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(end)});
        at = end;
    }
}

constexpr unsigned no_symbol = is_white_space | is_letter | is_number;

class Gpt2 : public Pattern {
public:
    void find(std::string_view text, std::vector<TextRange> &matches) const override { cut(text, piece_end, matches); }

private:
    static std::size_t piece_end(const Runs &runs, std::size_t begin) {
        if (runs.byte(begin) == '\'') {
            const std::size_t end = runs.contraction(begin, false);
            if (end != std::string_view::npos) {
                return end;
            }
        }
        const std::size_t at = runs.byte(begin) == ' ' ? begin + 1 : begin;
        if (at == runs.size() || (runs.traits(at) & is_white_space) != 0) {
            return runs.white_space_piece(begin);
        }
        const unsigned traits = runs.traits(at);
        if ((traits & is_letter) != 0) {
            return runs.with(at, is_letter);
        }
        return (traits & is_number) != 0 ? runs.with(at, is_number) : runs.without(at, no_symbol);
    }
};

// A letter takes any one character before it; numbers are cut after a few digits; symbols take the line's end.
class Newer : public Pattern {
public:
    explicit Newer(int most_digits) noexcept : most_digits_(most_digits) {}
    void find(std::string_view text, std::vector<TextRange> &matches) const override {
        cut(
            text, [this](const Runs &runs, std::size_t begin) { return piece_end(runs, begin); }, matches);
    }

private:
    static bool is_line_end(char c) noexcept { return c == '\r' || c == '\n'; }

    std::size_t piece_end(const Runs &runs, std::size_t begin) const {
        const char byte = runs.byte(begin);
        if (byte == '\'') {
            const std::size_t end = runs.contraction(begin, true);
            if (end != std::string_view::npos) {
                return end;
            }
        }
        const unsigned traits = runs.traits(begin);
        const std::size_t second = begin + runs.at(begin).length;
        if ((traits & is_letter) != 0) {
            return runs.with(begin, is_letter);
        }
        if ((traits & is_number) != 0) {
            return digits_end(runs, begin);
        }
        if (!is_line_end(byte) && (runs.traits(second) & is_letter) != 0) {
            return runs.with(second, is_letter);
        }
        const std::size_t symbols = byte == ' ' ? second : begin;
        if (symbols < runs.size() && (runs.traits(symbols) & no_symbol) == 0) {
            std::size_t end = runs.without(symbols, no_symbol);
            while (is_line_end(runs.byte(end))) {
                ++end;
            }
            return end;
        }
        return white_space_end(runs, begin);
    }

    std::size_t digits_end(const Runs &runs, std::size_t at) const {
        for (int i = 0; i < most_digits_ && (runs.traits(at) & is_number) != 0; ++i) {
            at += runs.at(at).length;
        }
        return at;
    }

    // Up to the last end of a line, if the white space has one.
    static std::size_t white_space_end(const Runs &runs, std::size_t begin) {
        for (std::size_t end = runs.with(begin, is_white_space); end > begin; --end) {
            if (is_line_end(runs.byte(end - 1))) {
                return end;
            }
        }
        return runs.white_space_piece(begin);
    }

    int most_digits_;
};

}  // namespace

std::unique_ptr<Pattern> make_gpt2_pattern() {
    return std::make_unique<Gpt2>();
}

std::unique_ptr<Pattern> known_pattern(std::string_view expression) {
    if (expression == gpt2) {
        return make_gpt2_pattern();
    }
    if (expression == one_digit) {
        return std::make_unique<Newer>(1);
    }
    return expression == three_digits ? std::make_unique<Newer>(3) : nullptr;
}

}  // namespace tenrex::text
