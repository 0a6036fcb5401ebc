// Peeks at tensors of indexes.
#include <algorithm>
#include <vector>

#include "lib/reference/operations.h"
#include "lib/reference/walk.h"

namespace tenrex::reference {

namespace {

// The place in a block of the operand that the cells of the result are taken from, one after the other.
class Places {
public:
    Places(const TensorType &result, const TensorType &operand, std::span<const Place> places)
        : rest_(result, {&operand}) {
        std::size_t axis = 0;
        for (const Dimension &dimension : result.dimensions()) {
            if (dimension.is_mapped()) {
                continue;
            }
            // Tensors of indexes may have a dimension with the name of one that goes.
            if (std::any_of(places.begin(), places.end(),
                            [&](const Place &place) { return place.dimension == dimension.name; })) {
                rest_.set_stride(axis, 0, 0);
            }
            ++axis;
        }
        for (const Place &place : places) {
            const Dimension &dimension = operand.dimensions()[*operand.find(place.dimension)];
            if (dimension.is_indexed()) {
                axes_.push_back(
                    {dimension.size, stride(operand, place.dimension), place,
                     Walk<1>(result, {place.indexes == nullptr ? &result : &place.indexes->blocks()->type()})});
            }
        }
    }

    // Nothing: an index is out of range.
    std::optional<std::size_t> place() const {
        std::size_t place = rest_.offset(0);
        for (const Axis &axis : axes_) {
            std::optional<std::uint64_t> at = axis.place.at;
            if (axis.place.indexes != nullptr) {
                const auto number = truncated(axis.place.indexes->blocks()->cells()[axis.walk.offset(0)]);
                at = number && *number >= 0 ? std::optional(static_cast<std::uint64_t>(*number)) : std::nullopt;
            }
            if (!at || *at >= axis.size) {
                return std::nullopt;
            }
            place += *at * axis.stride;
        }
        return place;
    }

    void next() noexcept {
        rest_.next();
        for (Axis &axis : axes_) {
            axis.walk.next();
        }
    }

private:
    struct Axis {
        std::uint64_t size;
        std::size_t stride;
        Place place;
        Walk<1> walk;
    };
    Walk<1> rest_;  // what is not named
    std::vector<Axis> axes_;
};

}  // namespace

std::optional<std::int64_t> truncated(double number) noexcept {
    constexpr double end = 9223372036854775808.0;
    return number >= -end && number < end ? std::optional(static_cast<std::int64_t>(number)) : std::nullopt;
}

Value peek_at_indexes(Workspace &workspace, const TensorType &result, const Value &operand,
                      std::span<const Place> places) {
    const BlockView source(workspace, operand);
    const TensorType &type = source->type();
    struct Label {
        std::optional<std::uint64_t> wanted;
        bool stays;
    };
    std::vector<Label> labels;  // of an address of the operand
    for (const Dimension &dimension : type.dimensions()) {
        if (dimension.is_mapped()) {
            const auto named = std::find_if(places.begin(), places.end(),
                                            [&](const Place &place) { return place.dimension == dimension.name; });
            labels.push_back(named == places.end() ? Label{std::nullopt, true} : Label{named->at, false});
        }
    }
    Blocks target(workspace.budget, result);
    Places at(result, type, places);
    workspace.budget.take_steps(source->count());
    for (std::size_t block = 0; block < source->count(); ++block) {
        const auto address = source->address(block);
        std::vector<LabelId> kept;
        bool fits = true;
        for (std::size_t i = 0; i < labels.size(); ++i) {
            fits = fits && (labels[i].stays || labels[i].wanted == address[i]);
            if (labels[i].stays) {
                kept.push_back(address[i]);
            }
        }
        if (!fits) {
            continue;
        }
        workspace.budget.take_steps(result.block_cells());
        std::optional<std::size_t> to;
        for (std::size_t i = 0; i < result.block_cells(); ++i, at.next()) {
            if (const auto place = at.place()) {
                to = to ? to : target.append(kept);
                target.set(*to, i, source->at(block, *place));
            }
        }
    }
    if (!result.has_mapped() && target.count() == 0) {
        target.append({});
    }
    target.add_origin(source->origin());
    return Value(std::move(target));
}

}  // namespace tenrex::reference
