#include <tenrex/columns.h>

#include <algorithm>

#include "lib/runtime/guarded.h"
#include "lib/sema/symbol_name.h"
#include "lib/support/diagnostics.h"
#include "lib/support/format.h"

namespace tenrex {

std::optional<std::size_t> Columns::find(std::string_view name) {
    const std::string normal = sema::normal_name(name);
    const std::vector<InputDeclaration> &inputs = plan_.document_inputs();
    const auto found =
        std::find_if(inputs.begin(), inputs.end(), [&](const auto &input) { return input.name == normal; });
    if (found == inputs.end()) {
        left_aside_.push_back(normal);
        return std::nullopt;
    }
    return static_cast<std::size_t>(found - inputs.begin());
}

Status Columns::put(std::size_t place, const Column &column, std::optional<std::size_t> documents) {
    columns_[place] = column;
    known_[place].is_set = true;
    known_[place].documents = documents;
    return {};
}

Status Columns::set_cells(std::string_view name, CellType type, const void *cells, std::size_t count) {
    const auto place = find(name);
    if (!place) {
        return {};
    }
    const TensorType &of_input = plan_.document_inputs()[*place].type;
    const std::size_t of_document = of_input.block_cells();
    if (!of_input.has_mapped() && !of_input.has_open() && type == of_input.cell_type() && count % of_document != 0) {
        return Error(fmt::format("the column for '{}' has {} cells, but a document has {}: its type is {}", name, count,
                                 of_document, of_input.to_string()));
    }
    return set_field(name, type, of_document, cells, of_document * byte_size(type), count / of_document);
}

Status Columns::set_field(std::string_view name, CellType type, std::size_t cells, const void *first,
                          std::size_t stride, std::size_t rows) {
    const auto place = find(name);
    if (!place) {
        return {};
    }
    const TensorType &of_input = plan_.document_inputs()[*place].type;
    if (of_input.has_mapped() || of_input.has_open()) {
        const bool has_labels = of_input.has_mapped();
        return Error(fmt::format("the column for '{}' does not fit its type {}: it has no {}", name,
                                 of_input.to_string(), has_labels ? "addresses" : "sizes"),
                     fmt::format("give it as Column::{}(...)", has_labels ? "sparse" : "ragged"));
    }
    if (type != of_input.cell_type()) {
        return Error(fmt::format("the column for '{}' has cells of type {}, but its type is {}", name,
                                 tenrex::name(type), of_input.to_string()));
    }
    if (cells != of_input.block_cells()) {
        return Error(fmt::format("the column for '{}' has {} cells for a document, but its type is {}", name, cells,
                                 of_input.to_string()));
    }
    return put(*place, Column::dense(first, static_cast<std::ptrdiff_t>(stride)), rows);
}

Status Columns::set(std::string_view name, std::span<const std::string_view> texts) {
    const auto place = find(name);
    if (!place) {
        return {};
    }
    if (!plan_.document_inputs()[*place].is_string) {
        return Error(fmt::format("the column for '{}' has texts, but its type is {}", name,
                                 plan_.document_inputs()[*place].type_text()),
                     "declare the input with the type \"string\"");
    }
    std::vector<double> &numbers = known_[*place].numbers;
    numbers.resize(texts.size());
    std::transform(texts.begin(), texts.end(), numbers.begin(), string_number);
    return put(*place, Column::dense(numbers.data(), sizeof(double)), texts.size());
}

Status Columns::set(std::string_view name, const Column &column) {
    const auto place = find(name);
    return place ? put(*place, column, std::nullopt) : Status();
}

Result<Block> Columns::block(std::size_t documents, std::size_t first) const {
    std::vector<Issue> issues;
    const auto fail = [&](std::string message, std::string_view near) {
        Issue issue;
        issue.message = std::move(message);
        issue.hint = near.empty() ? "" : fmt::format("there is one for '{}', which the plan does not use", near);
        issues.push_back(std::move(issue));
    };
    const std::vector<std::string_view> names(left_aside_.begin(), left_aside_.end());
    for (std::size_t i = 0; i < columns_.size(); ++i) {
        const InputDeclaration &input = plan_.document_inputs()[i];
        const std::size_t there = known_[i].documents.value_or(first + documents);
        if (!known_[i].is_set) {
            fail(fmt::format("there is no column for '{}' of type {}", input.name, input.type_text()),
                 nearest(input.name, names));
        } else if (there < first || there - first < documents) {
            fail(fmt::format("the column for '{}' has {} documents, {} from number {} on are asked for", input.name,
                             there, documents, first),
                 {});
        }
    }
    if (!issues.empty()) {
        return Error(std::move(issues));
    }
    return Block{documents, columns_, first};
}

}  // namespace tenrex
