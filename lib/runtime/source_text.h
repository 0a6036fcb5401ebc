// The text behind a plan, for explain.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tenrex/issue.h>

namespace tenrex {

// The texts that the spans of a graph count in, laid end to end, and what is where in them.
struct SourceText {
    // Where lines are counted from 1 again.
    struct File {
        std::uint32_t begin = 0;
        std::string name;  // empty: it goes without saying
    };
    // Of one file; parts have no text in common.
    struct Part {
        Span span;
        std::string name;  // "function popularity"
    };

    std::shared_ptr<const std::string> text;
    std::vector<File> files;  // in the order of the text; at least one
    std::vector<Part> parts;  // in the order of the text
};

// Says where spans are and what they are. It is made once for many of them, since texts may be long. It refers to the
// text.
class SourcePlaces {
public:
    // Null: there is no text.
    explicit SourcePlaces(const SourceText *source);

    // Some of the text.
    bool has(Span span) const noexcept { return span.begin < span.end && span.end <= text_.size(); }
    // "3:14", line and column, behind the names of its part and of its file.
    std::string place(Span span) const;
    // The text on one line of at most so many columns, cut at its end.
    std::string excerpt(Span span, std::size_t columns) const;

private:
    // Line and column of a position; both from 1.
    std::pair<std::size_t, std::size_t> line_and_column(std::uint32_t position) const;

    // What lies before a position in its file.
    struct Mark {
        std::size_t lines = 0;
        std::size_t columns = 0;  // code points of the line

        void pass(char c) noexcept;
    };

    const SourceText *source_;
    std::string_view text_;
    std::vector<Mark> marks_;  // of the beginnings of pieces of the text
};

}  // namespace tenrex
