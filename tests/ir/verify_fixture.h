// A graph with one node that makes sense or does not, for the tests of the verifier.
#pragma once

#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "lib/ir/verify.h"

namespace tenrex::ir {

inline TensorType type(const char *text) {
    return *TensorType::parse(text);
}

// A graph with one input for each type, and then a node of these and a type.
class Verify : public testing::Test {
protected:
    void inputs(std::initializer_list<const char *> types) {
        graph_ = Graph();
        operands_.clear();
        for (const char *text : types) {
            const std::string name = "i" + std::to_string(operands_.size());
            operands_.push_back(graph_.input(graph_.add_input({name, type(text), Stage::document})));
        }
    }
    // What is wrong with the node, without what it begins with.
    std::string wrong(Op op, const char *of_type, Payload payload = {}) {
        const NodeId id = graph_.add(op, type(of_type), operands_, std::move(payload));
        const std::string problem = Verifier().violation(graph_).value_or("");
        EXPECT_EQ(Verifier().violation(graph_, id).value_or(""), problem);
        EXPECT_EQ(Verifier().violation(graph_, id + 1), std::nullopt) << "what was verified is not again";
        const std::size_t colon = problem.rfind("): ");
        return colon == problem.npos ? problem : problem.substr(colon + 3);
    }
    static Reduce over(std::vector<std::string> dimensions) { return {Aggregator::sum, std::move(dimensions)}; }
    static Contract summed(std::vector<std::string> dimensions) { return {{}, std::move(dimensions)}; }

    Graph graph_;
    std::vector<NodeId> operands_;
};

inline std::string not_as_operands_give(const std::string &dimensions) {
    return "its dimensions do not follow from its operands, which give " + dimensions;
}

}  // namespace tenrex::ir
