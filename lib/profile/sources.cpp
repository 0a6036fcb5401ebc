#include "lib/profile/sources.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

#include "lib/support/diagnostics.h"

namespace tenrex::profile {

const Sources::Source *Sources::add(std::string name, std::string_view text, const Limits &limits) {
    constexpr std::uint64_t most = std::numeric_limits<std::uint32_t>::max() - std::uint64_t{16};
    if (text.size() > limits.expression_bytes || joined_.size() + text.size() > most) {
        return nullptr;
    }
    sources_.push_back({std::move(name), std::string(text), static_cast<std::uint32_t>(joined_.size())});
    joined_.append(text).append(1, '\n');
    return &sources_.back();
}

const Sources::Source &Sources::at(std::uint32_t position) const noexcept {
    const auto behind = std::upper_bound(sources_.begin(), sources_.end(), position,
                                         [](std::uint32_t at, const Source &source) { return at < source.offset; });
    return behind == sources_.begin() ? sources_.front() : *std::prev(behind);
}

void Findings::add(Finding finding) {
    const bool is_error = finding.severity == Severity::error;
    const auto same = [&](const Finding &other) {
        return other.span == finding.span && other.message == finding.message;
    };
    // The first error is kept even if warnings have filled the list.
    if ((findings_.size() >= limits_->issues && !(is_error && errors_ == 0)) ||
        std::any_of(findings_.begin(), findings_.end(), same)) {
        return;
    }
    errors_ += is_error;
    findings_.push_back(std::move(finding));
}

void Findings::take_over(const std::vector<Issue> &issues, std::uint32_t offset, Span whole, std::string_view prefix) {
    for (const Issue &issue : issues) {
        const bool placed = !issue.excerpt.empty() || issue.span.end != 0 || issue.at_end;
        const Span span = placed ? Span{issue.span.begin + offset, issue.span.end + offset} : whole;
        add({issue.severity, span, std::string(prefix) + issue.message, issue.hint});
    }
}

void Findings::take_over(const Findings &others, Severity mistakes, Severity unknowns, std::string_view prefix) {
    for (Finding finding : others.findings_) {
        if (finding.severity == Severity::error) {
            finding.severity = finding.unknown_name ? unknowns : mistakes;
        }
        finding.message.insert(0, prefix);
        add(std::move(finding));
    }
}

std::vector<Issue> Findings::take() {
    std::stable_sort(findings_.begin(), findings_.end(),
                     [](const Finding &a, const Finding &b) { return a.span.begin < b.span.begin; });
    std::vector<Issue> issues;
    for (Finding &finding : findings_) {
        const Sources::Source &source = sources_->at(finding.span.begin);
        const Span span{finding.span.begin - source.offset, finding.span.end - source.offset};
        Diagnostics diagnostics(source.text);
        if (finding.severity == Severity::error) {
            diagnostics.error(span, std::move(finding.message), std::move(finding.hint));
        } else {
            diagnostics.warning(span, std::move(finding.message), std::move(finding.hint));
        }
        issues.push_back(std::move(diagnostics.take().front()));
        issues.back().at_end = finding.at_end;
        if (&source != &sources_->main()) {
            issues.back().source_name = source.name;
        }
    }
    findings_.clear();
    errors_ = 0;
    return issues;
}

Error Findings::take_error() {
    return Error(take(), sources_->main().name);
}

}  // namespace tenrex::profile
