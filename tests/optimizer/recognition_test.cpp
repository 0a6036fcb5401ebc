// What engines for ranking recognise one by one, and what they leave to users: what it becomes here, and its value.
// docs/optimizations.md lists what is only right, and not yet fast.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "tests/optimizer/values.h"

namespace tenrex::optimizer {
namespace {

using random::Numbers;

struct Input {
    const char *name;
    Stage stage;
    const char *type;
};

constexpr Stage constant = Stage::constant, query = Stage::query, document = Stage::document;

// An expression with "?" in place of a cell type. `has` must occur in the optimized graph, `lacks` must not, and `step`
// in what explain says of the plan; several are separated by '|'.
struct Row {
    const char *name;
    std::vector<const char *> expressions;
    std::vector<Input> inputs;
    std::vector<std::pair<const char *, const char *>> cell_types;  // of inputs with ?, and of those with !
    const char *has = "";
    const char *lacks = "";
    const char *step = "";
};

std::vector<std::string> parts(std::string_view text) {
    std::vector<std::string> result;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('|'), text.size());
        result.emplace_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return result;
}

std::string with_cell_types(std::string type, const std::pair<const char *, const char *> &cell_types) {
    for (const auto &[mark, cell_type] : {std::pair('?', cell_types.first), std::pair('!', cell_types.second)}) {
        if (const std::size_t at = type.find(mark); at != type.npos) {
            type.replace(at, 1, cell_type);
        }
    }
    return type;
}

class Recognition : public testing::TestWithParam<Row> {};

TEST_P(Recognition, PlanAndValue) {
    const Row &row = GetParam();
    constexpr std::size_t documents = 3;
    for (const auto &cell_types : row.cell_types) {
        std::vector<Values> values;
        for (const Input &input : row.inputs) {
            const std::string type = with_cell_types(input.type, cell_types);
            values.push_back(
                random_values(input.name, input.stage, type, documents, Numbers::smooth, values.size() * 7 + 3));
        }
        for (const char *text : row.expressions) {
            SCOPED_TRACE(fmt::format("{} with {} and {}", text, cell_types.first, cell_types.second));
            std::string graph, plan;
            EXPECT_EQ(wrong_value(text, values, -1, &graph, &plan), "");
            for (const std::string &wanted : parts(row.has)) {
                EXPECT_THAT(graph, testing::HasSubstr(wanted));
            }
            for (const std::string &unwanted : parts(row.lacks)) {
                EXPECT_THAT(graph, testing::Not(testing::HasSubstr(unwanted)));
            }
            for (const std::string &wanted : parts(row.step)) {
                EXPECT_THAT(plan, testing::HasSubstr(wanted));
            }
        }
    }
}

using Types = std::vector<std::pair<const char *, const char *>>;

const Types one{{"double", "double"}};
const Types same{{"float", "float"}, {"double", "double"}, {"bfloat16", "bfloat16"}, {"int8", "int8"}};
const Types pairs{{"float", "float"},    {"double", "double"}, {"bfloat16", "bfloat16"}, {"int8", "int8"},
                  {"float", "bfloat16"}, {"float", "int8"},    {"bfloat16", "double"},   {"int8", "float"}};

const std::vector<Row> rows = {
    {"PowAsMap", {"a^2", "pow(a,2)"}, {{"a", document, "tensor<?>(x[5])"}}, same, "apply square", "apply pow|apply ^"},
    {"PowAsMapCube", {"a^3", "pow(a,3)"}, {{"a", document, "tensor<?>(k{})"}}, same, "square", "apply pow|apply ^"},

    // ---- MaxSim
    {"SumMaxInvHamming",
     {"sum(reduce(1/(1+sum(hamming(q,d),h)),max,m),s)", "sum(reduce(1/(sum(hamming(q,d),h)+1),max,m))"},
     {{"q", query, "tensor<int8>(s{},h[16])"}, {"d", document, "tensor<int8>(m{},h[16])"}},
     one,
     "contract hamming sum (h)|reduce min (m)",
     "reduce max|apply hamming"},
    {"MaxSumMaxInvHamming",
     {"reduce(sum(reduce(1/(1+sum(hamming(q,d),h)),max,m),s),max,c)"},
     {{"q", query, "tensor<int8>(s{},h[16])"}, {"d", document, "tensor<int8>(c{},m{},h[16])"}},
     one,
     "contract hamming sum (h)|reduce min (m)",
     "apply hamming|reduce max (m)",
     "min of hamming of 16 cells by groups of rows"},
    {"SumMaxDotProduct",
     {"sum(reduce(sum(q*d,v),max,m),s)", "reduce(reduce(reduce(q*d,sum,v),max,m),sum)"},
     {{"q", query, "tensor<?>(s{},v[8])"}, {"d", document, "tensor<!>(m{},v[8])"}},
     pairs,
     "contract * sum (v)|reduce max (m)",
     "apply *"},
    {"SumMaxDotProductOfIndexedTokens",
     {"sum(reduce(sum(q*d,v),max,m),s)"},
     {{"q", query, "tensor<?>(s[4],v[8])"}, {"d", document, "tensor<!>(m{},v[8])"}},
     pairs,
     "contract * sum (v)|reduce max (m)",
     "apply *"},
    {"SumMaxDotProductOfBits",
     {"sum(reduce(sum(q*unpack_bits(d),v),max,m),s)"},
     {{"q", query, "tensor<?>(s{},v[16])"}, {"d", document, "tensor<int8>(m{},v[2])"}},
     same,
     "contract * sum (v)|unpack_bits big",
     "apply *|peek"},
    {"SumMaxDotProductOfAllChunks",
     {"reduce(reduce(sum(q*d,v),max,m,c),avg,s)", "sum(w*reduce(sum(q*d,v),max,m,c),s)"},
     {{"q", query, "tensor<?>(s{},v[8])"},
      {"w", query, "tensor<float>(s{})"},
      {"d", document, "tensor<!>(c{},m{},v[8])"}},
     pairs,
     "contract * sum (v)",
     "apply * %0 %2",
     "largest of products: all rows"},
    {"MaxSumMaxDotProduct",
     {"reduce(sum(reduce(sum(q*d,v),max,m),s),max,c)", "sum(reduce(sum(q*d,v),max,m))"},
     {{"q", query, "tensor<?>(s{},v[8])"}, {"d", document, "tensor<!>(c{},m{},v[8])"}},
     pairs,
     "contract * sum (v)|reduce max (m)",
     "apply *",
     "largest of products by groups of rows"},

    // ---- sparse by sparse
    {"Sparse112DotProduct",
     {"sum(a*b*c)"},
     {{"a", query, "tensor<?>(x{})"}, {"b", document, "tensor<?>(y{})"}, {"c", constant, "tensor<?>(x{},y{})"}},
     same,
     "contract * sum (x) %0 %2|(y{}) query|contract * sum (y)",
     "apply *|reduce sum"},
    {"Sparse112DotProductOfDocuments",
     {"sum(a*b*c)", "sum(a*sum(b*c,y))"},
     {{"a", query, "tensor<?>(x{})"}, {"b", query, "tensor<?>(y{})"}, {"c", document, "tensor<!>(x{},y{})"}},
     pairs,
     "contract * sum (x)|contract * sum (y)",
     "apply *|reduce sum"},
    {"Mixed112DotProduct",
     {"sum(a*b*c)"},
     {{"a", query, "tensor<?>(x{})"}, {"b", document, "tensor<?>(y[3])"}, {"c", constant, "tensor<?>(x{},y[3])"}},
     same,
     "contract * sum (x) %0 %2|(y[3]) query|contract * sum (y)",
     "apply *|reduce sum"},
    {"Mixed112DotProductOfDocuments",
     {"sum(a*b*c)", "sum(c*(a*b))", "sum(a*sum(b*c,y),x)"},
     {{"a", query, "tensor<?>(x{})"}, {"b", document, "tensor<!>(y[3])"}, {"c", document, "tensor<!>(x{},y[3])"}},
     pairs,
     "contract * sum (y)|contract * sum (x)",
     "apply *|reduce sum"},
    {"SparseDotProduct",
     {"sum(a*b)"},
     {{"a", query, "tensor<?>(x{})"}, {"b", document, "tensor<!>(x{})"}},
     pairs,
     "contract * sum (x)",
     "apply *"},
    {"SparseDotProductOfTwoLabels",
     {"sum(a*b)"},
     {{"a", query, "tensor<?>(x{},y{})"}, {"b", document, "tensor<!>(x{},y{})"}},
     pairs,
     "contract * sum (x,y)",
     "apply *"},
    {"MixedDotProduct",
     {"sum(a*b)"},
     {{"a", query, "tensor<?>(x{},y[3])"}, {"b", document, "tensor<!>(x{},y[3])"}},
     pairs,
     "contract * sum (x,y)",
     "apply *"},

    {"SimpleJoinCount",
     {"count(a*b)", "count(join(a,b,f(s,t)(s+t)))", "count(exp(a)-b*2)"},
     {{"a", query, "tensor<?>(x{})"}, {"b", document, "tensor<!>(x{})"}},
     pairs,
     "join_addresses|reduce count",
     "apply",
     "count of a join"},
    {"JoinCountOfDifferentLabels",
     {"count(a*b)"},
     {{"a", query, "tensor<?>(x{},z[2])"}, {"b", document, "tensor<!>(y{},z[2])"}},
     pairs,
     "reduce count (x,z)|reduce count (y,z)",
     "join_addresses"},
    {"MappedLookup",
     {"sum(key*map,d)"},
     {{"key", query, "tensor<?>(d{})"}, {"map", document, "tensor<!>(d{},x[3])"}},
     pairs,
     "contract * sum (d)",
     "apply *",
     "sum of blocks of 3 cells with weights"},
    {"UniversalDotProduct",
     {"sum(a*b,x)", "sum(a*b,x,z)"},
     {{"a", query, "tensor<?>(x{},y{},z[2])"}, {"b", document, "tensor<!>(x{},z[2])"}},
     pairs,
     "contract * sum (x",
     "apply *",
     "sum of a join of 1 labels, blocks of 2 cells"},
    {"UniversalDotProductOverALabelOfOneSide",
     {"sum(a*b,y)", "sum(a*b,x,y)", "sum(b*a)"},
     {{"a", query, "tensor<?>(x{},y{},z[2])"}, {"b", document, "tensor<!>(x{},z[2])"}},
     pairs,
     "",
     "",
     "sum of a join of 1 labels, blocks of 2 cells"},
    {"ReductionsOfSparseJoins",
     {"reduce(a*b,max)", "reduce(a-b,min,x)", "avg(a*b,x)", "count(a>b,x)", "sum(a>b)", "prod(a<b,y)"},
     {{"a", query, "tensor<?>(x{},y{})"}, {"b", document, "tensor<!>(x{})"}},
     pairs,
     "",
     "",
     " of a join of 1 labels, blocks of 1 cells"},

    // ---- distances
    {"BestSimilarity",
     {"reduce(sum(a*b,v),max,m)"},
     {{"a", query, "tensor<?>(s{},v[8])"}, {"b", document, "tensor<!>(m{},v[8])"}},
     pairs,
     "contract * sum (v)|reduce max (m)",
     "apply *"},
    {"BestSimilarityOfBits",
     {"reduce(sum(hamming(a,b),v),min,m)"},
     {{"a", query, "tensor<int8>(s{},v[8])"}, {"b", document, "tensor<int8>(m{},v[8])"}},
     one,
     "contract hamming sum (v)|reduce min (m)",
     "apply hamming"},
    {"L2Distance",
     {"sum((a-b)^2)", "sum((a-b)*(a-b))", "sum(map(a-b,f(t)(t*t)))", "sqrt(sum(pow(a-b,2)))",
      "sum(join(a,b,f(s,t)((s-t)*(s-t))))"},
     {{"a", query, "tensor<?>(x[9])"}, {"b", document, "tensor<!>(x[9])"}},
     pairs,
     "contract - square sum (x)",
     "apply -"},
    {"L1Distance",
     {"sum(abs(a-b))", "sum(map(a-b,f(t)(fabs(t))))"},
     {{"a", query, "tensor<?>(x[9])"}, {"b", document, "tensor<!>(x[9])"}},
     pairs,
     "contract - ",
     "apply -"},
    {"MixedL2Distance",
     {"sum((a-b)^2,x)"},
     {{"a", query, "tensor<?>(x[9])"}, {"b", document, "tensor<!>(k{},x[9])"}},
     pairs,
     "contract - square sum (x)",
     "apply -"},
    {"L2DistanceOfRows",
     {"reduce(sum((a-b)^2,x),min,y)", "reduce(sum(pow(b-a,2),x),max,y)"},
     {{"a", query, "tensor<?>(x[5])"}, {"b", document, "tensor<!>(x[5],y[3])"}},
     pairs,
     "contract - square sum (x)",
     "apply -",
     " of squared_distance of 5 cells"},
    {"L1DistancesOfRows",
     {"sum(abs(a-b),x)"},
     {{"a", query, "tensor<?>(w[2],x[5])"}, {"b", document, "tensor<!>(k{},x[5],y[3])"}},
     pairs,
     "contract - abs sum (x)",
     "apply -",
     "absolute_distance of 6 rows of 5 cells"},
    {"MaxSumMaxInvHammingOfIndexedTokens",
     {"sum(reduce(1/(1+sum(hamming(q,d),h)),max,m),s)"},
     {{"q", query, "tensor<int8>(s[4],h[16])"}, {"d", document, "tensor<int8>(m[5],h[16])"}},
     one,
     "contract hamming sum (h)|reduce min (m)",
     "apply hamming|reduce max",
     "min of hamming of 16 cells"},
    {"HammingDistancesToIndexedTokens",
     {"reduce(sum(hamming(q,d),h),min,m)", "reduce(sum(hamming(d,q),h),max,m)"},
     {{"q", query, "tensor<int8>(s[4],h[16])"}, {"d", document, "tensor<int8>(c{},m{},h[16])"}},
     one,
     "contract hamming sum (h)",
     "apply hamming",
     " of hamming of 16 cells by groups of rows"},
    {"DotProductsOfRows",
     {"sum(a*b,x)"},
     {{"a", query, "tensor<?>(x[5],y[3])"}, {"b", document, "tensor<!>(x[5],y[3])"}},
     pairs,
     "contract * sum (x)",
     "apply *",
     "dot of 3 rows of 5 cells"},
    {"AverageOfProducts",
     {"avg(a*b)", "avg(b*a,x)"},
     {{"a", query, "tensor<?>(x[9])"}, {"b", document, "tensor<!>(x[9])"}},
     pairs,
     "contract * sum (x)",
     "apply *|reduce avg"},
    {"ExtremesOfJoins",
     {"max(a*b)", "min(a-b)", "max(abs(a-b))", "min(b*a,x)", "max(join(a,b,f(s,t)(s-t)))"},
     {{"a", query, "tensor<?>(x[5])"}, {"b", document, "tensor<!>(x[5])"}},
     pairs,
     "contract",
     "apply|reduce",
     " of 5 cells"},
    {"ExtremesOfJoinsOfBlocks",
     {"max(a*b,x)", "min(a-b)", "max(abs(a-b))"},
     {{"a", query, "tensor<?>(x[5])"}, {"b", document, "tensor<!>(k{},x[5])"}},
     pairs,
     "contract",
     "apply",
     " of 5 cells"},
    {"CountsOfComparisons",
     {"sum(a>b)", "avg(a<=b)", "prod(a<b)", "max(a==b)", "sum(b>=a,x)"},
     {{"a", query, "tensor<?>(x[5])"}, {"b", document, "tensor<!>(x[5])"}},
     pairs,
     "contract",
     "reduce",
     "count_"},
    {"CountOfDenseCells",
     {"count(a>b)", "count(a*b)"},
     {{"a", query, "tensor<?>(x[9])"}, {"b", document, "tensor<!>(x[9])"}},
     pairs,
     "constant 9",
     "reduce"},
    {"DenseHammingDistance",
     {"sum(hamming(a,b))", "1/(1+sum(hamming(a,b)))"},
     {{"a", query, "tensor<int8>(x[17])"}, {"b", document, "tensor<int8>(x[17])"}},
     one,
     "contract hamming sum (x)",
     "apply hamming"},

    // ---- dense products
    {"DenseDotProduct",
     {"sum(a*b)", "sum(b*a)", "sum(join(a,b,f(s,t)(s*t)))", "sum(cell_cast(a,float)*cell_cast(b,float))"},
     {{"a", query, "tensor<?>(x[9])"}, {"b", document, "tensor<!>(x[9])"}},
     pairs,
     "contract * sum (x)",
     "apply *"},
    {"DotProductOfBits",
     {"sum(a*unpack_bits(b))"},
     {{"a", query, "tensor<?>(x[16])"}, {"b", document, "tensor<int8>(x[2])"}},
     same,
     "contract * sum (x)|unpack_bits big",
     "peek|apply bit"},
    {"DenseXWProduct",
     {"sum(a*w,x)"},
     {{"a", document, "tensor<?>(x[5])"}, {"w", constant, "tensor<!>(x[5],y[3])"}},
     pairs,
     "contract * sum (x)",
     "apply *"},
    {"DenseMatMul",
     {"sum(a*b,x)"},
     {{"a", document, "tensor<?>(x[5],y[3])"}, {"b", query, "tensor<!>(x[5],z[2])"}},
     pairs,
     "contract * sum (x)",
     "apply *"},
    {"DenseMultiMatMul",
     {"sum(a*b,z)"},
     {{"a", document, "tensor<?>(g[2],x[3],z[4])"}, {"b", query, "tensor<!>(g[2],y[2],z[4])"}},
     pairs,
     "contract * sum (z)",
     "apply *"},
    {"MixedInnerProduct",
     {"sum(a*b,x)"},
     {{"a", query, "tensor<?>(x[5])"}, {"b", document, "tensor<!>(k{},x[5])"}},
     pairs,
     "contract * sum (x)",
     "apply *"},
    {"MixedInnerProductWithOuterDimension",
     {"sum(a*b,x)"},
     {{"a", query, "tensor<?>(x[5])"}, {"b", document, "tensor<!>(k{},w[2],x[5])"}},
     pairs,
     "contract * sum (x)",
     "apply *"},
    {"MixedByDenseMatrix",
     {"sum(a*w,x)"},
     {{"a", document, "tensor<?>(x[5])"}, {"w", query, "tensor<!>(k{},x[5],y[2])"}},
     pairs,
     "contract * sum (x)",
     "apply *"},
    {"ReductionsOneByOne",
     {"sum(sum(a*b,x),y)"},
     {{"a", query, "tensor<?>(x[3],y[2])"}, {"b", document, "tensor<!>(x[3],y[2])"}},
     pairs,
     "contract * sum (x",
     "apply *"},

    // ---- what is known early
    {"WeightsOfTheQuery",
     {"sum(sum(d*w,x)*q,y)", "sum(q*sum(d*w,x))"},
     {{"q", query, "tensor<?>(y[3])"}, {"d", document, "tensor<!>(x[4])"}, {"w", constant, "tensor<?>(x[4],y[3])"}},
     pairs,
     " query\n",
     "apply *"},
    {"LayerOverAConcatenation",
     {"relu(sum(concat(q,d,x)*w,x)+b)"},
     {{"q", query, "tensor<?>(x[3])"},
      {"d", document, "tensor<?>(x[2])"},
      {"w", constant, "tensor<?>(x[5],y[3])"},
      {"b", constant, "tensor<?>(y[3])"}},
     same,
     "slice (x)",
     "concat"},
    {"CommonParts",
     {"sum(a*b)/(sqrt(sum(a*a))*sqrt(sum(b*b)))", "cosine_similarity(a,b,x)"},
     {{"a", query, "tensor<?>(x[9])"}, {"b", document, "tensor<!>(x[9])"}},
     pairs,
     "contract * sum (x) %0 %0|contract * sum (x) %0 %1|contract * sum (x) %1 %1",
     "apply * %0"},

    // ---- small things
    {"DenseSimpleExpand", {"a*b"}, {{"a", query, "tensor<?>(x[3])"}, {"b", document, "tensor<!>(y[2])"}}, pairs},
    {"AddTrivialDimension",
     {"a*tensor<float>(u[1]):[1]", "tensor(u[1],w[1]):[[1]]*a"},
     {{"a", document, "tensor<?>(x[3])"}},
     same,
     "join_addresses",
     "apply *"},
    {"RemoveTrivialDimension",
     {"sum(a,u)", "max(a,u)", "reduce(a,median,u)", "prod(a,u)"},
     {{"a", document, "tensor<?>(x[3],u[1])"}},
     same,
     "peek",
     "reduce"},
    {"VectorFromDoubles",
     {"concat(concat(concat(a,b,x),c,x),a,x)", "concat(a,concat(b,concat(c,a,x),x),x)"},
     {{"a", document, "double"}, {"b", document, "double"}, {"c", query, "double"}},
     one,
     "pack 4 cells",
     "concat"},
    {"DenseTensorCreate",
     {"tensor<float>(x[3]):[a,b,a*b]", "tensor(k{}):{p:a,q:b,r:a+b}"},
     {{"a", document, "double"}, {"b", query, "double"}},
     one,
     "pack 3 cells"},
    {"DenseTensorPeek",
     {"t{x:1,y:2}", "t{x:(a),y:0}"},
     {{"t", document, "tensor<?>(x[2],y[3])"}, {"a", document, "double"}},
     same,
     "peek"},
    {"DenseLambdaPeekOfARange",
     {"tensor<float>(z[2])(t{x:(z+1)})", "tensor<float>(x[3])(t{x:(x)})", "tensor(z[2])(t{x:(2*z+1-z)})"},
     {{"t", document, "tensor<?>(x[3])"}},
     same,
     "",
     "peek"},
    {"DenseLambdaPeekOfARangeInAProduct",
     {"sum(q*tensor<float>(z[4])(t{x:(z+2)}))", "sum(tensor<float>(z[4])(t{x:(z)})*q,z)"},
     {{"q", query, "tensor<?>(z[4])"}, {"t", document, "tensor<!>(x[9])"}},
     {{"float", "float"}, {"float", "bfloat16"}, {"bfloat16", "int8"}, {"int8", "int8"}},
     "contract * sum|slice (x)",
     "peek|cast",
     "view"},
    {"DenseLambdaPeekOfAPermutation",
     {"tensor<float>(a[4],b[3])(t{x:(b),y:(a)})"},
     {{"t", document, "tensor<?>(x[3],y[4])"}},
     same,
     "rename",
     "peek"},
    {"DenseLambdaPeekOfOtherIndexes",
     {"tensor<float>(z[3])(t{x:(2-z)})", "tensor<float>(z[2],w[2])(t{x:(z+w)})", "tensor(z[4])(t{x:(z*2)})"},
     {{"t", document, "tensor<?>(x[3])"}},
     same,
     "",
     "",
     "gather from 1 values"},
    {"ConcatenatedTokens",
     {"tensor<float>(z[9])(if(z<1,101,if(z<1+n,q{x:(z-1)},if(z<2+n,102,d{x:(z-2-n)}))))"},
     {{"n", query, "double"}, {"q", query, "tensor<?>(x[3])"}, {"d", document, "tensor<!>(x[5])"}},
     pairs,
     "",
     "",
     "gather from 4 values"},
    {"TopOfBlocks",
     {"top(2,a)", "avg(top(2,a))", "sum(top(3,a))"},
     {{"a", document, "tensor<?>(k{})"}},
     same,
     "filter",
     "apply *",
     "the highest blocks"},
    {"UnpackBits",
     {"unpack_bits(t)", "unpack_bits(t,double)", "tensor<float>(x[16])(bit(t{x:(x/8)},x%8))"},
     {{"t", document, "tensor<int8>(x[2])"}},
     one,
     "unpack_bits",
     "peek|apply bit"},
    {"UnpackBitsOfBlocks",
     {"unpack_bits(t)", "map_subspaces(t,f(v)(tensor<int8>(x[16])(bit(v{x:(x/8)},7-x%8))))"},
     {{"t", document, "tensor<int8>(k{},x[2])"}},
     one,
     "unpack_bits big",
     "peek|apply bit"},
    {"FastRename",
     {"sum(rename(a,x,z)*rename(b,x,z),z)"},
     {{"a", query, "tensor<?>(x[5])"}, {"b", document, "tensor<!>(x[5])"}},
     pairs,
     "contract",
     "rename"},
    {"InplaceMap", {"map(a,f(t)(1/(1+exp(-t))))", "sigmoid(a*2+1)"}, {{"a", document, "tensor<?>(x[5])"}}, same},
    {"MixedSimpleJoin",
     {"a+b", "b-a", "max(a,b)"},
     {{"a", query, "tensor<?>(x[3])"}, {"b", document, "tensor<!>(k{},x[3])"}},
     pairs},
    {"JoinWithNumber",
     {"a*v", "v-a", "a/8"},
     {{"a", document, "tensor<?>(k{},x[3])"}, {"v", document, "double"}},
     same},
    {"DenseSingleReduce",
     {"sum(a,y)", "avg(a,x)", "max(a,x,y)", "prod(a,z)", "median(a,y)", "count(a,y)"},
     {{"a", document, "tensor<?>(x[2],y[3],z[2])"}},
     same},
    {"SparseMerge",
     {"merge(a,b,f(s,t)(s+t))", "merge(a,b,f(s,t)(max(s,t)))"},
     {{"a", query, "tensor<?>(x{})"}, {"b", document, "tensor<!>(x{})"}},
     pairs},
    {"SparseNoOverlapJoin", {"a*b"}, {{"a", query, "tensor<?>(x{})"}, {"b", document, "tensor<!>(y{})"}}, pairs},
    {"SparseFullOverlapJoin",
     {"a*b", "a-b", "min(a,b)"},
     {{"a", query, "tensor<?>(x{})"}, {"b", document, "tensor<!>(x{})"}},
     pairs},
    {"SparseSingledimLookup",
     {"t{x:(a)}", "t{x:b}"},
     {{"t", query, "tensor<?>(x{})"}, {"a", document, "double"}},
     same,
     "peek"},

    // ---- right, and not yet more than that: docs/optimizations.md
    {"CommonExpressions",
     {"softmax(a,x)", "l2_normalize(a,x)", "a/sum(a*a)"},
     {{"a", document, "tensor<?>(x[5])"}},
     same},
};

INSTANTIATE_TEST_SUITE_P(Rows, Recognition, testing::ValuesIn(rows),
                         [](const auto &row) { return std::string(row.param.name); });

}  // namespace
}  // namespace tenrex::optimizer
