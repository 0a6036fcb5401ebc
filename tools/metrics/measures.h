// How good a ranking is, by what judges say of its documents: NDCG, MAP, MRR, recall and precision.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <tenrex/result.h>

namespace tenrex::tool {

// What was found for a query. A document is relevant if its relevance is above 0.
struct JudgedRanking {
    std::vector<double> found;    // the relevance of the documents that were found, best score first
    std::vector<double> missing;  // and of the relevant ones that were not
};

// One of the measures, perhaps of the best documents alone. All are 0 where nothing was found or nothing is relevant.
class Measure {
public:
    // "ndcg", "map", "mrr", "recall" or "precision", and "ndcg@10" of the ten best documents.
    static Result<Measure> parse(std::string_view name);

    const std::string &name() const noexcept { return name_; }
    double of(const JudgedRanking &ranking) const;

private:
    // most: how many documents count.
    using Function = double(const JudgedRanking &ranking, std::size_t most);
    struct Row {
        std::string_view name;
        Function *function;
    };
    static const std::vector<Row> &rows();

    Measure(std::string name, Function *function, std::size_t most)
        : name_(std::move(name)), function_(function), most_(most) {}

    std::string name_;
    Function *function_;
    std::size_t most_;
};

}  // namespace tenrex::tool
