// Literals: each cell gets its address in the order of the type; of cells with the same address the first one counts.
#include <algorithm>

#include "lib/sema/checker.h"
#include "lib/sema/index_label.h"
#include "lib/support/format.h"

namespace tenrex::sema {

using syntax::LiteralElement;
using syntax::LiteralNode;

struct Checker::LiteralCells {
    const syntax::TypeSpec *spec;
    const TensorType *type;
    std::vector<std::size_t> mapped_position;  // of each dimension as written: its place among the labels
    std::vector<std::uint64_t> stride;         // of each dimension as written: what one index counts in the block
    std::vector<std::string_view> labels;      // of the cell being read, in the order of the type
    std::uint64_t index = 0;                   // of the cell being read
    bool may_repeat = false;
    std::unordered_set<std::string> seen;
    std::vector<LiteralCellExpr> cells;
};

namespace {

// One text for each address: labels with their lengths in front, then the index.
std::string address_key(std::span<const std::string_view> labels, std::uint64_t index) {
    std::string key;
    const auto append = [&](std::uint64_t number) {
        for (; number >= 0x80; number >>= 7) {
            key += static_cast<char>(0x80 | (number & 0x7f));
        }
        key += static_cast<char>(number);
    };
    for (std::string_view label : labels) {
        append(label.size());
        key += label;
    }
    append(index);
    return key;
}

}  // namespace

Expr *Checker::check_literal(const LiteralNode &node) {
    LiteralCells cells;
    cells.spec = node.type;
    cells.type = type_of_spec(*node.type);
    if (cells.type == nullptr) {
        return nullptr;
    }
    for (const syntax::DimensionSpec &dimension : node.type->dimensions) {
        const std::size_t position = *cells.type->find(dimension.name.text);
        std::size_t mapped = 0;
        std::uint64_t stride = 1;
        for (std::size_t i = 0; i < cells.type->dimensions().size(); ++i) {
            const Dimension &other = cells.type->dimensions()[i];
            mapped += i < position && other.is_mapped();
            stride *= i > position && other.is_indexed() ? other.size : 1;
        }
        cells.mapped_position.push_back(mapped);
        cells.stride.push_back(stride);
    }
    cells.labels.resize(cells.type->mapped_count());
    cells.may_repeat = node.verbose || cells.type->has_mapped();
    const bool good = node.verbose ? verbose_cells(node, cells) : short_cells(node.body, 0, cells);
    return good ? builder_.literal(cells.cells, cells.type, node.span) : nullptr;
}

bool Checker::add_cell(const syntax::Node &value, Span address, LiteralCells &cells) {
    Expr *cell = check_scalar(value, "a cell");
    if (cells.may_repeat && !cells.seen.insert(address_key(cells.labels, cells.index)).second) {
        diagnostics_.warning(address, "the literal has two cells with this address; the first one counts");
        return cell != nullptr;
    }
    if (cell == nullptr) {
        return false;
    }
    // The cells of one block share their labels.
    std::span<const std::string_view> labels;
    if (!cells.cells.empty()) {
        labels = cells.cells.back().labels;
    }
    if (!std::equal(labels.begin(), labels.end(), cells.labels.begin(), cells.labels.end())) {
        std::vector<std::string_view> copies;
        for (std::string_view label : cells.labels) {
            copies.push_back(builder_.copy(label));
        }
        labels = builder_.copy(copies);
    }
    cells.cells.push_back({labels, cells.index, builder_.use(cell)});
    return true;
}

bool Checker::verbose_cells(const LiteralNode &node, LiteralCells &cells) {
    bool good = true;
    std::vector<char> given;
    for (const syntax::LiteralCell &cell : node.cells) {
        if (full_) {
            return false;
        }
        cells.index = 0;
        given.assign(cells.spec->dimensions.size(), 0);
        for (const syntax::AddressPart &part : cell.address) {
            std::size_t i = 0;
            while (cells.spec->dimensions[i].name.text != part.dimension.text) {
                ++i;
            }
            const syntax::DimensionSpec &dimension = cells.spec->dimensions[i];
            if (given[i] != 0) {
                diagnostics_.warning(part.dimension.span,
                                     fmt::format("dimension '{}' is named twice in the address; the first label counts",
                                                 part.dimension.text));
            } else if (dimension.size == 0) {
                cells.labels[cells.mapped_position[i]] = part.label;
            } else {
                const IndexLabel index = index_label(part.label, dimension.name.text, dimension.size);
                cells.index += index.value * cells.stride[i];
            }
            given[i] = 1;
        }
        const Span last = cell.address.empty() ? cell.span : cell.address.back().label_span;
        good = add_cell(*cell.value, {cell.span.begin, last.end}, cells) && good;
    }
    return good;
}

bool Checker::short_cells(const LiteralElement &element, std::size_t level, LiteralCells &cells) {
    if (full_) {
        return false;
    }
    if (element.value != nullptr) {
        return add_cell(*element.value, element.span, cells);
    }
    const syntax::DimensionSpec &dimension = cells.spec->dimensions[level];
    const bool mapped = dimension.size == 0;
    bool good = true;
    // An empty list is the short way to write zeros, or no block; one that ends too early may be a mistake.
    if (!element.is_map && !element.children.empty() && element.children.size() < dimension.size) {
        diagnostics_.warning(element.span,
                             fmt::format("the list has {} of the {} elements of dimension {}[{}]",
                                         element.children.size(), dimension.size, dimension.name.text, dimension.size),
                             "the others are 0");
    }
    const std::uint64_t index = cells.index;
    for (std::size_t i = 0; i < element.children.size(); ++i) {
        const LiteralElement &child = element.children[i];
        if (mapped) {
            cells.labels[cells.mapped_position[level]] = child.label;
        } else {
            cells.index = index + i * cells.stride[level];
        }
        good = short_cells(child, level + 1, cells) && good;
    }
    cells.index = index;
    return good;
}

}  // namespace tenrex::sema
