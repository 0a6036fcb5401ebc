// Operations that move cells without changing them.
#include <algorithm>

#include "lib/reference/operations.h"
#include "lib/reference/walk.h"
#include "lib/support/format.h"

namespace tenrex::reference {

namespace {

// The number of a dimension among those of its kind, mapped or indexed; the dimension exists.
std::size_t rank_among_kind(const TensorType &type, std::string_view name) {
    const std::size_t position = *type.find(name);
    const bool mapped = type.dimensions()[position].is_mapped();
    return static_cast<std::size_t>(
        std::count_if(type.dimensions().begin(), type.dimensions().begin() + static_cast<std::ptrdiff_t>(position),
                      [&](const Dimension &dimension) { return dimension.is_mapped() == mapped; }));
}

// Copies the cells that the walk passes, starting `base` cells into the block of the source.
void copy_cells(const Blocks &source, std::size_t from, std::size_t base, Walk<1> &walk, Blocks &target,
                std::size_t to) {
    for (std::size_t i = 0; i < target.type().block_cells(); ++i, walk.next()) {
        target.set(to, i, source.at(from, base + walk.offset(0)));
    }
}

}  // namespace

Value rename(Workspace &workspace, const TensorType &result, const Value &operand,
             std::span<const std::string_view> from, std::span<const std::string_view> to) {
    const BlockView source(workspace, operand);
    const auto old_name = [&](std::string_view name) {
        const auto at = std::find(to.begin(), to.end(), name);
        return at == to.end() ? name : from[static_cast<std::size_t>(at - to.begin())];
    };
    std::vector<std::size_t> labels;  // for each mapped dimension of the result: which one of the operand
    Walk<1> walk(result, {&source->type()});
    std::size_t axis = 0;
    for (const Dimension &dimension : result.dimensions()) {
        if (dimension.is_mapped()) {
            labels.push_back(rank_among_kind(source->type(), old_name(dimension.name)));
        } else {
            walk.set_stride(axis++, 0, stride(source->type(), old_name(dimension.name)));
        }
    }

    workspace.budget.take_steps(source->cells().size());
    Blocks target(workspace.budget, result);
    std::vector<LabelId> address(labels.size());
    for (std::size_t block = 0; block < source->count(); ++block) {
        for (std::size_t i = 0; i < labels.size(); ++i) {
            address[i] = source->address(block)[labels[i]];
        }
        copy_cells(*source, block, 0, walk, target, target.append(address));
    }
    target.add_origin(source->origin());
    return Value(std::move(target));
}

Value to_mapped(Workspace &workspace, const TensorType &result, const Value &operand,
                std::span<const std::string_view> dimensions) {
    const BlockView source(workspace, operand);
    // Where each mapped dimension of the result comes from: an address of the operand, or an index that is counted up.
    struct Axis {
        bool counted;
        std::size_t label;   // of the address
        std::size_t size;    // of the index
        std::size_t stride;  // of the index
    };
    std::vector<Axis> axes;
    std::size_t copies = 1;
    for (const Dimension &dimension : result.dimensions()) {
        if (!dimension.is_mapped()) {
            continue;
        }
        const std::size_t size = source->type().dimensions()[*source->type().find(dimension.name)].size;
        if (std::find(dimensions.begin(), dimensions.end(), dimension.name) == dimensions.end()) {
            axes.push_back({false, rank_among_kind(source->type(), dimension.name), 1, 0});
        } else {
            axes.push_back({true, 0, size, stride(source->type(), dimension.name)});
            copies *= size;
        }
    }

    Blocks target(workspace.budget, result);
    Walk<1> walk(result, {&source->type()});
    std::vector<LabelId> address(axes.size());
    for (std::size_t block = 0; block < source->count(); ++block) {
        for (std::size_t copy = 0; copy < copies; ++copy) {
            workspace.budget.take_steps(result.block_cells());
            std::size_t rest = copy;
            std::size_t base = 0;
            for (std::size_t i = axes.size(); i-- > 0;) {
                const std::size_t index = rest % axes[i].size;
                rest /= axes[i].size;
                base += index * axes[i].stride;
                address[i] = axes[i].counted ? workspace.labels.intern(fmt::to_string(index))
                                             : source->address(block)[axes[i].label];
            }
            copy_cells(*source, block, base, walk, target, target.append(address));
        }
    }
    target.add_origin(source->origin());
    return Value(std::move(target));
}

Value cut(Workspace &workspace, const TensorType &result, const Value &operand, std::string_view dimension,
          std::uint64_t begin) {
    const BlockView source(workspace, operand);
    Blocks target(workspace.budget, result);
    Walk<1> walk(result, {&source->type()});
    const std::size_t base = begin * stride(source->type(), dimension);
    for (std::size_t block = 0; block < source->count(); ++block) {
        workspace.budget.take_steps(result.block_cells());
        copy_cells(*source, block, base, walk, target, target.append(source->address(block)));
    }
    target.add_origin(source->origin());
    return Value(std::move(target));
}

Value peek(Workspace &workspace, const TensorType &result, const Value &operand, std::span<const Place> places) {
    const BlockView source(workspace, operand);
    struct Wanted {
        std::size_t rank;
        std::uint64_t label;
    };
    std::vector<Wanted> wanted;  // labels of the blocks that the result is made of
    std::size_t base = 0;
    bool missed = false;
    for (const Place &place : places) {
        const Dimension &dimension = source->type().dimensions()[*source->type().find(place.dimension)];
        if (!place.at || (dimension.is_indexed() && *place.at >= dimension.size)) {
            missed = true;
        } else if (dimension.is_mapped()) {
            wanted.push_back({rank_among_kind(source->type(), place.dimension), *place.at});
        } else {
            base += *place.at * stride(source->type(), place.dimension);
        }
    }
    std::vector<std::size_t> kept;  // labels that stay, as numbers in the operand's addresses
    for (const Dimension &dimension : result.dimensions()) {
        if (dimension.is_mapped()) {
            kept.push_back(rank_among_kind(source->type(), dimension.name));
        }
    }

    Blocks target(workspace.budget, result);
    Walk<1> walk(result, {&source->type()});
    std::vector<LabelId> address(kept.size());
    workspace.budget.take_steps(source->count());
    for (std::size_t block = 0; block < source->count() && !missed; ++block) {
        const auto labels = source->address(block);
        if (!std::all_of(wanted.begin(), wanted.end(), [&](const Wanted &w) { return labels[w.rank] == w.label; })) {
            continue;
        }
        workspace.budget.take_steps(result.block_cells());
        for (std::size_t i = 0; i < kept.size(); ++i) {
            address[i] = labels[kept[i]];
        }
        copy_cells(*source, block, base, walk, target, target.append(address));
    }
    if (!result.has_mapped() && target.count() == 0) {
        target.append({});
    }
    target.add_origin(source->origin());
    return Value(std::move(target));
}

}  // namespace tenrex::reference
