#include "tools/rank/document_layout.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "tools/rank/words.h"

namespace tenrex::tool {

DocumentLayout::DocumentLayout(const RankProfile &profile, bool features, Searched searched)
    : attributes_(profile.attributes()), searched_(std::move(searched)) {
    for (const std::vector<ColumnNeed> *const needs :
         {&profile.first_phase().columns, &profile.second_phase().columns, &profile.global_phase().normalized.columns,
          &profile.global_phase().columns, &profile.features().columns}) {
        if (needs != &profile.features().columns || features) {
            std::for_each(needs->begin(), needs->end(), [&](const ColumnNeed &need) { add(need); });
        }
    }
    for (const RankPhase *const phase :
         {&profile.first_phase(), &profile.second_phase(), static_cast<const RankPhase *>(&profile.global_phase())}) {
        for (const FunctionPlan &function : phase->functions) {
            std::for_each(function.columns.begin(), function.columns.end(), [&](const ColumnNeed &need) { add(need); });
        }
    }
    for (const std::string &name : searched_.vectors) {
        const auto found = std::find_if(attributes_.begin(), attributes_.end(),
                                        [&](const Attribute &attribute) { return attribute.name == name; });
        add({fmt::format("attribute({})", name), found->type, ColumnSource::attribute, name});
    }
    for (const std::string &field : searched_.texts) {
        texts_.push_back({field, columns_.size()});
        add_column(field, {fmt::format("words({})", field), TensorType(), ColumnSource::attribute, field}, Form::words);
    }
    for (const Attribute &attribute : attributes_) {
        const auto &names = searched_.embedded;
        if (std::find(names.begin(), names.end(), attribute.name) != names.end()) {
            add_embedded(attribute);
        }
    }
}

// If a plan or a search needs it.
void DocumentLayout::add_embedded(const Attribute &attribute) {
    const auto field = find(attribute.name, 0);
    const std::size_t column = attribute_column(attribute.name);
    if (!field || column == columns_.size()) {
        return;
    }
    fields_[*field].is_made = true;
    // A value with labels has a vector for each text of a list.
    Embedded embedded{*field, attribute.type, *attribute.embedded, {}};
    const Form form = attribute.type.has_mapped() ? Form::texts : Form::text;
    embedded.columns.reserve(embedded.text.parts.size());
    for (const TextPart &part : embedded.text.parts) {
        embedded.columns.push_back(part.is_field ? text_column(part.text, form) : 0);
    }
    embedded_.push_back(std::move(embedded));
}

std::size_t DocumentLayout::text_column(const std::string &field, Form form) {
    const std::string name = fmt::format("text({})", field);
    for (std::size_t i = 0; i < columns_.size(); ++i) {
        if (forms_[i] == form && columns_[i].name == name) {
            return i;
        }
    }
    add_column(field, {name, TensorType(), ColumnSource::attribute, field}, form);
    return columns_.size() - 1;
}

std::size_t DocumentLayout::attribute_column(std::string_view name) const noexcept {
    const auto found = std::find_if(columns_.begin(), columns_.end(), [&](const ColumnNeed &column) {
        return column.source == ColumnSource::attribute && column.argument == name && !column.type.is_scalar();
    });
    return static_cast<std::size_t>(found - columns_.begin());
}

void DocumentLayout::add(const ColumnNeed &need) {
    const bool of_documents = need.source == ColumnSource::attribute || need.source == ColumnSource::labels ||
                              need.source == ColumnSource::structs || need.source == ColumnSource::host;
    const bool known = std::any_of(columns_.begin(), columns_.end(),
                                   [&](const ColumnNeed &column) { return column.name == need.name; });
    if (!of_documents || known || (need.source == ColumnSource::host && is_text_feature(need.name, searched_.texts))) {
        return;
    }
    const Attribute *const read = attribute(need);
    // A member of a struct is read from the struct.
    const std::string name = need.source == ColumnSource::host    ? need.name
                             : read != nullptr && read->of_struct ? need.argument.substr(0, need.argument.find('.'))
                                                                  : need.argument;
    add_column(name, need);
}

void DocumentLayout::add_column(const std::string &name, const ColumnNeed &need, Form form) {
    const auto field = find(name, 0);
    if (!field) {
        numbers_.emplace(name, fields_.size());
        fields_.push_back({name, {columns_.size()}});
    } else {
        fields_[*field].columns.push_back(columns_.size());
    }
    columns_.push_back(need);
    forms_.push_back(form);
}

const Attribute *DocumentLayout::attribute(std::size_t column) const noexcept {
    return attribute(columns_[column]);
}

const Attribute *DocumentLayout::attribute(const ColumnNeed &need) const noexcept {
    const auto found = std::find_if(attributes_.begin(), attributes_.end(),
                                    [&](const Attribute &attribute) { return attribute.name == need.argument; });
    return need.source == ColumnSource::host || found == attributes_.end() ? nullptr : &*found;
}

std::optional<std::size_t> DocumentLayout::find(std::string_view name, std::size_t hint) const noexcept {
    if (hint < fields_.size() && fields_[hint].name == name) {
        return hint;
    }
    const auto found = numbers_.find(name);
    return found == numbers_.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace tenrex::tool
