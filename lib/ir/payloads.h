// What operations are told beside their operands: a payload each, named in ops.def.
// One whose hash and text follow from its members says so: parts() gives them in the order of its text, each a list of
// names, a cell type or an aggregator. All others have a hash, a text and a reader of their own.
//
// Dimensions are called `dimension` or `dimensions` in all of them, stand in the `parts` of a peek and of the
// `operations` of a gather, and are the `rows` of an extreme, the `batch` of a packed matrix and what a reshape
// `becomes`: that is where with_names() looks for them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <variant>
#include <vector>

#include <tenrex/schema.h>
#include <tenrex/tensor.h>
#include <tenrex/tensor_type.h>

#include "lib/ir/contract.h"
#include "lib/ir/ops.h"
#include "lib/support/scalar_function.h"
#include "lib/syntax/tensor_function.h"

namespace tenrex::forest {
struct Forest;
}

namespace tenrex::ir {

class Graph;

// Of operations that need to be told nothing.
struct NoPayload {
    friend bool operator==(const NoPayload &, const NoPayload &) = default;
};

struct Constant {
    std::shared_ptr<const Tensor> value;  // null: the number
    double number = 0;

    // Cells and numbers are compared bit for bit: -0 is not 0, and a NaN equals itself.
    friend bool operator==(const Constant &a, const Constant &b);
};

struct Input {
    std::uint32_t index = 0;  // into Graph::inputs()

    friend bool operator==(const Input &, const Input &) = default;
};

struct Apply {
    ScalarFunction function{};

    friend bool operator==(const Apply &, const Apply &) = default;
};

struct User {
    std::shared_ptr<const UserFunction> function;

    friend bool operator==(const User &, const User &) = default;
};

struct InSet {
    std::vector<double> members;

    friend bool operator==(const InSet &a, const InSet &b);  // bit for bit
};

// Of select and branch.
struct Choice {
    double probability = 0.5;  // that the condition holds

    friend bool operator==(const Choice &a, const Choice &b);  // bit for bit
};

struct Reduce {
    Aggregator aggregator{};
    std::vector<std::string> dimensions;  // over which

    static constexpr auto parts(auto &own) { return std::tie(own.aggregator, own.dimensions); }
    friend bool operator==(const Reduce &, const Reduce &) = default;
};

struct Rename {
    std::vector<std::string> from;
    std::vector<std::string> to;  // for each of `from`

    static constexpr auto parts(auto &own) { return std::tie(own.from, own.to); }
    friend bool operator==(const Rename &, const Rename &) = default;
};

struct Concat {
    std::string dimension;  // along which

    friend bool operator==(const Concat &, const Concat &) = default;
};

struct Slice {
    std::string dimension;    // along which
    std::uint64_t begin = 0;  // the index that becomes 0
    std::uint64_t size = 0;

    friend bool operator==(const Slice &, const Slice &) = default;
};

// Cells whose indexes along some dimensions, counted with the last one running fastest, are those along others.
struct Reshape {
    std::vector<std::string> dimensions;  // indexed ones, which go
    std::vector<Dimension> becomes;       // indexed ones in their place; not sorted by name
    friend bool operator==(const Reshape &, const Reshape &) = default;
};

struct ToMapped {
    std::vector<std::string> dimensions;  // which become mapped

    static constexpr auto parts(auto &own) { return std::tie(own.dimensions); }
    friend bool operator==(const ToMapped &, const ToMapped &) = default;
};

struct ToIndexed {
    std::vector<Dimension> dimensions;  // what mapped ones become

    friend bool operator==(const ToIndexed &, const ToIndexed &) = default;
};

// What the error says: which dimension has which size where.
struct SameSize {
    std::string what;
    std::string first, second;  // of the second and the third operand

    friend bool operator==(const SameSize &, const SameSize &) = default;
};

struct Append {
    std::string dimension;  // whose labels number the rows

    friend bool operator==(const Append &, const Append &) = default;
};

// How a peek chooses along one dimension.
struct PeekPart {
    std::string dimension;
    std::string label;           // of a mapped dimension, if `computed` is 0
    std::uint64_t index = 0;     // of an indexed dimension, if `computed` is 0
    std::uint32_t computed = 0;  // number of the operand that holds the label, truncated to int64; 0: known

    friend bool operator==(const PeekPart &, const PeekPart &) = default;
};

struct Peek {
    std::vector<PeekPart> parts;  // one for each dimension that goes

    friend bool operator==(const Peek &, const Peek &) = default;
};

struct Order {
    std::vector<std::string> dimensions;  // over which
    bool ascending = false;               // rank 0 is the smallest
    bool by_number = false;               // labels are numbers of rows: equal cells follow them, not their texts

