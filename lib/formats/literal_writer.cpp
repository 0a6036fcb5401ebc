#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

#include <tenrex/formats.h>

#include "lib/formats/write_lists.h"
#include "lib/storage/block_order.h"
#include "lib/support/format.h"
#include "lib/types/number.h"
#include "lib/types/quoted_text.h"

namespace tenrex {

namespace {

class LiteralWriter {
public:
    explicit LiteralWriter(const TensorView &tensor)
        : tensor_(tensor), type_(tensor.type()), cells_(type_.cell_type(), tensor.cells(), tensor.cell_count()) {
        for (const Dimension &dimension : type_.dimensions()) {
            (dimension.is_mapped() ? mapped_ : indexed_).push_back(&dimension);
        }
    }

    std::string write(LiteralStyle style) {
        if (type_.is_scalar()) {
            append_cell(0);
        } else if (style == LiteralStyle::verbose) {
            out_ += type_.to_string();
            out_ += ':';
            write_verbose();
        } else {
            write_type();
            out_ += ':';
            write_shortest();
        }
        return std::move(out_);
    }

private:
    void append_cell(std::size_t index) { cells_.append(out_, index); }

    // Brackets nest in the order in which the type is written. Mapped dimensions come first, so that each block stands
    // in one piece; in most types they do so anyway.
    void write_type() {
        std::string text = type_.to_string();
        text.resize(text.find('(') + 1);
        for (const Dimension *dimension : mapped_) {
            fmt::format_to(std::back_inserter(text), "{}{{}},", dimension->name);
        }
        for (const Dimension *dimension : indexed_) {
            fmt::format_to(std::back_inserter(text), "{}[{}],", dimension->name, dimension->size);
        }
        text.back() = ')';
        out_ += text;
    }

    void write_shortest() {
        if (mapped_.empty()) {
            write_list(0);
            return;
        }
        const std::vector<std::size_t> order = nested_order(tensor_);
        std::size_t open = 0;  // how many of the labels before stand in front of this block, too
        out_ += '{';
        for (std::size_t i = 0; i < order.size(); ++i) {
            const auto address = tensor_.address(order[i]);
            if (i > 0) {
                const auto before = tensor_.address(order[i - 1]);
                open = 0;
                while (before[open] == address[open]) {
                    ++open;
                }
                out_.append(mapped_.size() - 1 - open, '}');
                out_ += ',';
            }
            for (std::size_t label = open; label < mapped_.size(); ++label) {
                append_label(out_, tensor_.label(order[i], label));
                out_ += label + 1 < mapped_.size() ? ":{" : ":";
            }
            write_list(order[i] * type_.block_cells());
        }
        out_.append(order.empty() ? 1 : mapped_.size(), '}');
    }

    void write_list(std::size_t begin) {
        write_lists(out_, indexed_, begin, type_.block_cells(), [this](std::size_t cell) { append_cell(cell); });
    }

    void write_verbose() {
        std::vector<std::string> labels(mapped_.size());
        std::vector<std::uint64_t> indexes(indexed_.size());
        std::size_t cell = 0;
        char separator = '{';
        for (std::size_t block = 0; block < tensor_.blocks(); ++block) {
            for (std::size_t i = 0; i < labels.size(); ++i) {
                labels[i] = quoted_label(tensor_.label(block, i));
            }
            for (std::size_t i = 0; i < type_.block_cells(); ++i) {
                out_ += separator;
                write_address(labels, indexes);
                out_ += ':';
                append_cell(cell++);
                separator = ',';
                advance(indexes);
            }
        }
        out_ += separator == '{' ? "{}" : "}";
    }

    void write_address(const std::vector<std::string> &labels, const std::vector<std::uint64_t> &indexes) {
        std::size_t mapped = 0;
        std::size_t indexed = 0;
        char separator = '{';
        for (const Dimension &dimension : type_.dimensions()) {
            out_ += separator;
            out_ += dimension.name;
            out_ += ':';
            out_ += dimension.is_mapped() ? labels[mapped++] : fmt::format_int(indexes[indexed++]).str();
            separator = ',';
        }
        out_ += '}';
    }

    void advance(std::vector<std::uint64_t> &indexes) {
        for (std::size_t i = indexes.size(); i-- > 0;) {
            if (++indexes[i] < indexed_[i]->size) {
                return;
            }
            indexes[i] = 0;
        }
    }

    const TensorView &tensor_;
    const TensorType &type_;
    CellWriter cells_;
    std::vector<const Dimension *> mapped_;
    std::vector<const Dimension *> indexed_;
    std::string out_;
};

}  // namespace

std::string to_literal(const TensorView &tensor, LiteralStyle style) {
    return LiteralWriter(tensor).write(style);
}

std::string to_literal(const Tensor &tensor, LiteralStyle style) {
    if (tensor.is_string()) {
        std::string quoted;
        append_quoted(quoted, tensor.text());
        return quoted;
    }
    return to_literal(tensor.view(), style);
}

}  // namespace tenrex
