// Collects the issues of one source text and turns byte positions into lines, columns and excerpts.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <tenrex/issue.h>
#include <tenrex/limits.h>

namespace tenrex {

class Diagnostics {
public:
    // The source must outlive the object.
    explicit Diagnostics(std::string_view source, const Limits &limits = {}) noexcept
        : source_(source), most_(limits.issues) {}

    [[gnu::cold]] void error(Span span, std::string message, std::string hint = {});
    [[gnu::cold]] void warning(Span span, std::string message, std::string hint = {});
    // An error at the end of the text that more text could mend.
    [[gnu::cold]] void error_at_end(std::string message, std::string hint = {});

    bool has_errors() const noexcept { return errors_ != 0; }
    std::string_view source() const noexcept { return source_; }
    // All issues in the order of the text.
    std::vector<Issue> take();
    // All issues as an error; there must be at least one error.
    Error take_error() { return Error(take()); }

private:
    void add(Severity severity, Span span, std::string message, std::string hint, bool at_end);

    std::string_view source_;
    std::size_t most_;
    std::size_t errors_ = 0;
    std::vector<Issue> issues_;
};

// The candidate most like the name, for "did you mean"; empty if none is near.
std::string_view nearest(std::string_view name, std::span<const std::string_view> candidates);

}  // namespace tenrex
