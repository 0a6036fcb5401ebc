#include "lib/runtime/source_text.h"

#include <algorithm>
#include <iterator>

#include "lib/support/format.h"
#include "lib/support/utf8.h"

namespace tenrex {

namespace {

// A position is found by walking less than this from a mark.
constexpr std::size_t piece = 512;

// The last one that begins at the position or before it; null if there is none.
template <class T, class Begin>
const T *last_before(const std::vector<T> &items, std::uint32_t position, Begin begin) {
    const auto behind = std::upper_bound(items.begin(), items.end(), position,
                                         [&](std::uint32_t at, const T &item) { return at < begin(item); });
    return behind == items.begin() ? nullptr : &*std::prev(behind);
}

}  // namespace

SourcePlaces::SourcePlaces(const SourceText *source) : source_(source) {
    if (source == nullptr || source->text == nullptr) {
        return;
    }
    text_ = *source->text;
    Mark mark;
    auto file = source->files.begin();
    for (std::size_t i = 0; i < text_.size(); ++i) {
        if (file != source->files.end() && file->begin == i) {
            mark = {};
            ++file;
        }
        if (i % piece == 0) {
            marks_.push_back(mark);
        }
        mark.pass(text_[i]);
    }
}

void SourcePlaces::Mark::pass(char c) noexcept {
    if (c == '\n') {
        *this = {lines + 1, 0};
    } else {
        columns += !is_continuation_byte(c);
    }
}

std::pair<std::size_t, std::size_t> SourcePlaces::line_and_column(std::uint32_t position) const {
    const auto *const file = last_before(source_->files, position, [](const auto &one) { return one.begin; });
    const std::size_t file_begin = file == nullptr ? 0 : file->begin;
    const std::size_t piece_begin = position / piece * piece;
    Mark mark = piece_begin >= file_begin ? marks_[position / piece] : Mark{};
    for (std::size_t i = std::max(piece_begin, file_begin); i < position; ++i) {
        mark.pass(text_[i]);
    }
    return {mark.lines + 1, mark.columns + 1};
}

std::string SourcePlaces::place(Span span) const {
    const auto [line, column] = line_and_column(span.begin);
    const auto *const file = last_before(source_->files, span.begin, [](const auto &one) { return one.begin; });
    const auto *const part = last_before(source_->parts, span.begin, [](const auto &one) { return one.span.begin; });
    const bool is_inside = part != nullptr && span.end <= part->span.end;
    return fmt::format("{}{}{}{}{}:{}", is_inside ? part->name : "", is_inside && !part->name.empty() ? " " : "",
                       file == nullptr ? "" : file->name, file == nullptr || file->name.empty() ? "" : ":", line,
                       column);
}

std::string SourcePlaces::excerpt(Span span, std::size_t columns) const {
    constexpr std::string_view ellipsis = "...";
    std::string result;
    std::size_t width = 0;
    std::size_t cut = 0;  // where the result ends if something follows
    for (const char c : text_.substr(span.begin, span.end - span.begin)) {
        // Control characters would spoil the terminal.
        const bool is_space = static_cast<unsigned char>(c) <= 0x20 || c == 0x7f;
        if (is_space && (result.empty() || result.back() == ' ')) {
            continue;
        }
        if (!is_continuation_byte(c)) {
            cut = width + ellipsis.size() <= columns ? result.size() : cut;
            if (++width > columns) {
                result.resize(cut);
                return result.append(ellipsis);
            }
        }
        result += is_space ? ' ' : c;
    }
    while (result.ends_with(' ')) {
        result.pop_back();
    }
    return result;
}

}  // namespace tenrex
