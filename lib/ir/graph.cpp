#include "lib/ir/graph.h"

#include <algorithm>
#include <bit>
#include <concepts>
#include <cstring>
#include <functional>

#include "lib/ir/index_vector.h"

namespace tenrex::ir {

namespace {

constexpr std::size_t op_count = 0
#define TENREX_OP(id, name, least, most, summary) +1
#include "lib/ir/ops.def"
    ;
static_assert(op_count <= 8 * sizeof(OpSet), "there are more operations than OpSet has bits");

template <std::integral Integer>
void mix(std::size_t &hash, Integer value) {
    hash ^= static_cast<std::size_t>(value) + 0x9e3779b97f4a7c15 + (hash << 6) + (hash >> 2);
}
void mix(std::size_t &hash, std::string_view text) {
    mix(hash, std::hash<std::string_view>{}(text));
}
void mix(std::size_t &hash, double number) {
    mix(hash, std::bit_cast<std::uint64_t>(number));
}

std::size_t hash_of(const TensorType &type) {
    std::size_t hash = static_cast<std::size_t>(type.cell_type());
    for (const Dimension &dimension : type.dimensions()) {
        mix(hash, dimension.name);
        mix(hash, dimension.size);
    }
    return hash;
}

std::size_t cell_bytes(const Tensor &value) {
    return value.cell_count() * byte_size(value.type().cell_type());
}

// Of the first cells: constants may be large, and seldom begin alike.
std::size_t hash_of(const Tensor &value) {
    constexpr std::size_t most = 1024;
    std::size_t hash = value.blocks();
    if (const std::size_t bytes = std::min(cell_bytes(value), most); bytes > 0) {
        mix(hash, std::string_view(static_cast<const char *>(value.view().cells()), bytes));
    }
    return hash;
}

// Of one type. Cells are compared bit for bit: -0 is not 0, and a NaN equals itself. The order of blocks counts: it is
// that of sums over them.
bool is_same(const Tensor &a, const Tensor &b) {
    const TensorView x = a.view();
    const TensorView y = b.view();
    if (x.blocks() != y.blocks() || x.blocks() == 0) {
        return x.blocks() == y.blocks();
    }
    if (x.cells() == y.cells()) {
        return true;  // copies, which share what they hold
    }
    if (std::memcmp(x.cells(), y.cells(), cell_bytes(a)) != 0) {
        return false;
    }
    for (std::size_t block = 0; block < x.blocks(); ++block) {
        for (std::size_t i = 0; i < a.type().mapped_count(); ++i) {
            if (x.label(block, i) != y.label(block, i)) {
                return false;
            }
        }
    }
    return true;
}

bool is_same(const std::shared_ptr<const Tensor> &a, const std::shared_ptr<const Tensor> &b) {
    return a == b || (a && b && a->type() == b->type() && is_same(*a, *b));
}

std::size_t hash_of(const Attributes &attributes) {
    std::size_t hash = 0;
    mix(hash, attributes.number);
    mix(hash, attributes.value ? hash_of(*attributes.value) : 0);
    mix(hash, reinterpret_cast<std::size_t>(attributes.user_function.get()));
    mix(hash, attributes.begin);
    const auto after = attributes.after ? static_cast<std::size_t>(*attributes.after) + 1 : 0;
    mix(hash, (std::size_t{attributes.input} << 32) + (static_cast<std::size_t>(attributes.function) << 24) +
                  (after << 16) + (static_cast<std::size_t>(attributes.aggregator) << 8) +
                  (attributes.ascending ? 1 : 0));
    for (const std::string &name : attributes.dimensions) {
        mix(hash, name);
    }
    for (const std::string &name : attributes.new_names) {
        mix(hash, name);
    }
    for (double member : attributes.set) {
        mix(hash, member);
    }
    for (const PeekPart &part : attributes.parts) {
        mix(hash, part.dimension);
        mix(hash, part.label);
        mix(hash, part.index);
    }
    for (const PackCell &cell : attributes.cells) {
        mix(hash, cell.block);
        mix(hash, cell.index);
    }
    return hash;
}

// Numbers are compared bit for bit: -0 is not 0, and a NaN equals itself.
bool same_bits(const std::vector<double> &a, const std::vector<double> &b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](double x, double y) {
        return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y);
    });
}

const Attributes no_attributes;

constexpr std::string_view op_names[] = {
#define TENREX_OP(id, name, least, most, summary) name,
#include "lib/ir/ops.def"
};

}  // namespace

