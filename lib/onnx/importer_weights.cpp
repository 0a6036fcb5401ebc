// The weights of a model in fewer bits, and what nothing uses once it is imported.
#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "lib/onnx/importer.h"
#include "lib/onnx/rounded_weights.h"
#include "lib/storage/derived_tensor.h"
#include "lib/storage/mapped_tensor.h"
#include "lib/types/number.h"

namespace tenrex::onnx {

const Importer::RoundedWeights *Importer::rounded_weights(const Value &weights, std::size_t summed) {
    const auto [found, is_new] = rounded_weights_.try_emplace({weights.text, summed});
    if (is_new) {
        found->second = round(weights, summed);
    }
    return found->second ? &*found->second : nullptr;
}

std::optional<Importer::RoundedWeights> Importer::round(const Value &weights, std::size_t summed) {
    const bool turned = !weights.turned.empty();
    const std::string &symbol = turned ? weights.turned : weights.text;
    const Tensor *const found = find_constant(symbol);
    if (found == nullptr || found->type().cell_type() != CellType::f32) {
        return std::nullopt;
    }
    const Tensor whole = *found;  // a copy of the handle: constants are added
    const std::string from = origin(fmt::format("{} {}", turned ? "turned" : "as they are", summed), symbol);
    if (options_.precision == ModelPrecision::bf16) {
        return RoundedWeights{add_rounded(in_bfloat16(whole, turned, is_packed(from)), from), {}, {}};
    }
    const std::size_t columns = whole.type().dimensions()[(summed == 0) == turned ? 0 : 1].size;
    const WeightColumns *const known = known_columns(from, columns);
    const bool is_known = known != nullptr && known->magnitude.size() == columns;
    WholeWeights parts = in_int8(whole, turned, summed, is_known ? known : nullptr);
    if (!from.empty()) {
        result_.columns.insert_or_assign(from, std::move(parts.columns));
    }
    std::string cells = add_rounded(std::move(parts.cells), from);
    std::string scale = add_rounded(std::move(parts.scale));
    return RoundedWeights{std::move(cells), std::move(scale), add_rounded(std::move(parts.totals))};
}

std::string Importer::add_rounded(Tensor tensor) {
    std::string symbol = fmt::format("onnx_constant({},{})", options_.name, made_++);
    schema_.constant(symbol, tensor);
    result_.constants.emplace_back(symbol, std::move(tensor));
    return symbol;
}

std::string Importer::add_rounded(Tensor tensor, const std::string &origin) {
    std::string symbol = add_rounded(with_matrices(std::move(tensor), origin));
    if (!origin.empty()) {
        result_.origins.insert_or_assign(symbol, origin);
    }
    return symbol;
}

std::string Importer::origin(std::string_view change, std::string_view symbol) const {
    const auto found = result_.origins.find(symbol);
    return found == result_.origins.end() ? std::string() : fmt::format("{} {}", change, found->second);
}

const WeightColumns *Importer::known_columns(const std::string &origin, std::size_t count) const {
    const PackedModel *const packed = options_.files == nullptr ? nullptr : options_.files->packed();
    if (packed == nullptr) {
        return nullptr;
    }
    const auto found = packed->columns.find(origin);
    return found != packed->columns.end() && found->second.totals.size() == count ? &found->second : nullptr;
}

bool Importer::is_packed(const std::string &origin) const {
    const PackedModel *const packed = options_.files == nullptr ? nullptr : options_.files->packed();
    return packed != nullptr && packed->matrices.contains(origin);
}

Tensor Importer::with_matrices(Tensor tensor, const std::string &origin) const {
    if (tensor.cell_count() == 0 || !is_packed(origin)) {
        return tensor;
    }
    if (DerivedTensor::cells_of(tensor) == nullptr) {
        const std::size_t bytes = tensor.cell_count() * byte_size(tensor.type().cell_type());
        tensor = DerivedTensor::make(tensor.type(), [tensor, bytes](std::byte *to) {
            std::memcpy(to, tensor.view().cells(), bytes);
            MappedTensor::let_go(tensor);
        });
    }
    const auto [first, last] = options_.files->packed()->matrices.equal_range(origin);
    for (auto matrix = first; matrix != last; ++matrix) {
        const auto &[order, bytes] = matrix->second;
        DerivedTensor::cells_of(tensor)->add({order, bytes, options_.files->holder_of(bytes)});
    }
    return tensor;
}

const Tensor *Importer::find_constant(std::string_view symbol) const {
    const auto found = std::find_if(result_.constants.begin(), result_.constants.end(),
                                    [&](const auto &constant) { return constant.first == symbol; });
    return found == result_.constants.end() ? nullptr : &found->second;
}

const Importer::ByteWeights *Importer::byte_weights(const Value &weights, const Value *zero) {
    const auto [found, is_new] =
        byte_weights_.try_emplace({weights.text, zero == nullptr ? std::string() : zero->text});
    if (is_new) {
        found->second = in_bytes(weights, zero);
    }
    return found->second ? &*found->second : nullptr;
}

namespace {

// Rows of a matrix of bytes, less what stands for zero: in all cells, or in those of each column.
struct BytePart {
    Tensor whole;
    std::shared_ptr<const std::vector<double>> zero;
    std::size_t columns, begin, count;

