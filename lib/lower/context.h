// What the rules of the operations share while a graph becomes a plan: where values are, and the slots, steps and
// memory of the plan. The addresses of sparse values are in addresses.h.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <memory_resource>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "lib/ir/graph.h"
#include "lib/kernels/elementwise/elementwise_kernels.h"
#include "lib/kernels/isa.h"
#include "lib/lower/addresses.h"
#include "lib/lower/value.h"
#include "lib/program/plan.h"
#include "optimizer/cell_precision.h"

namespace tenrex::lower {

using program::Plan;
using program::Program;
using program::StoreShape;

class Context {
public:
    // needed: by node, whether it gets a value of its own.
    Context(const ir::Graph &graph, kernels::Isa isa, Plan &plan, std::vector<bool> needed);
    Context(const Context &) = delete;
    Context &operator=(const Context &) = delete;

    const ir::Graph &graph() const noexcept { return graph_; }
    kernels::Isa isa() const noexcept { return isa_; }
    Plan &plan() noexcept { return plan_; }
    const optimizer::CellPrecision &precision() const noexcept { return precision_; }
    Addresses &addresses() noexcept { return addresses_; }
    const TensorType &type(ir::NodeId node) const { return *graph_[node].type; }
    Stage stage(ir::NodeId node) const { return graph_[node].stage; }
    const std::vector<bool> &needed() const noexcept { return needed_; }
    bool is_needed(ir::NodeId node) const { return needed_[node]; }

    // ---- values of nodes
    Value &value(ir::NodeId node) { return values_[node]; }
    const Value &value(ir::NodeId node) const { return values_[node]; }
    Operand operand(ir::NodeId node) const { return {values_[node], &type(node)}; }
    std::vector<Operand> operands(std::span<const ir::NodeId> nodes) const;
    // Of a region.
    std::vector<Value> &region_results(const ir::Node &region) { return region_results_[region.payload]; }

    // ---- slots and steps
    CellsSlot new_cells(Stage stage) { return {stage, shape(stage).cells++}; }
    // Cells of known size.
    CellsSlot new_planned(Stage stage, std::size_t bytes);
    // Blocks of so many bytes on an index.
    CellsSlot new_indexed(Stage stage, std::size_t bytes);
    IndexSlot new_index(Stage stage) { return {stage, shape(stage).indexes++}; }
    MapSlot new_map(Stage stage) { return {stage, shape(stage).maps++}; }
    WeightsSlot new_weights(Stage stage) { return {stage, shape(stage).weights++}; }
    TableSlot new_table(Stage stage) { return {stage, shape(stage).tables++}; }
    StoreShape &shape(Stage stage) { return plan_.shapes[static_cast<int>(stage)]; }
    Program &program(Stage stage) { return plan_.programs[static_cast<int>(stage)]; }
    template <class S, class... Args>
    void add_step(Stage stage, Args &&...args) {
        program(stage).push_back(std::make_unique<S>(std::forward<Args>(args)...));
    }
    // Where a step is to write cells of that type; the value is what it will have written.
    Target target(Stage stage, IndexSlot index, const TensorType &type, CellType cell_type);
    Value written(const Target &target, CellType cell_type) const;
    // Cells that are a part of others, which live as long.
    CellsSlot view_of(CellsSlot cells, const TensorType &type, CellType cell_type);

    // ---- how steps read values
    // From a joined index.
    BlockUse use(const Operand &operand, CellType cell_type, const Joined::Operand &joined);
    BlockUse use(ir::NodeId node, CellType cell_type, const Joined::Operand &joined) {
        return use(operand(node), cell_type, joined);
    }
    // From the value's own index.
    BlockUse own_use(ir::NodeId node, CellType cell_type);
    BlockUse own_use(const Value &value, const TensorType &type);
    // Cells that lie in the order of the value's index, with its type or another.
    IndexedCells in_order(ir::NodeId node, CellType cell_type);
    IndexedCells in_order(Value &value, const TensorType &type, CellType cell_type);
    // The value in a cell type; the program that makes the cells converts them, once.
    Value converted(const Value &value, const TensorType &type, CellType cell_type);
    const kernels::ElementwiseKernel *elementwise_kernel(kernels::ElementwiseOperation operation, CellType cell_type);

    // ---- memory
    // The node that is being lowered reads the cells, or may do so: those of its operands count as read anyway.
    void note_use(CellsSlot cells) { pending_.push_back(cells); }
    // Cells of operands on an index: how many there are is not known, but when they are read last.
    void note_operands(const ir::Node &node);
    // What a node has read is needed until the last of its steps.
    void release_pending();
    // Those of inputs are the first cells of the program's store.
    void inputs_are_there();
    bool is_document_input(CellsSlot cells) const {
        return cells.stage == Stage::document && cells.number < input_reads_.size();
    }
    // Whether the cells of an input may lie where a formula reads them: one formula has a place for them.
    bool place(CellsSlot cells) { return placed_.insert(cells).second; }
    // When all is lowered.
    void finish_placements();

private:
    // What the cells are part of, if they are.
    CellsSlot base_of(CellsSlot cells) const;

    const ir::Graph &graph_;
    optimizer::CellPrecision precision_;
    kernels::Isa isa_;
    Plan &plan_;
    Addresses addresses_;
    std::vector<bool> needed_;   // by node
    std::vector<Value> values_;  // by node
    // What the maps take, which die together.
    std::array<std::byte, 2048> bytes_;
    std::pmr::monotonic_buffer_resource memory_{bytes_.data(), bytes_.size()};
    std::pmr::map<const ir::Payload *, std::vector<Value>> region_results_{&memory_};
    std::pmr::map<std::pair<kernels::ElementwiseOperation, CellType>, const kernels::ElementwiseKernel *>
        elementwise_kernels_{&memory_};
    std::vector<CellsSlot> pending_;                            // read by the node that is being lowered
    std::vector<std::uint32_t> input_reads_;                    // of the cells of document inputs
    std::pmr::map<CellsSlot, std::size_t> planned_{&memory_};   // places in StoreShape::planned
    std::pmr::map<CellsSlot, std::size_t> buffered_{&memory_};  // places in StoreShape::buffered
    std::pmr::map<CellsSlot, CellsSlot> views_{&memory_};       // cells that are part of others
    std::pmr::set<CellsSlot> placed_{&memory_};
    std::pmr::map<std::pair<CellsSlot, CellType>, CellsSlot> conversions_{&memory_};
};

}  // namespace tenrex::lower