    friend bool operator==(const Order &, const Order &) = default;
};

// Where a scalar operand of `pack` goes.
struct PackCell {
    std::uint32_t block = 0;  // index into Pack::addresses
    std::uint64_t index = 0;  // within the dense block of Pack::dimensions

    friend bool operator==(const PackCell &, const PackCell &) = default;
};

struct Pack {
    std::vector<Dimension> dimensions;                // that the operands lack, sorted by name
    std::vector<std::vector<std::string>> addresses;  // of each block: the labels of the mapped ones of these
    std::vector<PackCell> cells;                      // of each operand

    friend bool operator==(const Pack &, const Pack &) = default;
};

struct UnpackBits {
    std::string dimension;      // along which cells become eight
    bool lowest_first = false;  // of the bits of a cell

    friend bool operator==(const UnpackBits &, const UnpackBits &) = default;
};

// The features are the cells of the operands, one after the other.
struct Forest {
    std::shared_ptr<const tenrex::forest::Forest> forest;
    std::string dimension;  // along which the outputs lie; none if there is one
    bool has_base = false;  // the last operand is a number that the sums begin with, and no feature

    friend bool operator==(const Forest &a, const Forest &b);  // by what the forests consist of
};

// The extreme of what a contraction gives for the rows of the first operand, or for those of each group of them.
struct RowExtreme {
    ContractionTerms terms;
    std::vector<std::string> dimensions;  // that the contraction is over
    CellType cell_type = CellType::f64;   // that its numbers have
    Aggregator aggregator = Aggregator::max;
    std::vector<std::string> rows;  // dimensions of the first operand, of which the extreme is taken
    bool by_product = false;        // by a product of matrices, or else row by row
    bool columns_first = false;     // the terms take the second operand first; only if that makes a difference
    bool is_packed = false;         // the second operand is a pack_matrix; only by a product

    friend bool operator==(const RowExtreme &, const RowExtreme &) = default;
};

enum class Normalization { softmax, stable_softmax, by_length, standardize };
inline constexpr Normalization all_normalizations[] = {Normalization::softmax, Normalization::stable_softmax,
                                                       Normalization::by_length, Normalization::standardize};
std::string_view name(Normalization kind) noexcept;

// softmax: exp(scale*t)/sum(exp(scale*t)), stable: of scale*t-max(scale*t). by_length:
// t/(sqrt(sum(t*t)/divisor+epsilon)+root_epsilon), standardize: of t-avg(t).
struct Normalize {
    Normalization kind{};
    std::vector<std::string> dimensions;  // of a row
    double scale = 1;
    double divisor = 1;
    double epsilon = 0;
    double root_epsilon = 0;
    bool has_gain = false;  // the second operand, which the result is multiplied with
    bool has_bias = false;  // the last operand, which is added

    friend bool operator==(const Normalize &, const Normalize &) = default;
};

// What becomes of the scores of attention before they are compared, by its fourth operand.
enum class Masking { none, added, chosen };
inline constexpr Masking all_maskings[] = {Masking::none, Masking::added, Masking::chosen};
std::string_view name(Masking masking) noexcept;

// Queries, keys and values are rows of the first three operands; dimensions of all of them number heads. A score is
// scale*sum(query*key), and then that plus the mask, or a number where the mask is 0.
struct Attention {
    std::string summed, query_rows;
    std::string key_rows;    // of the second operand and of the mask
    std::string value_rows;  // the same of the third operand
    double scale = 1;
    bool is_stable = true;    // the largest score of a row is subtracted from it
    bool is_rounded = false;  // weights are rounded to bfloat16, as queries, keys and values are
    Masking masking = Masking::none;
    double otherwise = 0;  // in the place of scores that are not chosen
    friend bool operator==(const Attention &, const Attention &) = default;
};

// Each cell is a cell of one of several values, or a 0: choices, and peeks at indexes that are computed. The operands
// are the sources, which cells are taken from, then the numbers that choices and peeks are made by.
struct Gather {
    static constexpr std::size_t most_sources = 16;
    // Choices inside each other are looked at one after the other.
    static constexpr std::size_t most_operations = 256;
    static constexpr std::size_t most_terms = 8;
    // Of a source and of the result: indices are numbers of 32 bits.
    static constexpr std::size_t most_cells = std::size_t{1} << 30;

