#include "tools/table_printer.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include <fmt/format.h>

#include <tenrex/formats.h>

#include "tools/table_grid.h"

namespace tenrex::tool {

namespace {

// Labels in the order people expect: numbers by value, then texts by bytes.
bool label_less(const std::string &a, const std::string &b) {
    const auto number_a = canonical_number(a);
    const auto number_b = canonical_number(b);
    if (number_a && number_b) {
        return *number_a < *number_b;
    }
    return number_a || number_b ? number_a.has_value() : a < b;
}

// The blocks of a tensor with their labels as text, sorted.
class Blocks {
public:
    explicit Blocks(const Tensor &tensor) : mapped_(tensor.type().mapped_count()), order_(tensor.blocks()) {
        labels_.reserve(order_.size() * mapped_);
        const TensorView view = tensor.view();
        for (std::size_t block = 0; block < order_.size(); ++block) {
            for (std::size_t i = 0; i < mapped_; ++i) {
                labels_.push_back(view.label(block, i));
            }
        }
        std::iota(order_.begin(), order_.end(), std::size_t{0});
        std::sort(order_.begin(), order_.end(), [this](std::size_t a, std::size_t b) {
            for (std::size_t i = 0; i < mapped_; ++i) {
                if (label(a, i) != label(b, i)) {
                    return label_less(label(a, i), label(b, i));
                }
            }
            return false;
        });
    }

    std::size_t size() const noexcept { return order_.size(); }
    // The block at a position of the sorted order.
    std::size_t operator[](std::size_t position) const { return order_[position]; }
    const std::string &label(std::size_t block, std::size_t mapped) const { return labels_[block * mapped_ + mapped]; }
    // The distinct labels of one mapped dimension, sorted.
    std::vector<std::string> distinct(std::size_t mapped) const {
        std::vector<std::string> labels;
        for (std::size_t block = 0; block < order_.size(); ++block) {
            labels.push_back(label(block, mapped));
        }
        std::sort(labels.begin(), labels.end(), label_less);
        labels.erase(std::unique(labels.begin(), labels.end()), labels.end());
        return labels;
    }
    // The block with these two labels.
    std::optional<std::size_t> find(const std::string &first, const std::string &second) const {
        const auto found = std::lower_bound(order_.begin(), order_.end(), 0, [&](std::size_t block, int) {
            return label(block, 0) != first ? label_less(label(block, 0), first) : label_less(label(block, 1), second);
        });
        if (found == order_.end() || label(*found, 0) != first || label(*found, 1) != second) {
            return std::nullopt;
        }
        return *found;
    }

private:
    std::size_t mapped_;
    std::vector<std::size_t> order_;
    std::vector<std::string> labels_;
};

class Tables {
public:
    Tables(const Tensor &tensor, const TableOptions &options, const TableVisitor &visitor)
        : tensor_(tensor), options_(options), visitor_(visitor), blocks_(tensor) {
        for (const Dimension &dimension : tensor.type().dimensions()) {
            (dimension.is_mapped() ? mapped_ : indexed_).push_back(&dimension);
        }
    }

    std::size_t visit() const {
        if (blocks_.size() == 0) {
            return 0;
        }
        if (indexed_.size() >= 2) {
            return slices();
        }
        if (indexed_.empty() && mapped_.size() == 2) {
            const auto rows = blocks_.distinct(0);
            const auto columns = blocks_.distinct(1);
            if (rows.size() * columns.size() <= std::max<std::size_t>(64, 4 * blocks_.size())) {
                cross_table(rows, columns);
                return 1;
            }
        }
        visitor_.table({}, mapped_.empty() ? index_rows() : labelled_rows(), options_.rows);
        return 1;
    }

private:
    // tensor(x[n])
    Grid index_rows() const {
        Grid grid;
        grid.headings = {indexed_[0]->name};
        grid.rows = indexed_[0]->size;
        grid.row_labels = [](std::size_t row) { return std::vector{std::to_string(row)}; };
        grid.cell = [this](std::size_t row, std::size_t) { return tensor_.cell(row); };
        return grid;
    }

    // A row per block: tensor(a{},b{},...), tensor(a{},...,x[n])
    Grid labelled_rows() const {
        Grid grid;
        for (const Dimension *dimension : mapped_) {
            grid.headings.push_back(dimension->name);
        }
        grid.rows = blocks_.size();
        grid.row_labels = [this](std::size_t row) {
            std::vector<std::string> labels;
            for (std::size_t i = 0; i < mapped_.size(); ++i) {
                labels.push_back(quoted_label(blocks_.label(blocks_[row], i)));
            }
            return labels;
        };
        if (!indexed_.empty()) {
            grid.headings.back() += "\\" + indexed_[0]->name;
            grid.columns = indexed_[0]->size;
            grid.column_label = [](std::size_t column) { return std::to_string(column); };
        }
        grid.cell = [this, columns = grid.columns](std::size_t row, std::size_t column) {
            return tensor_.cell(blocks_[row] * columns + column);
        };
        return grid;
    }

    void cross_table(const std::vector<std::string> &rows, const std::vector<std::string> &columns) const {
        Grid grid;
        grid.headings = {mapped_[0]->name + "\\" + mapped_[1]->name};
        grid.rows = rows.size();
        grid.columns = columns.size();
        grid.row_labels = [&](std::size_t row) { return std::vector{quoted_label(rows[row])}; };
        grid.column_label = [&](std::size_t column) { return quoted_label(columns[column]); };
        grid.cell = [&](std::size_t row, std::size_t column) -> std::optional<double> {
            const auto block = blocks_.find(rows[row], columns[column]);
            return block ? std::optional(tensor_.cell(*block)) : std::nullopt;
        };
        visitor_.table({}, grid, options_.rows);
    }

