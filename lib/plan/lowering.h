// The state of one translation from graph to plan; lower.h says what it does.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "lib/ir/contraction.h"
#include "lib/ir/graph.h"
#include "lib/kernels/elementwise/elementwise_kernels.h"
#include "lib/kernels/isa.h"
#include "lib/kernels/normalize/normalize_kernels.h"
#include "lib/kernels/row_pairs/row_pairs_kernels.h"
#include "lib/plan/blocks.h"
#include "lib/plan/join_reduce_step.h"
#include "lib/plan/layout.h"
#include "lib/plan/matmul_steps.h"
#include "lib/plan/plan.h"
#include "lib/plan/sparse_steps.h"
#include "lib/plan/split_step.h"
#include "optimizer/cell_precision.h"

namespace tenrex::plan {

class ChainStep;

// Where the value of a node is.
struct Value {
    IndexSlot index;  // none: the node's type has no mapped dimensions
    CellsSlot cells;
    CellType cell_type = CellType::f64;
    // If there is a map, the cells have an index of their own, and the map leads from `index` to it.
    MapSlot map;
    IndexSlot cells_index;
};

// The common index of some operands, and how to get at the blocks of each from it.
struct Joined {
    struct Operand {
        BlockAccess access = BlockAccess::dense;
        MapSlot map;
    };
    IndexSlot index;
    std::vector<Operand> operands;
};

class Lowering {
public:
    Lowering(const ir::Graph &graph, kernels::Isa isa, Plan &plan);
    void run();

private:
    // An index and the names of its labels.
    struct NamedIndex {
        IndexSlot slot;
        std::vector<std::string> names;
        friend bool operator==(const NamedIndex &, const NamedIndex &) = default;
    };

    // ---- walking (lowering.cpp)
    Value lower(ir::NodeId id);
    // Decides which nodes get values: what a step reads in another way needs none.
    void find_needed();
    Value constant(const ir::Node &node);
    Value input(const ir::Node &node);

    // ---- values (lowering_values.cpp)
    // A value and its type.
    struct Operand {
        Value value;
        const TensorType *type;
    };
    Operand operand(ir::NodeId node) const { return {values_[node], &type(node)}; }
    std::vector<Operand> operands(std::span<const ir::NodeId> nodes) const;
    CellsSlot new_cells(Stage stage);
    // Cells of known size.
    CellsSlot new_planned(Stage stage, std::size_t bytes);
    IndexSlot new_index(Stage stage) { return {stage, shape(stage).indexes++}; }
    MapSlot new_map(Stage stage) { return {stage, shape(stage).maps++}; }
    WeightsSlot new_weights(Stage stage) { return {stage, shape(stage).weights++}; }
    TableSlot new_table(Stage stage) { return {stage, shape(stage).tables++}; }
    StoreShape &shape(Stage stage) { return plan_.shapes[static_cast<int>(stage)]; }
    template <class S, class... Args>
    void add_step(Stage stage, Args &&...args) {
        plan_.programs[static_cast<int>(stage)].push_back(std::make_unique<S>(std::forward<Args>(args)...));
    }
    // Where a step is to write cells of that type; the value is what it will have written.
    Target target(Stage stage, IndexSlot index, const TensorType &type, CellType cell_type);
    Value written(const Target &target, CellType cell_type) const;
    // How a step gets at the node's blocks from a joined index.
    BlockUse use(const Operand &operand, CellType cell_type, const Joined::Operand &joined);
    BlockUse use(ir::NodeId node, CellType cell_type, const Joined::Operand &joined) {
        return use(operand(node), cell_type, joined);
    }
    // The same for a step that has the node's own index.
    BlockUse own_use(ir::NodeId node, CellType cell_type);
    BlockUse own_use(const Value &value, const TensorType &type);
    // Cells that lie in the order of the node's index, with its type or another.
    IndexedCells in_order(ir::NodeId node, CellType cell_type);
    IndexedCells in_order(Value &value, const TensorType &type, CellType cell_type);
    // The value in a cell type; the program that makes the cells converts them, once.
    Value converted(const Value &value, const TensorType &type, CellType cell_type);
    // The node that is being lowered reads the cells.
    void note_use(CellsSlot cells);
    void release_pending();
    // These are the first cells of the program's store.
    bool is_document_input(CellsSlot cells) const {
        return cells.stage == Stage::document && cells.number < input_reads_.size();
    }

