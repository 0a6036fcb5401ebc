#include "lib/text/pattern.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <unicode/uregex.h>
#include <unicode/utext.h>

#include "lib/text/aligned_text.h"
#include "lib/text/pattern_program.h"

namespace tenrex::text {

namespace {

class Literal : public Pattern {
public:
    explicit Literal(std::string_view text) : text_(text) {}
    void find(std::string_view text, std::vector<TextRange> &matches) const override {
        if (text_.empty()) {
            return;
        }
        for (std::size_t at = text.find(text_); at != std::string_view::npos;
             at = text.find(text_, at + text_.size())) {
            matches.push_back(text_range(at, at + text_.size()));
        }
    }

private:
    std::string text_;
};

// What ICU opens is closed.
struct Close {
    void operator()(URegularExpression *expression) const { uregex_close(expression); }
    void operator()(UText *text) const { utext_close(text); }
};
using Expression = std::unique_ptr<URegularExpression, Close>;
using Utf8 = std::unique_ptr<UText, Close>;

Utf8 open_utf8(std::string_view text, UErrorCode &status) {
    return Utf8(utext_openUTF8(nullptr, text.data(), static_cast<std::int64_t>(text.size()), &status));
}

// How long all matches in a text may take, in units of ICU of about a millisecond. ICU counts places to go back to, of
// which there are some for each character.
constexpr std::size_t most_time_of_any = 500;
constexpr std::size_t bytes_of_unit = 500;

// ICU's \s leaves out two characters that are white space for tokenizers.
std::string with_all_white_space(std::string_view expression) {
    std::string result;
    for (std::size_t i = 0; i < expression.size(); ++i) {
        if (expression[i] != '\\' || i + 1 == expression.size()) {
            result += expression[i];
            continue;
        }
        const char escaped = expression[++i];
        if (escaped == 's' || escaped == 'S') {
            result += escaped == 's' ? "\\p{White_Space}" : "\\P{White_Space}";
        } else {
            result += {'\\', escaped};
        }
    }
    return result;
}

class Regex : public Pattern {
public:
    explicit Regex(Expression expression) : expression_(std::move(expression)) {}

    void find(std::string_view text, std::vector<TextRange> &matches) const override {
        UErrorCode status = U_ZERO_ERROR;
        const Expression own(uregex_clone(expression_.get(), &status));  // one of each thread
        const Utf8 utf8 = open_utf8(text, status);
        const std::size_t most_time = most_time_of_any + text.size() / bytes_of_unit;
        uregex_setTimeLimit(own.get(), static_cast<std::int32_t>(most_time), &status);
        uregex_setUText(own.get(), utf8.get(), &status);
        while (U_SUCCESS(status) && uregex_findNext(own.get(), &status)) {
            const auto begin = static_cast<std::size_t>(uregex_start64(own.get(), 0, &status));
            const auto end = static_cast<std::size_t>(uregex_end64(own.get(), 0, &status));
            if (begin < end) {
                matches.push_back(text_range(begin, end));
            }
        }
        if (U_FAILURE(status)) {
            fail_to_match(u_errorName(status));
        }
    }

private:
    Expression expression_;
};

}  // namespace

void fail_to_match(std::string_view reason) {
    throw forest::Broken{
        Error(fmt::format("the regular expression of the tokenizer cannot be matched with the text: {}", reason),
              "the text may be too long for it")};
}

std::unique_ptr<Pattern> make_regex(std::string_view expression, const JsonPart &place) {
    auto program = make_program_regex(expression);
    return program ? std::move(program) : make_icu_regex(expression, place);
}

std::unique_ptr<Pattern> make_gpt2_pattern() {
    return make_program_regex(R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)");
}

std::unique_ptr<Pattern> make_program_regex(std::string_view expression) {
    auto program = compile_pattern(expression);
    return program ? make_matcher(*std::move(program)) : nullptr;
}

std::unique_ptr<Pattern> make_icu_regex(std::string_view expression, const JsonPart &place) {
    UErrorCode status = U_ZERO_ERROR;
    const std::string adapted = with_all_white_space(expression);
    const Utf8 utf8 = open_utf8(adapted, status);
    UParseError where{};
    Expression opened(uregex_openUText(utf8.get(), 0, &where, &status));
    if (U_FAILURE(status)) {
        place.fail(
            fmt::format("the regular expression cannot be read: {} at character {}", u_errorName(status), where.offset),
            "the syntax is that of ICU");
    }
    return std::make_unique<Regex>(std::move(opened));
}

std::unique_ptr<Pattern> read_pattern(const JsonPart &part) {
    if (const auto text = part.find("String")) {
        return std::make_unique<Literal>(text->text());
    }
    const JsonPart expression = part.member("Regex");
    return make_regex(expression.text(), expression);
}

}  // namespace tenrex::text
