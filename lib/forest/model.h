// A model as its trainer wrote it: a forest, what becomes of its sums, and what is known of its features and trees.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lib/forest/forest.h"

namespace tenrex::forest {

// What makes the value of a model of the sums of its forest.
enum class Link : std::uint8_t {
    identity,
    signed_square,  // sign(x) * x^2
    exp,            // e^x
    log_of_one_plus_exp,
    sigmoid,            // of scale * x
    clamped_sigmoid,    // of x, which is not below -88.7
    step,               // x > 0 ? 1 : 0
    softmax,            // over the outputs
    softmax_of_others,  // over the outputs that are not 0, which is |x| <= 1e-7; x * e^-max of those over the same sum
    index_of_largest,   // of the outputs, the first one of equals
    probit,             // as ONNX has it: an approximation of the inverse of the normal distribution
};
// What the value is made of before the link: each output, or one number of all.
enum class Choice : std::uint8_t { each, smallest, largest };
struct Transform {
    Link link = Link::identity;
    double scale = 1;
    double divisor = 1;  // of the sums, first of all: the number of trees of an average
    Choice choice = Choice::each;
    std::vector<double> offsets;  // added last before the link: one for each number, or none
};

// The class that a classifier predicts.
struct Labels {
    // Of the outputs: that of the largest sum counts. Or two for a model of one output: up to the threshold, above it.
    std::vector<double> numbers;
    double threshold = 0;
    bool are_texts = false;  // then there are no numbers
};

struct Category {
    std::string label;
    double code = 0;
};
struct FeatureInfo {
    std::string name;
    bool has_name = false;  // in the file; else it is made of the number of the feature
    bool is_categorical = false;
    std::vector<Category> categories;  // the label map of the file, if it has one
};

// What the trainer noted of its data at a split or leaf; lists are empty if the file does not tell.
struct TrainingNotes {
    std::vector<double> gains;          // of the splits
    std::vector<double> split_weights;  // how much of the data came there: rows, or their second derivatives
    std::vector<double> leaf_weights;
};

struct Model {
    Forest forest;
    Transform transform;
    Labels labels;
    std::string format;     // such as "LightGBM text"
    std::string objective;  // as the file writes it, with its parameters
    std::vector<FeatureInfo> features;
    // For each feature of the forest its place in `features`. The forest's are those which splits and linear leaves
    // use, in the order of `features`.
    std::vector<std::uint32_t> feature_of;
    TrainingNotes notes;
};

}  // namespace tenrex::forest
