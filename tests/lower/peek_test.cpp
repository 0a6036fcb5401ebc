// Peeks at computed labels and indexes of any number of dimensions.
#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <tenrex/column_buffer.h>
#include <tenrex/plan.h>

#include "tests/optimizer/values.h"

namespace tenrex::optimizer::peek_test {
namespace {

using random::Numbers;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

std::string dimension(std::size_t i) {
    return (i < 10 ? "d0" : "d") + std::to_string(i);
}

// Two indexes for the first dimensions, one for the others: the type stays small.
std::string indexed_type(std::size_t dimensions) {
    std::string text = "tensor<float>(";
    for (std::size_t i = 0; i < dimensions; ++i) {
        text += (i == 0 ? "" : ",") + dimension(i) + (i < 10 ? "[2]" : "[1]");
    }
    return text + ")";
}

// Blocks with the labels 0 and 1, and two that have 1 and a text only.
Values mapped_value(std::size_t dimensions, std::size_t documents, bool with_cells) {
    std::string type = "tensor<float>(";
    for (std::size_t i = 0; i < dimensions; ++i) {
        type += (i == 0 ? "" : ",") + dimension(i) + "{}";
    }
    type += with_cells ? ",x[3])" : ")";
    Values values{"t", Stage::document, {}};
    for (std::size_t document = 0; document < documents; ++document) {
        TensorBuilder builder(*TensorType::parse(type));
        for (std::size_t number = 0; number < 24; ++number) {
            std::vector<std::string_view> address;
            for (std::size_t i = 0; i < dimensions; ++i) {
                const bool is_text = number >= 22 && i == number % dimensions;
                address.emplace_back(is_text ? "text" : number >= 22 || (number >> (i % 5)) % 2 == 1 ? "1" : "0");
            }
            const std::size_t block = builder.block(address);
            for (std::size_t cell = 0; cell < builder.type().block_cells(); ++cell) {
                builder.set(block, cell, static_cast<double>(100 * number + 10 * document + cell + 1));
            }
        }
        values.of_documents.push_back(std::move(builder).build());
    }
    return values;
}

// A peek at all dimensions, by these formulas in turn.
std::string peek(std::size_t dimensions, const std::vector<std::string> &formulas) {
    std::string text = "t{";
    for (std::size_t i = 0; i < dimensions; ++i) {
        text += (i == 0 ? "" : ",") + dimension(i) + ":(" + formulas[i % formulas.size()] + ")";
    }
    return text + "}";
}

std::vector<Values> with_numbers(Values t) {
    Values n{"n", Stage::document, {}};
    Values m{"m", Stage::document, {}};
    for (const double number : {0.0, 1.0, -0.5, 2.0, nan, 1e300, 1.5}) {
        n.of_documents.emplace_back(number);
        m.of_documents.emplace_back(1 - number);
    }
    return {std::move(t), std::move(n), std::move(m)};
}

const std::size_t numbers_of_dimensions[] = {1, 2, 7, 8, 9, 10, 11, 12, 15, 16, 17, 31, 32, 33, 63, 64};

TEST(Peek, ComputedIndexesOfManyDimensions) {
    for (const std::size_t dimensions : numbers_of_dimensions) {
        SCOPED_TRACE(dimensions);
        const std::vector<Values> inputs =
            with_numbers(random_values("t", Stage::document, indexed_type(dimensions), 7, Numbers::exact, dimensions));
        EXPECT_EQ(wrong_value(peek(dimensions, {"n"}), inputs, Agreement::exact), "");
        EXPECT_EQ(wrong_value(peek(dimensions, {"n", "m", "n*m", "n*0"}), inputs, Agreement::exact), "");
        EXPECT_EQ(
            wrong_value("tensor(z[2])(" + peek(dimensions, {"z+n", "n", "z*n*0"}) + ")", inputs, Agreement::exact), "");
        EXPECT_EQ(wrong_value("tensor(z[3])(" + peek(dimensions, {"z-n", "n-z"}) + ")", inputs, Agreement::exact), "");
        EXPECT_EQ(wrong_value("tensor(z[3],w[2],v[2])(" + peek(dimensions, {"z*n", "w+v*n", "v", "n"}) + ")", inputs,
                              Agreement::exact),
                  "");
        EXPECT_EQ(wrong_value("tensor(z[2],w[2])(" + peek(dimensions, {"z", "w"}) + ")", inputs, Agreement::exact), "");
    }
}

// Some indexes are known before the documents, such as those of a table of distances for each part of a code.
TEST(Peek, SomeIndexesOfDocuments) {
    for (const std::string cells : {"<float>", "", "<bfloat16>", "<int8>"}) {
        for (const Stage stage : {Stage::query, Stage::document}) {
            const std::size_t values = stage == Stage::query ? 1 : 7;
            std::vector<Values> inputs =
                with_numbers(random_values("t", stage, "tensor" + cells + "(m[5],c[4])", values, Numbers::exact, 3));
            inputs.push_back(random_values("d", Stage::document, "tensor<int8>(m[5])", 7, Numbers::exact, 4));
            inputs.push_back(random_values("q", Stage::query, "double", 1, Numbers::exact, 5));
            for (const std::string indexes :
                 {"m:(m),c:(d{m:(m)})", "m:(4-m),c:(d{m:(m)}+1)", "m:(m+2),c:(d{m:(m)}*d{m:(m)})", "m:(m-0.5),c:(n)",
                  "m:(d{m:(m)}),c:(m)", "m:(q+m),c:(d{m:(m)})", "m:(d{m:(m)}),c:(d{m:(m)})", "m:3,c:(d{m:(m)}+m)",
                  "m:(0/0*m),c:(n)", "m:(n),c:(m)"}) {
                const std::string text = "tensor" + cells + "(m[5])(t{" + indexes + "})";
                EXPECT_EQ(wrong_value(text, inputs, Agreement::exact), "") << text;
                EXPECT_EQ(wrong_value("sum(" + text + ")", inputs, Agreement::exact), "") << text;
            }
            for (const std::string text :
                 {"tensor(m[3],w[2])(t{m:(m+w),c:(d{m:(m)})})", "tensor(w[2],m[3])(t{m:(m),c:(d{m:(m)}+w)})",
                  "tensor(w[4],m[5])(t{m:(m),c:(w+d{m:(m)})})", "t{m:1,c:(n)}", "t{m:(q),c:(n)}", "t{m:(n)}"}) {
                EXPECT_EQ(wrong_value(text, inputs, Agreement::exact), "") << text;
            }
        }
    }
}

TEST(Peek, ComputedLabelsOfManyDimensions) {
    for (const std::size_t dimensions : numbers_of_dimensions) {
        for (const bool with_cells : {false, true}) {
            if (with_cells && dimensions == 64) {
                continue;  // one more would be too many
            }
            SCOPED_TRACE(dimensions);
            const std::vector<Values> inputs = with_numbers(mapped_value(dimensions, 7, with_cells));
            EXPECT_EQ(wrong_value(peek(dimensions, {"n"}), inputs, Agreement::exact), "");
            EXPECT_EQ(wrong_value(peek(dimensions, {"n", "m"}), inputs, Agreement::exact), "");
            if (!with_cells) {
                EXPECT_EQ(wrong_value("tensor(z[2])(" + peek(dimensions, {"z+n", "n"}) + ")", inputs, Agreement::exact),
                          "");
                EXPECT_EQ(wrong_value("tensor(z[3],w[2])(" + peek(dimensions, {"z-n", "w", "n"}) + ")", inputs,
                                      Agreement::exact),
                          "");
            }
        }
    }
}

// Of a document, or in a table of the labels that documents share.
TEST(Peek, OneLabelOfEachDocument) {
    for (const Stage stage : {Stage::constant, Stage::query, Stage::document}) {
        for (const bool with_cells : {false, true}) {
            Values t = mapped_value(1, 7, with_cells);
            t.stage = stage;
            std::vector<Values> inputs = with_numbers(std::move(t));
            inputs.push_back(random_values("q", Stage::query, "tensor<float>(x[3])", 1, Numbers::exact, 5));
            for (const std::string text :
                 {"t{d00:(n)}", "t{d00:(n)}+t{d00:(m)}", "t{d00:(n*m-1)}*2", "t{d00:1}", "t{d00:text}"}) {
                EXPECT_EQ(wrong_value(text, inputs, Agreement::exact), "") << text;
            }
            for (const std::string text :
                 {"sum(t{d00:(n)}*q)", "t{d00:(n),x:1}", "t{d00:(n),x:(m)}", "t{d00:1,x:(m)}"}) {
                EXPECT_EQ(with_cells ? wrong_value(text, inputs, Agreement::exact) : "", "") << text;
            }
        }
    }
}

TEST(Peek, ComputedLabelsAndIndexesTogether) {
    for (const std::size_t each : {4, 5, 6}) {
        SCOPED_TRACE(each);
        std::string text = "tensor(";
        std::string by_number = "{", by_index = "{", of_some = "{";
        for (std::size_t i = 0; i < each; ++i) {
            const std::string k = "k" + std::to_string(i), x = "x" + std::to_string(i);
            const std::string comma = i == 0 ? "" : ",";
            text += comma + k + "{}," + x + "[2]";
            by_number += comma + k + ":(n)," + x + ":(n)";
            by_index += comma + k + ":(z+n)," + x + ":(z)";
            of_some += i + 1 == each ? "" : comma + k + ":(n)," + x + ":(n)";
        }
        Values t{"t", Stage::document, {}};
        for (std::size_t document = 0; document < 7; ++document) {
            TensorBuilder builder(*TensorType::parse(text + ")"));
            for (const char *label : {"0", "1", "2"}) {
                const std::size_t block = builder.block(std::vector<std::string_view>(each, label));
                for (std::size_t cell = 0; cell < builder.type().block_cells(); ++cell) {
                    builder.set(block, cell, static_cast<double>(document + 10 * cell) + (label[0] - '0') * 0.25);
                }
            }
            t.of_documents.push_back(std::move(builder).build());
        }
        const std::vector<Values> inputs = with_numbers(std::move(t));
        EXPECT_EQ(wrong_value("t" + by_number + "}", inputs, Agreement::exact), "");
        EXPECT_EQ(wrong_value("tensor(z[2])(t" + by_index + "})", inputs, Agreement::exact), "");
        EXPECT_EQ(wrong_value("t" + of_some + "}", inputs, Agreement::exact), "");
        EXPECT_EQ(wrong_value("tensor(z[2])(sum(t" + of_some + "}))", inputs, Agreement::exact), "");
    }
}

// The cells of a result count, not its blocks, and before there is memory for them.
TEST(Peek, IsHeldToTheLimit) {
    const TensorType type = *TensorType::parse("tensor(k{},m{},x[100])");
    Schema schema;
    schema.document("d", type).document("n");
    CompileOptions options;
    options.expression.limits.evaluation_cells = 10000;
    const auto plan = compile("sum(d{m:(n)}*d{m:(n)})", schema, options);
    ASSERT_TRUE(plan) << plan.error().message();
    for (const std::size_t blocks : {10, 101}) {
        TensorBuilder builder(type);
        for (std::size_t i = 0; i < blocks; ++i) {
            builder.block(std::vector<std::string_view>{std::to_string(i), "7"});
        }
        ColumnBuffer d(type, plan->labels()), n(TensorType(), plan->labels());
        ASSERT_TRUE(d.append(std::move(builder).build()));
        n.append(7.0);
        const Query query = *plan->bind({});
        Context context(*plan);
        const Column columns[] = {d.column(), n.column()};
        double score = 0;
        const Status status = query.evaluate({1, columns}, context, {&score, 1});
        EXPECT_EQ(status.has_value(), blocks == 10) << blocks;
        if (!status) {
            EXPECT_NE(status.error().message().find("evaluation_cells"), std::string::npos) << status.error().message();
        }
    }
}

}  // namespace
}  // namespace tenrex::optimizer::peek_test
