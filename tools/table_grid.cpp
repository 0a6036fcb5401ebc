#include "tools/table_grid.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include <fmt/format.h>

#include "tools/table_printer.h"

namespace tenrex::tool {

namespace {

constexpr std::string_view gap = "...";
constexpr std::size_t spacing = 2;
constexpr std::size_t widest_label = 32;

// A label cut to a width that leaves room for others.
std::string clip(std::string text) {
    constexpr std::size_t longest = 4 * widest_label;  // bytes; what is longer is certainly too wide
    if (text.size() <= longest && display_width(text) <= widest_label) {
        return text;
    }
    std::size_t end = 0;
    for (std::size_t i = 1; i <= longest && display_width({text.data(), i}) <= widest_label - gap.size(); ++i) {
        const bool inside_character = i < text.size() && (static_cast<unsigned char>(text[i]) & 0xC0) == 0x80;
        end = inside_character ? end : i;
    }
    text.resize(end);
    return text.append(gap);
}

std::string pad_right(std::string text, std::size_t width) {
    const std::size_t used = display_width(text);
    return text.append(width > used ? width - used : 0, ' ');
}

std::string pad_left(const std::string &text, std::size_t width) {
    const std::size_t used = display_width(text);
    return std::string(width > used ? width - used : 0, ' ') + text;
}

using Shown = std::vector<std::optional<std::size_t>>;

// A column as it will be printed: cells aligned at the decimal point below a label.
struct Column {
    std::string label;
    std::vector<std::string> cells;
    std::size_t width = 0;
};

// Where the part of a number begins that stands right of the decimal point's column.
std::size_t fraction_begin(const std::string &number) {
    return number.starts_with("inf") || number.starts_with("-inf")
               ? number.size()
               : std::min(number.find_first_of(".e"), number.size());
}

Column make_column(const Grid &grid, std::size_t column, const Shown &rows) {
    Column result;
    result.label = grid.column_label ? clip(grid.column_label(column)) : std::string();
    std::size_t before = 0;
    std::size_t behind = 0;
    for (const auto &row : rows) {
        std::string text;
        if (row) {
            const auto cell = grid.cell(*row, column);
            text = cell ? format_cell(*cell) : "-";
        }
        const std::size_t split = fraction_begin(text);
        before = std::max(before, split);
        behind = std::max(behind, text.size() - split);
        result.cells.push_back(std::move(text));
    }
    for (std::string &text : result.cells) {
        const std::size_t split = fraction_begin(text);
        text = std::string(before - split, ' ') + text + std::string(behind - (text.size() - split), ' ');
    }
    result.width = std::max(display_width(result.label), before + behind);
    return result;
}

Column gap_column(std::size_t rows) {
    return {std::string(gap), std::vector<std::string>(rows, std::string(gap)), gap.size()};
}

// As many columns as fit: all, or first and last ones with a gap; at least one.
std::vector<Column> choose_columns(const Grid &grid, const Shown &rows, std::size_t room, std::size_t &shown) {
    std::vector<Column> left;
    std::size_t used = 0;
    while (left.size() < grid.columns && used <= room) {
        left.push_back(make_column(grid, left.size(), rows));
        used += spacing + left.back().width;
    }
    shown = left.size();
    if (left.size() == grid.columns && used <= room) {
        return left;
    }
    left.clear();
    std::vector<Column> right;
    used = spacing + gap.size();
    while (left.size() + right.size() < grid.columns) {
        const bool is_left = left.size() <= right.size();
        Column next = make_column(grid, is_left ? left.size() : grid.columns - 1 - right.size(), rows);
        used += spacing + next.width;
        if (used > room && !left.empty()) {
            break;
        }
        (is_left ? left : right).push_back(std::move(next));
    }
    shown = left.size() + right.size();
    if (shown < grid.columns) {
        left.push_back(gap_column(rows.size()));
    }
    std::move(right.rbegin(), right.rend(), std::back_inserter(left));
    return left;
}

void end_line(std::string &text) {
    while (!text.empty() && text.back() == ' ') {
        text.pop_back();
    }
    text += '\n';
}

}  // namespace

std::string format_cell(double value) {
    if (std::isnan(value)) {
        return "nan";
    }
    if (std::isinf(value)) {
        return value < 0 ? "-inf" : "inf";
    }
    return value == std::trunc(value) && std::abs(value) < 1e15 ? fmt::format("{:.0f}", value)
                                                                : fmt::format("{:.6g}", value);
}

Shown abridge(std::size_t count, std::size_t most) {
    Shown shown;
    const bool all = count <= most;
    const std::size_t head = all ? count : std::max<std::size_t>(1, (most + 1) / 2);
    const std::size_t tail = all ? 0 : most / 2;
    for (std::size_t i = 0; i < head; ++i) {
        shown.emplace_back(i);
    }
    if (!all) {
        shown.emplace_back();
    }
    for (std::size_t i = count - tail; i < count; ++i) {
        shown.emplace_back(i);
    }
    return shown;
}

std::string print_grid(const Grid &grid, std::size_t width, std::size_t most_rows) {
    const Shown rows = abridge(grid.rows, most_rows);
    std::vector<std::vector<std::string>> labels;
    std::vector<std::size_t> label_widths;
    for (const std::string &heading : grid.headings) {
        label_widths.push_back(display_width(heading));
    }
    std::size_t shown_rows = 0;
    for (const auto &row : rows) {
        std::vector<std::string> texts(grid.headings.size());
        if (row) {
            ++shown_rows;
            texts = grid.row_labels(*row);
        } else {
            texts.front() = gap;
        }
        for (std::size_t i = 0; i < texts.size(); ++i) {
            texts[i] = clip(std::move(texts[i]));
            label_widths[i] = std::max(label_widths[i], display_width(texts[i]));
        }
        labels.push_back(std::move(texts));
    }
    std::size_t label_width = 0;
    for (std::size_t each : label_widths) {
        label_width += each + spacing;
    }
    label_width -= spacing;
    std::size_t shown_columns = 0;
    const std::size_t room = width > label_width ? width - label_width : 0;
    const std::vector<Column> columns = choose_columns(grid, rows, room, shown_columns);

    std::string text;
    for (std::size_t i = 0; i < grid.headings.size(); ++i) {
        text += pad_right(grid.headings[i], label_widths[i] + spacing);
    }
    text.resize(text.size() - spacing);
    for (const Column &column : columns) {
        text.append(spacing, ' ') += pad_left(column.label, column.width);
    }
    end_line(text);
    for (std::size_t r = 0; r < rows.size(); ++r) {
        for (std::size_t i = 0; i < labels[r].size(); ++i) {
            text += pad_right(labels[r][i], label_widths[i] + spacing);
        }
        text.resize(text.size() - spacing);
        for (const Column &column : columns) {
            text.append(spacing, ' ') += pad_left(column.cells[r], column.width);
        }
        end_line(text);
    }
    if (shown_rows < grid.rows || shown_columns < grid.columns) {
        text += fmt::format("({} of {} rows", shown_rows, grid.rows);
        if (shown_columns < grid.columns) {
            text += fmt::format(", {} of {} columns", shown_columns, grid.columns);
        }
        text += ")\n";
    }
    return text;
}

}  // namespace tenrex::tool
