#include "tools/table_printer.h"

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <tenrex/formats.h>

#include "tools/table_grid.h"

namespace tenrex::tool {
namespace {

std::string table(std::string_view literal, TableOptions options = {}) {
    const auto tensor = from_literal(literal);
    EXPECT_TRUE(tensor) << tensor.error().render();
    return tensor ? '\n' + print_table(*tensor, options) : std::string();
}

// The literal of a dense tensor whose cells are 0, 1, 2, ...
std::string counting(std::string_view type) {
    TensorBuilder builder(*TensorType::parse(type));
    for (std::size_t i = 0; i < builder.type().block_cells(); ++i) {
        builder.set(0, i, static_cast<double>(i));
    }
    return to_literal(std::move(builder).build());
}

TEST(TablePrinter, ScalarIsItsNumber) {
    EXPECT_EQ(table("1.5"), "\n1.5\n");
    EXPECT_EQ(table("0.3333333333333333"), "\n0.3333333333333333\n");
    EXPECT_EQ(table("nan"), "\nnan\n");
}

TEST(TablePrinter, OneDimensionGivesRows) {
    EXPECT_EQ(table("tensor<float>(x[3]):[1,2.5,-30]"), R"(
x
0    1
1    2.5
2  -30
)");
    EXPECT_EQ(table("tensor(x{}):{b:2,a:1.25,\"c d\":3}"), R"(
x
a      1.25
b      2
"c d"  3
)");
}

TEST(TablePrinter, NumericLabelsComeFirstAndByValue) {
    EXPECT_EQ(table("tensor(x{}):{10:1,9:2,a:3,007:4}"), R"(
x
9    2
10   1
007  4
a    3
)");
}

TEST(TablePrinter, TwoIndexedDimensions) {
    EXPECT_EQ(table("tensor(x[2],y[3]):[[1,2,3],[4,-5.5,6]]"), R"(
x\y  0     1  2
0    1   2    3
1    4  -5.5  6
)");
}

TEST(TablePrinter, RowsPerLabel) {
    EXPECT_EQ(table("tensor(k{},x[2]):{b:[1,2],a:[3,4]}"), R"(
k\x  0  1
a    3  4
b    1  2
)");
    EXPECT_EQ(table("tensor(a{},k{},x[2]):{p:{q:[1,2],r:[3,4]}}"), R"(
a  k\x  0  1
p  q    1  2
p  r    3  4
)");
    EXPECT_EQ(table("tensor(a[2],z{}):{{z:p,a:0}:1,{z:p,a:1}:2}"), R"(
z\a  0  1
p    1  2
)");
}

TEST(TablePrinter, TwoMappedDimensionsGiveACrossTable) {
    EXPECT_EQ(table("tensor(a{},b{}):{p:{x:1,y:2},q:{x:3}}"), R"(
a\b  x  y
p    1  2
q    3  -
)");
}

TEST(TablePrinter, CrossTableThatWouldBeMostlyEmptyIsAList) {
    std::string literal = "tensor(a{},b{}):{";
    for (int i = 0; i < 9; ++i) {
        literal += (i == 0 ? "" : ",") + std::string("{a:p") + std::to_string(i) + ",b:q" + std::to_string(i) + "}:1";
    }
    const std::string text = table(literal + "}", {80, 4, 8});
    EXPECT_EQ(text, R"(
a    b
p0   q0  1
p1   q1  1
...
p7   q7  1
p8   q8  1
(4 of 9 rows)
)");
}

TEST(TablePrinter, ThreeMappedDimensionsGiveAList) {
    EXPECT_EQ(table("tensor(a{},b{},c{}):{p:{q:{r:1,s:2.5}}}"), R"(
a  b  c
p  q  r  1
p  q  s  2.5
)");
}

TEST(TablePrinter, FurtherDimensionsGiveSlices) {
    EXPECT_EQ(table(counting("tensor(a[2],x[2],y[2])")), R"(
{a:0}
x\y  0  1
0    0  1
1    2  3

{a:1}
x\y  0  1
0    4  5
1    6  7
)");
    EXPECT_EQ(table("tensor(k{},x[1],y[2]):{v:[[1,2]],u:[[3,4]]}"), R"(
{k:u}
x\y  0  1
0    3  4

{k:v}
x\y  0  1
0    1  2
)");
    EXPECT_EQ(table("tensor(a[2],k{},x[1],y[1]):{{k:\"u v\",a:0,x:0,y:0}:1,{k:\"u v\",a:1,x:0,y:0}:2}"), R"(
{k:"u v",a:0}
x\y  0
0    1

{k:"u v",a:1}
x\y  0
0    2
)");
}

TEST(TablePrinter, Empty) {
    EXPECT_EQ(table("tensor(x{}):{}"), "\n(empty)\n");
    EXPECT_EQ(table("tensor(x{},y[2],z[2]):{}"), "\n(empty)\n");
}

TEST(TablePrinter, ManyRowsAreAbridged) {
    EXPECT_EQ(table(counting("tensor(x[1000])"), {80, 5, 8}), R"(
x
0      0
1      1
2      2
...
998  998
999  999
(5 of 1000 rows)
)");
    EXPECT_EQ(table(counting("tensor(x[5])"), {80, 5, 8}), "\nx\n0  0\n1  1\n2  2\n3  3\n4  4\n");
    EXPECT_EQ(table(counting("tensor(x[2])"), {80, 1, 8}), "\nx\n0    0\n...\n(1 of 2 rows)\n");
}

TEST(TablePrinter, ManyColumnsAreAbridgedToTheWidth) {
    EXPECT_EQ(table(counting("tensor(x[2],y[100])"), {30, 24, 8}), R"(
x\y    0    1  ...   98   99
0      0    1  ...   98   99
1    100  101  ...  198  199
(2 of 2 rows, 4 of 100 columns)
)");
    EXPECT_EQ(table(counting("tensor(x[2],y[5])"), {18, 24, 8}),
              "\nx\\y  0  1  2  3  4\n0    0  1  2  3  4\n1    5  6  7  8  9\n");
    EXPECT_EQ(table(counting("tensor(x[2],y[5])"), {17, 24, 8}),
              "\nx\\y  0  1  ...  4\n0    0  1  ...  4\n1    5  6  ...  9\n(2 of 2 rows, 3 of 5 columns)\n");
    // However narrow the screen, there is one column.
    EXPECT_EQ(table(counting("tensor(x[1],y[5])"), {1, 24, 8}),
              "\nx\\y  0  ...\n0    0  ...\n(1 of 1 rows, 1 of 5 columns)\n");
}

TEST(TablePrinter, ManySlicesAreAbridged) {
    EXPECT_EQ(table(counting("tensor(a[4],x[1],y[1])"), {80, 24, 2}), R"(
{a:0}
x\y  0
0    0

...

{a:3}
x\y  0
0    3

(2 of 4 slices)
)");
}

TEST(TablePrinter, LinesNeverExceedTheWidth) {
    const auto tensor = from_literal(counting("tensor<float>(x[30],y[70])"));
    ASSERT_TRUE(tensor);
    for (std::size_t width = 35; width < 300; ++width) {
        const std::string text = print_table(*tensor, {width, 10, 8});
        for (std::size_t begin = 0; begin < text.size();) {
            const std::size_t end = text.find('\n', begin);
            EXPECT_LE(end - begin, width);
            EXPECT_NE(text[end - 1], ' ');
            begin = end + 1;
        }
    }
}

TEST(TablePrinter, LongLabelsAreClippedBetweenCharacters) {
    const std::string text = table("tensor(x{}):{\"" + std::string(100, 'a') + "\":1}");
    EXPECT_EQ(text, "\nx\n" + std::string(29, 'a') + "...  1\n");
    std::string umlauts;
    for (int i = 0; i < 1000; ++i) {
        umlauts += "ä";
    }
    const std::string clipped = table("tensor(x{}):{\"" + umlauts + "\":1}");
    EXPECT_NE(clipped.find("ä...  1\n"), std::string::npos) << clipped;
    EXPECT_LE(display_width(clipped), 50U);
}

TEST(TablePrinter, WideCharactersKeepColumnsAligned) {
    EXPECT_EQ(table("tensor(x{}):{\"日本\":1,\"größe\":2}"), "\nx\n\"größe\"  2\n\"日本\"   1\n");
}

TEST(TablePrinter, DisplayWidth) {
    EXPECT_EQ(display_width("abc"), 3U);
    EXPECT_EQ(display_width("äöü"), 3U);
    EXPECT_EQ(display_width("日本"), 4U);
    EXPECT_EQ(display_width("e\xCC\x81"), 1U);  // a combining accent
    EXPECT_EQ(display_width("\xF0\x9F\x98\x80"), 2U);
    EXPECT_EQ(display_width("\xFF\xC3"), 2U);  // not UTF-8
    EXPECT_EQ(display_width(""), 0U);
}

TEST(TableGrid, Cells) {
    EXPECT_EQ(format_cell(0), "0");
    EXPECT_EQ(format_cell(-3), "-3");
    EXPECT_EQ(format_cell(16777217), "16777217");
    EXPECT_EQ(format_cell(1e14), "100000000000000");
    EXPECT_EQ(format_cell(1e15), "1e+15");
    EXPECT_EQ(format_cell(1.0 / 3), "0.333333");
    EXPECT_EQ(format_cell(1.5e-7), "1.5e-07");
    EXPECT_EQ(format_cell(-std::numeric_limits<double>::infinity()), "-inf");
    EXPECT_EQ(format_cell(-std::numeric_limits<double>::quiet_NaN()), "nan");
}

TEST(TableGrid, NumbersAlignAtTheDecimalPoint) {
    EXPECT_EQ(table("tensor(x[6]):[1.5,-20,0.001,nan,1e30,inf]"), R"(
x
0    1.5
1  -20
2    0.001
3  nan
4    1e+30
5  inf
)");
}

TEST(TableGrid, Abridge) {
    using Shown = std::vector<std::optional<std::size_t>>;
    EXPECT_EQ(abridge(0, 3), (Shown{}));
    EXPECT_EQ(abridge(3, 3), (Shown{0, 1, 2}));
    EXPECT_EQ(abridge(4, 3), (Shown{0, 1, {}, 3}));
    EXPECT_EQ(abridge(9, 1), (Shown{0, {}}));
    EXPECT_EQ(abridge(9, 0), (Shown{0, {}}));
}

}  // namespace
}  // namespace tenrex::tool
