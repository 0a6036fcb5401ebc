// What dense values of the constant stage come to, as far as passes must know: the indexes of generators.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "lib/ir/graph.h"

namespace tenrex::optimizer {

// Where a dense value has the cell that goes with one of a row-major block of such dimensions: along dimensions that it
// lacks, the same one.
class CellPlaces {
public:
    CellPlaces(std::span<const Dimension> dimensions, const TensorType &value);
    // The same for an operand of the node, whose dimensions may have other names.
    CellPlaces(const ir::Node &node, const TensorType &operand);

    std::size_t of(std::size_t cell) const noexcept {
        if (is_same_) {
            return cell;
        }
        std::size_t place = 0;
        for (auto axis = axes_.rbegin(); axis != axes_.rend(); ++axis) {
            place += cell % axis->size * axis->stride;
            cell /= axis->size;
        }
        return place;
    }

private:
    struct Axis {
        std::size_t size, stride;
    };

    void find_same() noexcept;

    std::vector<Axis> axes_;
    bool is_same_ = false;
};

// Computes cell by cell with the scalar functions themselves; an object lives as long as a pass runs.
class KnownVectors {
public:
    explicit KnownVectors(const ir::Graph &graph) : graph_(graph) {}

    // The cells of a node, in the order of its type; null if they are not known, or are more than is worth the time.
    const std::vector<double> *of(ir::NodeId id);

private:
    using Cells = std::optional<std::vector<double>>;

    bool may_be_known(ir::NodeId id) const;
    Cells computed(const ir::Node &node) const;

    const ir::Graph &graph_;
    std::unordered_map<ir::NodeId, Cells> cells_;
    std::size_t budget_ = std::size_t{1} << 20;  // cells that may still be computed
};

}  // namespace tenrex::optimizer
