#include "tests/differential/rounding.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "tests/conformance/comparison.h"

namespace tenrex::differential {
namespace {

using random::Piece;
using random::RandomExpression;
using random::RandomInput;
using random::Source;

constexpr int changes = 16;          // how often last bits are changed
constexpr double more_rounding = 8;  // a sum in another order rounds more often than once
constexpr double largest_exact = 1e6;

// Only sums make small errors of their operands large ones of the result; what else is given operands is right or
// wrong.
bool adds_up(const Piece &piece) {
    constexpr std::array<std::string_view, 4> words = {"sum", "avg", "matmul", "softmax"};
    const auto names = [&](const std::string &text) {
        return std::any_of(words.begin(), words.end(),
                           [&](std::string_view word) { return text.find(word) != std::string::npos; });
    };
    return std::any_of(piece.text.begin(), piece.text.end(), names) ||
           std::any_of(piece.parts.begin(), piece.parts.end(), adds_up);
}

// About 1, off by some units in the last place.
double near_one(CellType type, Source &source) {
    const double units = (source.chance(50) ? 1.0 : -1.0) * static_cast<double>(1 + source.below(4));
    return 1.0 + units * (type == CellType::f64 ? 0x1p-52 : 0x1p-23);
}

// The cells as they might have been rounded. bfloat16 becomes float, in which its products are added.
Tensor changed(const Tensor &tensor, Source &source) {
    const TensorType &old = tensor.type();
    if (old.cell_type() == CellType::i8) {
        return tensor;
    }
    const CellType cell_type = old.cell_type() == CellType::bf16 ? CellType::f32 : old.cell_type();
    TensorBuilder builder(old.is_scalar() ? old : *TensorType::make(cell_type, old.dimensions()));
    for (std::size_t block = 0; block < tensor.blocks(); ++block) {
        std::vector<std::string> labels;
        for (std::size_t i = 0; i < old.mapped_count(); ++i) {
            labels.push_back(tensor.label(block, i));
        }
        const std::vector<std::string_view> address(labels.begin(), labels.end());
        const std::size_t to = address.empty() ? 0 : builder.block(address);
        for (std::size_t i = 0; i < old.block_cells(); ++i) {
            const double cell = tensor.cell(block * old.block_cells() + i);
            const bool exact = cell == std::floor(cell) && std::fabs(cell) < largest_exact;
            builder.set(to, i, exact || !std::isfinite(cell) ? cell : cell * near_one(cell_type, source));
        }
    }
    return std::move(builder).build();
}

// Within lambdas: what is computed there is off by its last bit unless it is exact.
void change_parts(Piece &piece, Source &source) {
    for (Piece &part : piece.parts) {
        if (part.parts.empty()) {
            continue;
        }
        change_parts(part, source);
        if (!part.type.is_scalar()) {
            continue;
        }
        const std::string text = part.to_string();
        if (text.starts_with("elu(")) {
            // The reference computes exp(a)-1, which is 0 for a small a.
            part.text = {fmt::format("({}+{:.17g})", text, source.chance(50) ? 0x1p-53 : -0x1p-53)};
            part.parts.clear();
            continue;
        }
        part.text = {fmt::format("if({0}==floor({0})&&abs({0})<{1},{0},({0})*{2:.17g})", "(" + text + ")",
                                 largest_exact, near_one(CellType::f64, source))};
        part.parts.clear();
    }
}

bool same_addresses(const Tensor &a, const Tensor &b) {
    const std::size_t mapped = a.type().mapped_count();
    if (a.type().dimensions() != b.type().dimensions() || a.blocks() != b.blocks()) {
        return false;
    }
    for (std::size_t block = 0; block < a.blocks(); ++block) {
        for (std::size_t i = 0; i < mapped; ++i) {
            if (a.label(block, i) != b.label(block, i)) {
                return false;
            }
        }
    }
    return true;
}

}  // namespace

Rounding::Rounding(const RandomExpression &operation) {
    const bool adds = adds_up(operation.root);
    Source source(operation.seed ^ 0x20BD);
    for (int i = 0; i < changes; ++i) {
        RandomExpression other = operation;
        if (adds) {
            for (RandomInput &input : other.inputs) {
                input.value = changed(input.value, source);
            }
        }
        change_parts(other.root, source);
        const auto parsed = Expression::parse(other.text(), other.schema());
        if (!parsed) {
            continue;
        }
        if (auto value = parsed->evaluate_reference(other.values())) {
            values_.push_back(*std::move(value));
        }
    }
}

std::string Rounding::difference(const Tensor &actual, const Tensor &expected) const {
    const CellType cell_type = expected.type().cell_type();
    return conformance::difference(actual, expected, [&](double number, std::size_t cell) {
        const auto agrees = [&](double value) {
            return conformance::cells_agree(number, value, cell_type, conformance::float_tolerance);
        };
        const double wanted = expected.cell(cell);
        bool right = agrees(wanted);
        double change = 0.0;
        for (const Tensor &value : values_) {
            if (same_addresses(value, expected)) {
                right = right || agrees(value.cell(cell));
                change = std::max(change, std::fabs(value.cell(cell) - wanted));  // NaN is passed over
            }
        }
        return right || std::fabs(number - wanted) <= more_rounding * change;
    });
}

}  // namespace tenrex::differential
