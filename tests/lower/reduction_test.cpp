// Steps that reduce by kernels, and those that reduce what they compute: extremes of products and distances, for all
// rows and for groups of rows. Each value is that of the reference evaluator, with the same bits alone and beside other
// documents.
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>

#include "lib/support/format.h"
#include "tests/conformance/comparison.h"
#include "tests/differential/case.h"
#include "tests/reference/random_source.h"

namespace tenrex::reduction_test {
namespace {

using random::Numbers;
using random::Source;

struct Input {
    std::string name;
    Stage stage;
    std::string type;
};

// Blocks with the labels 0, 1, 2, ... of each mapped dimension, some left out: those with one first label side by side,
// or those with one last label, or in any order.
Tensor value_of(const TensorType &type, std::size_t labels, Numbers numbers, Source &source) {
    std::vector<std::vector<std::string>> addresses = {{}};
    const bool backwards = source.chance(50);
    for (std::size_t i = 0; i < type.mapped_count(); ++i) {
        std::vector<std::vector<std::string>> longer;
        for (const std::vector<std::string> &address : addresses) {
            for (std::size_t label = 0; label < labels; ++label) {
                std::vector<std::string> &next = longer.emplace_back(address);
                next.insert(backwards ? next.begin() : next.end(), std::to_string(label));
            }
        }
        addresses = std::move(longer);
    }
    if (source.chance(30)) {
        source.shuffle(addresses);
    }
    TensorBuilder builder(type);
    for (const std::vector<std::string> &address : addresses) {
        if (type.has_mapped() && source.chance(20)) {
            continue;
        }
        const std::size_t block = builder.block(std::vector<std::string_view>(address.begin(), address.end()));
        for (std::size_t i = 0; i < type.block_cells(); ++i) {
            builder.set(block, i, random::number(source, numbers, type.cell_type()));
        }
    }
    return std::move(builder).build();
}

// The values and the plan; `step` must be part of a step's description.
void check(const std::string &text, const std::vector<Input> &inputs, const std::string &step,
           Numbers numbers = Numbers::smooth) {
    SCOPED_TRACE(text);
    constexpr std::size_t documents = 12;
    Source source(text.size());
    differential::Case described{text, {}, std::vector<std::vector<NamedTensor>>(documents)};
    for (const Input &input : inputs) {
        const TensorType type = *TensorType::parse(input.type);
        const bool of_document = input.stage == Stage::document;
        Tensor value = value_of(type, 4, numbers, source);
        if (input.stage == Stage::constant) {
            described.schema.constant(input.name, value);
            continue;
        }
        of_document ? described.schema.document(input.name, type) : described.schema.query(input.name, type);
        for (std::size_t i = 0; i < documents; ++i) {
            if (of_document) {
                value = value_of(type, i % 5, numbers, source);  // some without blocks
            }
            described.documents[i].emplace_back(input.name, value);
        }
    }
    const auto compiled = differential::Compiled::make(described, {});
    ASSERT_TRUE(compiled) << compiled.error().message();
    EXPECT_THAT(compiled->plan().explain(), testing::HasSubstr(step));
    const auto reference = Expression::parse(text, described.schema);
    ASSERT_TRUE(reference);
    std::vector<std::size_t> order(documents);
    for (std::size_t i = 0; i < documents; ++i) {
        order[i] = i;
    }
    Context context(compiled->plan());
    const auto together = differential::evaluate(*compiled, described, order, context);
    ASSERT_TRUE(together);
    for (std::size_t i = 0; i < documents; ++i) {
        const auto alone = differential::evaluate(*compiled, described, {&order[i], 1}, context);
        ASSERT_TRUE(alone);
        const Tensor &value = (*together)[i];
        const std::size_t bytes = value.cell_count() * byte_size(value.type().cell_type());
        ASSERT_EQ(alone->front().cell_count(), value.cell_count()) << "document " << i;
        EXPECT_TRUE(bytes == 0 || std::memcmp(alone->front().view().cells(), value.view().cells(), bytes) == 0)
            << "document " << i;
        const auto expected = reference->evaluate_reference_bounded(described.documents[i]);
        ASSERT_TRUE(expected);
        EXPECT_EQ(conformance::difference(value, *expected), "") << "document " << i;
    }
}

const std::vector<std::pair<std::string, std::string>> type_pairs = {
    {"float", "float"},    {"double", "double"}, {"bfloat16", "bfloat16"}, {"int8", "int8"},
    {"float", "bfloat16"}, {"int8", "float"},    {"bfloat16", "double"}};

constexpr Stage query = Stage::query, document = Stage::document;

TEST(Extremes, OfProductsForEachChunk) {
    for (const auto &[a, b] : type_pairs) {
        for (const char *columns : {"s{},v[8]", "s[3],v[8]", "v[8]", "a{},z{},v[8]", "s[2],t[2],v[8]"}) {
            const std::vector<Input> inputs = {{"q", query, fmt::format("tensor<{}>({})", a, columns)},
                                               {"d", document, fmt::format("tensor<{}>(c{{}},m{{}},v[8])", b)}};
            const bool one = std::string(columns) == "v[8]";
            const std::string step = one ? "max of dot of 8 cells by groups" : "largest of products by groups of rows";
            check("reduce(sum(q*d,v),max,m)", inputs, step);
            check("reduce(sum(q*d,v),max,c)", inputs, step);
            check("reduce(sum(d*q,v),min,m)", inputs, "by groups");
            check("reduce(sum(q*d,v),max,m)", inputs, step, Numbers::any);
            if (!one) {
                check("reduce(sum(reduce(sum(q*d,v),max,m)),max)", inputs, step);
            }
        }
    }
}

// Those of many documents by one call of the kernel.
TEST(Extremes, OfRowsAndOneVector) {
    for (const auto &[a, b] : type_pairs) {
        for (const char *rows : {"m{},v[8]", "m[5],v[8]", "m[400],v[8]", "m{},n[7],v[8]"}) {
            const std::vector<Input> inputs = {{"q", query, fmt::format("tensor<{}>(v[8])", a)},
                                               {"d", document, fmt::format("tensor<{}>({})", b, rows)}};
            const std::string dimensions = std::string(rows).starts_with("m{},n") ? "m,n" : "m";
            check("reduce(sum(q*d,v),max," + dimensions + ")", inputs, "max of dot of 8 cells");
            check("reduce(sum((q-d)^2,v),min," + dimensions + ")", inputs, "min of squared_distance of 8 cells");
            check("reduce(sum(d*q,v),min," + dimensions + ")", inputs, "min of dot of 8 cells", Numbers::any);
        }
    }
}

TEST(Extremes, OfBitsForEachChunk) {
    const std::vector<Input> inputs = {{"q", query, "tensor<float>(s{},v[16])"},
                                       {"d", document, "tensor<int8>(c{},m{},v[2])"}};
    check("reduce(sum(reduce(sum(q*unpack_bits(d),v),max,m),s),max,c)", inputs,
          "largest of products by groups of rows");
}

TEST(Extremes, OfIndexedTokensOfAChunk) {
    const std::vector<Input> inputs = {{"q", query, "tensor<float>(s[4],v[8])"},
                                       {"d", document, "tensor<bfloat16>(c{},m[3],v[8])"}};
    check("reduce(sum(q*d,v),max,m)", inputs, "largest of products by groups of rows");
    check("reduce(sum(q*d,v),max,m,c)", inputs, "largest of products: all");
}

TEST(Extremes, OfDistancesForEachChunk) {
    const std::vector<Input> bits = {{"q", query, "tensor<int8>(s{},h[16])"},
                                     {"d", document, "tensor<int8>(c{},m{},h[16])"}};
    check("reduce(sum(reduce(1/(1+sum(hamming(q,d),h)),max,m),s),max,c)", bits, "min of hamming of 16 cells by groups");
    check("reduce(sum(hamming(q,d),h),max,m)", bits, "max of hamming of 16 cells by groups");
    for (const auto &[a, b] : type_pairs) {
        const std::vector<Input> inputs = {{"q", query, fmt::format("tensor<{}>(s{{}},v[8])", a)},
                                           {"d", document, fmt::format("tensor<{}>(c{{}},m{{}},v[8])", b)}};
        for (const Numbers numbers : {Numbers::smooth, Numbers::any}) {
            check("reduce(sum((q-d)^2,v),min,m)", inputs, "min of squared_distance of 8 cells by groups", numbers);
            check("reduce(sum(abs(q-d),v),max,c)", inputs, "max of absolute_distance of 8 cells by groups", numbers);
        }
    }
}

// Distances between each row and each column of blocks, in whatever order their dimensions lie.
TEST(Rows, OfBlocks) {
    const std::vector<std::pair<const char *, const char *>> shapes = {
        {"v[7]", "v[7],y[5]"},        {"v[7]", "c{},k[3],v[7]"},      {"s[3],v[7]", "c{},k[3],v[7],w[2]"},
        {"b[2],v[7]", "b[2],v[7]"},   {"b[2],v[7]", "c{},b[2],v[7]"}, {"a{},b[2],v[7]", "a{},b[2],c{},v[7],z[2]"},
        {"a{},v[4],w[2]", "c{},v[4]"}};
    for (const auto &[a, b] : type_pairs) {
        for (const auto &[first, second] : shapes) {
            const std::vector<Input> inputs = {{"q", query, fmt::format("tensor<{}>({})", a, first)},
                                               {"d", document, fmt::format("tensor<{}>({})", b, second)}};
            for (const Numbers numbers : {Numbers::smooth, Numbers::any}) {
                check("sum((q-d)^2,v)", inputs, "squared_distance of", numbers);
                check("sum(abs(d-q),v)", inputs, "absolute_distance of", numbers);
            }
        }
        const std::vector<Input> batch = {{"q", query, fmt::format("tensor<{}>(c{{}},b[2],v[7])", a)},
                                          {"d", document, fmt::format("tensor<{}>(b[2],c{{}},v[7],z[3])", b)}};
        check("sum(q*d,v)", batch, "dot of 6 rows of 7 cells");
        check("sum(q*d,v)",
              {{"q", query, fmt::format("tensor<{}>(v[7])", a)},
               {"d", document, fmt::format("tensor<{}>(c{{}},k[3],v[7],w[2])", b)}},
              "dot of 6 rows of 7 cells");
        check("sum(d*d,v)", batch, "dot of 6 rows of 7 cells");
        check("sum((q-d)^2,v)*(d+1)", batch, "squared_distance of 6 rows");
    }
}

TEST(Rows, ExtremesOfBlocks) {
    for (const auto &[a, b] : type_pairs) {
        const std::vector<std::pair<const char *, const char *>> shapes = {{"v[7]", "m[5],v[7]"},
                                                                           {"v[7],w[3]", "m[5],v[7]"},
                                                                           {"v[7],w[3]", "m[2],n[2],v[7]"},
                                                                           {"a{},v[7]", "m[5],v[7]"}};
        for (const auto &[first, second] : shapes) {
            const std::vector<Input> inputs = {{"q", query, fmt::format("tensor<{}>({})", a, first)},
                                               {"d", document, fmt::format("tensor<{}>({})", b, second)}};
            const std::string over = std::string(second).find("n[2]") != std::string::npos ? "m,n" : "m";
            for (const Numbers numbers : {Numbers::smooth, Numbers::any}) {
                check("reduce(sum((q-d)^2,v),min," + over + ")", inputs, "min of squared_distance of 7 cells", numbers);
                check("reduce(sum(abs(d-q),v),max," + over + ")", inputs, "max of absolute_distance of 7 cells",
                      numbers);
                check("reduce(sum(q*d,v),max," + over + ")", inputs,
                      std::string(first) == "v[7]" ? "max of dot of 7 cells" : "largest of products", numbers);
            }
        }
        const std::vector<Input> chunks = {{"q", query, fmt::format("tensor<{}>(s[3],v[7])", a)},
                                           {"d", document, fmt::format("tensor<{}>(c{{}},m{{}},n[2],v[7])", b)}};
        check("reduce(sum((q-d)^2,v),min,m,n)", chunks, "min of squared_distance of 7 cells by groups");
        check("reduce(sum((q-d)^2,v),min,c,m,n)", chunks, "min of squared_distance of 7 cells");
        check("reduce(sum((q-d)^2,v),min,n)", chunks, "min of squared_distance of 7 cells by groups");
        check("reduce(sum((q-d)^2,v),min,m)", chunks, "squared_distance of 6 rows");
    }
}

TEST(Rows, ExtremesAndCountsOfPairs) {
    const std::vector<std::pair<const char *, const char *>> shapes = {
        {"v[37]", "v[37]"}, {"v[7]", "c{},v[7]"}, {"v[7]", "v[7],y[5]"}, {"s[3],v[7]", "c{},k[2],v[7]"}};
    for (const auto &[a, b] : type_pairs) {
        for (const auto &[first, second] : shapes) {
            const std::vector<Input> inputs = {{"q", query, fmt::format("tensor<{}>({})", a, first)},
                                               {"d", document, fmt::format("tensor<{}>({})", b, second)}};
            for (const Numbers numbers : {Numbers::smooth, Numbers::any}) {
                check("reduce(q*d,max,v)", inputs, "largest_product of", numbers);
                check("reduce(d*q,min,v)", inputs, "smallest_product of", numbers);
                check("reduce(q-d,max,v)", inputs, "largest_difference of", numbers);
                check("reduce(d-q,min)", inputs, "smallest_difference of", numbers);
                check("reduce(abs(d-q),max)", inputs, "largest_distance of", numbers);
                check("reduce(fabs(d-q),min,v)", inputs, "smallest_distance of", numbers);
                check("sum(d<q,v)", inputs, "count_less of", numbers);
                check("sum(d>=q)", inputs, "count_less_equal of", numbers);
                check("avg(d==q,v)", inputs, "count_equal of", numbers);
                check("reduce(d>q,prod,v)+reduce(d<=q,max,v)", inputs, "count_less of", numbers);
            }
        }
    }
}

// Over labels, or other dimensions than the last ones.
TEST(Columns, OfBlocks) {
    for (const std::string cells : {"float", "double", "bfloat16", "int8"}) {
        for (const std::string aggregator : {"sum", "avg", "max", "min", "prod"}) {
            for (const Numbers numbers : {Numbers::smooth, Numbers::any}) {
                const auto reduced = [&](const std::string &dimensions, const char *over) {
                    check(fmt::format("reduce(d,{},{})", aggregator, over),
                          {{"d", document, fmt::format("tensor<{}>({})", cells, dimensions)}}, aggregator + " of ",
                          numbers);
                };
                const bool is_long = numbers == Numbers::any || aggregator != "prod";
                reduced("c{},v[7]", "c");
                reduced("c{},m{},v[7]", "m");
                reduced("c{},m{},v[7]", "c");
                reduced("c{},m{},v[70]", "c,m");
                reduced("k[3],v[7]", "k");
                reduced("c{},k[3],v[7]", "k");
                reduced("a[2],k[3],v[7]", "k");
                reduced("c{},k[3],v[7]", is_long ? "c,k" : "k");
                reduced("a[2],c{},k[3],v[7]", is_long ? "c,k" : "k");
                reduced("a[2],c{},m{},k[3],v[7]", is_long ? "a,c" : "a");
                // The last dimensions go, and so do others in front of one that stays.
                reduced("a[2],v[7],z[2]", "a,z");
                reduced("a[2],v[5],z[9]", "a,z");
                reduced("a[2],b[3],v[2],w[2],z[2]", "b,w,z");
                reduced("a[2],c{},v[2],z[2]", "a,z");
                reduced("c{},v[3],z[4]", "c,z");
                reduced("c{},m{},z[3]", "c,z");
                reduced("c{},m{},z[3]", "m,z");
                reduced("a[1],c{},m{},v[3],z[3]", "a,m,z");
            }
        }
        const std::vector<Input> around = {{"d", document, "tensor<" + cells + ">(a[2],v[7],z[9])"}};
        check("sum(d,a,z)", around, "sum of 14 rows of 9 cells");
        check("sum(d,a,z)", around, "sum of 2 rows of 7 cells by columns");
        check("max(d,c)*q", {{"d", document, "tensor<" + cells + ">(c{},v[9])"}, {"q", query, "tensor<float>(v[9])"}},
              "max of rows of 9 cells by columns");
        check("d*avg(q,c)", {{"d", document, "tensor<" + cells + ">(v[9])"}, {"q", query, "tensor<float>(c{},v[9])"}},
              "avg of rows of 9 cells by columns");
        check("d*avg(q,k)", {{"d", document, "tensor<" + cells + ">(v[9])"}, {"q", query, "tensor<float>(k[4],v[9])"}},
              "avg of 4 rows of 9 cells by columns");
    }
}

TEST(Medians, OfOtherDimensionsThanTheLast) {
    for (const std::string cells : {"float", "double", "bfloat16", "int8"}) {
        for (const Numbers numbers : {Numbers::smooth, Numbers::any}) {
            const auto median = [&](const std::string &dimensions, const char *over, const char *step) {
                check(fmt::format("reduce(d,median,{})", over),
                      {{"d", document, fmt::format("tensor<{}>({})", cells, dimensions)}}, step, numbers);
            };
            median("a[5],v[7]", "a", "median of 7 rows of 5 cells");
            median("a[4],v[7],z[3]", "a,z", "median of 7 rows of 12 cells");
            median("a[4],v[7],z[3]", "v", "median of 12 rows of 7 cells");
            median("c{},k[6],v[7]", "k", "median of 7 rows of 6 cells");
            median("c{},k[6],v[7]", "c,k", "median of 42 to 7 cells");
        }
    }
}

// Cells of a row that do not lie side by side: rows are added up, and the extreme is taken of the sums.
TEST(Extremes, OfRowsThatAreColumns) {
    for (const auto &[a, b] : type_pairs) {
        const std::vector<Input> inputs = {{"q", query, fmt::format("tensor<{}>(v[8])", a)},
                                           {"d", document, fmt::format("tensor<{}>(v[8],w[20])", b)}};
        check("reduce(sum(q*d,v),max,w)", inputs, "max of 1 rows of 20 cells");
        check("reduce(sum(q*d,v),min,w)", inputs, "min of 1 rows of 20 cells", Numbers::any);
    }
}

TEST(Columns, OfJoins) {
    for (const auto &[a, b] : type_pairs) {
        for (const std::string aggregator : {"sum", "avg", "max", "min", "prod"}) {
            for (const Numbers numbers : {Numbers::smooth, Numbers::any}) {
                const std::vector<Input> one = {{"w", document, fmt::format("tensor<{}>(c{{}})", a)},
                                                {"d", document, fmt::format("tensor<{}>(c{{}},v[7])", b)}};
                check(fmt::format("reduce(w+d,{},c)", aggregator), one,
                      "join of 1 labels, blocks of 7 cells by columns", numbers);
                const std::vector<Input> two = {{"w", document, fmt::format("tensor<{}>(c{{}},s{{}})", a)},
                                                {"d", document, fmt::format("tensor<{}>(c{{}},v[7])", b)}};
                check(fmt::format("reduce(w-d,{},c)", aggregator), two,
                      "join of 1 labels, blocks of 7 cells by columns", numbers);
            }
        }
    }
}

// The chunks come with the query, or are constant, or everything is known before the documents.
TEST(Extremes, OfChunksAtOtherStages) {
    for (const Stage stage : {Stage::constant, query}) {
        for (const char *columns : {"v[8]", "s[3],v[8]", "s{},v[8]"}) {
            const std::string rows = "tensor<float>(c{},m{},v[8])";
            const std::string type = fmt::format("tensor<float>({})", columns);
            check("reduce(sum(q*d,v),max,m)", {{"q", stage, rows}, {"d", document, type}}, "");
            check("reduce(sum(q*d,v),max,m)", {{"q", query, type}, {"d", stage, rows}}, "");
            check("reduce(sum((q-d)^2,v),min,m)*w",
                  {{"q", query, type}, {"d", stage, rows}, {"w", document, "tensor(c{})"}}, "");
        }
    }
}

}  // namespace
}  // namespace tenrex::reduction_test
