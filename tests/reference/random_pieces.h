// The generator behind random_expression(): for each type that an expression shall have, rules that make one from
// smaller expressions of other types.
#pragma once

#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/reference/random_expression.h"
#include "tests/reference/random_values.h"

namespace tenrex::random {

// A sum of exact products stays below 2^24.
constexpr double most_sum = 1 << 24;

class PieceMaker {
public:
    PieceMaker(std::uint64_t seed, const RandomOptions &options);

    // An expression of any type.
    Piece root();
    std::vector<RandomInput> take_inputs() { return std::move(inputs_); }

private:
    using Dimensions = std::vector<Dimension>;
    struct Parameter {
        std::string name;
        TensorType type;
        double bound;
    };
    struct Scope {
        std::vector<Parameter> parameters;
        bool sees_inputs;
        std::vector<std::pair<Piece, std::size_t>> made = {};  // what may stand in several places, and repeated_ then
    };
    struct Rule {
        int weight_of_small;
        int weight_of_wide;
        bool (PieceMaker::*applies)(const TensorType &) const;
        Piece (PieceMaker::*make)(const TensorType &, std::size_t);
    };
    static const std::vector<Rule> &rules();
    int weight(const Rule &rule, const TensorType &type) const;

    // ---- random_pieces.cpp: leaves, types, numbers
    TensorType type();
    // An expression of exactly that type.
    Piece piece(const TensorType &type, std::size_t depth);
    Piece new_piece(const TensorType &type, std::size_t depth);
    const Piece *shared(const TensorType &type);
    void may_be_shared(const Piece &piece);
    Piece leaf(const TensorType &type);
    Piece constant(double value);
    Piece input(const TensorType &type, std::optional<Stage> stage = {});
    Tensor input_value(const TensorType &type);
    void add_others(RandomInput &input);
    std::optional<Piece> variable();
    Piece index(Piece variable);
    Piece parameter(const Parameter &parameter) const;
    double number_value();
    Piece bounded(Piece piece);                         // brought back into the range that the numbers allow
    Piece narrowed(Piece piece, CellType cell);         // so that conversion to that cell type is harmless
    Piece below(Piece piece, double most);              // brought below a bound if numbers are exact
    double extent(const Dimensions &dimensions) const;  // how many cells they have at most
    Piece make(const TensorType &type, double bound, std::string_view pattern, std::vector<Piece> parts) const;
    static Piece bind(Piece piece, std::initializer_list<std::string_view> names);

    CellType cell_type_decaying_to(const TensorType &type);
    CellType any_cell_type() { return source_.pick(all_cell_types); }
    static TensorType type_of(CellType cell_type, Dimensions dimensions);
    static Dimensions dimensions(const TensorType &type, bool mapped, bool indexed);
    // What is inside of a lambda or generator that runs so often: it has fewer cells.
    Piece repeated(std::size_t times, const std::function<Piece()> &make);
    // Some dimensions that the type does not have.
    Dimensions extra_dimensions(const TensorType &type, std::size_t most);
    static TensorType decayed(const TensorType &type);
    static TensorType joined(const TensorType &a, const TensorType &b);
    std::pair<TensorType, TensorType> operand_types(const TensorType &type);
    std::string spec(const TensorType &type);  // the type as text, dimensions in any order

    std::size_t most_block_cells() const {
        return options_.sizes == Sizes::small ? options_.most_block_cells : sizes_.most_cells;
    }
    bool wide() const { return options_.sizes == Sizes::wide; }
    bool any() const { return options_.numbers == Numbers::any; }
    bool exact() const { return options_.numbers == Numbers::exact; }
    bool smooth() const { return options_.numbers == Numbers::smooth; }

    // ---- random_rules.cpp
    bool always(const TensorType &type) const;
    bool is_arithmetic(const TensorType &type) const;  // what operators and functions give
    bool is_jumpy_arithmetic(const TensorType &type) const;
    bool is_lambda_arithmetic(const TensorType &type) const;  // where tensor functions are allowed
    bool is_tensor_arithmetic(const TensorType &type) const;
    bool is_jumpy_tensor(const TensorType &type) const;
    bool has_dimensions(const TensorType &type) const;
    bool can_cast(const TensorType &type) const;
    bool can_concat(const TensorType &type) const;
    bool can_generate(const TensorType &type) const;
    bool can_peek(const TensorType &type) const;
    bool has_mapped(const TensorType &type) const;
    bool can_map_subspaces(const TensorType &type) const;
    bool can_expand(const TensorType &type) const;
    bool can_surface(const TensorType &type) const;

    Piece unary(const TensorType &type, std::size_t depth);
    Piece binary(const TensorType &type, std::size_t depth);
    Piece in_set(const TensorType &type, std::size_t depth);
    Piece conditional(const TensorType &type, std::size_t depth);
    Piece condition(std::size_t depth);
    Piece map(const TensorType &type, std::size_t depth);
    Piece join(const TensorType &type, std::size_t depth);
    Piece merge(const TensorType &type, std::size_t depth);
    Piece reduce(const TensorType &type, std::size_t depth);
    Piece rename(const TensorType &type, std::size_t depth);
    Piece concat(const TensorType &type, std::size_t depth);
    Piece cell_cast(const TensorType &type, std::size_t depth);
    Piece cell_order(const TensorType &type, std::size_t depth);
    Piece map_subspaces(const TensorType &type, std::size_t depth);
    Piece filter_subspaces(const TensorType &type, std::size_t depth);
    Piece generator(const TensorType &type, std::size_t depth);
    Piece literal(const TensorType &type, std::size_t depth);
    Piece peek(const TensorType &type, std::size_t depth);
    Piece surface(const TensorType &type, std::size_t depth);
    Piece expand(const TensorType &type, std::size_t depth);

    // ---- random_surface_rules.cpp
    bool is_jumpy_wide(const TensorType &type) const;
    bool can_contract(const TensorType &type) const;
    bool can_unpack(const TensorType &type) const;
    bool can_be_top(const TensorType &type) const;
    bool can_range(const TensorType &type) const;
    bool can_call(const TensorType &type) const;
    bool can_be_tokens(const TensorType &type) const;
    Piece formula(const TensorType &type, std::size_t depth);
    Piece contraction(const TensorType &type, std::size_t depth);
    Piece normalized(const TensorType &type, std::size_t depth);
    Piece similarity(const TensorType &type, std::size_t depth);
    Piece top(const TensorType &type, std::size_t depth);
    Piece unpacked(const TensorType &type, std::size_t depth);
    Piece range(const TensorType &type, std::size_t depth);
    Piece tokens(const TensorType &type, std::size_t depth);
    Piece user_call(const TensorType &type, std::size_t depth);

    Piece apply_unary(const TensorType &type, Piece operand);
    Piece apply_binary(const TensorType &type, Piece a, Piece b);
    // The body of a lambda that computes with numbers.
    Piece scalar_body(std::size_t depth, std::vector<Parameter> parameters);

    RandomOptions options_;
    Source source_;
    SizePlan sizes_;
    std::size_t repeated_ = 1;  // how often what is made now is evaluated
    std::vector<RandomInput> inputs_;
    Scope scope_;
    bool scalar_only_ = false;
    std::size_t fresh_names_ = 0;
};

}  // namespace tenrex::random