    // ---- addresses (lowering_join.cpp)
    // The natural join of the operands' addresses, for a result of that stage.
    Joined join(std::span<const Operand> operands, Stage stage);
    Joined join(std::span<const ir::NodeId> nodes, Stage stage) { return join(operands(nodes), stage); }
    NamedIndex index_of(ir::NodeId node) const;
    // The index for values of a later stage: the documents get copies of their own.
    std::pair<IndexSlot, MapSlot> at_stage(IndexSlot index, std::size_t width, Stage stage);
    // With the maps to a and b; none if the result is that index.
    std::tuple<NamedIndex, MapSlot, MapSlot> join_pair(const NamedIndex &a, const NamedIndex &b);
    // Each address of an index is made of one of another: of its labels at these positions.
    struct Part {
        IndexSlot index;
        std::vector<std::uint16_t> positions;
        MapSlot map;
    };
    void note_part(IndexSlot index, Part part) { parts_[index].push_back(std::move(part)); }
    void note_part(IndexSlot index, const NamedIndex &own, MapSlot map, const std::vector<std::string> &names);
    // The same addresses, or some of them.
    void note_part(IndexSlot index, IndexSlot all, std::size_t width, MapSlot map);
    // From one index to another that its addresses are known to be made of; no slot: they are the same.
    std::optional<MapSlot> map_to_part(const NamedIndex &from, const NamedIndex &to);
    // The maps on the way.
    std::optional<std::vector<MapSlot>> path_to_part(const NamedIndex &from, const NamedIndex &to) const;
    // Joins the addresses of two nodes if another step will need that: then this one need not search, either.
    void join_if_needed(ir::NodeId a, ir::NodeId b);
    // No step is needed to find the addresses that are in both.
    bool is_join_known(const NamedIndex &a, const NamedIndex &b) const;
    // From an index to those of a and b, if it is known to be their join; all have the same names.
    std::optional<std::pair<MapSlot, MapSlot>> maps_of_join(IndexSlot a, IndexSlot b, IndexSlot joined,
                                                            const std::vector<std::string> &names) const;
    // The addresses that are left when only some labels are kept, and the map to them.
    const std::pair<IndexSlot, MapSlot> &grouped(IndexSlot index, std::size_t width, std::vector<std::uint16_t> kept);
    MapSlot compose(IndexSlot index, MapSlot outer, MapSlot inner);
    TableSlot table_of(IndexSlot index, std::size_t width, const std::vector<std::uint16_t> &key);

    // ---- cells (lowering_cells.cpp)
    Value elementwise(const ir::Node &node, kernels::ElementwiseOperation operation, std::span<const Operand> operands,
                      CellType cell_type);
    CellType computed_in(const ir::Node &node) const;
    Value apply(const ir::Node &node);
    Value multiply_add(const ir::Node &node);
    Value user(const ir::Node &node);
    Value in_set(const ir::Node &node);
    Value select(const ir::Node &node);
    Value join_addresses(const ir::Node &node);
    Value order(const ir::Node &node);

