// Formulas on cells of values that have only some of the dimensions.
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/lower/formula_check.h"

namespace tenrex {
namespace {

struct Matrix {
    std::string rows, columns;
};
const std::vector<Matrix> matrices = {{"1", "16"}, {"2", "3"},  {"3", "16"},  {"4", "1"},    {"7", "33"},
                                      {"5", "64"}, {"64", "5"}, {"24", "96"}, {"3", "1040"}, {"9", "130"}};

// A row, a column, both, and their product, of documents and queries.
TEST(Broadcasts, OfRowsAndColumns) {
    for (const auto &[rows, columns] : matrices) {
        for (const std::string type : {"<float>", ""}) {
            const std::string dimensions = "(x[" + rows + "],y[" + columns + "])";
            const std::vector<Input> inputs = {{"m", Stage::document, "tensor" + type + dimensions},
                                               {"r", Stage::document, "tensor" + type + "(y[" + columns + "])"},
                                               {"c", Stage::document, "tensor" + type + "(x[" + rows + "])"},
                                               {"q", Stage::query, "tensor<float>(y[" + columns + "])"},
                                               {"p", Stage::query, "tensor<float>(x[" + rows + "])"},
                                               {"s", Stage::document}};
            for (const char *text : {"m+r", "m+c", "c*r", "relu(m*p+q)*2", "m*r-c*m+p*q", "if(m<c,m+r,m)",
                                     "exp(r-c)*0.1", "(c-s)*r+s", "m in [1,2.5] && c<r", "m*p"}) {
                check(text, inputs, rows != "1" && columns != "1");
            }
        }
    }
}

// Rows that are no whole vectors, shorter and longer than a tile; short ones are written out.
TEST(Broadcasts, OfOddRows) {
    for (const auto &[rows, columns] : {Matrix{"9", "65"}, {"7", "513"}, {"2", "1033"}, {"40", "17"}, {"60", "15"}}) {
        for (const std::string type : {"<float>", "<bfloat16>", "<int8>", ""}) {
            const std::string dimensions = "(x[" + rows + "],y[" + columns + "])";
            const std::vector<Input> inputs = {{"m", Stage::document, "tensor" + type + dimensions},
                                               {"d", Stage::document, "tensor" + dimensions},
                                               {"r", Stage::document, "tensor" + type + "(y[" + columns + "])"},
                                               {"c", Stage::document, "tensor" + type + "(x[" + rows + "])"},
                                               {"q", Stage::query, "tensor" + type + "(y[" + columns + "])"},
                                               {"s", Stage::document}};
            for (const char *text : {"m+c", "c*r", "m*r-c*m+s*q", "d*c-r"}) {
                check(text, inputs);
            }
        }
    }
}

// Cells of the query, as many as a document has, end with the last row, which is no whole vector.
TEST(Broadcasts, OfOddRowsBesideCellsOfTheQuery) {
    for (const auto &[rows, columns] : {Matrix{"2", "24"}, {"4", "24"}, {"16", "17"}, {"16", "31"}, {"64", "19"}}) {
        for (const std::string type : {"<float>", ""}) {
            const std::string dimensions = "(x[" + rows + "],y[" + columns + "])";
            const std::vector<Input> inputs = {{"q", Stage::query, "tensor" + type + dimensions},
                                               {"r", Stage::document, "tensor" + type + "(y[" + columns + "])"}};
            for (const char *text : {"q-r", "tanh(q)==r", "max(q*q,r)*(q*q)"}) {
                check(text, inputs);
            }
        }
    }
}

TEST(Broadcasts, OfCellsThatAreConverted) {
    for (const auto &[rows, columns] : {Matrix{"3", "16"}, {"7", "33"}, {"24", "96"}}) {
        for (const std::string type : {"<bfloat16>", "<int8>", "<float>", ""}) {
            const std::string dimensions = "(x[" + rows + "],y[" + columns + "])";
            const std::vector<Input> inputs = {{"m", Stage::document, "tensor<int8>" + dimensions},
                                               {"d", Stage::document, "tensor" + dimensions},
                                               {"r", Stage::document, "tensor" + type + "(y[" + columns + "])"},
                                               {"c", Stage::document, "tensor" + type + "(x[" + rows + "])"},
                                               {"p", Stage::query, "tensor" + type + "(x[" + rows + "])"}};
            for (const char *text : {"m+r", "m+c*p", "r*c", "d*c-r", "cell_cast(m+c,float)*cell_cast(r,double)"}) {
                check(text, inputs);
            }
        }
    }
}

// Numbers of each document, alone and beside cells that documents share; sums with doubles take two floats of each.
TEST(Broadcasts, OfNumbersOfDocuments) {
    for (const std::string cells : {"1", "16", "24", "31", "32", "33", "40", "48", "64", "100", "128", "130", "300"}) {
        for (const std::string type : {"<float>", "", "<bfloat16>", "<int8>"}) {
            const std::vector<Input> inputs = {{"d", Stage::document, "tensor" + type + "(x[" + cells + "])"},
                                               {"e", Stage::document, "tensor" + type + "(x[" + cells + "])"},
                                               {"q", Stage::query, "tensor<float>(x[" + cells + "])"},
                                               {"s", Stage::document},
                                               {"t", Stage::document}};
            for (const char *text :
                 {"d-s", "q-s", "(d-avg(d))*s", "d*s+q*t", "exp(0.1*(d-s))+e", "sum(d*s-q)", "max(q-s)", "s+d*e",
                  "sum(abs(d-s)*e)+min(e-t)", "max(d,e-t)*(d<s)", "pow(q-s,2)"}) {
                check(text, inputs, false);
            }
        }
    }
    for (const auto &[rows, columns] : matrices) {
        const std::vector<Input> inputs = {{"m", Stage::document, "tensor<float>(x[" + rows + "],y[" + columns + "])"},
                                           {"r", Stage::document, "tensor<float>(y[" + columns + "])"},
                                           {"s", Stage::document}};
        for (const char *text : {"m-s", "m*r-s", "sum(m*r-s,y)", "max(s-m,y)"}) {
            check(text, inputs, false);
        }
    }
}

TEST(Broadcasts, OfThreeDimensions) {
    for (const auto &[a, b, c] :
         {std::tuple("2", "3", "5"), {"3", "2", "16"}, {"4", "5", "48"}, {"2", "9", "130"}, {"3", "4", "35"}}) {
        const auto sized = [a = a, b = b, c = c](const char *x, const char *y, const char *z) {
            std::string dimensions;
            for (const auto &[name, size] : {std::pair(x, a), {y, b}, {z, c}}) {
                dimensions +=
                    *name == '\0' ? "" : (dimensions.empty() ? "" : ",") + (name + ("[" + std::string(size) + "]"));
            }
            return "tensor<float>(" + dimensions + ")";
        };
        const std::vector<Input> inputs = {
            {"t", Stage::document, sized("x", "y", "z")}, {"xy", Stage::document, sized("x", "y", "")},
            {"xz", Stage::document, sized("x", "", "z")}, {"yz", Stage::document, sized("", "y", "z")},
            {"y", Stage::document, sized("", "y", "")},   {"z", Stage::query, sized("", "", "z")}};
        for (const char *text : {"t+xy", "t*xz+1", "t-yz", "t*y", "xy*xz-yz", "xy*z+y", "relu(t*y+z)-xz"}) {
            check(text, inputs);
        }
    }
}

}  // namespace
}  // namespace tenrex