    double cell(const BorrowedCells &cells, std::size_t row, std::size_t column) const {
        const double none = zero == nullptr ? 0 : (*zero)[zero->size() == 1 ? 0 : column];
        return load_cell(whole.type().cell_type(), cells.data(), row * columns + column) - none;
    }
    void write(std::byte *to) const {
        const BorrowedCells cells(whole);
        for (std::size_t i = 0; i < count * columns; ++i) {
            store_cell(CellType::i8, to, i, cell(cells, begin + i / columns, i % columns));
        }
    }
};

// later: the cells are not made before somebody needs them.
Tensor bytes_of(const BytePart &part, bool later) {
    TensorType type = *TensorType::make(CellType::i8, {{"d0", part.count}, {"d1", part.columns}});
    const auto write = [part](std::byte *to) { part.write(to); };
    if (later) {
        return DerivedTensor::make(std::move(type), write);
    }
    TensorBuilder builder(std::move(type));
    write(static_cast<std::byte *>(builder.cells(0)));
    Tensor made = std::move(builder).build();
    return DerivedTensor::cells_of(part.whole) == nullptr ? std::move(made)
                                                          : DerivedTensor::make(std::move(made), write);
}

// The totals of columns; nothing: a cell goes beyond int8.
std::optional<std::vector<double>> totals_of(const BytePart &all) {
    std::vector<double> totals(all.columns, 0);
    const BorrowedCells cells(all.whole);
    for (std::size_t i = 0; i < all.count * all.columns; ++i) {
        const double one = all.cell(cells, i / all.columns, i % all.columns);
        if (one < -128 || one > 127) {
            return std::nullopt;
        }
        totals[i % all.columns] += one;
    }
    return totals;
}

}  // namespace

std::string Importer::origin_of_bytes(const Value &weights, const Value *zero) const {
    const std::string less = zero == nullptr ? std::string() : origin("less", zero->text);
    const bool has_name = zero == nullptr || !less.empty();
    return has_name ? origin(fmt::format("bytes {} {}", less.size(), less), weights.text) : std::string();
}

std::optional<Importer::ByteWeights> Importer::in_bytes(const Value &weights, const Value *zero) {
    const Tensor *const found = find_constant(weights.text);
    if (found == nullptr || weights.rank() != 2 || info(weights.type).kind != ElementKind::integer ||
        info(weights.type).bytes != 1 || (zero != nullptr && zero->known == nullptr)) {
        return std::nullopt;
    }
    const auto rows = static_cast<std::size_t>(weights.shape[0]);
    const auto columns = static_cast<std::size_t>(weights.shape[1]);
    if (zero != nullptr && zero->known->size() != 1 && (zero->rank() != 1 || zero->known->size() != columns)) {
        return std::nullopt;
    }
    // As many as ir::multiplied_in() adds up in float.
    constexpr std::size_t most_rows = 1024;
    const std::size_t parts = (rows + most_rows - 1) / most_rows;
    const std::size_t rows_of_part = (rows + parts - 1) / parts;
    BytePart part{*found, zero == nullptr ? nullptr : zero->known, columns, 0, rows};
    const std::string from = origin_of_bytes(weights, zero);
    const WeightColumns *const known = known_columns(from, columns);
    std::vector<Tensor> made;
    std::optional<std::vector<double>> totals;
    {
        std::optional<BorrowedCells> held;  // so that they are made once
        if (known != nullptr) {
            totals = known->totals;
        } else {
            held.emplace(part.whole);
            totals = totals_of(part);
        }
        for (; totals && part.begin < rows; part.begin += rows_of_part) {
            part.count = std::min(rows_of_part, rows - part.begin);
            made.push_back(bytes_of(part, known != nullptr));
        }
    }
    if (!totals) {
        return std::nullopt;
    }
    if (!from.empty()) {
        result_.columns.insert_or_assign(from, WeightColumns{{}, *totals});
    }
    ByteWeights result;
    result.rows_of_part = static_cast<std::int64_t>(rows_of_part);
    for (Tensor &one : made) {
        result.parts.push_back(
            add_rounded(std::move(one), from.empty() ? from : fmt::format("part {} {}", result.parts.size(), from)));
    }
    result.totals = add_rounded(*tensor_of(ElementType::f64, {weights.shape[1]}, *totals));
    return result;
}

void Importer::leave_out_unused() {
    std::set<std::string, std::less<>> used;
    for (const ModelPort &output : result_.outputs) {
        used.insert(output.symbol);
    }
    for (const ForestDeclaration &forest : result_.forests) {
        used.insert(forest.inputs.begin(), forest.inputs.end());
    }
    // All symbols begin so; they have no parentheses within.
    const auto note = [&](std::string_view text) {
        constexpr std::string_view begin = "onnx_";
        for (std::size_t at = text.find(begin); at != std::string_view::npos; at = text.find(begin, at + 1)) {
            used.emplace(text.substr(at, text.find(')', at) + 1 - at));
        }
    };
    std::vector<std::pair<std::string, std::string>> kept;
    kept.reserve(result_.definitions.size());
    for (auto definition = result_.definitions.rbegin(); definition != result_.definitions.rend(); ++definition) {
        if (used.contains(definition->first)) {
            note(definition->second);
            kept.push_back(std::move(*definition));
        }
    }
    std::reverse(kept.begin(), kept.end());
    result_.definitions = std::move(kept);
    std::erase_if(result_.constants, [&](const auto &constant) { return !used.contains(constant.first); });
}

void Importer::leave_out_unused_sizes() {
    std::set<std::string, std::less<>> used;
    for (const ModelPort &output : result_.outputs) {
        used.insert(output.symbol);
    }
    const std::string begin = fmt::format("onnx_sizes({},", options_.name);
    for (const auto &[symbol, text] : result_.definitions) {
        for (std::size_t at = text.find(begin); at != std::string::npos; at = text.find(begin, at + 1)) {
            used.insert(text.substr(at, text.find(')', at) + 1 - at));
        }
    }
    std::erase_if(result_.definitions, [&](const auto &definition) {
        return definition.first.starts_with(begin) && !used.contains(definition.first);
    });
}

}  // namespace tenrex::onnx