    // ---- regions (lowering_region.cpp)
    struct ChainMaker;
    Value region(ir::NodeId id, const ir::Node &node);
    Value region_result(const ir::Node &node);
    void list_operations(ChainMaker &maker);
    std::unique_ptr<ChainStep> chain_step(ChainMaker &maker, const std::vector<Value> &results, std::size_t documents);
    // The cell type that a node of the body is stored in, or computed in if it is no operand.
    CellType stored_type(const ChainMaker &maker, ir::NodeId node) const;
    // Whether the node of the body is a single cell for each document, or for all, that an earlier step makes.
    bool is_stored_number(const ChainMaker &maker, ir::NodeId node) const;
    bool read_as_floats(ChainMaker &maker, const ir::Node &node);
    CellType computed_in(ChainMaker &maker, const ir::Node &node);
    std::uint32_t chain_node(ChainMaker &maker, ir::NodeId id);
    std::uint32_t chain_operand(ChainMaker &maker, ir::NodeId node, CellType cell_type);
    std::optional<ir::NodeId> number_in_two_parts(const ChainMaker &maker, ir::NodeId id) const;
    std::uint32_t sum_in_two_parts(ChainMaker &maker, const ir::Node &node, ir::NodeId number);
    std::uint32_t chain_input(ChainMaker &maker, ir::NodeId operand, CellType cell_type);

    // ---- layouts (lowering_layouts.cpp)
    Value rename(const ir::Node &node);
    Value concat(const ir::Node &node);
    Value slice(const ir::Node &node);
    Value pack(const ir::Node &node);
    Value unpack_bits(const ir::Node &node);
    // One part of the operand's block, with the operand's addresses.
    Value part(ir::NodeId operand, IndexSlot index, const ir::Node &node, CopyNest nest, std::size_t first_cell);

    // ---- rows that are normalized (lowering_normalize.cpp)
    Value normalize(const ir::Node &node);

    // ---- reductions (lowering_reduce.cpp)
    // What the node has of a value of that type.
    Value reduce(const ir::Node &node, Aggregator aggregator, Value &operand, const TensorType &from);
    Value reduce_documents(const ir::Node &node, Aggregator aggregator, Value &operand, const TensorType &from);

    // ---- aggregates of joins that are never stored (lowering_join_reduce.cpp)
    struct JoinedCells {
        ir::NodeId a, b;
        TensorType type;
        std::optional<kernels::ElementwiseOperation> function;  // none: only the addresses matter
        CellType cell_type = CellType::f64;                     // to compute in
    };
    Value join_reduce(const ir::Node &node);
    Value sum_of_joined_products(const ir::Node &node);
    Value reduce_join(const ir::Node &node, Aggregator aggregator, const JoinedCells &cells);
    // Of the blocks of two nodes with the labels that both have.
    Matcher matcher_of(ir::NodeId outer, ir::NodeId inner);
    Matcher::Side side_of(ir::NodeId node, ir::NodeId other) const;
    JoinReduceStep::Operand operand_of_join(ir::NodeId node, const JoinedCells &cells);
    std::optional<MatchGroups> groups_of_join(const ir::Node &node, ir::NodeId outer, ir::NodeId inner);

    // ---- contractions (lowering_contract.cpp)
    struct RowPairOperands {
        ir::NodeId a, b;
        CellType a_type, b_type;  // to read them as
        std::size_t length;       // cells of b in a row
        kernels::RowPairChoice choice;
    };
    Value contract(const ir::Node &node);
    Value dots(const ir::Node &node);
    Value rows(const ir::Node &node);
    Value sparse_dot(const ir::Node &node);
    Value weighted_sum(const ir::Node &node);
    RowPairOperands row_pair_operands(const ir::Contraction &contraction);
    bool has_shared_columns(const ir::Node &node) const;
    // The node's cells with the indexed dimensions in another order; those of size 1 may be left out.
    CellsSlot in_layout(ir::NodeId node, CellType cell_type, const std::vector<std::string> &order);
    Value permuted(const Value &value, const TensorType &type, const std::vector<std::string> &order);
    // A value with the summed cells side by side, as rows.
    Value in_rows(const Value &value, const TensorType &type, const std::vector<std::string> &rows,
                  const std::vector<std::string> &summed);
    std::optional<ir::NodeId> packed_bits(ir::NodeId node) const;
    bool reads_bits(const ir::Contraction &contraction, ir::NodeId operand, ir::NodeId other) const;
    // Marks what the step for a contraction, or for an extreme of one, will read.
    void need_operands(const ir::Node &node);

