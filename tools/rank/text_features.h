// Features of texts that need no engine: of an inverted index of fields, which is made when the documents are there.
//
//   bm25(field)          Vespa's formula, with k1 = 1.2 and b = 0.75, if the profile's rank-properties say nothing else
//   fieldLength(field)   words of the field; 1000000 of a document whose field has no word of the query
//   matches(field)       1 if the field has a word of the query
//   queryTermCount       words of the query
//   fieldMatch(field)    how well the field matches the query, and fieldMatch(field).OUTPUT (field_match.h)
//   nativeRank(field,...), nativeFieldMatch(field,...), nativeProximity(field,...)
//                        how early, how often and how close together the words stand (native_rank.h); without fields:
//                        in all
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "tools/rank/document_store.h"
#include "tools/rank/native_rank.h"

namespace tenrex::tool {

class TextFeatures {
public:
    // The store must live as long.
    TextFeatures(const DocumentLayout &layout, const DocumentStore &store,
                 const std::vector<FeatureProperty> &properties);

    // Computes the features that were asked for, for a query.
    void set_query(std::string_view text);
    // The values of all documents, of the present query. Null: there is no such feature. The place stays the same.
    const std::vector<double> *values(const std::string &name);

    // The documents that have most of the query in any of the fields, by the sum of bm25; at most that many.
    std::vector<std::uint64_t> best(std::size_t count) const;

private:
    struct Posting {
        std::uint32_t document;
        std::uint32_t count;
    };
    struct Field {
        std::unordered_map<std::string, std::vector<Posting>> postings;
        std::vector<std::uint32_t> lengths;  // of each document, in words
        std::size_t with_text = 0;           // documents that have any
        std::size_t column = 0;              // of the store
        double mean_length = 0;
        double saturation = 1.2;  // k1 of bm25
        double by_length = 0.75;  // b
    };
    static void set_up(Field &field, const std::string &name, const std::vector<FeatureProperty> &properties);
    static Field make_field(const DocumentStore &store, std::size_t column);
    void add_scores(const Field &field, std::vector<double> &scores) const;
    void compute(const std::string &name, std::vector<double> &values) const;
    void add_native(std::string_view base, const std::vector<const Field *> &fields, std::vector<double> &values) const;
    void compute_field_matches(const Field &field, const std::string &name);
    FieldPlaces places_of(const Field &field, std::size_t document) const;
    std::vector<double> significances() const;
    std::vector<std::uint32_t> documents_with_words(const std::vector<const Field *> &fields) const;

    const DocumentStore &store_;
    std::size_t documents_;
    std::map<std::string, Field, std::less<>> fields_;
    std::map<std::string, std::vector<double>> values_;
    std::vector<std::string> words_;  // of the query
};

}  // namespace tenrex::tool
