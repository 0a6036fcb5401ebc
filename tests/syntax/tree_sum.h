// The text of a sum of decision trees, as trained models are exported: long, and nothing but if, a comparison and
// numbers.
#pragma once

#include <random>
#include <string>

namespace tenrex::syntax {

class TreeSum {
public:
    std::string text(int trees, int depth) {
        text_.clear();
        for (int i = 0; i < trees; ++i) {
            text_ += i == 0 ? "" : "+";
            tree(depth);
        }
        return text_;
    }

private:
    void tree(int depth) {
        if (depth == 0) {
            text_ += std::to_string(static_cast<double>(random_() % 20000) / 10000.0 - 1);
            return;
        }
        text_ += "if(attribute(f" + std::to_string(random_() % 200) + ")<" +
                 std::to_string(static_cast<double>(random_() % 100000) / 1000.0) + ",";
        tree(depth - 1);
        text_ += ",";
        tree(depth - 1);
        text_ += ")";
    }
    std::mt19937 random_{1};
    std::string text_;
};

}  // namespace tenrex::syntax