std::string_view name(Op op) noexcept {
    return op_names[static_cast<std::size_t>(op)];
}

std::optional<Op> op_from_name(std::string_view name) noexcept {
    const auto *const found = std::find(std::begin(op_names), std::end(op_names), name);
    return found == std::end(op_names) ? std::nullopt : std::optional<Op>(static_cast<Op>(found - op_names));
}

bool operator==(const Attributes &a, const Attributes &b) {
    return std::bit_cast<std::uint64_t>(a.number) == std::bit_cast<std::uint64_t>(b.number) &&
           is_same(a.value, b.value) && a.input == b.input && a.function == b.function && a.after == b.after &&
           a.aggregator == b.aggregator && a.dimensions == b.dimensions && a.new_names == b.new_names &&
           same_bits(a.set, b.set) && a.user_function == b.user_function && a.probability == b.probability &&
           a.ascending == b.ascending && a.begin == b.begin && a.parts == b.parts && a.addresses == b.addresses &&
           a.cells == b.cells;
}

std::uint32_t Graph::add_input(GraphInput input) {
    inputs_.push_back(std::move(input));
    return static_cast<std::uint32_t>(inputs_.size() - 1);
}

const TensorType *Graph::intern(const TensorType &type) {
    const std::uint32_t hash = folded(hash_of(type));
    if (const auto known = type_index_.find(hash, [&](std::uint32_t number) { return types_[number] == type; })) {
        return &types_[*known];
    }
    type_index_.add(hash, static_cast<std::uint32_t>(types_.size()));
    return &types_.emplace_back(type);
}

NodeId Graph::add(Op op, const TensorType &type, std::span<const NodeId> operands, Attributes attributes, Span span) {
    Node node;
    node.op = op;
    node.type = intern(type);
    node.operands = operands;
    node.stage = op == Op::input ? inputs_[attributes.input].stage : Stage::constant;
    for (NodeId operand : operands) {
        node.stage = std::max(node.stage, nodes_[operand].stage);
    }
    node.span = span;

    std::size_t hash = hash_of(attributes);
    mix(hash, static_cast<std::size_t>(op));
    mix(hash, reinterpret_cast<std::size_t>(node.type));
    for (NodeId operand : operands) {
        mix(hash, operand);
    }
    const auto is_equal = [&](NodeId id) {
        const Node &other = nodes_[id];
        return other.op == op && other.type == node.type &&
               std::equal(operands.begin(), operands.end(), other.operands.begin(), other.operands.end()) &&
               *other.attributes == attributes;
    };
    if (const std::optional<NodeId> known = node_index_.find(folded(hash), is_equal)) {
        return *known;
    }
    node.holds_indexes = op == Op::constant && attributes.value && holds_indexes(*attributes.value);
    node.operands = operands_.copy(operands);
    node.attributes = attributes == no_attributes ? &no_attributes : &attributes_.emplace_back(std::move(attributes));
    nodes_.push_back(node);
    ops_ |= op_set(op);
    const auto id = static_cast<NodeId>(nodes_.size() - 1);
    node_index_.add(folded(hash), id);
    return id;
}

NodeId Graph::constant(double value) {
    Attributes attributes;
    attributes.number = value;
    return add(Op::constant, TensorType(), {}, std::move(attributes));
}

NodeId Graph::constant(const Tensor &value) {
    if (value.type().is_scalar()) {
        return constant(value.as_double());
    }
    Attributes attributes;
    attributes.value = std::make_shared<const Tensor>(value);
    return add(Op::constant, value.type(), {}, std::move(attributes));
}

NodeId Graph::without_casts(NodeId id) const noexcept {
    while (nodes_[id].op == Op::cast) {
        id = nodes_[id].operands[0];
    }
    return id;
}

NodeId Graph::input(std::uint32_t index) {
    Attributes attributes;
    attributes.input = index;
    return add(Op::input, inputs_[index].type, {}, std::move(attributes));
}

std::vector<std::uint32_t> Graph::use_counts() const {
    std::vector<std::uint32_t> uses(nodes_.size(), 0);
    for (const GraphOutput &output : outputs_) {
        ++uses[output.node];
    }
    // Operands come before their users, so from the back every node's own count is final when it is reached.
    for (std::size_t id = nodes_.size(); id-- > 0;) {
        if (uses[id] != 0) {
            for (NodeId operand : nodes_[id].operands) {
                ++uses[operand];
            }
        }
    }
    return uses;
}

}  // namespace tenrex::ir
