#include "examples/sqlite_extension/text_features.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace tenrex::sqlite {

namespace {

using Kind = TextFeature::Kind;

struct Form {
    std::string_view base;
    std::string_view output;
    int arguments;  // a field, and a term
    Kind kind;
};

constexpr Form forms[] = {
    {"bm25", "", 1, Kind::bm25},
    {"matches", "", 1, Kind::matches},
    {"matches", "", 2, Kind::term_matches},
    {"fieldTermMatch", "occurrences", 2, Kind::occurrences},
    {"fieldTermMatch", "firstPosition", 2, Kind::first_position},
    {"fieldLength", "", 1, Kind::field_length},
    {"textSimilarity", "queryCoverage", 1, Kind::query_coverage},
    {"textSimilarity", "fieldCoverage", 1, Kind::field_coverage},
    {"exactMatch", "", 1, Kind::exact_match},
    {"prefixMatch", "", 1, Kind::prefix_match},
    {"queryTermCount", "", 0, Kind::query_term_count},
};

std::optional<int> read_number(std::string_view text) {
    int number = 0;
    const auto end = text.data() + text.size();
    const auto result = std::from_chars(text.data(), end, number);
    return result.ec == std::errc() && result.ptr == end && number >= 0 ? std::optional(number) : std::nullopt;
}

std::optional<int> find_field(std::string_view name, const std::vector<std::string> &fields) {
    const auto found = std::find(fields.begin(), fields.end(), name);
    return found != fields.end() ? static_cast<int>(found - fields.begin()) : read_number(name);
}

bool needs_length(Kind kind) {
    return kind == Kind::bm25 || kind == Kind::field_length || kind == Kind::field_coverage ||
           kind == Kind::exact_match;
}

// Counts in which fields of a row a term occurs. The term is the only one of the query that this is called for.
int count_fields(const Fts5ExtensionApi *api, Fts5Context *fts, void *counts) {
    Fts5PhraseIter position;
    int field = 0;
    const int status = api->xPhraseFirstColumn(fts, 0, &position, &field);
    for (; status == SQLITE_OK && field >= 0; api->xPhraseNextColumn(fts, &position, &field)) {
        ++(*static_cast<std::vector<double> *>(counts))[static_cast<std::size_t>(field)];
    }
    return status;
}

}  // namespace

std::optional<TextFeature> find_text_feature(std::string_view name, const std::vector<std::string> &fields) {
    const std::size_t open = std::min(name.find('('), name.size());
    const std::string_view base = name.substr(0, open);
    std::string_view arguments, output;
    if (open < name.size()) {
        const std::size_t close = name.find(')', open);
        if (close == std::string_view::npos || (close + 1 < name.size() && name[close + 1] != '.')) {
            return std::nullopt;
        }
        arguments = name.substr(open + 1, close - open - 1);
        output = name.substr(std::min(close + 2, name.size()));
    }
    const std::size_t comma = std::min(arguments.find(','), arguments.size());
    const int count = arguments.empty() ? 0 : comma < arguments.size() ? 2 : 1;
    for (const Form &form : forms) {
        if (form.base != base || form.output != output || form.arguments != count) {
            continue;
        }
        const auto field = count > 0 ? find_field(arguments.substr(0, comma), fields) : 0;
        const auto term = count > 1 ? read_number(arguments.substr(comma + 1)) : 0;
        return field && term ? std::optional(TextFeature{form.kind, *field, *term}) : std::nullopt;
    }
    return std::nullopt;
}

int TextFeatures::highest_field() const noexcept {
    int highest = -1;
    for (const TextFeature &feature : features_) {
        highest = std::max(highest, feature.kind == Kind::query_term_count ? -1 : feature.field);
    }
    return highest;
}

int TextFeatures::compute(const Fts5ExtensionApi &api, Fts5Context *fts, double *values) {
    if (!ready_) {
        if (const int status = begin(api, fts); status != SQLITE_OK) {
            return status;
        }
        ready_ = true;
    }
    if (const int status = read_row(api, fts); status != SQLITE_OK) {
        return status;
    }
    for (std::size_t i = 0; i < features_.size(); ++i) {
        values[i] = value(features_[i]);
    }
    return SQLITE_OK;
}

int TextFeatures::begin(const Fts5ExtensionApi &api, Fts5Context *fts) {
    fields_ = api.xColumnCount(fts);
    if (highest_field() >= fields_) {
        return SQLITE_RANGE;
    }
    terms_ = api.xPhraseCount(fts);
    words_ = 0;
    term_words_.clear();
    term_place_.clear();
    for (int term = 0; term < terms_; ++term) {
        term_place_.push_back(words_);
        term_words_.push_back(api.xPhraseSize(fts, term));
        words_ += term_words_.back();
    }
    matches_.resize(place(terms_, 0));
    length_.resize(static_cast<std::size_t>(fields_));
    const bool counts = std::any_of(features_.begin(), features_.end(),
                                    [](const TextFeature &feature) { return feature.kind == Kind::bm25; });
    return counts ? count_documents(api, fts) : SQLITE_OK;
}

