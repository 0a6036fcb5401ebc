// Reads the text of a file of rank profiles: words, values, blocks. A function that returns false or nothing has
// reported what is wrong.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include <tenrex/limits.h>
#include <tenrex/tensor.h>
#include <tenrex/tensor_type.h>

#include "lib/profile/profile_text.h"
#include "lib/profile/sources.h"

namespace tenrex::profile {

class Reader {
public:
    // The last of the sources. Positions count from the first one, as spans do.
    Reader(const Sources &sources, const Limits &limits, Findings &findings) noexcept
        : text_(std::string_view(sources.joined()).substr(0, sources.joined().size() - 1)),
          limits_(limits),
          findings_(findings),
          begin_(sources.last().offset),
          position_(begin_) {}

    std::string_view text() const noexcept { return text_; }
    std::string_view text(Span span) const noexcept { return text_.substr(span.begin, span.end - span.begin); }
    std::uint32_t position() const noexcept { return position_; }
    void move_to(std::uint32_t position) noexcept { position_ = position; }
    Findings &findings() noexcept { return findings_; }
    const Limits &limits() const noexcept { return limits_; }

    // White space and comments.
    void skip() noexcept;
    bool at_end() noexcept;
    // The character that comes next; NUL at the end.
    char next() noexcept;
    // The character that comes next on this line; a newline or NUL at the end of it.
    char next_on_line() noexcept;
    bool take(char c) noexcept;
    // The name that comes next: letters, digits, '_', '-'; empty if none does.
    Word word();
    // The same, or an error: "expected ..., but found ...".
    bool expect_word(std::string_view what, Word &word);
    bool expect(char c, std::string_view after);
    bool unexpected(std::string_view what, std::string_view hint = {});

    // A value: up to the end of the line or a '}' that closes a block around it. Brackets may be open over lines if
    // `over_lines`. Without white space around it; it may be empty.
    Span value(bool over_lines);
    // ": value" of a setting, which must not be empty.
    bool setting_value(const Word &setting, Word &value);
    bool setting_number(const Word &setting, double &value);
    bool setting_count(const Word &setting, std::uint64_t &value);
    // A block: '{' has been read. Its end, behind which the reader goes on once the block is read; nothing: not closed.
    std::optional<std::uint32_t> block_end(std::uint32_t open);
    // What remains of a setting whose name has been read: a value, a block, or both.
    void skip_setting();

    // The literal behind a ':', which may begin on another line than that, and behind which another entry may stand.
    Span literal_text();
    // A type, if one begins here. False: it has a mistake.
    bool type(std::optional<TensorType> &type);
    // A literal of the type.
    std::optional<Tensor> literal(Span span, const TensorType &type);

private:
    // The value of a setting that others may follow on the line.
    bool setting_word(const Word &setting, Word &found);
    // Behind what stands at a position: a string, a comment or a character.
    std::uint32_t behind(std::uint32_t at) const noexcept;
    bool begins_label(std::uint32_t at) const noexcept;

    std::string_view text_;
    const Limits &limits_;
    Findings &findings_;
    std::uint32_t begin_;  // of the source
    std::uint32_t position_;
};

// A file that may hold profiles and a schema (read_file.cpp, read_profile.cpp, read_schema.cpp).
FileText read_file(Reader &in);
// The files with all that they inherit and import (read_files.cpp).
FileText read_files(const std::vector<ProfileFile> &files, const FileLoader &loader, Sources &sources,
                    const Limits &limits, Findings &findings);
// "field name type T { ... }" and "struct name { ... }", behind the word (read_fields.cpp). The second keeps what is
// known of attributes.
bool read_field(Reader &in, std::vector<FieldText> &fields);
bool read_struct(Reader &in, FileText &file);
bool is_number_type(std::string_view type);
// What stands in front of "embed" in a statement "indexing: ...", and the embedder's name behind it
// (read_indexing.cpp). Nothing: nothing is embedded, or, if the word is there, it is not known how.
std::optional<EmbeddedText> embedded_text(std::string_view statement);
// Whether the text has the word, not as a part of another.
bool has_word(std::string_view text, std::string_view word);
// The attribute that a field of that type other than a tensor makes.
std::optional<Attribute> attribute_of(const std::string &name, std::string_view type);
// Makes fields of the struct-fields that are attributes: "field.member".
void add_members(FileText &file);
// "a, outer.inner": names of profiles (read_features.cpp).
bool read_names(Reader &in, std::vector<Word> &names);
// ": a b" or "inherits parent { a b }", behind the word.
bool read_features(Reader &in, const Word &setting, FeatureList &list);
// The name of a profile and its block; "rank-profile" has been read. Adds it, and those within it. False: the block is
// not closed, so nothing follows.
bool read_profile(Reader &in, std::vector<ProfileText> &profiles);
// Behind the name of a schema, up to its end.
bool read_schema(Reader &in, FileText &file);
// "name type: value" entries of a block.
bool read_inputs(Reader &in, ProfileText &profile);
bool read_constants(Reader &in, std::vector<ConstantText> &constants);
bool read_properties(Reader &in, std::vector<PropertyText> &properties);
// The block of a model, behind "onnx-model" (read_network.cpp).
bool read_network(Reader &in, std::vector<NetworkText> &networks);
// "constant name { type: ... file: ... }" of a schema, behind the word.
bool read_constant(Reader &in, std::vector<ConstantText> &constants);

}  // namespace tenrex::profile
