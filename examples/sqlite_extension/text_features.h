// Text features of the rows that an FTS5 query finds, from what FTS5 tells an auxiliary function about them.
//
// Uses no function of SQLite but those that FTS5 hands over, so it serves loadable extensions and programs that link
// SQLite alike.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <sqlite3.h>

namespace tenrex::sqlite {

// A term is a phrase of the query: a word, a prefix such as net*, or "several words". They are numbered from 0.
struct TextFeature {
    enum class Kind : std::uint8_t {
        bm25,              // bm25(field), k1 = 1.2 and b = 0.75, with document frequencies and lengths of the field
        matches,           // matches(field): 1 if a term occurs in the field
        term_matches,      // matches(field,term): 1 if that term does
        occurrences,       // fieldTermMatch(field,term).occurrences
        first_position,    // fieldTermMatch(field,term).firstPosition; 1000000 if it does not occur
        field_length,      // fieldLength(field): its words
        query_coverage,    // textSimilarity(field).queryCoverage: the part of the terms that occur in the field
        field_coverage,    // textSimilarity(field).fieldCoverage: the part of the field's words that terms cover
        exact_match,       // exactMatch(field): 1 if the field consists of the terms in their order
        prefix_match,      // prefixMatch(field): 1 if it begins with them
        query_term_count,  // queryTermCount
    };

    Kind kind = Kind::query_term_count;
    int field = 0;  // column of the table
    int term = 0;
};

// The feature of that name, or nothing. A field is called as in the list, whose order is that of the table's columns,
// or by its number, counted from 0.
std::optional<TextFeature> find_text_feature(std::string_view name, const std::vector<std::string> &fields);

// Computes features of the rows of one query.
class TextFeatures {
public:
    explicit TextFeatures(std::vector<TextFeature> features) : features_(std::move(features)) {}

    std::size_t size() const noexcept { return features_.size(); }
    // The highest column that a feature speaks of; -1 if there is none.
    int highest_field() const noexcept;
    // Writes a value for each feature of the row that an auxiliary function is called for. The first call counts how
    // often the terms occur in the whole table. Gives an error code of SQLite.
    int compute(const Fts5ExtensionApi &api, Fts5Context *fts, double *values);
    // Another query follows.
    void forget_query() noexcept { ready_ = false; }

private:
    // What the terms of a row have to do with a field.
    struct Match {
        int occurrences = 0;
        int first_position = -1;
        bool in_place = false;  // it stands where it would if the field began with the query
    };

    int begin(const Fts5ExtensionApi &api, Fts5Context *fts);
    int count_documents(const Fts5ExtensionApi &api, Fts5Context *fts);
    int read_row(const Fts5ExtensionApi &api, Fts5Context *fts);
    // Of a term and a field among all of them; with the number of terms, how many there are.
    std::size_t place(int term, int field) const noexcept {
        return static_cast<std::size_t>(term) * static_cast<std::size_t>(fields_) + static_cast<std::size_t>(field);
    }
    Match &match(int term, int field) { return matches_[place(term, field)]; }
    double value(const TextFeature &feature);
    double bm25(int field);
    double covered_words(int field);
    bool begins_with_query(int field);

    std::vector<TextFeature> features_;

    // Of the query.
    bool ready_ = false;
    int fields_ = 0;
    int terms_ = 0;
    int words_ = 0;  // of all terms
    std::vector<int> term_words_;
    std::vector<int> term_place_;  // the words of the terms before
    std::vector<double> rarity_;   // term by term, field by field
    std::vector<double> average_length_;

    // Of the row.
    std::vector<Match> matches_;  // term by term, field by field
    std::vector<int> length_;     // of the fields that a feature needs it of
};

}  // namespace tenrex::sqlite
