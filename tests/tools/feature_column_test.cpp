#include "tools/rank/feature_column.h"

#include <memory>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <tenrex/formats.h>

#include "tests/tools/damaged_text.h"

namespace tenrex::tool {
namespace {

// What a column that was read from JSON gives to a plan.
class ColumnOfTexts {
public:
    explicit ColumnOfTexts(const std::string &type) : type_(*TensorType::parse(type)) {
        column_ = make_feature_column({"d", type_, ColumnSource::host, {}}, nullptr, most);
    }

    bool add(const std::string &text) {
        JsonCursor json(text);
        ValueProblem problem;
        const bool read = column_->read(json, segment_labels_, problem);
        EXPECT_NE(read, !problem.reason.empty()) << text;
        EXPECT_LE(problem.position, text.size()) << text;
        const bool whole = read && json.finish();
        if (read && !whole) {
            column_->truncate(documents_);
        }
        documents_ += whole ? 1 : 0;
        return whole;
    }
    void add_missing() {
        column_->add_missing();
        ++documents_;
    }
    std::vector<Tensor> values() {
        auto labels = std::make_shared<LabelTable>();
        for (const char *text : {"zebra", "b", "other"}) {
            labels->intern(text);  // ids come in another order than in the segment
        }
        segment_labels_.intern(*labels);
        column_->finish(segment_labels_);
        Schema schema;
        schema.document("d", type_);
        CompileOptions options;
        options.labels = labels;
        const auto plan = compile("d", schema, options);
        const auto query = plan->bind({});
        Context context(*plan);
        std::deque<Column::Fill> fills;
        const Column columns[] = {column_->column(0, fills)};
        return *query->evaluate_tensors({documents_, columns}, context);
    }
    std::size_t documents() const { return documents_; }

