// Values that are written into memory of the caller: where they go, what is refused, and in which words.
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tenrex/column_buffer.h>
#include <tenrex/formats.h>
#include <tenrex/plan.h>

#include "tests/conformance/written_outputs.h"

namespace tenrex::outputs_test {
namespace {

using testing::ElementsAre;

std::string message_of(const Status &status) {
    return status ? "" : status.error().message();
}

Schema schema() {
    Schema schema;
    schema.query("q", "tensor<float>(x[3])")
        .query("w", "tensor(k{})")
        .document("d", "tensor<float>(x[3])")
        .document("b", "tensor<int8>(x[3])")
        .document("m", "tensor(k{})")
        .document("p", "tensor<float>(j{},k{},x[2])")
        .document("n");
    return schema;
}

// A plan with documents: d is [i, 2i, 3i], b the same, m has i % 4 labels, p one block for each two of them, n is i.
class Documents {
public:
    explicit Documents(const std::vector<NamedExpression> &expressions, std::size_t documents = 5)
        : plan_(*compile(expressions, schema())), context_(plan_), documents_(documents) {
        for (const InputDeclaration &input : plan_.document_inputs()) {
            ColumnBuffer &buffer = buffers_.emplace_back(input.type, plan_.labels());
            for (std::size_t i = 0; i < documents; ++i) {
                EXPECT_TRUE(buffer.append(value(input, i)));
            }
        }
        for (const ColumnBuffer &buffer : buffers_) {
            columns_.push_back(buffer.column());
        }
        query_ = plan_.bind({{"q", *from_literal("tensor<float>(x[3]):[1,10,100]")},
                             {"w", *from_literal("tensor(k{}):{1:5,2:6,other:7}")}});
        EXPECT_TRUE(query_);
    }
    const Plan &plan() const { return plan_; }
    Context &context() { return context_; }
    Block block() const { return {documents_, columns_}; }
    Status evaluate(std::span<const OutputColumn> outputs) { return evaluate(block(), outputs); }
    Status evaluate(const Block &block, std::span<const OutputColumn> outputs) {
        return query_->evaluate(block, context_, outputs);
    }
    std::string difference() { return difference(block()); }
    std::string difference(const Block &block) {
        const auto tensors = query_->evaluate_tensors(block, context_);
        return tensors ? conformance::difference_as_written(plan_, *query_, block, context_, *tensors)
                       : tensors.error().message();
    }

private:
    static Tensor value(const InputDeclaration &input, std::size_t document) {
        TensorBuilder builder(input.type);
        const auto number = static_cast<double>(document);
        const std::size_t labels = document % 4;
        if (input.name == "m") {
            for (std::size_t i = 0; i < labels; ++i) {
                const std::string label = std::to_string(i);
                const std::string_view address[] = {label};
                builder.set(builder.block(address), 0, number + static_cast<double>(i) / 8);
            }
        } else if (input.name == "p") {
            for (std::size_t i = 0; i < labels * labels; ++i) {
                const std::string first = "a" + std::to_string(i % labels);
                const std::string second = std::to_string(i / labels);
                const std::string_view address[] = {first, second};
                const std::size_t block = builder.block(address);
                builder.set(block, 0, number);
                builder.set(block, 1, static_cast<double>(i));
            }
        } else {
            for (std::size_t i = 0; i < builder.type().block_cells(); ++i) {
                builder.set(0, i, number * static_cast<double>(i + 1));
            }
        }
        return std::move(builder).build();
    }

