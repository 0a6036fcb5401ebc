#include "tools/rank/field_match.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tools/rank/words.h"

namespace tenrex::tool {
namespace {

FieldPlaces places_in(const std::string &query, const std::string &text) {
    const std::vector<std::string> words = words_of(text);
    FieldPlaces field{{}, words.size()};
    for (const std::string &word : words_of(query)) {
        std::vector<std::uint32_t> &places = field.places.emplace_back();
        for (std::size_t at = 0; at < words.size(); ++at) {
            if (words[at] == word) {
                places.push_back(static_cast<std::uint32_t>(at));
            }
        }
    }
    return field;
}

double output_of(const std::string &name, const std::string &query, const std::string &text,
                 std::vector<double> significances = {}) {
    const FieldPlaces field = places_in(query, text);
    significances.resize(field.places.size(), 0.1);
    return FieldMatch(significances, field).value(*FieldMatch::output(name));
}

// So many words that are no part of any query.
std::string others(std::size_t count) {
    std::string text;
    for (std::size_t i = 0; i < count; ++i) {
        text += " o";
    }
    return text + " ";
}

using Outputs = std::vector<std::pair<std::string, double>>;

void expect(const std::string &query, const std::string &text, const Outputs &outputs) {
    for (const auto &[name, value] : outputs) {
        EXPECT_NEAR(output_of(name, query, text), value, 1e-12)
            << name << " of \"" << query << "\" in \"" << text << "\"";
    }
}

TEST(FieldMatch, OfTheQueryItself) {
    for (const std::string query : {"red", "red fox", "the red fox jumps over it"}) {
        const auto words = static_cast<double>(words_of(query).size());
        expect(query, query,
               {{"", 1},
                {"proximity", 1},
                {"unweightedProximity", 1},
                {"absoluteProximity", 0.1},
                {"completeness", 1},
                {"queryCompleteness", 1},
                {"fieldCompleteness", 1},
                {"orderness", 1},
                {"relatedness", 1},
                {"earliness", 1},
                {"longestSequenceRatio", 1},
                {"segmentProximity", 1},
                {"occurrence", 1},
                {"absoluteOccurrence", 0.01},
                {"weightedOccurrence", 1 / words},
                {"significantOccurrence", 1 / words},
                {"weight", 1},
                {"significance", 1},
                {"importance", 1},
                {"segments", 1},
                {"matches", words},
                {"longestSequence", words},
                {"head", 0},
                {"tail", 0},
                {"gaps", 0},
                {"gapLength", 0},
                {"outOfOrder", 0},
                {"segmentDistance", 0},
                {"degradedMatches", 0}});
    }
}

TEST(FieldMatch, OfNothing) {
    for (const auto &[query, text] :
         {std::pair("red", "fox"), std::pair("", "fox"), std::pair("red", ""), std::pair("", "")}) {
        for (const char *name : {"", "proximity", "orderness", "completeness", "earliness", "head", "tail", "segments",
                                 "longestSequence", "importance"}) {
            expect(query, text, {{name, 0}});
        }
    }
    EXPECT_FALSE(FieldMatch::output("closeness"));
}

TEST(FieldMatch, GapsAndOrderWithinSegments) {
    expect("red fox jumps", "red jumps fox",
           {{"outOfOrder", 1}, {"gaps", 2}, {"gapLength", 2}, {"orderness", 0.5}, {"segments", 1}});
    expect("red fox jumps", "jumps fox red", {{"outOfOrder", 2}, {"orderness", 0}, {"unweightedProximity", 0.33}});
    expect("red fox", "fox red", {{"gaps", 1}, {"gapLength", 1}, {"unweightedProximity", 0.33}});
    expect("red fox jumps", "red o fox o jumps",
           {{"gaps", 2}, {"gapLength", 2}, {"outOfOrder", 0}, {"proximity", 0.71}});
    expect("red fox jumps", "red o jumps o fox", {{"gaps", 2}, {"gapLength", 5}, {"outOfOrder", 1}});
    expect("red fox jumps", "red fox o jumps", {{"unweightedProximity", 0.855}, {"longestSequence", 2}, {"gaps", 1}});
    // A word that the field lacks is a gap of the query.
    expect("red sly fox", "red fox", {{"gaps", 1}, {"gapLength", 0}, {"matches", 2}, {"unweightedProximity", 1}});
    // Nine words between them are near enough in a segment, ten are not.
    expect("red fox", "red" + others(8) + "fox", {{"segments", 1}, {"unweightedProximity", 0.06}});
    expect("red fox", "red" + others(9) + "fox", {{"segments", 2}, {"unweightedProximity", 1}});
}

TEST(FieldMatch, ChoosesSegments) {
    // The later place has all words together.
    expect("red fox jumps over", "red fox" + others(17) + "jumps over o o red fox jumps over",
           {{"segments", 1}, {"longestSequence", 4}, {"head", 23}, {"tail", 0}, {"unweightedProximity", 1}});
    expect("red fox jumps", "fox jumps" + others(19) + "red",
           {{"segments", 2},
            {"gaps", 0},
            {"outOfOrder", 0},
            {"relatedness", 0.5},
            {"segmentDistance", 22},
            {"segmentProximity", 0},
            {"head", 0},
            {"tail", 0}});
    expect("red fox jumps", others(3) + "red" + others(19) + "fox o o jumps o o",
           {{"segments", 2}, {"gaps", 1}, {"head", 3}, {"tail", 2}, {"segmentDistance", 21}});
    expect("fox red o", "fox fox fox", {{"matches", 1}, {"segments", 1}, {"queryCompleteness", 1. / 3}});
}

TEST(FieldMatch, RepeatedWords) {
    // Words of the query may stand for one place; no more of them count than the field has words.
    expect("red red red", "red",
           {{"matches", 1}, {"weight", 1. / 3}, {"orderness", 0}, {"occurrence", 1}, {"earliness", 1}});
    expect("red", "red red red", {{"matches", 1}, {"occurrence", 1}, {"absoluteOccurrence", 0.03}, {"orderness", 1}});
    expect("red fox", "red fox fox red red red red red fox red red fox red red",
           {{"occurrence", 1}, {"absoluteOccurrence", 0.07}, {"weightedOccurrence", 0.5}});
    expect("red fox", "red red fox fox fox fox o o o o", {{"weightedOccurrence", 0.3}, {"significantOccurrence", 0.3}});
    std::string many;
    for (int i = 0; i < 150; ++i) {
        many += "red ";
    }
    expect("red", many, {{"occurrence", 1}, {"absoluteOccurrence", 1}, {"fieldCompleteness", 1. / 150}});
}

TEST(FieldMatch, Completeness) {
    expect("red", "red fox", {{"completeness", 0.975}, {"fieldCompleteness", 0.5}});
    expect("red fox", "red", {{"completeness", 0.525}, {"queryCompleteness", 0.5}});
    expect("fox", "red fox jumps", {{"earliness", 0.8}, {"head", 1}, {"tail", 1}});
    expect("red fox jumps", "o red fox" + others(5) + "jumps o o o", {{"earliness", 1 - 1. / 11}});
    // 0.9 * 0.71 * 0.975^2 for words two apart in four, and the other parts.
    expect("red fox", "red o fox o", {{"", (0.9 * 0.71 * 0.975 * 0.975 + 0.05 * (1 + 1 + 0.5)) / 1.05}});
}

TEST(FieldMatch, Significance) {
    EXPECT_NEAR(output_of("significance", "red fox jumps", "fox jumps", {0.1, 0.1, 0.2}), 0.75, 1e-12);
    EXPECT_NEAR(output_of("importance", "red fox jumps", "fox jumps", {0.1, 0.1, 0.2}), (0.75 + 2. / 3) / 2, 1e-12);
    EXPECT_NEAR(output_of("significantOccurrence", "red fox", "red red fox fox fox fox o o o o", {0.1, 0.2}), 1. / 3,
                1e-12);
    EXPECT_EQ(output_of("significance", "red fox", "red fox", {0, 0}), 0);
}

// However often the words occur, only so many segmentations are looked at.
TEST(FieldMatch, EndsWithManyPlaces) {
    constexpr std::uint32_t length = 300000;
    FieldPlaces field{std::vector<std::vector<std::uint32_t>>(100), length};
    for (std::uint32_t place = 0; place < length; ++place) {
        for (std::size_t word = place % 3; place % 3 != 2 && word < field.places.size(); word += 2) {
            field.places[word].push_back(place);
        }
    }
    const FieldMatch match(std::vector<double>(field.places.size(), 0.5), field);
    EXPECT_EQ(match.value(*FieldMatch::output("queryCompleteness")), 1);
    EXPECT_EQ(match.value(*FieldMatch::output("segments")), 1);
}

}  // namespace
}  // namespace tenrex::tool
