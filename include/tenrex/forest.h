// Decision forests that LightGBM and XGBoost have trained. A forest is a value of an expression:
//
//   auto forest = tenrex::Forest::load("clicks.txt");
//   schema.document("price").document("bm25(title)");      // the features, by the names that the trainer knew
//   schema.forest("clicks", *forest);
//   auto plan = tenrex::compile("forest(clicks) + 0.1 * bm25(title)", schema);
//
// forest(clicks) is what the trainer predicts; forest(clicks).raw is the sum of the leaves, before the objective's
// sigmoid, softmax or other function. A forest of several outputs is a tensor(class[k]).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <tenrex/export.h>
#include <tenrex/result.h>

namespace tenrex {

namespace forest {
struct Model;
}

// What a file that XGBoost has dumped as JSON leaves out. Saved models need none of it.
struct ForestOptions {
    std::string feature_map;    // the text of a feature map: lines of "number name type"
    std::uint32_t outputs = 1;  // the trees belong to them in turn
    double base_score = 0;      // what sums begin with
};

// Immutable; copies share it.
class TENREX_EXPORT Forest {
public:
    struct Category {
        std::string label;  // as the trainer's data had it
        double code = 0;    // what the trees test
    };
    struct Feature {
        std::string name;
        bool has_name = false;  // in the file; else it is "f" and the number of the feature
        bool is_categorical = false;
        std::vector<Category> categories;  // if the file has them
        std::uint64_t splits = 0;          // how many test the feature
        double gain = 0;                   // of those splits, as the trainer noted it
    };

    // Reads LightGBM's text or JSON dump, XGBoost's JSON, UBJSON or JSON dump; the content tells which. Errors say
    // where in the file what is wrong.
    static Result<Forest> load(const std::string &path, const ForestOptions &options = {});
    static Result<Forest> read(std::string_view bytes, const ForestOptions &options = {});

    // What a reader of another library has put together, with features numbered as in its file. Errors: what makes no
    // forest.
    static Result<Forest> build(forest::Model model);

    // Such as "LightGBM text", and "binary sigmoid:1".
    const std::string &format() const noexcept;
    const std::string &objective() const noexcept;
    std::size_t trees() const noexcept;
    std::size_t leaves() const noexcept;
    // The most splits on the way to a leaf.
    std::size_t depth() const noexcept;
    std::size_t outputs() const noexcept;
    // All features of the file, also those that no tree uses.
    std::vector<Feature> features() const;
    // The names of the features that trees use. An expression with the forest needs these.
    const std::vector<std::string> &used_features() const noexcept;

    // How much each feature adds to the raw score: the path-dependent Shapley values that the trainers call
    // contributions. values: one for each of used_features(). The result has for each output a row of one number for
    // each of features(), and last the expected score; the sum of a row is the raw score. Errors: the file does not
    // tell how much data came to each leaf; linear leaves.
    Result<std::vector<double>> contributions(std::span<const double> values) const;

    const std::shared_ptr<const forest::Model> &model() const noexcept { return model_; }

private:
    explicit Forest(std::shared_ptr<const forest::Model> model) : model_(std::move(model)) {}
    std::shared_ptr<const forest::Model> model_;
};

}  // namespace tenrex