    struct Term {
        std::uint32_t operand = 0;
        bool is_subtracted = false;
        friend bool operator==(const Term &, const Term &) = default;
    };
    // If the documents split the indexes: numbers that are added one after the other, in double, to the index of the
    // cell. Else a number for each cell.
    using Sum = std::vector<Term>;
    // How a peek chooses along one dimension of its source: an index, or one that is computed.
    struct Part {
        std::string dimension;
        std::uint64_t index = 0;
        std::optional<Sum> computed = std::nullopt;
        friend bool operator==(const Part &, const Part &) = default;
    };
    enum class Kind : std::uint8_t {
        source,      // the cells of a source at the same indexes
        peek,        // those at other indexes; where there is none, 0
        choice,      // by a number that is not zero, or is
        comparison,  // by a sum, compared with a number
    };
    struct Operation {
        Kind kind{};
        std::uint32_t operand = 0;  // the source; of a choice and a comparison the number
        std::vector<Part> parts{};  // of a peek: one for each dimension that goes
        ScalarFunction function{};  // of a comparison
        Sum sum{};                  // of a comparison
        bool chooses() const noexcept { return kind == Kind::choice || kind == Kind::comparison; }
        friend bool operator==(const Operation &, const Operation &) = default;
    };

    // The documents decide at which index of the only dimension with more than one cell a choice becomes another, or a
    // peek begins. Else all numbers are known before the sources.
    bool is_split = false;
    std::vector<Dimension> dimensions;  // of the result: the indexed ones
    // A tree. Each one that chooses is followed by what there is where it holds, then by what there is elsewhere.
    std::vector<Operation> operations;

    std::size_t source_count() const noexcept;
    // Whether each operation that chooses has its two branches, and nothing is left over.
    bool is_tree() const noexcept;
    // For each operation of a tree that chooses: the numbers of those that follow where it does not hold, and where it
    // does.
    std::vector<std::array<std::uint32_t, 2>> branches() const;

    friend bool operator==(const Gather &, const Gather &) = default;
};

struct Top {
    bool ascending = false;  // rank 0 is the smallest

    friend bool operator==(const Top &, const Top &) = default;
};

// An aggregate of function(a, b), which is not stored.
struct JoinReduce {
    std::optional<ScalarFunction> function;  // none: cells are only counted
    CellType cell_type = CellType::f64;      // of what it gives
    Aggregator aggregator = Aggregator::sum;
    std::vector<std::string> dimensions;  // over which

    friend bool operator==(const JoinReduce &, const JoinReduce &) = default;
};

// The columns of a product of matrices, and what the kernel that reads them depends on beside them.
struct PackMatrix {
    std::vector<std::string> dimensions;  // over which products are summed
    std::vector<std::string> batch;       // dimensions that number matrices; all others are those of the columns
    CellType row_type = CellType::f32;    // of the cells that the columns are multiplied with
    CellType cell_type = CellType::f32;   // of the result

    static constexpr auto parts(auto &own) { return std::tie(own.dimensions, own.batch, own.row_type, own.cell_type); }
    friend bool operator==(const PackMatrix &, const PackMatrix &) = default;
};

// The operations are a graph of their own: its inputs are the operands, in their order, its outputs the results.
struct Region {
    std::shared_ptr<const Graph> body;

    friend bool operator==(const Region &, const Region &) = default;
};

struct RegionResult {
    std::uint32_t index = 1;  // among the region's results; the first is the value of the region itself

    friend bool operator==(const RegionResult &, const RegionResult &) = default;
};

using PayloadVariant =
    std::variant<NoPayload, Constant, Input, Apply, User, InSet, Choice, Reduce, Contract, Rename, Concat, Slice,
                 Reshape, ToMapped, ToIndexed, SameSize, Append, Peek, Order, Pack, UnpackBits, Forest, RowExtreme,
                 Attention, Normalize, Gather, Top, JoinReduce, PackMatrix, Region, RegionResult>;

// Copying, moving, destroying and comparing so many alternatives is much code, which takes seconds to compile. It is
// compiled in payloads.cpp alone, and not in each source that makes nodes.
struct Payload : PayloadVariant {
    Payload() noexcept;
    template <class Own>
    Payload(Own own);
    Payload(const Payload &other);
    Payload(Payload &&other) noexcept;
    Payload &operator=(const Payload &other);
    Payload &operator=(Payload &&other) noexcept;
    ~Payload();

    const PayloadVariant &variant() const noexcept { return *this; }
    PayloadVariant &variant() noexcept { return *this; }

    friend bool operator==(const Payload &a, const Payload &b);
};

template <class Own>
concept HasParts = requires(Own &own) {
    Own::parts(own);
};

// Equal payloads have equal hashes.
std::size_t hash_of(const Payload &payload);
// Whether a payload is of the type that the operation names.
bool is_payload_of(Op op, const Payload &payload) noexcept;
// The payload with other names for its dimensions. Not of a rename.
Payload with_names(Payload payload, const std::function<std::string(const std::string &)> &new_name);

}  // namespace tenrex::ir
