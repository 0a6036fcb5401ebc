#include "tools/rank/text_features.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <utility>

#include <fmt/format.h>

#include <tenrex/ranking.h>

#include "tools/rank/field_match.h"
#include "tools/rank/words.h"

namespace tenrex::tool {

namespace {

constexpr double length_without_match = 1000000;

}  // namespace

TextFeatures::TextFeatures(const DocumentLayout &layout, const DocumentStore &store,
                           const std::vector<FeatureProperty> &properties)
    : store_(store), documents_(store.documents()) {
    for (const DocumentLayout::Text &text : layout.texts()) {
        set_up(fields_.emplace(text.field, make_field(store, text.column)).first->second, text.field, properties);
    }
}

// The profile's compiler refuses what is no such number, if bm25 of the field is used at all.
void TextFeatures::set_up(Field &field, const std::string &name, const std::vector<FeatureProperty> &properties) {
    for (const FeatureProperty &property : properties) {
        for (const auto &[setting, number] : {std::pair("k1", &field.saturation), std::pair("b", &field.by_length),
                                              std::pair("averageFieldLength", &field.mean_length)}) {
            if (property.name == fmt::format("bm25({}).{}", name, setting)) {
                std::from_chars(property.value.data(), property.value.data() + property.value.size(), *number);
            }
        }
    }
}

TextFeatures::Field TextFeatures::make_field(const DocumentStore &store, std::size_t column) {
    Field field;
    field.column = column;
    field.lengths.reserve(store.documents());
    std::size_t all = 0;
    for (std::size_t segment = 0; segment < store.segments(); ++segment) {
        const SegmentTexts &texts = *store.segment(segment).column(column).texts();
        // The lists of this segment's words, by their numbers.
        std::vector<std::vector<Posting> *> lists(texts.numbers.size());
        for (const auto &[word, number] : texts.numbers) {
            lists[number] = &field.postings[word];
        }
        for (std::size_t i = 0, begin = 0; i < texts.ends.size(); begin = texts.ends[i++]) {
            const auto document = static_cast<std::uint32_t>(store.first(segment) + i);
            for (std::size_t at = begin; at < texts.ends[i]; ++at) {
                std::vector<Posting> &list = *lists[texts.words[at]];
                if (list.empty() || list.back().document != document) {
                    list.push_back({document, 0});
                }
                ++list.back().count;
            }
            const std::size_t length = texts.ends[i] - begin;
            field.lengths.push_back(static_cast<std::uint32_t>(length));
            field.with_text += length != 0 ? 1 : 0;
            all += length;
        }
    }
    field.mean_length = static_cast<double>(all) / static_cast<double>(std::max<std::size_t>(field.with_text, 1));
    return field;
}

const std::vector<double> *TextFeatures::values(const std::string &name) {
    std::vector<std::string> fields;
    fields.reserve(fields_.size());
    for (const auto &entry : fields_) {
        fields.push_back(entry.first);
    }
    return is_text_feature(name, fields) ? &values_.try_emplace(name, documents_).first->second : nullptr;
}

void TextFeatures::set_query(std::string_view text) {
    words_ = words_of(text);
    for (auto &[name, values] : values_) {
        if (split_feature(name).base != "fieldMatch") {
            compute(name, values);
        }
    }
    for (const auto &[name, field] : fields_) {
        compute_field_matches(field, name);
    }
}

// All outputs of a field at once.
void TextFeatures::compute_field_matches(const Field &field, const std::string &name) {
    std::vector<std::pair<std::size_t, std::vector<double> *>> outputs;
    for (auto &[feature, values] : values_) {
        const FeatureParts parts = split_feature(feature);
        if (parts.base == "fieldMatch" && parts.fields.front() == name) {
            std::fill(values.begin(), values.end(), 0);
            outputs.emplace_back(*FieldMatch::output(parts.output), &values);
        }
    }
    if (outputs.empty()) {
        return;
    }
    const std::vector<double> significant = significances();
    for (const std::uint32_t document : documents_with_words({&field})) {
        const FieldMatch match(significant, places_of(field, document));
        for (const auto &[output, values] : outputs) {
            (*values)[document] = match.value(output);
        }
    }
}

// A word that the query has twice counts twice.
void TextFeatures::add_scores(const Field &field, std::vector<double> &scores) const {
    const auto all = static_cast<double>(field.with_text);
    for (const std::string &word : words_) {
        const auto found = field.postings.find(word);
        if (found == field.postings.end()) {
            continue;
        }
        const auto having = static_cast<double>(found->second.size());
        const double weight = std::log(1 + (all - having + 0.5) / (having + 0.5));
        for (const Posting &posting : found->second) {
            const auto count = static_cast<double>(posting.count);
            const double length = static_cast<double>(field.lengths[posting.document]) / field.mean_length;
            scores[posting.document] += weight * count * (field.saturation + 1) /
                                        (count + field.saturation * (1 - field.by_length + field.by_length * length));
        }
    }
}

void TextFeatures::compute(const std::string &name, std::vector<double> &values) const {
    const FeatureParts parts = split_feature(name);
    const std::string_view base = parts.base;
    const std::vector<std::string_view> &names = parts.fields;
    if (base == "queryTermCount") {
        std::fill(values.begin(), values.end(), static_cast<double>(words_.size()));
        return;
    }
    if (base.starts_with("native")) {
        std::vector<const Field *> fields;
        for (const auto &[field_name, field] : fields_) {
            if (names.empty() || std::find(names.begin(), names.end(), field_name) != names.end()) {
                fields.push_back(&field);
            }
        }
        std::fill(values.begin(), values.end(), 0);
        add_native(base, fields, values);
        return;
    }
    const Field &field = fields_.find(names.front())->second;
    const bool is_length = base == "fieldLength";
    std::fill(values.begin(), values.end(), is_length ? length_without_match : 0);
    if (base == "bm25") {
        add_scores(field, values);
        return;
    }
    for (const std::string &word : words_) {
        const auto found = field.postings.find(word);
        for (std::size_t i = 0; found != field.postings.end() && i < found->second.size(); ++i) {
            const std::uint32_t document = found->second[i].document;
            values[document] = is_length ? static_cast<double>(field.lengths[document]) : 1;
        }
    }
}

// A word is as telling as in the field that has it most often.
std::vector<double> TextFeatures::significances() const {
    std::vector<double> significances;
    significances.reserve(words_.size());
    for (const std::string &word : words_) {
        std::size_t having = 0;
        for (const auto &entry : fields_) {
            const auto found = entry.second.postings.find(word);
            having = std::max(having, found == entry.second.postings.end() ? 0 : found->second.size());
        }
        significances.push_back(significance_of(having, documents_));
    }
    return significances;
}

std::vector<std::uint32_t> TextFeatures::documents_with_words(const std::vector<const Field *> &fields) const {
    std::vector<std::uint32_t> documents;
    for (const Field *field : fields) {
        for (const std::string &word : words_) {
            if (const auto found = field->postings.find(word); found != field->postings.end()) {
                for (const Posting &posting : found->second) {
                    documents.push_back(posting.document);
                }
            }
        }
    }
    std::sort(documents.begin(), documents.end());
    documents.erase(std::unique(documents.begin(), documents.end()), documents.end());
    return documents;
}

FieldPlaces TextFeatures::places_of(const Field &field, std::size_t document) const {
    const DocumentStore::Place place = store_.place(document);
    const SegmentTexts &texts = *place.segment->column(field.column).texts();
    const std::size_t begin = place.document == 0 ? 0 : texts.ends[place.document - 1];
    const std::size_t end = texts.ends[place.document];
    FieldPlaces found{std::vector<std::vector<std::uint32_t>>(words_.size()), end - begin};
    for (std::size_t word = 0; word < words_.size(); ++word) {
        const auto number = texts.numbers.find(words_[word]);
        for (std::size_t at = begin; number != texts.numbers.end() && at < end; ++at) {
            if (texts.words[at] == number->second) {
                found.places[word].push_back(static_cast<std::uint32_t>(at - begin));
            }
        }
    }
    return found;
}

void TextFeatures::add_native(std::string_view base, const std::vector<const Field *> &fields,
                              std::vector<double> &values) const {
    const std::vector<double> significant = significances();
    std::vector<FieldPlaces> found(fields.size());
    for (const std::uint32_t document : documents_with_words(fields)) {
        for (std::size_t i = 0; i < fields.size(); ++i) {
            found[i] = places_of(*fields[i], document);
        }
        const double match = base == "nativeProximity" ? 0 : native_field_match(significant, found);
        const double proximity = base == "nativeFieldMatch" ? 0 : native_proximity(significant, found);
        values[document] = base == "nativeRank" ? native_rank(match, proximity) : match + proximity;
    }
}

std::vector<std::uint64_t> TextFeatures::best(std::size_t count) const {
    std::vector<double> scores(documents_);
    for (const auto &entry : fields_) {
        add_scores(entry.second, scores);
    }
    TopHits top(count);
    for (std::size_t document = 0; document < documents_; ++document) {
        if (scores[document] > 0) {
            top.add(document, scores[document]);
        }
    }
    std::vector<std::uint64_t> documents;
    for (const Hit &hit : std::move(top).take()) {
        documents.push_back(hit.document);
    }
    return documents;
}

}  // namespace tenrex::tool
