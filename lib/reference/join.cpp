// Operations on pairs of blocks: join, merge and concat.
#include "lib/reference/operations.h"
#include "lib/reference/walk.h"

namespace tenrex::reference {

namespace {

// Finds the pairs of blocks that agree on the mapped dimensions that both operands have.
class Matcher {
public:
    Matcher(const TensorType &result, const Blocks &a, const Blocks &b) : a_(a), b_(b) {
        const std::vector<std::string_view> names_a = mapped_names(a.type());
        const std::vector<std::string_view> names_b = mapped_names(b.type());
        for (const std::string_view name : mapped_names(result)) {
            const std::size_t at_a = find(names_a, name);
            const std::size_t at_b = find(names_b, name);
            sources_.push_back({at_a, at_b});
        }
        for (std::size_t block = 0; block < b.count(); ++block) {
            const std::size_t group = index_.find_or_add(shared(b.address(block), &Source::b));
            if (group == groups_.size()) {
                groups_.emplace_back();
            }
            groups_[group].push_back(block);
        }
    }

    // Calls visit(address of the result, block of a, block of b) for each pair.
    template <class Visit>
    void for_each(Visit visit) const {
        std::vector<LabelId> address(sources_.size());
        for (std::size_t block_a = 0; block_a < a_.count(); ++block_a) {
            const auto group = index_.find(shared(a_.address(block_a), &Source::a));
            if (!group) {
                continue;
            }
            for (const std::size_t block_b : groups_[*group]) {
                for (std::size_t i = 0; i < sources_.size(); ++i) {
                    address[i] =
                        sources_[i].a != none ? a_.address(block_a)[sources_[i].a] : b_.address(block_b)[sources_[i].b];
                }
                visit(address, block_a, block_b);
            }
        }
    }

private:
    static constexpr std::size_t none = ~std::size_t{0};
    // Where the label of a mapped dimension of the result stands in the addresses of a and b.
    struct Source {
        std::size_t a;
        std::size_t b;
    };

    static std::vector<std::string_view> mapped_names(const TensorType &type) {
        std::vector<std::string_view> names;
        for (const Dimension &dimension : type.dimensions()) {
            if (dimension.is_mapped()) {
                names.push_back(dimension.name);
            }
        }
        return names;
    }
    static std::size_t find(const std::vector<std::string_view> &names, std::string_view name) {
        for (std::size_t i = 0; i < names.size(); ++i) {
            if (names[i] == name) {
                return i;
            }
        }
        return none;
    }
    std::vector<LabelId> shared(std::span<const LabelId> address, std::size_t Source::*side) const {
        std::vector<LabelId> labels;
        for (const Source &source : sources_) {
            if (source.a != none && source.b != none) {
                labels.push_back(address[source.*side]);
            }
        }
        return labels;
    }

    const Blocks &a_;
    const Blocks &b_;
    std::vector<Source> sources_;  // one per mapped dimension of the result
    AddressIndex index_;           // of the shared labels of b's blocks
    std::vector<std::vector<std::size_t>> groups_;
};

}  // namespace

Value join(Workspace &workspace, const TensorType &result, const Value &a, const Value &b,
           const BinaryFunction &function) {
    if (a.blocks() == nullptr && b.blocks() == nullptr) {
        return function(a.number(), b.number());
    }
    const BlockView left(workspace, a);
    const BlockView right(workspace, b);
    Blocks target(workspace.budget, result);
    Walk<2> walk(result, {&left->type(), &right->type()});
    Matcher(result, *left, *right).for_each([&](auto &address, std::size_t block_a, std::size_t block_b) {
        workspace.budget.take_steps(result.block_cells());
        const std::size_t block = target.append(address);
        const std::span<const double> x = left->cells(block_a);
        const std::span<const double> y = right->cells(block_b);
        for (std::size_t i = 0; i < result.block_cells(); ++i, walk.next()) {
            target.set(block, i, function(x[walk.offset(0)], y[walk.offset(1)]));
        }
    });
    return Value(std::move(target));
}

Value merge(Workspace &workspace, const TensorType &result, const Value &a, const Value &b,
            const BinaryFunction &function) {
    const BlockView left(workspace, a);
    const BlockView right(workspace, b);
    workspace.budget.take_steps(left->cells().size() + right->cells().size());
    Blocks target(workspace.budget, result);
    AddressIndex index;
    for (std::size_t block = 0; block < left->count(); ++block) {
        index.find_or_add(left->address(block));
        target.append(left->address(block));
        for (std::size_t i = 0; i < result.block_cells(); ++i) {
            target.set(block, i, left->cells(block)[i]);
        }
    }
    for (std::size_t block = 0; block < right->count(); ++block) {
        const auto both = index.find(right->address(block));
        const std::size_t place = both ? *both : target.append(right->address(block));
        for (std::size_t i = 0; i < result.block_cells(); ++i) {
            const double y = right->cells(block)[i];
            target.set(place, i, both ? function(left->cells(*both)[i], y) : y);
        }
    }
    return Value(std::move(target));
}

Value concat(Workspace &workspace, const TensorType &result, const Value &a, const Value &b,
             std::string_view dimension) {
    const BlockView left(workspace, a);
    const BlockView right(workspace, b);
    std::size_t axis = 0;  // of the dimension, among the indexed ones of the result
    for (const Dimension &d : result.dimensions()) {
        if (d.name == dimension) {
            break;
        }
        axis += d.is_indexed();
    }
    const auto at = left->type().find(dimension);
    const std::size_t first_of_b = at ? left->type().dimensions()[*at].size : 1;
    const std::size_t skipped = first_of_b * stride(right->type(), dimension);

    Blocks target(workspace.budget, result);
    Walk<2> walk(result, {&left->type(), &right->type()});
    Matcher(result, *left, *right).for_each([&](auto &address, std::size_t block_a, std::size_t block_b) {
        workspace.budget.take_steps(result.block_cells());
        const std::size_t block = target.append(address);
        for (std::size_t i = 0; i < result.block_cells(); ++i, walk.next()) {
            target.set(block, i,
                       walk.index(axis) < first_of_b ? left->cells(block_a)[walk.offset(0)]
                                                     : right->cells(block_b)[walk.offset(1) - skipped]);
        }
    });
    return Value(std::move(target));
}

}  // namespace tenrex::reference
