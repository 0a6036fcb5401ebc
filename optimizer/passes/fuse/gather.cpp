// Generators that peek at computed indexes, or choose between such peeks: one operation takes the cells of the result
// from where they are. The indices are found before, once if they are known before the documents are.
#include <algorithm>
#include <utility>

#include "optimizer/passes/fuse/gather_parts.h"
#include "optimizer/passes/passes.h"

namespace tenrex::optimizer {

namespace {

using ir::Gather;

// Where a gather begins below the node that ends it: rounded, cells are taken from rounded sources, and dimensions of
// size 1 change nothing.
std::optional<ir::NodeId> root_of(const Patterns &patterns, ir::NodeId id) {
    ir::NodeId root = id;
    for (const ir::Op around : {ir::Op::cast, ir::Op::join_addresses}) {
        const ir::Node &node = patterns[root];
        if (node.op != around) {
            continue;
        }
        const bool same_cells = patterns.type(node.operands[0]).block_cells() == node.type->block_cells();
        if (around == ir::Op::join_addresses && (node.type->has_mapped() || !same_cells)) {
            continue;
        }
        root = node.operands[0];
        if (patterns.uses(root) != 1) {
            return std::nullopt;
        }
    }
    const ir::Op op = patterns[root].op;
    const bool may_be_one = op == ir::Op::select || op == ir::Op::peek || op == ir::Op::fill;
    return may_be_one ? std::optional(root) : std::nullopt;
}

// The choices and peeks that lead from a root to values whose cells are taken.
class GatherFinder {
public:
    GatherFinder(const Patterns &patterns, ir::NodeId id, ir::NodeId root, bool splits)
        : patterns_(patterns), result_(patterns.type(id)), root_(root) {
        gather_.is_split = splits;
    }

    // Else reason() may say why not.
    bool find() { return begins() && collect() && is_worth_it(); }
    std::string_view reason() const { return reason_; }
    // Nodes become operands: the sources, then the numbers.
    Fused fused() && {
        for (Gather::Operation &operation : gather_.operations) {
            operation.operand = operation.chooses() ? number(operation.operand) : place(sources_, operation.operand);
            number_terms(operation.sum);
            for (Gather::Part &part : operation.parts) {
                if (part.computed) {
                    number_terms(*part.computed);
                }
            }
        }
        for (const Dimension &dimension : result_.dimensions()) {
            if (dimension.is_indexed()) {
                gather_.dimensions.push_back(dimension);
            }
        }
        sources_.insert(sources_.end(), numbers_.begin(), numbers_.end());
        return {ir::Op::gather, std::move(sources_), std::move(gather_)};
    }

private:
    bool refuse(std::string_view reason) {
        reason_ = reason;
        return false;
    }
    const TensorType &type(ir::NodeId id) const { return patterns_.type(id); }

    // Documents split a single dimension.
    bool begins() const {
        const std::vector<Dimension> &dimensions = type(root_).dimensions();
        const auto lengths = std::count_if(dimensions.begin(), dimensions.end(),
                                           [](const Dimension &dimension) { return dimension.size != 1; });
        return !gather_.is_split || (lengths == 1 && !type(root_).has_mapped());
    }

    std::optional<GatherPart> part_at(ir::NodeId id) const {
        std::optional<GatherPart> part = gather_.is_split ? split_part(patterns_, id) : known_part(patterns_, id);
        return part && !rounds(id, *part) ? std::move(part) : std::nullopt;
    }
    // Whether cells are rounded here otherwise than at the end.
    bool rounds(ir::NodeId id, const GatherPart &part) const {
        const CellType own = type(id).cell_type();
        return own != CellType::f64 && own != result_.cell_type() &&
               std::any_of(part.reads.begin(), part.reads.end(), [&](ir::NodeId read) {
                   const ir::Node &node = patterns_[read];
                   const bool is_float = own == CellType::f32 && node.is_number() &&
                                         static_cast<double>(static_cast<float>(node.number())) == node.number();
                   return byte_size(node.type->cell_type()) > byte_size(own) && !is_float;
               });
    }