    static constexpr std::size_t most = 20000;

private:
    TensorType type_;
    std::unique_ptr<FeatureColumn> column_;
    SegmentLabels segment_labels_;
    std::size_t documents_ = 0;
};

// The library's reader of JSON is the other opinion.
void compare_with_library(const std::string &type, const std::vector<std::string> &texts) {
    const TensorType parsed = *TensorType::parse(type);
    const std::string alphabet = "{}[]:,\"-+.e019 abx";
    ColumnOfTexts column(type);
    std::vector<std::pair<std::string, Tensor>> expected;
    std::mt19937_64 random(4);
    for (int i = 0; i < 1500; ++i) {
        const std::string &whole = texts[random() % texts.size()];
        const std::string text = damaged(whole, random() % 3, alphabet, random);
        const auto tensor = from_json(text, parsed);
        ASSERT_EQ(column.add(text), tensor.has_value()) << type << " " << text;
        if (tensor) {
            expected.emplace_back(text, *tensor);
        }
    }
    EXPECT_GT(expected.size(), 400U);
    const std::vector<Tensor> values = column.values();
    ASSERT_EQ(values.size(), expected.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
        ASSERT_EQ(values[i], expected[i].second) << expected[i].first << " gives " << to_literal(values[i]);
    }
}

TEST(FeatureColumn, DenseTensorsAreReadAsTheLibraryReadsThem) {
    const std::vector<std::string> texts = {
        "[1,-2.5,3e0]",        R"({"values":[1, 2 ,300]})",
        R"(["nan",0,null])",   R"json({"type":"tensor(x[3])","values":[1,2,3]})json",
        R"([0.1,1e-9,128.7])", R"([{"address":{"x":"2"},"value":3}])"};
    for (const char *type : {"tensor(x[3])", "tensor<float>(x[3])", "tensor<bfloat16>(x[3])", "tensor<int8>(x[3])"}) {
        compare_with_library(type, texts);
    }
    compare_with_library("tensor<float>(t[],x[2])",
                         {"[1,2,3,4]", "[[1,2],[3,4],[5,6]]", "[]", R"({"values":[1,2]})",
                          R"json({"type":"tensor<float>(t[1],x[2])","values":[[7,8]]})json"});
    compare_with_library("tensor(h[2],t[])", {"[[1,2,3],[4,5,6]]", "[[],[]]", "[1,2]"});
    compare_with_library("tensor<float>(x[2],y[2])", {"[1,2,3,4]", "[[1,2],[3,4]]", R"({"values":[1,2,3,4]})"});
}

TEST(FeatureColumn, SparseTensorsAreReadAsTheLibraryReadsThem) {
    const std::vector<std::string> texts = {R"({"b":1,"a":2.5,"10":3,"9":4})",
                                            R"({"cells":{"a":1,"b":2}})",
                                            "{}",
                                            R"({"x":1,"a":2,"x":3})",
                                            R"([{"address":{"k":"a"},"value":1}])",
                                            R"({"cells":[{"address":{"k":"b"},"value":7}]})",
                                            R"({"a":"nan","b":null})"};
    compare_with_library("tensor(k{})", texts);
    compare_with_library("tensor<int8>(k{})", texts);
    compare_with_library("tensor(j{},k{})", {R"([{"address":{"j":"b","k":"a"},"value":1}])", "[]",
                                             R"([{"address":{"j":"b","k":"1"},"value":1},)"
                                             R"({"address":{"k":"a","j":"10"},"value":2}])"});
}

TEST(FeatureColumn, MixedTensorsAreReadAsTheLibraryReadsThem) {
    compare_with_library(
        "tensor<float>(k{},x[2])",
        {R"({"b":[1,2],"a":[3,4]})", R"({"blocks":{"a":[1,2]}})", R"({"a":[[1],[2]]})", "{}",
         R"({"blocks":[{"address":{"k":"a"},"values":[1,2]}]})", R"({"b":[1,2],"b":[3,4],"9":[0,0]})"});
}

TEST(FeatureColumn, SeveralOpenDimensions) {
    compare_with_library("tensor<float>(a[2],s[],t[])",
                         {"[[[1,2],[3,4],[5,6]],[[7,8],[9,1],[2,3]]]", "[[[4,5,6]],[[7,8,9]]]"});
    compare_with_library("tensor(s[],t[],x[2])", {"[[[1,2],[3,4],[5,6]],[[7,8],[9,1],[2,3]]]", "[]"});
    ColumnOfTexts column("tensor(s[],t[],x[2])");
    EXPECT_FALSE(column.add("[[],[]]"));
}

TEST(FeatureColumn, MissingValues) {
    for (const auto &[type, literal] :
         {std::pair("double", "nan"), std::pair("tensor<float>(x[2])", "[0,0]"), std::pair("tensor(k{})", "{}")}) {
        ColumnOfTexts column(type);
        column.add_missing();
        EXPECT_FALSE(column.add("x"));
        column.add_missing();
        const std::vector<Tensor> values = column.values();
        ASSERT_EQ(values.size(), 2U);
        const Tensor expected = *from_literal(literal, *TensorType::parse(type));
        EXPECT_EQ(values[0], expected) << type;
        EXPECT_EQ(values[1], expected) << type;
    }
}

// Numbers of a segment are kept as the smallest type that holds them all; none may change.
TEST(FeatureColumn, NumbersAreKeptExactly) {
    const std::vector<std::vector<std::string>> segments = {
        {"0", "-127", "127"}, {"-128", "1"},   {"32767"},           {"-32768"},
        {"2147483647"},       {"-2147483648"}, {"0.5", "16777216"}, {"0.1", "0.5"},
        {"16777217.5"},       {"-0.0", "1"},   {"3.5e38"},          {"1e-50"},
        {"9007199254740993"}, {"\"inf\""},     {"\"-inf\"", "1"},   {"null", "\"nan\"", "5"},
        {"null", "0.1"}};
    for (const auto &texts : segments) {
        ColumnOfTexts column("double");
        std::vector<Tensor> expected;
        for (const std::string &text : texts) {
            ASSERT_TRUE(column.add(text)) << text;
            expected.push_back(*from_json(text, TensorType()));
        }
        const std::vector<Tensor> values = column.values();
        for (std::size_t i = 0; i < texts.size(); ++i) {
            EXPECT_EQ(to_literal(values[i]), to_literal(expected[i])) << texts[i];
        }
    }
}

}  // namespace
}  // namespace tenrex::tool
