// A decision forest: trees over numbered features, whose leaves are added up. Importers read it from the files of
// trainers, passes find it in expressions, the reference evaluator walks it, and the compiler packs it for its kernels.
//
//   forest.trees[t].root >= 0: forest.splits[root] is the first split of tree t; below 0 the tree is the leaf ~root.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tenrex::forest {

// A number x of a document passes a split if x < threshold, x <= threshold, x == threshold, or x is in a set. Other
// comparisons are these with the branches exchanged.
enum class Test : std::uint8_t { less, less_equal, equal, in_set };

// The first branch is taken by what passes the test, the other one by what does not. What is missing is not tested: it
// goes where missing_passes says. NaN is missing.
struct Split {
    std::uint32_t feature = 0;
    Test test = Test::less;
    bool missing_passes = false;
    bool zero_is_missing = false;  // numbers from -1e-35 to 1e-35, too (as float constants: LightGBM's zero)
    std::uint32_t set = 0;         // of in_set: Forest::sets
    double threshold = 0;          // of the others
    std::int32_t when_true = 0;    // a split, or ~leaf
    std::int32_t when_false = 0;
};

// Numbers that pass an in_set split.
struct NumberSet {
    std::vector<double> members;  // ascending, without NaN
    bool truncates = false;       // a number is a category: its fraction is dropped before it is looked up
    bool only_from_zero = false;  // no number below 0 is in it, not even one that is 0 without its fraction
};

// A leaf whose value is linear in some features: constant + sum of coefficient * feature, added in this order in
// double. If one of the features is NaN, it is the plain value of the leaf. Features are as splits test them.
struct LinearTerm {
    std::uint32_t feature = 0;
    double coefficient = 0;
};
struct LinearLeaf {
    std::uint32_t leaf = 0;
    double constant = 0;
    std::vector<LinearTerm> terms;
};

struct Tree {
    std::int32_t root = 0;     // a split, or ~leaf
    std::uint32_t output = 0;  // its leaves have one value, for this output; or one for each output
};

enum class SumType : std::uint8_t { in_double, in_float };

// Sums are taken for each output on its own: the first number is initial[output], then come the trees in their order,
// each addition rounded to double or to float.
struct Forest {
    // Values of features are rounded to float before anything is done with them, as thresholds were.
    bool float_features = false;
    SumType sum = SumType::in_double;
    bool vector_leaves = false;  // leaf l has the values [l * outputs, (l + 1) * outputs), else just value l
    std::uint32_t outputs = 1;
    double divisor = 1;           // of the sums, last: the number of trees of an average
    std::vector<double> initial;  // one for each output
    std::vector<Tree> trees;
    std::vector<Split> splits;
    std::vector<double> leaves;
    std::vector<NumberSet> sets;
    std::vector<LinearLeaf> linear_leaves;   // ascending by leaf
    std::vector<std::string> feature_names;  // one for each feature, none twice
};

}  // namespace tenrex::forest
