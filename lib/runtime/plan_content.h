// What the handles of the public interface hold.
#pragma once

#include <memory>
#include <vector>

#include <tenrex/plan.h>

#include "lib/ir/graph.h"
#include "lib/kernels/isa.h"
#include "lib/plan/plan.h"
#include "optimizer/pass_manager.h"

namespace tenrex {

struct Plan::Content {
    ir::Graph graph;
    std::shared_ptr<const plan::Plan> plan;
    std::vector<Output> outputs;
    std::vector<InputDeclaration> document_inputs, query_inputs;
    std::vector<std::size_t> document_ports, query_ports;  // of each, its place in plan->inputs
    std::vector<Issue> warnings;
    std::vector<optimizer::PassReport> passes;
    kernels::Isa isa;
};

struct Query::Content {
    std::shared_ptr<const Plan::Content> plan;
    plan::Store store;
    LabelTable labels;            // those that the plan does not know
    std::vector<Label> own;       // all of them
    std::size_t known = 0;        // how many the plan's table had
    std::vector<Tensor> tensors;  // what the store points into
};

struct Context::Content {
    std::shared_ptr<const Plan::Content> plan;
    plan::Store store;
    plan::Scratch scratch;
    std::vector<plan::Growing<std::byte>> computed;  // cells of columns that are filled on demand
};

}  // namespace tenrex
