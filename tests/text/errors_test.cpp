// Files that cannot be read as tokenizers, and what is said of them.
#include <string>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tenrex/tokenizer.h>

namespace tenrex {
namespace {

using testing::HasSubstr;

// A file with a small model, and members beside it.
std::string file_with(
    std::string_view members,
    std::string_view model = R"({"type":"WordLevel","vocab":{"a":0,"[UNK]":1},"unk_token":"[UNK]"})") {
    return fmt::format("{{{}\"model\":{}}}", members, model);
}

std::string failure(std::string_view json) {
    const auto tokenizer = Tokenizer::read(json);
    return tokenizer ? "none" : tokenizer.error().message();
}

TEST(TokenizerErrors, ReadsWhatIsRight) {
    EXPECT_EQ(failure(file_with("")), "none");
    EXPECT_EQ(failure(file_with(R"("normalizer":null,"pre_tokenizer":null,"padding":{"x":1},"added_tokens":[],)")),
              "none");
}

TEST(TokenizerErrors, NamesThePlace) {
    const auto tokenizer = Tokenizer::read("{\n \"model\": {\n  \"type\": \"Other\"}}");
    EXPECT_THAT(tokenizer.error().message(), HasSubstr("3:11: the model \"Other\" is not supported (supported: BPE,"));
}

TEST(TokenizerErrors, NamesPartsThatAreNotKnown) {
    EXPECT_THAT(failure(file_with(R"("normalizer":{"type":"Odd"},)")), HasSubstr("the normalizer \"Odd\""));
    EXPECT_THAT(failure(file_with(R"("pre_tokenizer":{"type":"Odd"},)")), HasSubstr("the pre-tokenizer \"Odd\""));
    EXPECT_THAT(failure(file_with(R"("post_processor":{"type":"Odd"},)")), HasSubstr("the post-processor \"Odd\""));
    EXPECT_THAT(failure(file_with(R"("truncation":{"max_length":8,"strategy":"Odd"},)")),
                HasSubstr("no strategy \"Odd\""));
    EXPECT_THAT(failure(file_with(R"("pre_tokenizer":{"type":"Split","pattern":{"String":"a"},"behavior":"Odd"},)")),
                HasSubstr("no behavior \"Odd\""));
    EXPECT_THAT(failure(file_with(R"("pre_tokenizer":{"type":"Metaspace","prepend_scheme":"Odd"},)")),
                HasSubstr("no scheme \"Odd\""));
}

TEST(TokenizerErrors, RefusesSequencesInSequences) {
    EXPECT_THAT(
        failure(file_with(R"("normalizer":{"type":"Sequence","normalizers":[{"type":"Sequence","normalizers":[]}]},)")),
        HasSubstr("a sequence as a part"));
}

TEST(TokenizerErrors, RefusesWhatIsNotComplete) {
    EXPECT_THAT(failure("{}"), HasSubstr("lacks the member \"model\""));
    EXPECT_THAT(failure("[1,2]"), HasSubstr("\"model\""));
    EXPECT_THAT(failure("{\"model\":"), HasSubstr("1:10"));
    EXPECT_THAT(failure("\xFF"), HasSubstr("no UTF-8"));
    EXPECT_THAT(failure(file_with("", R"({"type":"WordPiece","vocab":{"a":0}})")),
                HasSubstr("lacks the unknown token \"[UNK]\""));
    EXPECT_THAT(failure(file_with("", R"({"type":"BPE","vocab":{"a":0,"b":1},"merges":["a b"]})")),
                HasSubstr("lacks the token \"ab\" of this merge"));
    EXPECT_THAT(failure(file_with("", R"({"type":"BPE","vocab":{"a":0},"merges":["ab"]})")),
                HasSubstr("a space between"));
    EXPECT_THAT(failure(file_with("", R"({"type":"BPE","vocab":{"a":0},"merges":[["a"]]})")), HasSubstr("two tokens"));
    EXPECT_THAT(failure(file_with("", R"({"type":"BPE","vocab":{},"merges":[],"dropout":0.1})")),
                HasSubstr("at random"));
    EXPECT_THAT(failure(file_with("", R"({"type":"Unigram","vocab":[["a",0]],"unk_id":7})")),
                HasSubstr("7 is no whole number"));
    EXPECT_THAT(failure(file_with("", R"({"type":"Unigram","vocab":[["a"]]})")), HasSubstr("its score"));
    EXPECT_THAT(
        failure(file_with(
            R"("post_processor":{"type":"TemplateProcessing","single":[{"SpecialToken":{"id":"x","type_id":0}}],"pair":[],"special_tokens":{}},)")),
        HasSubstr("lacks \"x\""));
    EXPECT_THAT(failure(file_with(R"("normalizer":{"type":"Precompiled","precompiled_charsmap":"?"},)")),
                HasSubstr("base64"));
    EXPECT_THAT(failure(file_with(R"("normalizer":{"type":"Precompiled","precompiled_charsmap":"////"},)")),
                HasSubstr("too early"));
    EXPECT_THAT(failure(file_with(R"("normalizer":{"type":"Replace","pattern":{"Regex":"(a"},"content":""},)")),
                HasSubstr("regular expression cannot be read"));
}

TEST(TokenizerErrors, RefusesIdsThatTakeTooMuchMemory) {
    EXPECT_THAT(failure(file_with("", R"({"type":"WordLevel","vocab":{"a":2000000000}})")),
                HasSubstr("2000000000 is no whole number"));
    EXPECT_THAT(failure(file_with(R"("added_tokens":[{"id":2000000000,"content":"b"}],)")),
                HasSubstr("no whole number"));
}

TEST(TokenizerErrors, OfFilesNameTheFile) {
    EXPECT_THAT(Tokenizer::load("tests/text/none.json").error().message(),
                HasSubstr("tests/text/none.json cannot be read"));
    EXPECT_THAT(Tokenizer::load("tests/text").error().message(), HasSubstr("tests/text"));
    EXPECT_THAT(Tokenizer::load("README.md").error().render(), HasSubstr("README.md:1:1"));
}

TEST(TokenizerErrors, OfVocabulariesNameWhatIsMissing) {
    EXPECT_THAT(Tokenizer::read_vocabulary("a\nb\n").error().message(), HasSubstr("lacks the token \"[CLS]\""));
    EXPECT_THAT(Tokenizer::read_vocabulary("\xC3\n").error().message(), HasSubstr("no UTF-8"));
}

TEST(TokenizerErrors, OfTextsSayWhatIsMissing) {
    const auto words = Tokenizer::read(file_with("", R"({"type":"WordLevel","vocab":{"a":0}})"));
    EXPECT_THAT(words->tokenize("b").error().message(), HasSubstr("neither the word \"b\""));
    const auto letters = Tokenizer::read(file_with("", R"({"type":"Unigram","vocab":[["a",0]]})"));
    EXPECT_THAT(letters->tokenize("ab").error().message(), HasSubstr("neither all characters"));
    const auto second = Tokenizer::read(
        file_with(R"("pre_tokenizer":{"type":"Whitespace"},"truncation":{"max_length":2,"strategy":"OnlySecond"},)"));
    EXPECT_THAT(second->tokenize("a a a").error().message(), HasSubstr("there is none"));
    EXPECT_THAT(second->tokenize_pair("a a a", "a").error().message(), HasSubstr("2 of its 1 tokens"));
    EXPECT_EQ(second->tokenize_pair("a", "a a a")->ids.size(), 2U);
}

}  // namespace
}  // namespace tenrex
