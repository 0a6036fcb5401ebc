// The texts that a profile consists of, laid end to end: a span of bytes says both which file and where. And what is
// wrong with them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <tenrex/issue.h>
#include <tenrex/limits.h>

namespace tenrex::profile {

class Sources {
public:
    struct Source {
        std::string name;
        std::string text;
        std::uint32_t offset = 0;  // of its first byte
    };

    // Takes a text over; null if all of them together become too long.
    const Source *add(std::string name, std::string_view text, const Limits &limits);
    // The first one: the file itself.
    const Source &main() const noexcept { return sources_.front(); }
    const std::deque<Source> &all() const noexcept { return sources_; }
    const Source &last() const noexcept { return sources_.back(); }
    // The text with that byte.
    const Source &at(std::uint32_t position) const noexcept;
    // All of them, each followed by one byte that belongs to none.
    const std::string &joined() const noexcept { return joined_; }

private:
    std::deque<Source> sources_;  // a deque: texts stay where they are
    std::string joined_;
};

// Collects issues, each once, and locates them in their files.
class Findings {
public:
    Findings(const Sources &sources, const Limits &limits) noexcept : sources_(&sources), limits_(&limits) {}

    void error(Span span, std::string message, std::string hint = {}) {
        add({Severity::error, span, std::move(message), std::move(hint)});
    }
    // An error, too: a name that means nothing here, but might elsewhere.
    void unknown(Span span, std::string message, std::string hint = {}) {
        add({Severity::error, span, std::move(message), std::move(hint), false, true});
    }
    void warning(Span span, std::string message, std::string hint = {}) {
        add({Severity::warning, span, std::move(message), std::move(hint)});
    }
    // The text ended too early.
    void error_at_end(Span span, std::string message, std::string hint = {}) {
        add({Severity::error, span, std::move(message), std::move(hint), true});
    }
    // Issues of a text that begins at `offset`, prefix in front of each message. Issues without a position are about
    // `whole`.
    void take_over(const std::vector<Issue> &issues, std::uint32_t offset, Span whole, std::string_view prefix = {});

    // Those of others about the same texts, prefix in front of each message. Errors become what `mistakes` says, those
    // about unknown names what `unknowns` says.
    void take_over(const Findings &others, Severity mistakes, Severity unknowns, std::string_view prefix);

    bool has_errors() const noexcept { return errors_ != 0; }
    std::size_t errors() const noexcept { return errors_; }
    bool full() const noexcept { return errors_ >= limits_->issues; }
    // All issues: those of the file in the order of its text, then those of files that it includes.
    std::vector<Issue> take();
    Error take_error();

private:
    struct Finding {
        Severity severity;
        Span span;
        std::string message;
        std::string hint;
        bool at_end = false;
        bool unknown_name = false;
    };
    void add(Finding finding);

    const Sources *sources_;
    const Limits *limits_;
    std::vector<Finding> findings_;
    std::size_t errors_ = 0;
};

}  // namespace tenrex::profile