    Plan plan_;
    Context context_;
    std::size_t documents_;
    std::vector<ColumnBuffer> buffers_;
    std::vector<Column> columns_;
    Result<Query> query_ = Error("not bound");
};

TEST(Outputs, AreWhereTheCallerWantsThem) {
    Documents documents({NamedExpression{"", "q*d"}}, 3);
    float cells[3][3];
    const auto together = OutputColumn::dense(cells, sizeof(cells[0]), sizeof(cells));
    ASSERT_EQ(message_of(documents.evaluate({&together, 1})), "");
    EXPECT_THAT(cells[0], ElementsAre(0, 0, 0));
    EXPECT_THAT(cells[1], ElementsAre(1, 20, 300));
    EXPECT_THAT(cells[2], ElementsAre(2, 40, 600));
    // A field of a struct.
    struct Hit {
        int id;
        float cells[3];
        char rest;
    } hits[3] = {{1, {}, 'a'}, {2, {}, 'b'}, {3, {}, 'c'}};
    const auto fields = OutputColumn::dense(hits[0].cells, sizeof(Hit), sizeof(hits) - sizeof(int));
    ASSERT_EQ(message_of(documents.evaluate({&fields, 1})), "");
    EXPECT_THAT(hits[2].cells, ElementsAre(2, 40, 600));
    EXPECT_EQ(hits[1].id, 2);
    EXPECT_EQ(hits[1].rest, 'b');
}

TEST(Outputs, WithLabels) {
    Documents documents({NamedExpression{"", "m*2"}}, 4);
    std::uint64_t offsets[5];
    Label labels[6];
    double cells[6];
    const auto column = OutputColumn::sparse(offsets, labels, cells, 6);
    ASSERT_EQ(message_of(documents.evaluate({&column, 1})), "");
    EXPECT_THAT(offsets, ElementsAre(0, 0, 1, 3, 6));
    EXPECT_THAT(labels, ElementsAre(numeric_label(0), numeric_label(0), numeric_label(1), numeric_label(0),
                                    numeric_label(1), numeric_label(2)));
    EXPECT_THAT(cells, ElementsAre(2, 4, 4.25, 6, 6.25, 6.5));
}

TEST(Outputs, AreThoseThatAreReturned) {
    for (const std::size_t count : {std::size_t{0}, std::size_t{1}, std::size_t{5}, std::size_t{200}}) {
        for (const char *const text : {"n",
                                       "n*2",
                                       "sum(q*d)",
                                       "q",
                                       "q*2",
                                       "w",
                                       "w*2",
                                       "3",
                                       "d",
                                       "d*n",
                                       "b",
                                       "m",
                                       "m*w",
                                       "p",
                                       "p*n+1",
                                       "rename(d,x,y)",
                                       "rename(d*n,x,y)",
                                       "reduce(p,sum,j)",
                                       "cell_cast(q*d,int8)",
                                       "cell_cast(d,bfloat16)",
                                       "concat(d,b,x)",
                                       "d*rename(d,x,y)",
                                       "tensor<float>(y[70])(y*n)",
                                       "merge(m,w,f(x,y)(x+y))",
                                       "p{k:1}",
                                       "d{x:1}",
                                       "p*tensor<float>(y[9])(y+n)",
                                       "reduce(p,max)",
                                       "xw_plus_b(d,rename(q,x,y)*q,rename(q,x,y),x)"}) {
            EXPECT_EQ(Documents({NamedExpression{"", text}}, count).difference(), "") << text << " for " << count;
        }
    }
}

TEST(Outputs, MayBeSeveral) {
    // The same value twice, parts of one another, and numbers.
    Documents documents({{"product", "q*d"},
                         {"again", "q*d"},
                         {"sum", "sum(q*d)"},
                         {"renamed", "rename(q*d,x,y)"},
                         {"labels", "m*w"},
                         {"input", "d"},
                         {"query", "w+1"},
                         {"more", "(q*d)*3+n"}},
                        150);
    EXPECT_EQ(documents.difference(), "");
    // What is written must not stay where a later call computes.
    EXPECT_EQ(documents.difference(), "");
    for (std::size_t first = 0; first < 3; ++first) {
        EXPECT_EQ(documents.difference({1, documents.block().columns, first}), "");
    }
}

TEST(Outputs, OfDocumentsWithinColumns) {
    Documents documents({NamedExpression{"", "q*d"}}, 5);
    float cells[2][3];
    const auto column = OutputColumn::dense(cells, sizeof(cells[0]), sizeof(cells));
    ASSERT_EQ(message_of(documents.evaluate({2, documents.block().columns, 3}, {&column, 1})), "");
    EXPECT_THAT(cells[0], ElementsAre(3, 60, 900));
    EXPECT_THAT(cells[1], ElementsAre(4, 80, 1200));
}

TEST(Outputs, OfNoDocuments) {
    Documents documents({{"dense", "q*d"}, {"sparse", "m+1"}}, 2);
    std::uint64_t offsets[1] = {7};
    const OutputColumn outputs[] = {OutputColumn::dense(nullptr, 0, 0),
                                    OutputColumn::sparse(offsets, nullptr, nullptr, 0)};
    ASSERT_EQ(message_of(documents.evaluate({0, documents.block().columns}, outputs)), "");
    EXPECT_EQ(offsets[0], 0u);
}

TEST(Outputs, NeedMemoryForEach) {
    Documents documents({{"a", "q*d"}, {"b", "n"}});
    float cells[5][3];
    const auto column = OutputColumn::dense(cells, sizeof(cells[0]), sizeof(cells));
    EXPECT_EQ(message_of(documents.evaluate({&column, 1})), "there is memory for 1 outputs of 2");
}

TEST(Outputs, NeedMemoryThatFitsTheirType) {
    Documents dense({NamedExpression{"", "q*d"}});
    Documents sparse({NamedExpression{"", "m+1"}});
    float cells[5][3];
    std::uint64_t offsets[6];
    Label labels[8];
    const auto with = OutputColumn::sparse(offsets, labels, cells, 7);
    EXPECT_EQ(
        message_of(dense.evaluate({&with, 1})),
        "the memory for the expression does not fit its type tensor<float>(x[3]): it has offsets (describe it with "
        "OutputColumn::dense)");
    const auto without = OutputColumn::dense(cells, sizeof(cells[0]), sizeof(cells));
    EXPECT_EQ(message_of(sparse.evaluate({&without, 1})),
              "the memory for the expression does not fit its type tensor(k{}): it has no offsets (describe it with "
              "OutputColumn::sparse)");
    const auto null = OutputColumn::dense(nullptr, sizeof(cells[0]), sizeof(cells));
    EXPECT_EQ(message_of(dense.evaluate({&null, 1})),
              "the memory for the expression does not fit its type tensor<float>(x[3]): it has no cells");
    const auto no_labels = OutputColumn::sparse(offsets, nullptr, cells, 7);
    EXPECT_EQ(message_of(sparse.evaluate({&no_labels, 1})),
              "the memory for the expression does not fit its type tensor(k{}): it has no labels");
    const auto no_cells = OutputColumn::sparse(offsets, labels, nullptr, 7);
    EXPECT_EQ(message_of(sparse.evaluate({&no_cells, 1})),
              "the memory for the expression does not fit its type tensor(k{}): it has no cells");
    const auto near = OutputColumn::dense(cells, 8, sizeof(cells));
    EXPECT_EQ(
        message_of(dense.evaluate({&near, 1})),
        "the memory for the expression does not fit its type tensor<float>(x[3]): a value has 12 bytes, the stride "
        "is 8");
}

TEST(Outputs, NeedMemoryThatIsLargeEnough) {
    Documents dense({NamedExpression{"v", "q*d"}});
    float cells[5][3];
    const auto small = OutputColumn::dense(cells, sizeof(cells[0]), sizeof(cells) - 1);
    EXPECT_EQ(
        message_of(dense.evaluate({&small, 1})),
        "the memory for the output 'v' does not fit its type tensor<float>(x[3]): 5 documents with a stride of 12 "
        "bytes do not fit in 59 bytes (give them more memory, or evaluate fewer documents at a time)");
    const std::size_t huge = std::numeric_limits<std::size_t>::max() / 2;
    const auto far = OutputColumn::dense(cells, huge, sizeof(cells));
    EXPECT_THAT(message_of(dense.evaluate({&far, 1})), testing::HasSubstr("do not fit in 60 bytes"));
    EXPECT_EQ(dense.difference(), "");  // nothing remains of what failed

    Documents sparse({NamedExpression{"l", "m+1"}}, 9);  // of 12 blocks, 3 of document 7
    std::uint64_t offsets[10];
    Label labels[12];
    double numbers[12];
    for (std::size_t capacity = 0; capacity <= 12; ++capacity) {
        const auto column = OutputColumn::sparse(offsets, labels, numbers, capacity);
        const std::size_t has_no_room = capacity < 1   ? 1
                                        : capacity < 3 ? 2
                                        : capacity < 6 ? 3
                                        : capacity < 7 ? 5
                                        : capacity < 9 ? 6
                                                       : 7;
        EXPECT_EQ(message_of(sparse.evaluate({&column, 1})),
                  capacity == 12 ? ""
                                 : "the output 'l' has more than " + std::to_string(capacity) +
                                       " blocks; those of document " + std::to_string(has_no_room) +
                                       " have no room (give them more memory, or evaluate fewer documents at a time)");
    }
    EXPECT_EQ(sparse.difference(), "");
}

TEST(Outputs, NeedColumnsThatFit) {
    Documents documents({NamedExpression{"", "q*d"}});
    float cells[5][3];
    const auto column = OutputColumn::dense(cells, sizeof(cells[0]), sizeof(cells));
    EXPECT_EQ(message_of(documents.evaluate({5, {}}, {&column, 1})),
              "the block has 0 columns, the plan has 1 document inputs");
    EXPECT_EQ(documents.difference(), "");
}

}  // namespace
}  // namespace tenrex::outputs_test