    // A table of the last two indexed dimensions for each block and each index of the other dimensions.
    std::size_t slices() const {
        const Dimension &row = *indexed_[indexed_.size() - 2];
        const Dimension &column = *indexed_.back();
        const std::size_t table_cells = row.size * column.size;
        const std::size_t count = tensor_.cell_count() / table_cells;
        const auto shown = abridge(count, options_.slices);
        const std::size_t rows = std::max<std::size_t>(6, 2 * options_.rows / (shown.size() + 1));
        for (const auto &slice : shown) {
            if (!slice) {
                visitor_.gap();
                continue;
            }
            const std::size_t offset = first_cell(*slice, table_cells);
            Grid grid;
            grid.headings = {row.name + "\\" + column.name};
            grid.rows = row.size;
            grid.columns = column.size;
            grid.row_labels = [](std::size_t r) { return std::vector{std::to_string(r)}; };
            grid.column_label = [](std::size_t c) { return std::to_string(c); };
            grid.cell = [&](std::size_t r, std::size_t c) { return tensor_.cell(offset + r * column.size + c); };
            const bool named = count > 1 || tensor_.type().dimensions().size() > 2;
            visitor_.table(named ? slice_name(*slice) : std::string(), grid, count == 1 ? options_.rows : rows);
        }
        return count;
    }

    // Slices are counted block by block in sorted order.
    std::size_t first_cell(std::size_t slice, std::size_t table_cells) const {
        const std::size_t block_cells = tensor_.type().block_cells();
        const std::size_t per_block = block_cells / table_cells;
        return blocks_[slice / per_block] * block_cells + slice % per_block * table_cells;
    }

    // "k:a,x:0"
    std::string slice_name(std::size_t slice) const {
        std::vector<std::string> parts(mapped_.size() + indexed_.size() - 2);
        for (std::size_t i = indexed_.size() - 2; i-- > 0;) {
            parts[mapped_.size() + i] = fmt::format("{}:{}", indexed_[i]->name, slice % indexed_[i]->size);
            slice /= indexed_[i]->size;
        }
        for (std::size_t i = 0; i < mapped_.size(); ++i) {
            parts[i] = fmt::format("{}:{}", mapped_[i]->name, quoted_label(blocks_.label(blocks_[slice], i)));
        }
        return fmt::format("{{{}}}", fmt::join(parts, ","));
    }

    const Tensor &tensor_;
    const TableOptions &options_;
    const TableVisitor &visitor_;
    Blocks blocks_;
    std::vector<const Dimension *> mapped_;
    std::vector<const Dimension *> indexed_;
};

// East Asian scripts and pictographs take two columns; combining marks none.
std::size_t code_point_width(char32_t c) {
    if ((c >= 0x300 && c <= 0x36F) || (c >= 0x200B && c <= 0x200F) || (c >= 0xFE00 && c <= 0xFE0F)) {
        return 0;
    }
    const bool wide = (c >= 0x1100 && c <= 0x115F) || (c >= 0x2E80 && c <= 0xA4CF) || (c >= 0xAC00 && c <= 0xD7A3) ||
                      (c >= 0xF900 && c <= 0xFAFF) || (c >= 0xFE30 && c <= 0xFE6F) || (c >= 0xFF00 && c <= 0xFF60) ||
                      (c >= 0xFFE0 && c <= 0xFFE6) || (c >= 0x1F300 && c <= 0x1FAFF) || (c >= 0x20000 && c <= 0x3FFFD);
    return wide ? 2 : 1;
}

}  // namespace

std::size_t display_width(std::string_view text) {
    std::size_t width = 0;
    for (std::size_t i = 0; i < text.size();) {
        const auto lead = static_cast<unsigned char>(text[i]);
        const std::size_t length = lead < 0xC0 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
        char32_t c = length == 1 ? lead : lead & (0xFFu >> (length + 1));
        std::size_t used = 1;
        while (used < length && i + used < text.size() && (static_cast<unsigned char>(text[i + used]) & 0xC0) == 0x80) {
            c = (c << 6) | (static_cast<unsigned char>(text[i + used]) & 0x3F);
            ++used;
        }
        width += used == length ? code_point_width(c) : 1;
        i += used;
    }
    return width;
}

std::size_t visit_tables(const Tensor &tensor, const TableOptions &options, const TableVisitor &visitor) {
    return Tables(tensor, options, visitor).visit();
}

std::string print_table(const Tensor &tensor, const TableOptions &options) {
    if (tensor.type().is_scalar()) {
        return to_literal(tensor) + '\n';
    }
    std::string text;
    std::size_t tables = 0;
    TableVisitor visitor;
    visitor.table = [&](const std::string &slice, const Grid &grid, std::size_t most_rows) {
        ++tables;
        text += text.empty() ? "" : "\n";
        text += slice.empty() ? "" : slice + '\n';
        text += print_grid(grid, options.width, most_rows);
    };
    visitor.gap = [&] { text += "\n...\n"; };
    const std::size_t count = visit_tables(tensor, options, visitor);
    if (count == 0) {
        return "(empty)\n";
    }
    if (tables < count) {
        text += fmt::format("\n({} of {} slices)\n", tables, count);
    }
    return text;
}

}  // namespace tenrex::tool
