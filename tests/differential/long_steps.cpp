#include "tests/differential/long_steps.h"

#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace tenrex::differential {

namespace {

Tensor random_value(const TensorType &open_type, std::size_t rows, std::uint32_t &state) {
    std::vector<Dimension> dimensions = open_type.dimensions();
    for (Dimension &dimension : dimensions) {
        dimension = dimension.is_open() ? Dimension{dimension.name, rows} : dimension;
    }
    TensorBuilder builder(*TensorType::make(open_type.cell_type(), std::move(dimensions)));
    const double largest = open_type.cell_type() == CellType::i8 ? 127 : 1;
    for (std::size_t i = 0; i < builder.type().block_cells(); ++i) {
        state = state * 1664525 + 1013904223;
        builder.set(0, i, largest * (std::ldexp(static_cast<double>(state >> 12U), -19) - 1));
    }
    return std::move(builder).build();
}

// Documents with so many rows in open dimensions.
Case case_of(std::string_view text, const std::vector<const char *> &types, const std::vector<std::size_t> &rows) {
    Case described{std::string(text), {}, std::vector<std::vector<NamedTensor>>(rows.size())};
    std::uint32_t state = 1;
    char name = 'a';
    for (const char *type : types) {
        const TensorType parsed = *TensorType::parse(type);
        const std::string input(1, name++);
        described.schema.document(input, parsed);
        for (std::size_t i = 0; i < rows.size(); ++i) {
            described.documents[i].emplace_back(input, random_value(parsed, rows[i], state));
        }
    }
    return described;
}

struct Kind {
    const char *what;
    std::string text;
    std::vector<const char *> types;
    std::vector<std::size_t> rows;
};

// The nearest bfloat16 of each cell of an input.
std::string nearest(std::string_view cells) {
    return fmt::format("cell_cast({0}*65537-({0}*65537-{0}),bfloat16)", cells);
}

}  // namespace

std::vector<LongStep> long_steps() {
    const Kind kinds[] = {
        {"many rows by a matrix that all share",
         "reduce(a*tensor<float>(h[70],o[150])(cos(h*7+o)),sum,h)",
         {"tensor<float>(t[],h[70])"},
         {300, 1, 33}},
        {"few rows by a matrix",
         "reduce(a*tensor<float>(h[300],o[530])(cos(h*7+o)),sum,h)",
         {"tensor<float>(t[],h[300])"},
         {5, 1, 2}},
        {"a layer with a bias and relu",
         "relu(reduce(a*tensor<float>(h[70],o[200])(cos(h*7+o)),sum,h)+tensor<float>(o[200])(o*0.01-1))",
         {"tensor<float>(t[],h[70])"},
         {9, 250}},
        {"bytes", "reduce(a*tensor<int8>(h[70],o[330])(cos(h*7+o)*120),sum,h)", {"tensor<int8>(t[],h[70])"}, {200, 3}},
        {"bytes scaled by row and column",
         "reduce(a*tensor<int8>(h[70],o[330])(cos(h*7+o)*120),sum,h)*reduce(a,sum,h)*tensor<float>(o[330])(o*0.01-1)"
         "+reduce(a,max,h)*tensor<float>(o[330])(2-o*0.01)+tensor<float>(o[330])(o*0.02-1)",
         {"tensor<int8>(t[],h[70])"},
         {200, 3}},
        {"a matrix with blocks of zeros",
         "reduce(a*tensor<float>(h[300],o[150])(cos(h*7+o)*(h<64)),sum,h)",
         {"tensor<float>(t[],h[300])"},
         {150, 3}},
        {"halves",
         "reduce(a*tensor<bfloat16>(h[70],o[330])(cos(h*7+o)),sum,h)",
         {"tensor<bfloat16>(t[],h[70])"},
         {200, 3}},
        {"doubles", "reduce(a*tensor(h[70],o[130])(cos(h*7+o)),sum,h)", {"tensor(t[],h[70])"}, {100, 3}},
        {"a product of two values",
         "reduce(a*b,sum,k)",
         {"tensor<float>(i[70],k[60])", "tensor<float>(k[60],j[170])"},
         {0}},
        {"attention",
         "sum(softmax(sum(a*b,x)/5,s)*c,s)",
         {"tensor<float>(h[5],t[],x[16])", "tensor<float>(h[5],s[],x[16])", "tensor<float>(h[5],s[],y[16])"},
         {37, 1, 5, 61}},
        {"attention of rounded cells",
         fmt::format("sum({}*{},s)", nearest(fmt::format("softmax(sum({}*{},x)/5,s)", nearest("a"), nearest("b"))),
                     nearest("c")),
         {"tensor<float>(h[5],t[],x[16])", "tensor<float>(h[5],s[],x[16])", "tensor<float>(h[5],s[],y[16])"},
         {37, 1, 5, 61}},
        {"softmax", "softmax(a,x)", {"tensor<float>(t[],x[50])"}, {40, 1, 9}},
        {"layer normalization",
         "(a-reduce(a,avg,x))/sqrt(reduce((a-reduce(a,avg,x))*(a-reduce(a,avg,x)),avg,x)+0.001)",
         {"tensor<float>(t[],x[50])"},
         {40, 1, 9}},
        {"cells of two values", "a+b", {"tensor<float>(x[90],y[101])", "tensor<float>(x[90],y[101])"}, {0, 0}},
        {"a formula", "a*b+sqrt(a*a+b*b)-0.5", {"tensor<float>(x[90],y[101])", "tensor<float>(x[90],y[101])"}, {0, 0}},
        {"a formula with rows and columns",
         "tanh(a*b+c)",
         {"tensor<float>(x[90],y[101])", "tensor<float>(x[90])", "tensor<float>(y[101])"},
         {0, 0, 0}},
        {"a formula with a number of the document",
         "tanh(a*b+b)",
         {"tensor<float>(t[],x[333])", "tensor<float>(y[1])"},
         {31, 70}},
        {"sums of formulas",
         "reduce(a*b+a*2,sum,y)",
         {"tensor<float>(x[190],y[101])", "tensor<float>(x[190],y[101])"},
         {0, 0}},
        {"roundings", "cell_cast(a,bfloat16)+0", {"tensor<float>(t[],x[333])"}, {31, 70}},
    };
    std::vector<LongStep> steps;
    for (const Kind &kind : kinds) {
        steps.push_back({kind.what, case_of(kind.text, kind.types, kind.rows)});
    }
    return steps;
}

}  // namespace tenrex::differential
