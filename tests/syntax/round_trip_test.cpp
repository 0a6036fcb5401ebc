// Text -> tree -> text -> tree gives the same tree, for all conformance vectors and for random texts; broken texts
// never crash.
#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "lib/syntax/parser.h"
#include "lib/syntax/printer.h"
#include "tests/syntax/random_text.h"

namespace tenrex::syntax {
namespace {

constexpr std::string_view user_functions[] = {"clamp"};
constexpr Dialect dialects[] = {Dialect::core, Dialect::java};

Result<Ast> parse_in(Dialect dialect, std::string_view text) {
    ParseOptions options;
    options.dialect = dialect;
    options.user_functions = user_functions;
    return parse(text, options);
}

// Prints the tree for a dialect and parses that again.
void expect_round_trip(const Ast &ast, Dialect dialect, std::string_view text) {
    const std::string printed = to_string(ast, {dialect, false});
    const auto again = parse_in(dialect, printed);
    ASSERT_TRUE(again) << text << "\nprinted as " << printed << "\n" << again.error().render();
    EXPECT_TRUE(equal(ast.root(), again->root())) << text << "\nprinted as " << printed << "\n"
                                                  << dump(ast) << dump(*again);
    EXPECT_EQ(to_string(*again, {dialect, false}), printed) << "printing is not stable";
}

// Every span lies within that of the whole text and begins and ends at what it covers.
void expect_good_spans(const Ast &ast) {
    const Span root = ast.root().span;
    EXPECT_LE(root.begin, root.end);
    EXPECT_LE(root.end, ast.source().size());
    for (const Span comment : ast.comments()) {
        EXPECT_EQ(ast.source()[comment.begin], '#');
    }
}

struct Vector {
    std::string id;
    std::string text;
    bool is_error;
};

const std::vector<Vector> &vectors() {
    static const std::vector<Vector> all = [] {
        std::vector<Vector> result;
        std::ifstream file("tests/conformance/vectors.jsonl");
        for (std::string line; std::getline(file, line);) {
            const auto entry = nlohmann::json::parse(line);
            result.push_back({entry["id"], entry["expression"], entry.contains("error")});
            if (entry.contains("core")) {
                result.push_back({entry["id"], entry["core"], false});
            }
        }
        return result;
    }();
    return all;
}

TEST(RoundTrip, OfAllVectors) {
    ASSERT_GT(vectors().size(), 2000u) << "tests/conformance/vectors.jsonl is missing";
    for (const Vector &vector : vectors()) {
        for (const Dialect dialect : dialects) {
            const auto ast = parse_in(dialect, vector.text);
            if (!ast) {
                EXPECT_TRUE(vector.is_error) << vector.id << "\n" << ast.error().render();
                continue;
            }
            expect_good_spans(*ast);
            expect_round_trip(*ast, dialect, vector.text);
        }
        // What the core dialect means can be written in the Java dialect, too.
        if (const auto core = parse_in(Dialect::core, vector.text)) {
            expect_round_trip(*core, Dialect::java, vector.text);
        }
    }
}

TEST(RoundTrip, OfRandomTexts) {
    RandomText random(20240607);
    std::size_t bytes = 0;
    for (int i = 0; i < 20000; ++i) {
        const std::string text = random.expression();
        bytes += text.size();
        for (const Dialect dialect : dialects) {
            const auto ast = parse_in(dialect, text);
            ASSERT_TRUE(ast) << text << "\n" << ast.error().render();
            expect_good_spans(*ast);
            expect_round_trip(*ast, dialect, text);
            if (testing::Test::HasFailure()) {
                return;
            }
        }
    }
    EXPECT_GT(bytes, 500000u) << "the generator makes only small texts";
}

// The text of a node's span, parsed alone, is the node again.
TEST(Spans, CoverTheirNodes) {
    RandomText random(7);
    for (int i = 0; i < 3000; ++i) {
        const std::string text = random.expression(3);
        const auto ast = parse_in(Dialect::core, text);
        ASSERT_TRUE(ast) << text;
        const Span span = ast->root().span;
        const auto alone = parse_in(Dialect::core, std::string_view(text).substr(span.begin, span.end - span.begin));
        ASSERT_TRUE(alone) << text << "\n" << alone.error().render();
        EXPECT_TRUE(equal(ast->root(), alone->root())) << text;
        EXPECT_EQ(alone->root().span, (Span{0, span.end - span.begin})) << text;
    }
}

std::string mutate(std::string text, RandomText &random) {
    static constexpr std::string_view bytes = "()[]{}<>:,.+-*/%^=!~&|\"'\\#$@ \n\t09aefinx_\x01\xff\xc3";
    for (std::uint32_t edits = 1 + random.below(3); edits > 0; --edits) {
        const std::size_t at = text.empty() ? 0 : random.below(static_cast<std::uint32_t>(text.size()));
        const char byte = bytes[random.below(bytes.size())];
        switch (random.below(5)) {
            case 0:
                text.insert(at, 1, byte);
                break;
            case 1:
                text.erase(at, 1 + random.below(3));
                break;
            case 2:
                text.resize(at);  // ends early
                break;
            case 3:
                text += text.substr(at, random.below(20));
                break;
            default:
                if (!text.empty()) {
                    text[at] = byte;
                }
                break;
        }
    }
    return text;
}

// Broken texts are refused with a place within the text, or are other expressions, which must round-trip.
void expect_robust(const std::string &text) {
    for (const Dialect dialect : dialects) {
        const auto ast = parse_in(dialect, text);
        if (ast) {
            expect_good_spans(*ast);
            expect_round_trip(*ast, dialect, text);
            continue;
        }
        ASSERT_EQ(ast.error().issues().size(), 1u);
        const Issue &issue = ast.error().issues()[0];
        EXPECT_LE(issue.span.begin, issue.span.end) << text;
        EXPECT_LE(issue.span.end, text.size()) << text;
        EXPECT_FALSE(issue.message.empty());
        EXPECT_FALSE(ast.error().render().empty());
        EXPECT_TRUE(!issue.at_end || issue.span.begin == text.size()) << text;
    }
}

TEST(Mutations, OfVectorsNeverCrash) {
    RandomText random(99);
    for (int round = 0; round < 8; ++round) {
        for (const Vector &vector : vectors()) {
            expect_robust(mutate(vector.text, random));
            ASSERT_FALSE(testing::Test::HasFailure());
        }
    }
}

TEST(Mutations, OfRandomTextsNeverCrash) {
    RandomText random(100);
    for (int i = 0; i < 20000; ++i) {
        expect_robust(mutate(random.expression(3), random));
        ASSERT_FALSE(testing::Test::HasFailure());
    }
}

// Every prefix of an expression is refused as incomplete, is an expression, or is refused for a reason.
TEST(Prefixes, NeverCrash) {
    for (const Vector &vector : vectors()) {
        if (vector.text.size() > 60) {
            continue;
        }
        for (std::size_t length = 0; length < vector.text.size(); ++length) {
            const auto ast = parse_in(Dialect::core, vector.text.substr(0, length));
            EXPECT_TRUE(ast || ast.error().issues().size() == 1) << vector.text;
        }
    }
}

// A REPL asks for more lines as long as the text is incomplete: that must hold for all prefixes that end between
// tokens.
TEST(Prefixes, AreIncompleteUntilTheEnd) {
    const std::string text =
        "reduce ( if ( a < t { x : ( i + 1 ) } , tensor ( x [ 2 ] ) : [ 1 , 2 ] , tensor ( y { } ) : { a : "
        "1 , b : 2 } ) * 2 , sum , x ) in [ 1 , \"b\" ]";
    bool seen_complete = false;
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (text[at] != ' ') {
            continue;
        }
        const auto ast = parse(text.substr(0, at));
        if (ast) {
            seen_complete = true;  // "reduce", and everything in front of `in`
            continue;
        }
        EXPECT_TRUE(ast.error().incomplete()) << text.substr(0, at) << "\n" << ast.error().render();
    }
    EXPECT_TRUE(seen_complete);
    EXPECT_TRUE(parse(text));
}

}  // namespace
}  // namespace tenrex::syntax
