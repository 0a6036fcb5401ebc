#include <gmock/gmock.h>

#include "tests/optimizer/graph_of.h"
#include "tests/optimizer/values.h"

namespace tenrex::optimizer::fuse_row_extreme_test {
namespace {

constexpr std::string_view pass = "fuse_row_extreme";

Schema schema() {
    Schema schema;
    schema.query("q", "tensor<float>(v[8])").query("qs", "tensor<float>(s{},v[8])");
    schema.query("qi", "tensor<float>(i[3],v[8])").query("qsi", "tensor<float>(i[3],s{},v[8])");
    schema.document("d", "tensor<float>(m{},v[8])").document("dc", "tensor<float>(c{},m{},v[8])");
    schema.document("e", "tensor<float>(v[8])").document("es", "tensor<float>(s{},v[8])");
    schema.document("dr", "tensor<float>(r[2],m{},v[8])").document("bits", "tensor<int8>(m{},v[1])");
    schema.query("qc", "tensor<float>(c{},m{},v[8])").query("w", "tensor<float>(r[5],v[8])");
    schema.document("dx", "tensor<float>(v[8],x[5])");
    return schema;
}

TEST(FuseRowExtreme, ProductsAndPairs) {
    EXPECT_EQ(after(pass, "reduce(sum(qs*d,v),max,m)", schema()), R"(
%0 = input "qs" : tensor<float>(s{},v[8]) query
%1 = input "d" : tensor<float>(m{},v[8]) document
%2 = row_extreme * sum (v) float max (m) product %1 %0 : tensor<float>(s{}) document
return %2
)");
    EXPECT_EQ(after(pass, "reduce(sum(q*d,v),min,m)", schema()), R"(
%0 = input "q" : tensor<float>(v[8]) query
%1 = input "d" : tensor<float>(m{},v[8]) document
%2 = row_extreme * sum (v) float min (m) %1 %0 : double document
return %2
)");
    EXPECT_EQ(after(pass, "reduce(sum((qs-dc)^2,v),min,m)", schema()), R"(
%0 = input "qs" : tensor<float>(s{},v[8]) query
%1 = input "dc" : tensor<float>(c{},m{},v[8]) document
%2 = row_extreme - square sum (v) float min (m) %1 %0 : tensor<float>(c{},s{}) document
return %2
)");
}

// The operation says so where it makes a difference that the rows are the second operand.
TEST(FuseRowExtreme, OperandsThatMayNotChangePlaces) {
    EXPECT_EQ(after(pass, "reduce(sum(q<d,v),max,m)", schema()), R"(
%0 = input "q" : tensor<float>(v[8]) query
%1 = input "d" : tensor<float>(m{},v[8]) document
%2 = row_extreme < sum (v) float max (m) columns_first %1 %0 : double document
return %2
)");
    EXPECT_EQ(after(pass, "reduce(reduce(d-q,max,v),min,m)", schema()), R"(
%0 = input "d" : tensor<float>(m{},v[8]) document
%1 = input "q" : tensor<float>(v[8]) query
%2 = row_extreme - max (v) float min (m) %0 %1 : double document
return %2
)");
}

TEST(FuseRowExtreme, SaysWhyNot) {
    const auto reasons = [](std::string_view text) { return remarks_of(pass, text, schema()); };
    const std::pair<const char *, const char *> rows[] = {
        {"reduce(sum(qs*d,v),max,m)*sum(sum(qs*d,v),m)", "something else reads the numbers of the rows"},
        {"reduce(sum(qs*d,v),max)", "it is not taken over the rows of one operand"},
        {"reduce(sum(dr*q,v),max,m)", "it is not taken over the rows of one operand"},
        {"reduce(sum((es-d)^2,v),min,m)", "the columns belong to the documents"},
        {"reduce(sum(e*w,v),max,r)", "rows and columns are multiplied for many documents at a time"},
        {"reduce(sum(qsi*d,v),max,m)", "rows and columns are multiplied for many documents at a time"},
        {"reduce(sum(q*dx,v),max,x)", "the cells of a row do not lie side by side, and rows are added up faster"},
        {"reduce(sum(qc*es,v),max,m)", "the groups of rows are known before the labels of the columns"},
    };
    for (const auto &[text, reason] : rows) {
        EXPECT_THAT(reasons(text), testing::ElementsAre(reason)) << text;
        EXPECT_FALSE(changes(pass, text, schema())) << text;
    }
    for (const char *text : {"reduce(d,max,m)", "reduce(sum(qs*d,v),sum,m)", "reduce(sum(q*e),max)"}) {
        EXPECT_THAT(reasons(text), testing::IsEmpty()) << text;
        EXPECT_FALSE(changes(pass, text, schema())) << text;
    }
    EXPECT_THAT(reasons("reduce(sum(qi*dc,v),max,m)"), testing::IsEmpty());
}

TEST(FuseRowExtreme, KeepsValues) {
    const auto values = [](const char *name, Stage stage, const std::string &type, std::uint64_t seed) {
        return random_values(name, stage, type, 5, random::Numbers::smooth, seed);
    };
    for (const std::string cell_type : {"float", "double", "bfloat16", "int8"}) {
        const std::string cells = "tensor<" + cell_type + ">";
        const std::vector<Values> inputs = {values("q", Stage::query, "tensor<float>(v[8])", 1),
                                            values("qs", Stage::query, cells + "(s{},v[8])", 2),
                                            values("qi", Stage::query, "tensor<float>(i[3],v[8])", 3),
                                            values("d", Stage::document, cells + "(m{},v[8])", 4),
                                            values("dc", Stage::document, cells + "(c{},m{},v[8])", 5),
                                            values("es", Stage::document, cells + "(s{},v[8])", 6),
                                            values("bits", Stage::document, "tensor<int8>(m{},v[1])", 7)};
        for (const char *text :
             {"reduce(sum(qs*d,v),max,m)", "reduce(sum(q<d,v),max,m)", "reduce(sum(dc<q,v),min,m)",
              "reduce(reduce(q-d,max,v),min,m)", "reduce(reduce(dc-q,min,v),max,c,m)", "reduce(sum(qi*dc,v),max,m)",
              "reduce(sum(abs(qs-dc),v),min,m)", "reduce(sum(qs*unpack_bits(bits),v),max,m)",
              "reduce(sum(q*unpack_bits(bits),v),max,m)*0.1", "reduce(sum((es-d)^2,v),min,m)",
              "reduce(sum(qs*d,v),max,m)*sum(sum(qs*d,v),m)", "q*reduce(sum(q*d,v),max,m)"}) {
            EXPECT_EQ(wrong_value(text, inputs), "") << text << " with " << cell_type;
        }
    }
}

}  // namespace
}  // namespace tenrex::optimizer::fuse_row_extreme_test
