// Texts to token ids, as the tokenizer.json or vocab.txt beside a model says. In the library tenrex::text.
//
//   auto tokenizer = tenrex::Tokenizer::load("model/tokenizer.json");
//   if (!tokenizer) { std::cerr << tokenizer.error().render(); return 1; }
//   auto tokens = tokenizer->tokenize("a question");
//   use(tokens->ids);
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tenrex/result.h>

namespace tenrex {

// A half-open range of a text.
struct TextRange {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;

    friend bool operator==(const TextRange &, const TextRange &) = default;
};

struct Tokens {
    std::vector<std::uint32_t> ids;
    std::vector<std::uint32_t> type_ids;  // which part a token belongs to, as the file says: 0 for one text
    std::vector<TextRange> offsets;       // in the text or in the pair; that of an added special token is 0 to 0
    bool is_truncated = false;            // there was more than fits

    void clear() noexcept;
};

// In what the offsets count. A byte that is no UTF-8 is one code point: the text is read as if U+FFFD stood there.
enum class OffsetUnit : std::uint8_t { code_points, bytes };

struct TokenizeOptions {
    OffsetUnit offsets = OffsetUnit::code_points;
    // Puts around the text what the file says, such as [CLS] and [SEP].
    bool adds_special_tokens = true;
    // Reads special tokens in the text as any other text: what users write is no command.
    bool is_plain_text = false;
    // The most tokens, with those that are added; nothing: as the file says.
    std::optional<std::size_t> max_length = {};
};

struct VocabularyOptions {
    bool lower_case = true;  // an uncased model: no upper case, no accents
};

// Memory that calls use again, and words seen before. One for each thread; its size is bounded.
class TokenizerScratch {
public:
    TokenizerScratch();
    TokenizerScratch(TokenizerScratch &&) noexcept;
    TokenizerScratch &operator=(TokenizerScratch &&) noexcept;
    ~TokenizerScratch();

private:
    friend class Tokenizer;
    struct Content;
    std::unique_ptr<Content> content_;
};

// Immutable; copies share what they hold, and threads may use one at once.
class Tokenizer {
public:
    // A file in the form of tokenizer.json, or one that is called .txt and has a token of a BERT model a line. Errors:
    // a file that cannot be read; a part that is not known or not complete, with its place.
    static Result<Tokenizer> load(const std::string &path, const VocabularyOptions &options = {});
    static Result<Tokenizer> read(std::string_view json);
    static Result<Tokenizer> read_vocabulary(std::string_view lines, const VocabularyOptions &options = {});

    // Errors: a text of 2 GiB or more; a limit that leaves no room for the special tokens; a limit of the file for the
    // second text where there is none, or one that cutting that text alone does not reach.
    Result<Tokens> tokenize(std::string_view text, const TokenizeOptions &options = {}) const;
    Result<Tokens> tokenize_pair(std::string_view text, std::string_view pair,
                                 const TokenizeOptions &options = {}) const;
    // The same for many texts. `scratch` may have been used with other tokenizers.
    Status tokenize(std::string_view text, std::optional<std::string_view> pair, const TokenizeOptions &options,
                    TokenizerScratch &scratch, Tokens &tokens) const;

    // One more than the largest id.
    std::size_t vocabulary_size() const noexcept;
    // As the file writes it; empty if there is no such id.
    std::string_view token(std::uint32_t id) const noexcept;
    // Nothing: there is no such token.
    std::optional<std::uint32_t> id_of(std::string_view token) const;

private:
    struct Content;
    explicit Tokenizer(std::shared_ptr<const Content> content) : content_(std::move(content)) {}
    std::shared_ptr<const Content> content_;
};

}  // namespace tenrex
