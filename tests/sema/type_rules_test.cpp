#include "lib/sema/type_rules.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace tenrex::sema {
namespace {

TensorType type(std::string_view text) {
    const Result<TensorType> parsed = TensorType::parse(text);
    EXPECT_TRUE(parsed) << text;
    return parsed ? *parsed : TensorType();
}

std::string text(const TypeOrProblem &result) {
    if (const auto *problem = std::get_if<TypeProblem>(&result)) {
        return problem->message + (problem->hint.empty() ? "" : " (" + problem->hint + ")");
    }
    return std::get<TensorType>(result).to_string();
}

using Dimensions = std::vector<std::string_view>;

std::string join(std::string_view a, std::string_view b, bool java = false) {
    return text(join_type(type(a), type(b), java, {}));
}
std::string merge(std::string_view a, std::string_view b, bool java = false) {
    return text(merge_type(type(a), type(b), java, {}));
}
std::string concat(std::string_view a, std::string_view b, std::string_view dimension, bool java = false) {
    return text(concat_type(type(a), type(b), dimension, java, {}));
}
std::string choose(std::string_view a, std::string_view b, bool java = false) {
    return text(conditional_type(type(a), type(b), java));
}

struct CellTypes {
    const char *a, *b;
    const char *unified;  // what concat gives
    const char *decayed;  // what arithmetic gives
};
constexpr CellTypes cell_type_table[] = {
    {"double", "double", "double", "double"},      {"double", "float", "double", "double"},
    {"double", "bfloat16", "double", "double"},    {"double", "int8", "double", "double"},
    {"float", "double", "double", "double"},       {"float", "float", "float", "float"},
    {"float", "bfloat16", "float", "float"},       {"float", "int8", "float", "float"},
    {"bfloat16", "double", "double", "double"},    {"bfloat16", "float", "float", "float"},
    {"bfloat16", "bfloat16", "bfloat16", "float"}, {"bfloat16", "int8", "float", "float"},
    {"int8", "double", "double", "double"},        {"int8", "float", "float", "float"},
    {"int8", "bfloat16", "float", "float"},        {"int8", "int8", "int8", "float"},
};

std::string of(std::string_view cell_type, std::string_view dimensions) {
    return type("tensor<" + std::string(cell_type) + ">(" + std::string(dimensions) + ")").to_string();
}

TEST(TypeRules, CombineCellTypesOfTwoOperands) {
    for (const CellTypes &row : cell_type_table) {
        for (const char *dimensions : {"x[3]", "x{}", "x{},y[2]"}) {
            const TensorType a = type(of(row.a, dimensions));
            const TensorType b = type(of(row.b, dimensions));
            SCOPED_TRACE(a.to_string() + " with " + b.to_string());
            EXPECT_EQ(name(unify(a, b)), row.unified);
            EXPECT_EQ(text(join_type(a, b, false, {})), of(row.decayed, dimensions));
            EXPECT_EQ(text(join_type(a, b, true, {})), of(row.decayed, dimensions));
            EXPECT_EQ(text(merge_type(a, b, false, {})), of(row.decayed, dimensions));
            EXPECT_EQ(text(concat_type(a, b, "z", false, {})), of(row.unified, std::string(dimensions) + ",z[2]"));
            const bool equal = std::string_view(row.a) == row.b;
            EXPECT_EQ(text(conditional_type(a, b, false)) == a.to_string(), equal);
            EXPECT_EQ(text(conditional_type(a, b, true)), of(row.unified, dimensions));
        }
    }
}

TEST(TypeRules, GiveCellTypesOfOneOperand) {
    for (CellType cell_type : all_cell_types) {
        const std::string_view cells = name(cell_type);
        const std::string_view decayed = name(decay(cell_type));
        SCOPED_TRACE(cells);
        const TensorType t = type(of(cells, "x{},y[3]"));
        EXPECT_EQ(text(map_type(t)), of(decayed, "x{},y[3]"));
        EXPECT_EQ(text(reduce_type(t, Dimensions{"x"})), of(decayed, "y[3]"));
        EXPECT_EQ(text(reduce_type(t, Dimensions{"x", "y"})), "double");
        EXPECT_EQ(text(reduce_type(t, {})), "double");
        EXPECT_EQ(text(rename_type(t, Dimensions{"x"}, Dimensions{"z"})), of(cells, "y[3],z{}"));
        EXPECT_EQ(text(peek_type(t, Dimensions{"x"})), of(cells, "y[3]"));
        EXPECT_EQ(text(peek_type(t, Dimensions{"y", "x"})), "double");
        EXPECT_EQ(block_type(t).to_string(), of(cells, "y[3]"));
        EXPECT_EQ(text(map_subspaces_type(t, TensorType(), {})), of(decayed, "x{}"));
        EXPECT_EQ(text(map_subspaces_type(t, type("tensor<int8>(z[2])"), {})), of("int8", "x{},z[2]"));
        EXPECT_EQ(text(filter_subspaces_type(t)), t.to_string());
        // A number on one side does not count.
        EXPECT_EQ(text(join_type(t, TensorType(), false, {})), of(decayed, "x{},y[3]"));
        EXPECT_EQ(text(join_type(TensorType(), t, false, {})), of(decayed, "x{},y[3]"));
        EXPECT_EQ(text(concat_type(t, TensorType(), "y", false, {})), of(cells, "x{},y[4]"));
        EXPECT_EQ(text(concat_type(TensorType(), t, "z", false, {})), of(cells, "x{},y[3],z[2]"));
        for (CellType to : all_cell_types) {
            EXPECT_EQ(text(cell_cast_type(t, to)), of(name(to), "x{},y[3]"));
        }
    }
}

TEST(TypeRules, TreatNumbersAsDoubles) {
    EXPECT_EQ(text(map_type(TensorType())), "double");
    EXPECT_EQ(join("double", "double"), "double");
    EXPECT_EQ(merge("double", "double"), "double");
    EXPECT_EQ(concat("double", "double", "x"), "tensor(x[2])");
    EXPECT_EQ(choose("double", "double"), "double");
    EXPECT_EQ(text(reduce_type(TensorType(), {})), "double");
    EXPECT_EQ(block_type(TensorType()).to_string(), "double");
    EXPECT_EQ(block_type(type("tensor<int8>(x{})")).to_string(), "double");
    EXPECT_EQ(text(map_subspaces_type(TensorType(), type("tensor<int8>(x[2])"), {})), "tensor<int8>(x[2])");
    EXPECT_EQ(text(map_subspaces_type(TensorType(), TensorType(), {})), "double");
    EXPECT_EQ(text(cell_cast_type(TensorType(), CellType::f64)), "double");
    EXPECT_EQ(text(cell_cast_type(TensorType(), CellType::i8)),
              "a number without dimensions is always a double (leave the cast out; cast a tensor before it is reduced "
              "to a number)");
}

TEST(TypeRules, JoinIsTheNaturalJoin) {
    EXPECT_EQ(join("tensor(x[3])", "tensor(x[3])"), "tensor(x[3])");
    EXPECT_EQ(join("tensor(x[3])", "tensor(y[2])"), "tensor(x[3],y[2])");
    EXPECT_EQ(join("tensor(y{},z[1])", "tensor(x{},y{})"), "tensor(x{},y{},z[1])");
    EXPECT_EQ(join("tensor(x10[2])", "tensor(X[2],x9[2])"), "tensor(X[2],x10[2],x9[2])");
    EXPECT_EQ(join("tensor(x[3])", "tensor(x[4])"),
              "dimension 'x' has size 3 in the first and 4 in the second (use rename to keep the two apart)");
    EXPECT_EQ(join("tensor(x[1])", "tensor(x[4])"),
              "dimension 'x' has size 1 in the first and 4 in the second (use rename to keep the two apart)");
    EXPECT_EQ(join("tensor(x[3],y{})", "tensor(x{},y[2])"),
              "dimension 'x' is indexed with size 3 in the first and mapped in the second, dimension 'y' is mapped in "
              "the first and indexed with size 2 in the second (use rename to keep the two apart)");
}

TEST(TypeRules, JavaJoinPrefersMapped) {
    EXPECT_EQ(join("tensor(x[3],y{})", "tensor(x{},y[2])", true), "tensor(x{},y{})");
    EXPECT_EQ(join("tensor<int8>(x[3])", "tensor<int8>(x{},z[2])", true), "tensor<float>(x{},z[2])");
    EXPECT_EQ(join("tensor(x[3])", "tensor(x[4])", true),
              "dimension 'x' has size 3 in the first and 4 in the second (use rename to keep the two apart)");
}

TEST(TypeRules, MergeNeedsTheSameDimensions) {
    EXPECT_EQ(merge("tensor(x{},y[2])", "tensor(x{},y[2])"), "tensor(x{},y[2])");
    EXPECT_EQ(merge("tensor(x{})", "tensor(y{})"),
              "only the first has dimension 'x', only the second has dimension 'y' (merge needs the same dimensions on "
              "both sides; join does not)");
    EXPECT_EQ(merge("tensor(x{})", "double"),
              "only the first has dimension 'x' (merge needs the same dimensions on "
              "both sides; join does not)");
    EXPECT_EQ(merge("tensor(x[3])", "tensor(x[4])"),
              "dimension 'x' has size 3 in the first and 4 in the second (merge needs the same dimensions on both "
              "sides)");
    EXPECT_EQ(merge("tensor(x[3])", "tensor(x{})"),
              "dimension 'x' is indexed with size 3 in the first and mapped in the second (merge needs the same "
              "dimensions on both sides)");
}

TEST(TypeRules, JavaMergeTakesVectorsOfDifferentLength) {
    EXPECT_EQ(merge("tensor(x[3])", "tensor<int8>(x[5])", true), "tensor(x[5])");
    EXPECT_EQ(merge("tensor<int8>(x[5])", "tensor<int8>(x[3])", true), "tensor<float>(x[5])");
    EXPECT_EQ(merge("tensor(x[3])", "tensor(x{})", true), "tensor(x{})");
    EXPECT_EQ(merge("tensor(x[3],y[2])", "tensor(x[5],y[2])", true),
              "dimension 'x' has size 3 in the first and 5 in the second (merge needs the same dimensions on both "
              "sides)");
    EXPECT_EQ(merge("tensor(x[3])", "tensor(y[3])", true),
              "only the first has dimension 'x', only the second has dimension 'y' (merge needs the same dimensions on "
              "both sides; join does not)");
}

TEST(TypeRules, ReducePeekAndRenameNeedTheDimension) {
    const TensorType t = type("tensor(title{},x[3])");
    EXPECT_EQ(text(reduce_type(t, Dimensions{"titel"})),
              "tensor(title{},x[3]) has no dimension 'titel' (did you mean 'title'?)");
    EXPECT_EQ(text(peek_type(t, Dimensions{"foo"})),
              "tensor(title{},x[3]) has no dimension 'foo' (its dimensions are title, x)");
    EXPECT_EQ(text(reduce_type(TensorType(), Dimensions{"x"})), "a double has no dimension 'x'");
    EXPECT_EQ(text(reduce_type(t, Dimensions{"x", "x"})), "dimension 'x' is named twice");
    EXPECT_EQ(text(rename_type(t, Dimensions{"x"}, Dimensions{"title"})),
              "the result would have two dimensions 'title' (rename the other one too)");
    EXPECT_EQ(text(rename_type(t, Dimensions{"x", "title"}, Dimensions{"y", "y"})),
              "the result would have two dimensions 'y' (rename the other one too)");
    EXPECT_EQ(text(rename_type(t, Dimensions{"x", "x"}, Dimensions{"y", "z"})), "dimension 'x' is named twice");
    EXPECT_EQ(text(rename_type(t, Dimensions{"x", "title"}, Dimensions{"title", "x"})), "tensor(title[3],x{})");
    EXPECT_EQ(text(rename_type(t, Dimensions{"x"}, Dimensions{"x"})), "tensor(title{},x[3])");
    EXPECT_EQ(text(rename_type(t, Dimensions{"x", "title"}, Dimensions{"y"})),
              "2 dimensions get 1 names (write one new name for each dimension)");
}

TEST(TypeRules, ConcatAddsSizes) {
    EXPECT_EQ(concat("tensor(x[3])", "tensor(x[4])", "x"), "tensor(x[7])");
    EXPECT_EQ(concat("tensor(x[3])", "tensor(x[3])", "y"), "tensor(x[3],y[2])");
    EXPECT_EQ(concat("tensor(x[3],z{})", "tensor(x[3],y[2])", "x"), "tensor(x[6],y[2],z{})");
    EXPECT_EQ(
        concat("tensor(x{})", "tensor(y[3])", "x"),
        "dimension 'x' of tensor(x{}) is mapped (concat needs an indexed dimension or one that is new; merge puts "
        "the cells of mapped dimensions together)");
    EXPECT_EQ(concat("tensor(x[3],y[2])", "tensor(x[3],y[4])", "x"),
              "dimension 'y' has size 2 in the first and 4 in the second (use rename to keep the two apart)");
    EXPECT_EQ(concat("tensor(x[3],y[2])", "tensor(x[3],y[4])", "x", true), "tensor(x[6],y[2])");
    EXPECT_EQ(concat("tensor(x[3],y[2])", "tensor(x[3],y{})", "x", true),
              "dimension 'y' is indexed with size 2 in the first and mapped in the second (use rename to keep the two "
              "apart)");
}

TEST(TypeRules, ConditionalSaysHowTheBranchesDiffer) {
    EXPECT_EQ(choose("tensor(x[3])", "double"),
              "only the first has dimension 'x' (give both branches the same dimensions)");
    EXPECT_EQ(choose("tensor(x[3])", "tensor(x[4])"),
              "dimension 'x' has size 3 in the first and 4 in the second (give both branches the same dimensions)");
    EXPECT_EQ(choose("tensor<float>(x[3])", "tensor<int8>(x[3])"),
              "the cells are float in the first and int8 in the second (use cell_cast(..., float) on one branch)");
    EXPECT_EQ(choose("tensor<float>(x[3])", "tensor<int8>(x{})", true), "tensor<float>(x{})");
    EXPECT_EQ(choose("tensor<int8>(x[3])", "tensor<int8>(x[4])", true),
              "dimension 'x' has size 3 in the first and 4 in the second (give both branches the same dimensions)");
    EXPECT_EQ(choose("tensor(x[3])", "double", true),
              "only the first has dimension 'x' (give both branches the same dimensions)");
}

TEST(TypeRules, SubspacesKeepMappedDimensionsApart) {
    EXPECT_EQ(text(map_subspaces_type(type("tensor(x{},y[3])"), type("tensor(x[2])"), {})),
              "the lambda gives tensor(x[2]), but 'x' is a mapped dimension of tensor(x{},y[3]) (rename the dimension "
              "inside the lambda)");
    EXPECT_EQ(text(map_subspaces_type(type("tensor(y[3])"), type("tensor(z{})"), {})),
              "the lambda gives tensor(z{}), which has mapped dimensions (the lambda must give a number or a tensor "
              "with indexed dimensions)");
    EXPECT_EQ(text(map_subspaces_type(type("tensor<int8>(y[3])"), TensorType(), {})), "double");
    EXPECT_EQ(text(filter_subspaces_type(type("tensor(y[3])"))),
              "tensor(y[3]) has no mapped dimension, so there are no blocks to choose from");
}

TEST(TypeRules, ReportResultsBeyondTheLimits) {
    Limits limits;
    limits.block_cells = 100;
    limits.dimensions = 2;
    const TypeOrProblem many_cells = join_type(type("tensor(x[20])"), type("tensor(y[6])"), false, limits);
    EXPECT_TRUE(std::holds_alternative<TypeProblem>(many_cells));
    EXPECT_TRUE(
        std::holds_alternative<TensorType>(join_type(type("tensor(x[20])"), type("tensor(y[5])"), false, limits)));
    EXPECT_TRUE(
        std::holds_alternative<TypeProblem>(join_type(type("tensor(x{},y{})"), type("tensor(z{})"), false, limits)));
    EXPECT_TRUE(std::holds_alternative<TypeProblem>(
        concat_type(type("tensor(x[50])"), type("tensor(x[51])"), "x", false, limits)));
    EXPECT_TRUE(
        std::holds_alternative<TypeProblem>(map_subspaces_type(type("tensor(x{})"), type("tensor(y[101])"), limits)));
}

TEST(TypeRules, JavaConversionsChangeOneDimension) {
    EXPECT_EQ(to_mapped_type(type("tensor<int8>(x[3],y[2])"), Dimensions{"x"}).to_string(), "tensor<int8>(x{},y[2])");
    EXPECT_EQ(cut_type(type("tensor<int8>(x[3],y[2])"), "x", 1, 3).to_string(), "tensor<int8>(x[2],y[2])");
}

}  // namespace
}  // namespace tenrex::sema