int TextFeatures::count_documents(const Fts5ExtensionApi &api, Fts5Context *fts) {
    sqlite3_int64 rows = 0;
    if (const int status = api.xRowCount(fts, &rows); status != SQLITE_OK) {
        return status;
    }
    average_length_.clear();
    for (int field = 0; field < fields_; ++field) {
        sqlite3_int64 words = 0;
        if (const int status = api.xColumnTotalSize(fts, field, &words); status != SQLITE_OK) {
            return status;
        }
        average_length_.push_back(static_cast<double>(words) / static_cast<double>(std::max<sqlite3_int64>(rows, 1)));
    }
    rarity_.clear();
    for (int term = 0; term < terms_; ++term) {
        std::vector<double> found(static_cast<std::size_t>(fields_));
        if (const int status = api.xQueryPhrase(fts, term, &found, count_fields); status != SQLITE_OK) {
            return status;
        }
        for (const double documents : found) {
            rarity_.push_back(std::log(1 + (static_cast<double>(rows) - documents + 0.5) / (documents + 0.5)));
        }
    }
    return SQLITE_OK;
}

int TextFeatures::read_row(const Fts5ExtensionApi &api, Fts5Context *fts) {
    std::fill(matches_.begin(), matches_.end(), Match());
    int instances = 0;
    if (const int status = api.xInstCount(fts, &instances); status != SQLITE_OK) {
        return status;
    }
    for (int instance = 0; instance < instances; ++instance) {
        int term = 0, field = 0, position = 0;
        if (const int status = api.xInst(fts, instance, &term, &field, &position); status != SQLITE_OK) {
            return status;
        }
        Match &found = match(term, field);
        ++found.occurrences;
        found.first_position = found.first_position < 0 ? position : std::min(found.first_position, position);
        found.in_place = found.in_place || position == term_place_[static_cast<std::size_t>(term)];
    }
    for (const TextFeature &feature : features_) {
        int *length = &length_[static_cast<std::size_t>(feature.field)];
        if (needs_length(feature.kind)) {
            if (const int status = api.xColumnSize(fts, feature.field, length); status != SQLITE_OK) {
                return status;
            }
        }
    }
    return SQLITE_OK;
}

double TextFeatures::value(const TextFeature &feature) {
    const int field = feature.field;
    const int length = length_[static_cast<std::size_t>(field)];
    if (feature.kind == Kind::term_matches || feature.kind == Kind::occurrences ||
        feature.kind == Kind::first_position) {
        const Match found = feature.term < terms_ ? match(feature.term, field) : Match();
        constexpr int nowhere = 1000000;
        return feature.kind == Kind::term_matches  ? found.occurrences > 0
               : feature.kind == Kind::occurrences ? found.occurrences
               : found.occurrences > 0             ? found.first_position
                                                   : nowhere;
    }
    int matching = 0;
    for (int term = 0; term < terms_; ++term) {
        matching += match(term, field).occurrences > 0;
    }
    switch (feature.kind) {
        case Kind::bm25:
            return bm25(field);
        case Kind::matches:
            return matching > 0;
        case Kind::field_length:
            return length;
        case Kind::query_coverage:
            return terms_ > 0 ? static_cast<double>(matching) / terms_ : 0;
        case Kind::field_coverage:
            return length > 0 ? std::min(1.0, covered_words(field) / length) : 0;
        case Kind::exact_match:
            return length == words_ && begins_with_query(field);
        case Kind::prefix_match:
            return begins_with_query(field);
        default:
            return terms_;
    }
}

double TextFeatures::bm25(int field) {
    constexpr double k1 = 1.2, b = 0.75;
    const double average = average_length_[static_cast<std::size_t>(field)];
    const double length = length_[static_cast<std::size_t>(field)];
    const double longer = average > 0 ? length / average : 1;
    double sum = 0;
    for (int term = 0; term < terms_; ++term) {
        const double frequency = match(term, field).occurrences;
        sum += rarity_[place(term, field)] * frequency * (k1 + 1) / (frequency + k1 * (1 - b + b * longer));
    }
    return sum;
}

double TextFeatures::covered_words(int field) {
    double words = 0;
    for (int term = 0; term < terms_; ++term) {
        words += match(term, field).occurrences * term_words_[static_cast<std::size_t>(term)];
    }
    return words;
}

bool TextFeatures::begins_with_query(int field) {
    for (int term = 0; term < terms_; ++term) {
        if (!match(term, field).in_place) {
            return false;
        }
    }
    return terms_ > 0;
}

}  // namespace tenrex::sqlite
