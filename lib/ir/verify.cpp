#include "lib/ir/verify.h"

#include <algorithm>
#include <vector>

#include "lib/support/format.h"

namespace tenrex::ir {

namespace {

using Names = std::vector<std::string>;

bool has(const Names &names, std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

const Dimension *find(const TensorType &type, std::string_view name) {
    const auto found = type.find(name);
    return found ? &type.dimensions()[*found] : nullptr;
}

// Checks one node; its operands have been checked. Types are not put together to be compared: that would take memory,
// and this is done for every node of every plan.
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
    void fail_to_follow() { fail("its dimensions do not follow from its operands"); }

    void operands() {
        if (!is_payload_of(node_.op, *node_.payload)) {
            return fail("has the payload of another operation");
        }
        const OperandCounts counts = operand_counts(node_.op);
        if (node_.operands.size() < counts.least || node_.operands.size() > counts.most) {
            fail(fmt::format("has {} operands", node_.operands.size()));
        }
        for (NodeId operand : node_.operands) {
            if (operand >= id_) {
                fail(fmt::format("uses node {}, which comes after it", operand));
            }
        }
        if (node_.op == Op::apply && node_.operands.size() != info(node_.as<Apply>().function).arity) {
            fail("has the wrong number of operands for its function");
        }
        if (node_.op == Op::user &&
            (!node_.as<User>().function || node_.operands.size() != node_.as<User>().function->arity)) {
            fail("has the wrong number of operands for its function");
        }
        if (node_.op == Op::input && node_.as<Input>().index >= graph_.inputs().size()) {
            fail(fmt::format("there is no input {}", node_.as<Input>().index));
        }
    }

    void stage() {
        Stage latest = node_.op == Op::input ? graph_.inputs()[node_.as<Input>().index].stage : Stage::constant;
        for (NodeId operand : node_.operands) {
            latest = std::max(latest, graph_[operand].stage);
        }
        if (latest != node_.stage) {
            fail("has the wrong stage");
        }
    }

    // Its dimensions must be those of the natural join of its operands without the ones that go, and with others of its
    // own.
    void expect_join(const Names &gone = {}, const Names &own = {}) {
        const std::size_t count = node_.operands.size();
        for (std::size_t i = 0; i < count; ++i) {
            if (&operand_type(i) == node_.type && gone.empty()) {
                continue;
            }
            for (const Dimension &dimension : operand_type(i).dimensions()) {
                if (has(gone, dimension.name)) {
                    continue;
                }
                const Dimension *const here = find(*node_.type, dimension.name);
                if (here == nullptr || *here != dimension) {
                    expect_agreement(dimension);
                    return fail_to_follow();
                }
            }
        }
        for (const Dimension &dimension : node_.type->dimensions()) {
            bool follows = has(own, dimension.name);
            for (std::size_t i = 0; i < count && !follows; ++i) {
                follows = operand_type(i).find(dimension.name) && !has(gone, dimension.name);
            }
            if (!follows) {
                return fail_to_follow();
            }
        }
    }

    // No operand may have another dimension of that name.
    void expect_agreement(const Dimension &dimension) {
        for (std::size_t i = 0; i < node_.operands.size(); ++i) {
            const Dimension *const other = find(operand_type(i), dimension.name);
            if (other != nullptr && *other != dimension) {
                fail(fmt::format("its operands disagree about dimension {}", dimension.name));
            }
        }
    }

    void expect_operand_dimensions() {
        if (node_.type->dimensions() != operand_type(0).dimensions()) {
            fail_to_follow();
        }
    }

    void expect_type(const TensorType &type) {
        if (*node_.type != type) {
            fail(fmt::format("has another type than its value, {}", type.to_string()));
        }
    }

    void expect_in_operand(const Names &names) {
        for (const std::string &dimension : names) {
            if (!operand_type(0).find(dimension)) {
                fail(fmt::format("its operand has no dimension {}", dimension));
            }
        }
    }

    void dimensions() {
        switch (node_.op) {
            case Op::constant:
                return expect_type(node_.is_number() ? TensorType() : node_.as<Constant>().value->type());
            case Op::input:
                return expect_type(graph_.inputs()[node_.as<Input>().index].type);
            case Op::apply:
            case Op::user:
            case Op::in_set:
            case Op::select:
            case Op::cast:
            case Op::join_addresses:
                return expect_join();
            case Op::branch:
                if (!operand_type(0).is_scalar()) {
                    fail("its condition is not a scalar");
                }
                if (operand_type(1).dimensions() != operand_type(2).dimensions()) {
                    fail("its branches have different dimensions");
                }
                return expect_join();
            case Op::reduce:
                return reduced(node_.as<Reduce>().dimensions);
            case Op::contract:
                return reduced(node_.as<Contract>().dimensions);
            case Op::rename:
                return renamed();
            case Op::merge:
                if (operand_type(0).dimensions() != operand_type(1).dimensions()) {
                    fail("its operands have different dimensions");
                }
                return expect_join();
            case Op::fill:
                return expect_operand_dimensions();
            case Op::filter:
                for (const Dimension &dimension : operand_type(1).dimensions()) {
                    const Dimension *const filtered = find(operand_type(0), dimension.name);
                    if (filtered == nullptr || *filtered != dimension) {
                        fail("is told what to keep by dimensions that its operand lacks");
                    }
                }
                return expect_operand_dimensions();
            case Op::order:
                expect_in_operand(node_.as<Order>().dimensions);
                return expect_operand_dimensions();
            case Op::concat:
                return resized(node_.as<Concat>().dimension);
            case Op::slice:
                return resized(node_.as<Slice>().dimension);
            case Op::unpack_bits:
                return resized(node_.as<UnpackBits>().dimension);
            case Op::to_mapped:
                return changed_kind(node_.as<ToMapped>().dimensions);
            case Op::to_indexed: {
                Names names;
                for (const Dimension &dimension : node_.as<ToIndexed>().dimensions) {
                    names.push_back(dimension.name);
                }
                return changed_kind(names);
            }
            case Op::peek:
                return peek();
            case Op::pack:
                return pack();
        }
    }

    void reduced(const Names &dimensions) {
        if (dimensions.empty()) {
            fail("reduces no dimension");
        }
        for (const Dimension &dimension : operand_type(0).dimensions()) {
            expect_agreement(dimension);
        }
        expect_join(dimensions);
    }

    void renamed() {
        const auto &[from, to] = node_.as<Rename>();
        expect_in_operand(from);
        if (from.size() != to.size()) {
            return fail("has not one new name for each dimension");
        }
        for (const Dimension &dimension : operand_type(0).dimensions()) {
            const auto found = std::find(from.begin(), from.end(), dimension.name);
            const Dimension *const here = find(
                *node_.type, found == from.end() ? dimension.name : to[static_cast<std::size_t>(found - from.begin())]);
            if (here == nullptr || here->size != dimension.size) {
                return fail_to_follow();
            }
        }
        if (node_.type->dimensions().size() != operand_type(0).dimensions().size()) {
            fail_to_follow();
        }
    }

    std::string_view last_indexed() const {
        std::string_view last;
        for (const Dimension &dimension : node_.type->dimensions()) {
            last = dimension.is_indexed() ? std::string_view(dimension.name) : last;
        }
        return last;
    }

    std::uint64_t size_of(std::size_t operand, std::string_view dimension) const {
        const Dimension *const found = find(operand_type(operand), dimension);
        return found == nullptr ? 1 : found->size;
    }

    // concat, slice, unpack_bits: one indexed dimension has another size, the others are those of the natural join.
    void resized(const std::string &name) {
        const Names names = {name};
        if (!node_.type->find(names[0])) {
            return fail("does not name one of its dimensions");
        }
        if (node_.op == Op::unpack_bits && operand_type(0).cell_type() != CellType::i8) {
            return fail("unpacks cells that are no bits");
        }
        if (node_.op == Op::unpack_bits && names[0] != last_indexed()) {
            return fail("unpacks bits along another dimension than the last one");
        }
        const std::uint64_t size = find(*node_.type, names[0])->size;
        const std::uint64_t first = size_of(0, names[0]);
        const std::uint64_t begin = node_.op == Op::slice ? node_.as<Slice>().begin : 0;
        const bool fits = node_.op == Op::concat  ? size == first + size_of(1, names[0])
                          : node_.op == Op::slice ? begin <= first && size <= first - begin
                                                  : size == 8 * first;
        if (size == 0 || !fits) {
            return fail(fmt::format("the size of dimension {} does not follow from its operands", names[0]));
        }
        expect_join(names, names);
    }

    void changed_kind(const Names &names) {
        expect_in_operand(names);
        for (const Dimension &dimension : operand_type(0).dimensions()) {
            const Dimension *const here = find(*node_.type, dimension.name);
            if (has(names, dimension.name)) {
                if (here == nullptr || here->is_mapped() == dimension.is_mapped()) {
                    return fail(fmt::format("does not change the kind of dimension {}", dimension.name));
                }
            }
        }
        expect_join(names, names);
    }

    void peek() {
        Names names;
        std::size_t computed = 0;
        for (const PeekPart &part : node_.as<Peek>().parts) {
            const Dimension *const dimension = find(operand_type(0), part.dimension);
            if (dimension == nullptr) {
                return fail(fmt::format("its operand has no dimension {}", part.dimension));
            }
            if (has(names, part.dimension)) {
                return fail(fmt::format("chooses along dimension {} twice", part.dimension));
            }
            names.push_back(part.dimension);
            if (part.computed == 0) {
                if (dimension->is_indexed() && part.index >= dimension->size) {
                    return fail(fmt::format("dimension {} has no index {}", part.dimension, part.index));
                }
            } else if (part.computed >= node_.operands.size()) {
                return fail(fmt::format("the label of dimension {} is no operand", part.dimension));
            }
            computed += part.computed != 0 ? 1 : 0;
        }
        if (computed + 1 != node_.operands.size()) {
            return fail(fmt::format("has {} operands for {} labels", node_.operands.size() - 1, computed));
        }
        expect_join(names);
    }

    void pack() {
        const Pack &pack = node_.as<Pack>();
        if (pack.cells.size() != node_.operands.size()) {
            fail("has not one place for each operand");
        }
        for (const PackCell &cell : pack.cells) {
            if (cell.block >= pack.addresses.size() || cell.index >= node_.type->block_cells()) {
                return fail("places an operand outside of its type");
            }
        }
        for (std::size_t i = 1; i < node_.operands.size(); ++i) {
            if (&operand_type(i) != &operand_type(0) && operand_type(i).dimensions() != operand_type(0).dimensions()) {
                return fail("its operands have different dimensions");
            }
        }
        for (const Dimension &dimension : operand_type(0).dimensions()) {
            const Dimension *const here = find(*node_.type, dimension.name);
            if (here == nullptr || *here != dimension) {
                return fail_to_follow();
            }
        }
        const std::size_t labels = node_.type->mapped_count() - operand_type(0).mapped_count();
        for (const auto &address : pack.addresses) {
            if (address.size() != labels) {
                return fail(fmt::format("has an address of {} labels, not {}", address.size(), labels));
            }
        }
    }

    const Graph &graph_;
    NodeId id_;
    const Node &node_;
    std::optional<std::string> problem_;
};

}  // namespace

std::optional<std::string> violation(const Graph &graph, NodeId first) {
    for (NodeId id = first; id < graph.size(); ++id) {
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
