#include "lib/ir/verify.h"

#include <algorithm>
#include <vector>

#include "lib/support/format.h"

namespace tenrex::ir {

namespace {

struct OperandCounts {
    std::size_t least, most;
};
constexpr OperandCounts operand_counts[] = {
#define TENREX_OP(id, name, least, most, summary) {least, most},
#include "lib/ir/ops.def"
};

bool has(const std::vector<std::string> &names, std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

// Checks one node; its operands have been checked.
class NodeVerifier {
public:
    NodeVerifier(const Graph &graph, NodeId id) : graph_(graph), id_(id), node_(graph[id]) {}

    std::optional<std::string> run() {
        operands();
        if (!problem_) {
            stage();
        }
        if (!problem_) {
            dimensions();
        }
        return std::move(problem_);
    }

private:
    const TensorType &operand_type(std::size_t i) const { return *graph_[node_.operands[i]].type; }

    void fail(std::string_view what) {
        if (!problem_) {
            problem_ = fmt::format("node {} ({} : {}): {}", id_, name(node_.op), node_.type->to_string(), what);
        }
    }

    void operands() {
        const OperandCounts counts = operand_counts[static_cast<std::size_t>(node_.op)];
        if (node_.operands.size() < counts.least || node_.operands.size() > counts.most) {
            fail(fmt::format("has {} operands", node_.operands.size()));
        }
        for (NodeId operand : node_.operands) {
            if (operand >= id_) {
                fail(fmt::format("uses node {}, which comes after it", operand));
            }
        }
        if (node_.op == Op::apply && node_.operands.size() != info(node_.attributes->function).arity) {
            fail("has the wrong number of operands for its function");
        }
    }

    void stage() {
        Stage latest = node_.op == Op::input ? graph_.inputs()[node_.attributes->input].stage : Stage::constant;
        for (NodeId operand : node_.operands) {
            latest = std::max(latest, graph_[operand].stage);
        }
        if (latest != node_.stage) {
            fail("has the wrong stage");
        }
    }

    // The natural join of operands [first, last), without the named dimensions.
    std::vector<Dimension> joined(std::size_t first, std::size_t last, const std::vector<std::string> &without = {}) {
        std::vector<Dimension> result;
        for (std::size_t i = first; i < last; ++i) {
            for (const Dimension &dimension : operand_type(i).dimensions()) {
                const auto same = std::find_if(result.begin(), result.end(),
                                               [&](const Dimension &d) { return d.name == dimension.name; });
                if (has(without, dimension.name)) {
                    continue;
                }
                if (same == result.end()) {
                    result.push_back(dimension);
                } else if (*same != dimension) {
                    fail(fmt::format("its operands disagree about dimension {}", dimension.name));
                }
            }
        }
        return result;
    }

    void expect(std::vector<Dimension> dimensions) {
        std::sort(dimensions.begin(), dimensions.end(),
                  [](const Dimension &a, const Dimension &b) { return a.name < b.name; });
        if (dimensions != node_.type->dimensions()) {
            fail("its dimensions do not follow from its operands");
        }
    }

    void expect_in_operand(const std::vector<std::string> &names) {
        for (const std::string &dimension : names) {
            if (!operand_type(0).find(dimension)) {
                fail(fmt::format("its operand has no dimension {}", dimension));
            }
        }
    }

    void dimensions() {
        const Attributes &attributes = *node_.attributes;
        switch (node_.op) {
            case Op::constant:
                return expect(attributes.value ? attributes.value->type().dimensions() : std::vector<Dimension>());
            case Op::input:
                return expect(graph_.inputs()[attributes.input].type.dimensions());
            case Op::apply:
            case Op::user:
            case Op::in_set:
            case Op::select:
            case Op::cast:
            case Op::join_addresses:
                return expect(joined(0, node_.operands.size()));
            case Op::branch:
                if (!operand_type(0).is_scalar()) {
                    fail("its condition is not a scalar");
                }
                if (operand_type(1).dimensions() != operand_type(2).dimensions()) {
                    fail("its branches have different dimensions");
                }
                return expect(operand_type(1).dimensions());
            case Op::reduce:
            case Op::contract:
                if (attributes.dimensions.empty()) {
                    fail("reduces no dimension");
                }
                return expect(joined(0, node_.operands.size(), attributes.dimensions));
            case Op::rename:
                return renamed();
            case Op::merge:
                if (operand_type(0).dimensions() != operand_type(1).dimensions()) {
                    fail("its operands have different dimensions");
                }
                return expect(joined(0, 3));
            case Op::fill:
            case Op::filter:
                if (joined(0, 2).size() != operand_type(0).dimensions().size() && node_.op == Op::filter) {
                    fail("is told what to keep by dimensions that its operand lacks");
                }
                return expect(operand_type(0).dimensions());
            case Op::order:
                expect_in_operand(attributes.dimensions);
                return expect(operand_type(0).dimensions());
            case Op::concat:
            case Op::slice:
            case Op::unpack_bits:
                return resized();
            case Op::to_mapped:
            case Op::to_indexed:
                expect_in_operand(attributes.dimensions);
                return changed_kind();
            case Op::peek:
                return peek();
            case Op::pack:
                return pack();
        }
    }

    void renamed() {
        const Attributes &attributes = *node_.attributes;
        expect_in_operand(attributes.dimensions);
        if (attributes.dimensions.size() != attributes.new_names.size()) {
            return fail("has not one new name for each dimension");
        }
        std::vector<Dimension> dimensions = operand_type(0).dimensions();
        for (Dimension &dimension : dimensions) {
            const auto found = std::find(attributes.dimensions.begin(), attributes.dimensions.end(), dimension.name);
            if (found != attributes.dimensions.end()) {
                dimension.name = attributes.new_names[static_cast<std::size_t>(found - attributes.dimensions.begin())];
            }
        }
        expect(std::move(dimensions));
    }

    std::uint64_t size_of(std::size_t operand, std::string_view dimension) const {
        const auto found = operand_type(operand).find(dimension);
        return found ? operand_type(operand).dimensions()[*found].size : 1;
    }

    // concat, slice, unpack_bits: one indexed dimension has another size, the others are those of the natural join.
    void resized() {
        const std::vector<std::string> &names = node_.attributes->dimensions;
        if (names.size() != 1 || !node_.type->find(names[0])) {
            return fail("does not name one of its dimensions");
        }
        std::vector<Dimension> dimensions = joined(0, node_.operands.size(), names);
        const std::uint64_t size = node_.type->dimensions()[*node_.type->find(names[0])].size;
        const bool fits = node_.op == Op::concat  ? size == size_of(0, names[0]) + size_of(1, names[0])
                          : node_.op == Op::slice ? node_.attributes->begin + size <= size_of(0, names[0])
                                                  : size == 8 * size_of(0, names[0]);
        if (!fits) {
            fail(fmt::format("the size of dimension {} does not follow from its operands", names[0]));
        }
        dimensions.push_back({names[0], size});
        expect(std::move(dimensions));
    }

    void changed_kind() {
        std::vector<Dimension> dimensions = operand_type(0).dimensions();
        for (Dimension &dimension : dimensions) {
            if (has(node_.attributes->dimensions, dimension.name)) {
                const auto found = node_.type->find(dimension.name);
                if (!found || node_.type->dimensions()[*found].is_mapped() == dimension.is_mapped()) {
                    return fail(fmt::format("does not change the kind of dimension {}", dimension.name));
                }
                dimension.size = node_.type->dimensions()[*found].size;
            }
        }
        expect(std::move(dimensions));
    }

    void peek() {
        std::vector<std::string> names;
        for (const PeekPart &part : node_.attributes->parts) {
            names.push_back(part.dimension);
            if (part.computed >= node_.operands.size()) {
                fail(fmt::format("the label of dimension {} is no operand", part.dimension));
            }
        }
        expect_in_operand(names);
        expect(joined(0, node_.operands.size(), names));
    }

    void pack() {
        const Attributes &attributes = *node_.attributes;
        if (attributes.cells.size() != node_.operands.size()) {
            fail("has not one place for each operand");
        }
        for (const PackCell &cell : attributes.cells) {
            if (cell.block >= attributes.addresses.size() || cell.index >= node_.type->block_cells()) {
                fail("places an operand outside of its type");
            }
        }
        for (std::size_t i = 1; i < node_.operands.size(); ++i) {
            if (operand_type(i).dimensions() != operand_type(0).dimensions()) {
                fail("its operands have different dimensions");
            }
        }
    }

    const Graph &graph_;
    NodeId id_;
    const Node &node_;
    std::optional<std::string> problem_;
};

}  // namespace

std::optional<std::string> violation(const Graph &graph) {
    for (NodeId id = 0; id < graph.size(); ++id) {
        if (std::optional<std::string> problem = NodeVerifier(graph, id).run()) {
            return problem;
        }
    }
    for (const GraphOutput &output : graph.outputs()) {
        if (output.node >= graph.size()) {
            return "an output is no node";
        }
    }
    return std::nullopt;
}

}  // namespace tenrex::ir
