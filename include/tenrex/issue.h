// What is wrong with a text: where, why, and what to do about it.
//
//   auto type = tenrex::TensorType::parse("tensor(x[3],x[4])");
//   if (!type) std::cerr << type.error().render();
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tenrex/export.h>

namespace tenrex {

// A half-open range of bytes of a source text.
struct Span {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;

    friend bool operator==(const Span &, const Span &) = default;
};

enum class Severity : std::uint8_t { error, warning };

// One finding. It carries the excerpt that it speaks of, so it outlives the text.
struct Issue {
    Severity severity = Severity::error;
    Span span;
    std::uint32_t line = 1;          // counted from 1
    std::uint32_t column = 1;        // counted from 1, in code points
    std::string message;             // what is wrong and why, with the types involved
    std::string hint;                // what to do; may be empty
    std::string excerpt;             // the source line, clipped around the span; may be empty
    std::uint32_t caret = 0;         // where in the excerpt the span begins, in code points
    std::uint32_t caret_length = 1;  // how much of the excerpt the span covers, in code points
    bool at_end = false;             // the text ended too early: more input could mend it
    std::string source_name;         // of the text, if it is another than that of the error: a file that it includes
};

struct RenderOptions {
    bool color = false;  // ANSI colours for a terminal
};

// Text of one issue: position, message, excerpt with carets, hint; each line ends with a newline.
TENREX_EXPORT std::string render(const Issue &issue, std::string_view source_name = {}, RenderOptions options = {});

// Why an operation failed: at least one issue, in the order of the text.
class [[nodiscard]] TENREX_EXPORT Error {
public:
    // An error without a position, such as a file that cannot be read.
    [[gnu::cold]] explicit Error(std::string message, std::string hint = {});
    [[gnu::cold]] explicit Error(std::vector<Issue> issues, std::string source_name = {});

    void add(Issue issue) { issues_.push_back(std::move(issue)); }
    const std::vector<Issue> &issues() const noexcept { return issues_; }
    const std::string &source_name() const noexcept { return source_name_; }
    // Names the text that the issues speak of, such as a file name; shown in front of each position.
    void set_source_name(std::string name) { source_name_ = std::move(name); }

    // The first error on one line: "1:5: message (hint)".
    std::string message() const;
    // All issues, for a person.
    std::string render(RenderOptions options = {}) const;
    // True if every error says that the text ended too early.
    bool incomplete() const noexcept;

private:
    std::vector<Issue> issues_;
    std::string source_name_;
};

}  // namespace tenrex