    // ---- products of matrices (lowering_product.cpp)
    Value product(const ir::Node &node);
    // The rows are those of a.
    Value product(const ir::Node &node, ir::NodeId a, ir::NodeId b);
    // An estimate for a document if the rows are those of a, a dense operand as b is.
    double product_cost(ir::NodeId a, ir::NodeId b, const ir::Node &node) const;
    // What may be multiplied if the rows are those of a; k cells of each are summed to cells of that type.
    kernels::MatmulCells matmul_cells(ir::NodeId a, ir::NodeId b, CellType result, std::size_t k) const;
    MatmulShape matmul_shape(ir::NodeId a, ir::NodeId b, const ir::Contraction &contraction);

    // ---- extremes of contractions (lowering_extreme.cpp)
    Value row_extreme(const ir::Node &node);
    // The groups of rows that have the labels that are kept, and the addresses of results: each group with all columns.
    std::pair<RowGroups, IndexSlot> groups_of_rows(IndexSlot rows, const TensorType &rows_type, ir::NodeId columns,
                                                   const ir::Node &result);

    // ---- cells at indices that are listed before (lowering_gather.cpp)
    Value gather(const ir::Node &node);
    CellsSlot list_indices(const ir::Node &node);
    // ---- the indices if the documents split the indexes (lowering_split.cpp)
    SplitSum split_sum(const ir::Node &node, const ir::Gather::Sum &sum);
    CellsSlot list_pieces(const ir::Node &node);

    // ---- blocks with the lowest ranks (lowering_top.cpp)
    Value top(const ir::Node &node);

    // ---- addresses of results (lowering_sparse.cpp)
    Value peek(const ir::Node &node);
    Value merge(const ir::Node &node);
    Value fill(const ir::Node &node);
    Value filter(const ir::Node &node);
    Value branch(const ir::Node &node);
    Value to_mapped(const ir::Node &node);
    Value to_indexed(const ir::Node &node);

    const TensorType &type(ir::NodeId node) const { return *graph_[node].type; }
    Stage stage(ir::NodeId node) const { return graph_[node].stage; }

    const ir::Graph &graph_;
    optimizer::CellPrecision precision_;
    kernels::Isa isa_;
    Plan &plan_;
    std::vector<Value> values_;  // by node
    std::map<std::pair<kernels::ElementwiseOperation, CellType>, const kernels::ElementwiseKernel *>
        elementwise_kernels_;
    std::vector<bool> needed_;                            // by node: it gets a value of its own
    std::set<std::pair<ir::NodeId, ir::NodeId>> joined_;  // whose addresses a step of cells joins
    std::map<ir::NodeId, std::vector<Value>> region_results_;
    std::vector<CellsSlot> pending_;            // read by the node that is being lowered
    std::vector<std::uint32_t> input_reads_;    // of the cells of document inputs
    std::map<CellsSlot, std::size_t> planned_;  // places in StoreShape::planned
    std::map<CellsSlot, CellsSlot> views_;      // cells that are part of others
    std::set<CellsSlot> placed_;                // of inputs: one formula has a place for them
    std::map<std::pair<CellsSlot, CellType>, CellsSlot> conversions_;
    std::map<std::pair<IndexSlot, Stage>, std::pair<IndexSlot, MapSlot>> copies_;
    std::map<std::tuple<IndexSlot, std::vector<std::string>, IndexSlot, std::vector<std::string>>,
             std::tuple<NamedIndex, MapSlot, MapSlot>>
        joins_;
    std::map<std::tuple<IndexSlot, MapSlot, MapSlot>, MapSlot> compositions_;
    std::map<IndexSlot, std::vector<Part>> parts_;
    std::map<std::pair<IndexSlot, std::vector<std::uint16_t>>, TableSlot> tables_;
    std::map<std::pair<IndexSlot, std::vector<std::uint16_t>>, std::pair<IndexSlot, MapSlot>> groups_;
};

// Names of the mapped dimensions, in order.
std::vector<std::string> mapped_names(const TensorType &type);

}  // namespace tenrex::plan