    bool collect() {
        std::vector<ir::NodeId> pending{root_};
        while (!pending.empty()) {
            const ir::NodeId id = pending.back();
            pending.pop_back();
            if (gather_.operations.size() == Gather::most_operations) {
                return refuse("there are more choices than are looked at for each cell");
            }
            std::optional<GatherPart> part = part_at(id);
            if (!part && id == root_) {
                return false;
            }
            // What something else reads, too, is a value of its own.
            if (part && id != root_ && (patterns_.uses(id) != 1 || patterns_[id].stage != patterns_[root_].stage)) {
                is_read_elsewhere_ |= part->operation.kind == Gather::Kind::peek;
                part.reset();
            }
            if (!part) {
                const ir::NodeId source = source_of(id);
                gather_.operations.push_back({Gather::Kind::source, source});
                take_from(source, is_range(source));
                continue;
            }
            if (part->operation.chooses()) {
                pending.push_back(part->reads[1]);
                pending.push_back(part->reads[0]);
            } else {
                take_from(part->reads[0], true);
            }
            gather_.operations.push_back(std::move(part->operation));
        }
        return true;
    }
    void take_from(ir::NodeId source, bool peeks) {
        peeks_ |= peeks;
        place(sources_, source);
    }
    // The value before it was widened, if cells may be taken from there.
    ir::NodeId source_of(ir::NodeId id) const {
        const ir::Node &node = patterns_[id];
        const bool widened = node.op == ir::Op::cast && node.type->cell_type() == CellType::f64;
        return widened ? node.operands[0] : id;
    }
    // What a peek at a range of indexes has become.
    bool is_range(ir::NodeId id) const {
        while (patterns_[id].op == ir::Op::rename || patterns_[id].op == ir::Op::cast) {
            id = patterns_[id].operands[0];
        }
        return patterns_[id].op == ir::Op::slice;
    }

    bool is_worth_it() {
        // Where all cells stay in place, the kernels for choices are as good.
        if (!peeks_) {
            return is_read_elsewhere_ && refuse("something else reads the cells that are peeked, too");
        }
        if (sources_.size() > Gather::most_sources) {
            return refuse("the cells come from more values than are read at a time");
        }
        const auto is_large = [&](ir::NodeId source) { return type(source).block_cells() > Gather::most_cells; };
        if (result_.block_cells() > Gather::most_cells || std::any_of(sources_.begin(), sources_.end(), is_large)) {
            return refuse("there are more cells than indices of 32 bits");
        }
        const bool alike = std::all_of(sources_.begin(), sources_.end(), [&](ir::NodeId source) {
            return type(source).cell_type() == type(sources_[0]).cell_type();
        });
        const auto converts_much = [&](ir::NodeId source) {
            return type(source).cell_type() != result_.cell_type() &&
                   type(source).block_cells() > 4 * result_.block_cells();
        };
        return alike || std::none_of(sources_.begin(), sources_.end(), converts_much) ||
               refuse("its sources have different cell types, and one has many more cells than are taken");
    }

    std::uint32_t number(ir::NodeId id) { return static_cast<std::uint32_t>(sources_.size()) + place(numbers_, id); }
    void number_terms(Gather::Sum &sum) {
        for (Gather::Term &term : sum) {
            term.operand = number(term.operand);
        }
    }
    // Where the node is among others, or now comes behind them.
    static std::uint32_t place(std::vector<ir::NodeId> &nodes, ir::NodeId id) {
        const auto found = std::find(nodes.begin(), nodes.end(), id);
        const auto position = static_cast<std::uint32_t>(found - nodes.begin());
        if (found == nodes.end()) {
            nodes.push_back(id);
        }
        return position;
    }

    const Patterns &patterns_;
    const TensorType &result_;
    ir::NodeId root_;
    Gather gather_;
    std::vector<ir::NodeId> sources_;
    std::vector<ir::NodeId> numbers_;
    bool peeks_ = false;
    bool is_read_elsewhere_ = false;
    std::string_view reason_;
};

}  // namespace

std::optional<Fused> fuse_gather(const Patterns &patterns, ir::NodeId id) {
    const std::optional<ir::NodeId> root = root_of(patterns, id);
    if (!root) {
        return std::nullopt;
    }
    std::string_view reason;
    for (const bool splits : {false, true}) {
        GatherFinder finder(patterns, id, *root, splits);
        if (finder.find()) {
            return std::move(finder).fused();
        }
        reason = reason.empty() ? finder.reason() : reason;
    }
    if (reason.empty()) {
        reason = why_no_part(patterns, *root);
    }
    // What is nearly one below a cast is told there.
    return reason.empty() || *root != id ? std::nullopt : patterns.refuse(id, reason);
}

}  // namespace tenrex::optimizer
