#include "tools/rank/text_features.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include <tenrex/ranking.h>

#include "tools/rank/words.h"

namespace tenrex::tool {

namespace {

constexpr double saturation = 1.2;  // k1 of bm25
constexpr double by_length = 0.75;  // b
constexpr double length_without_match = 1000000;

}  // namespace

TextFeatures::TextFeatures(const DocumentLayout &layout, const DocumentStore &store) : documents_(store.documents()) {
    for (const DocumentLayout::Text &text : layout.texts()) {
        fields_.emplace(text.field, make_field(store, text.column));
    }
}

TextFeatures::Field TextFeatures::make_field(const DocumentStore &store, std::size_t column) {
    Field field;
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
        compute(name, values);
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
            scores[posting.document] +=
                weight * count * (saturation + 1) / (count + saturation * (1 - by_length + by_length * length));
        }
    }
}

void TextFeatures::compute(const std::string &name, std::vector<double> &values) const {
    const auto [base, field_name] = split_feature(name);
    if (base == "queryTermCount") {
        std::fill(values.begin(), values.end(), static_cast<double>(words_.size()));
        return;
    }
    const Field &field = fields_.find(field_name)->second;
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
