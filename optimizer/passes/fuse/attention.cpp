// Attention: the softmax of products of queries and keys, scaled and masked, weights the rows of values. It is one
// operation if nothing else reads what is in between; the scores of all pairs are never stored. Weights may be rounded
// to bfloat16, if all else that is multiplied is of such cells.
#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "lib/ir/contraction.h"
#include "lib/support/float_range.h"
#include "lib/types/block_layout.h"
#include "optimizer/make_nodes.h"
#include "optimizer/matcher.h"
#include "optimizer/passes/passes.h"

namespace tenrex::optimizer {

namespace {

using NameList = std::vector<std::string>;

// The only one, mapped or indexed.
std::optional<std::string> only_name(const NameList &indexed, const NameList &mapped) {
    if (indexed.size() + mapped.size() != 1) {
        return std::nullopt;
    }
    return indexed.empty() ? mapped.front() : indexed.front();
}

bool is_mapped(const TensorType &type, const std::string &name) {
    const auto found = type.find(name);
    return found && type.dimensions()[*found].is_mapped();
}

class AttentionFinder {
public:
    AttentionFinder(const Patterns &patterns, ir::NodeId id) : patterns_(patterns), id_(id) {}

    std::optional<Fused> find() {
        // Rows without a key are filled in with zeros.
        const ir::NodeId product = without_fill(id_);
        if (!is_sum_of_products(patterns_[product]) || patterns_[product].as<ir::Contract>().has_epilogue()) {
            return std::nullopt;
        }
        for (const auto &[weights, values] : either_order(patterns_[product].operands)) {
            if (is_softmax(weights)) {
                values_ = values;
                return is_product_of_weights(product) && are_scores(scores_) && fits(product) ? std::optional(fused())
                                                                                              : std::nullopt;
            }
        }
        return std::nullopt;
    }

private:
    const TensorType &type(ir::NodeId id) const { return patterns_.type(id); }
    bool is(ir::NodeId id, ScalarFunction function) const { return applies(patterns_[id], function); }
    bool refuse(std::string_view reason) const {
        patterns_.refuse(id_, reason);
        return false;
    }
    ir::NodeId without_fill(ir::NodeId id) const {
        return patterns_[id].op == ir::Op::fill ? patterns_[id].operands[0] : id;
    }
    // An aggregate of cells over the keys, with zeros where there are none.
    bool aggregates(ir::NodeId id, Aggregator aggregator, ir::NodeId cells) const {
        const ir::Node &node = patterns_[without_fill(id)];
        return is_reduction(node, aggregator) && node.operands[0] == cells &&
               node.as<ir::Reduce>().dimensions.size() == 1;
    }
    bool is_rounding(ir::NodeId id) const {
        return patterns_[id].op == ir::Op::round && type(id).cell_type() == CellType::bf16;
    }
    bool is_read_once(ir::NodeId id) const { return patterns_.uses(id) == 1 && patterns_.uses(without_fill(id)) == 1; }

    // Finds the scores and the dimension of the keys, by both names that it has.
    bool is_softmax(ir::NodeId weights) {
        weights_ = weights;
        ir::NodeId quotient = weights;
        if (patterns_[weights].op == ir::Op::rename) {
            quotient = patterns_[weights].operands[0];
        }
        const ir::NodeId rounded = quotient;
        own_.is_rounded = is_rounding(rounded);
        if (own_.is_rounded) {
            quotient = patterns_[rounded].operands[0];
        }
        if (!is(quotient, ScalarFunction::divide)) {
            return false;
        }
        const ir::NodeId powers = patterns_[quotient].operands[0];
        const ir::NodeId sum = patterns_[quotient].operands[1];
        if (!is(powers, ScalarFunction::exp) || !aggregates(sum, Aggregator::sum, powers)) {
            return false;
        }
        own_.key_rows = patterns_[without_fill(sum)].as<ir::Reduce>().dimensions.front();
        own_.value_rows = own_.key_rows;
        if (rounded != weights) {
            const auto &[from, to] = patterns_[weights].as<ir::Rename>();
            if (from.size() != 1 || from.front() != own_.key_rows) {
                return false;
            }
            own_.value_rows = to.front();
        }
        scores_ = patterns_[powers].operands[0];
        own_.is_stable = false;
        if (is(scores_, ScalarFunction::subtract)) {
            const ir::NodeId cells = patterns_[scores_].operands[0];
            const ir::NodeId max = patterns_[scores_].operands[1];
            if (aggregates(max, Aggregator::max, cells) &&
                patterns_[without_fill(max)].as<ir::Reduce>().dimensions.front() == own_.key_rows) {
                own_.is_stable = true;
                are_read_elsewhere_ |= patterns_.uses(scores_) != 1 || !is_read_once(max);
                scores_ = cells;
            }
        }
        are_read_elsewhere_ |= patterns_.uses(weights) != 1 || patterns_.uses(rounded) != 1 ||
                               patterns_.uses(quotient) != 1 || !is_read_once(sum) || patterns_.uses(powers) != 2 ||
                               patterns_.uses(scores_) != (own_.is_stable ? 2U : 1U);
        return true;
    }

    bool is_product_of_weights(ir::NodeId product) {
        const auto &summed = patterns_[product].as<ir::Contract>().dimensions;
        return summed.size() == 1 && summed.front() == own_.value_rows;
    }

    // Scores before the mask, which comes last.
    bool are_scores(ir::NodeId id) {
        const ir::Node &node = patterns_[id];
        if (applies(node, ScalarFunction::add)) {
            for (const auto &[scores, mask] : either_order(node.operands)) {
                if (are_scaled(scores)) {
                    own_.masking = ir::Masking::added;
                    mask_ = mask;
                    return !type(mask).is_scalar();
                }
            }
            return false;
        }
        if (node.op != ir::Op::select) {
            return are_scaled(id);
        }
        const auto otherwise = number(node.operands[2]);
        if (otherwise && are_scaled(node.operands[1])) {
            own_.masking = ir::Masking::chosen;
            own_.otherwise = *otherwise;
            mask_ = node.operands[0];
            return !type(mask_).is_scalar() && is_exact_in_float(mask_);
        }
        return false;
    }
    // A number, or the quotient of two: infinities are written as quotients.
    std::optional<double> number(ir::NodeId id) const {
        const ir::Node &node = patterns_[id];
        if (node.is_number()) {
            return node.number();
        }
        if (node.op == ir::Op::cast && node.type->is_scalar()) {
            return number(node.operands[0]);
        }
        if (!is(id, ScalarFunction::divide) || !patterns_[node.operands[0]].is_number() ||
            !patterns_[node.operands[1]].is_number()) {
            return std::nullopt;
        }
        return patterns_[node.operands[0]].number() / patterns_[node.operands[1]].number();
    }
    // Scores before they are scaled.
    bool are_scaled(ir::NodeId id) {
        const ir::Node &node = patterns_[id];
        ir::NodeId products = id;
        own_.scale = 1;
        const bool divides = applies(node, ScalarFunction::divide);
        if (divides || applies(node, ScalarFunction::multiply)) {
            const std::size_t number = !divides && patterns_[node.operands[0]].is_number() ? 0 : 1;
            if (!patterns_[node.operands[number]].is_number()) {
                return false;
            }
            const double value = patterns_[node.operands[number]].number();
            own_.scale = divides ? 1 / value : value;
            products = node.operands[1 - number];
        }
        if (!is_sum_of_products(patterns_[products]) || !has_nearest_float(own_.scale) ||
            patterns_[products].as<ir::Contract>().has_epilogue()) {
            return false;
        }
        are_read_elsewhere_ |=
            (id != scores_ && patterns_.uses(id) != 1) || (products != id && patterns_.uses(products) != 1);
        products_ = products;
        return true;
    }
    // Conditions are compared with 0 as floats.
    bool is_exact_in_float(ir::NodeId id) const {
        const auto moves_cells = [](ir::Op op) {
            return op == ir::Op::rename || op == ir::Op::peek || op == ir::Op::reshape || op == ir::Op::same_size ||
                   op == ir::Op::join_addresses || op == ir::Op::fill;
        };
        while (moves_cells(patterns_[id].op)) {
            id = patterns_[id].operands[0];
        }
        const auto is_condition = [&](ir::NodeId node) {
            return is(node, ScalarFunction::not_equal) || is(node, ScalarFunction::equal) ||
                   is(node, ScalarFunction::less) || is(node, ScalarFunction::less_equal) ||
                   is(node, ScalarFunction::greater) || is(node, ScalarFunction::greater_equal) ||
                   is(node, ScalarFunction::logical_not) || is(node, ScalarFunction::logical_and) ||
                   is(node, ScalarFunction::logical_or);
        };
        return type(id).cell_type() != CellType::f64 || is_condition(id);
    }

    // Which operand has the keys, and whether all dimensions are those of attention.
    bool have_dimensions(ir::NodeId product) {
        const NameList &summed = patterns_[products_].as<ir::Contract>().dimensions;
        const auto &pair = patterns_[products_].operands;
        const bool keys_first = type(pair[0]).find(own_.key_rows).has_value();
        queries_ = pair[keys_first ? 1 : 0];
        keys_ = pair[keys_first ? 0 : 1];
        const auto scores = ir::contraction_dimensions(type(queries_), type(keys_), summed);
        const auto result =
            ir::contraction_dimensions(type(weights_), type(values_), patterns_[product].as<ir::Contract>().dimensions);
        if (summed.size() != 1 || !scores || !result || !scores->mapped.summed.empty() ||
            !scores->mapped.batch.empty() || !result->mapped.batch.empty() || !result->mapped.columns.empty() ||
            result->indexed.columns.empty() || scores->indexed.batch != result->indexed.batch) {
            return false;
        }
        const auto rows = only_name(scores->indexed.rows, scores->mapped.rows);
        if (!rows || only_name(scores->indexed.columns, scores->mapped.columns) != own_.key_rows ||
            only_name(result->indexed.rows, result->mapped.rows) != rows) {
            return false;
        }
        own_.summed = summed.front();
        own_.query_rows = *rows;
        heads_ = scores->indexed.batch;
        columns_ = result->indexed.columns;
        return true;
    }

    bool fits(ir::NodeId product) {
        if (!have_dimensions(product)) {
            return false;
        }
        if (are_read_elsewhere_) {
            return refuse("something else reads its scores or weights");
        }
        const bool in_float = type(product).cell_type() == CellType::f32 &&
                              type(products_).cell_type() == CellType::f32 &&
                              type(scores_).cell_type() == CellType::f32 &&
                              type(weights_).cell_type() == (own_.is_rounded ? CellType::bf16 : CellType::f32);
        const auto is_double = [&](ir::NodeId node) { return type(node).cell_type() == CellType::f64; };
        if (!in_float || is_double(queries_) || is_double(keys_) || is_double(values_)) {
            return refuse("it is computed in double");
        }
        const auto is_half = [&](ir::NodeId node) { return type(node).cell_type() == CellType::bf16; };
        if (own_.is_rounded && !(is_half(queries_) && is_half(keys_) && is_half(values_))) {
            return refuse("its weights are bfloat16 and other cells are not");
        }
        if (!have_addresses(product)) {
            return false;
        }
        if (mask_ != none && !fits_mask()) {
            return refuse("its mask has cells for each query or head under labels of keys, or lacks some of them");
        }
        const auto columns = common_stride(type(product), columns_);
        return (columns == 1 && common_stride(type(product), heads_)) ||
               refuse("its results do not lie side by side, head by head");
    }

    bool have_addresses(ir::NodeId product) const {
        ir::AddressOrigins &addresses = patterns_.addresses();
        const bool ragged_keys = is_mapped(type(keys_), own_.key_rows);
        if (ragged_keys && !addresses.are_same_rows(keys_, values_)) {
            return refuse("its keys and values may have other labels");
        }
        const bool ragged_queries = is_mapped(type(queries_), own_.query_rows);
        if (product != id_) {
            // The zeros are those of queries without keys.
            return !ragged_queries ? false
                                   : addresses.are_same(queries_, patterns_[id_].operands[1]) ||
                                         refuse("rows are filled in that none of its queries has");
        }
        return !ragged_queries || !ragged_keys || addresses.are_same_rows(queries_, keys_) ||
               refuse("its queries may have no keys, and then have no result");
    }

    bool fits_mask() const {
        const TensorType &mask = type(mask_);
        ir::AddressOrigins &addresses = patterns_.addresses();
        const bool by_key = is_mapped(mask, own_.key_rows);
        const bool by_query = is_mapped(mask, own_.query_rows);
        const auto are_rows = [&](ir::NodeId rows) { return addresses.are_same_rows(mask_, rows); };
        const bool fits = by_key && by_query
                              ? addresses.are_pairs(mask_, own_.query_rows, queries_, own_.key_rows, keys_)
                          : by_key ? mask.block_cells() == 1 && are_rows(keys_)
                                   : !by_query || are_rows(queries_);
        if (!fits || mask.find(own_.summed)) {
            return false;
        }
        // Of all heads, or the same for all of them.
        std::size_t heads = 1;
        for (const std::string &name : heads_) {
            heads *= mask.find(name) ? cells_of(mask, {name}) : 1;
        }
        return heads == 1 || heads == cells_of(type(queries_), heads_);
    }

    Fused fused() const {
        std::vector<ir::NodeId> operands{queries_, keys_, values_};
        if (mask_ != none) {
            operands.push_back(mask_);
        }
        return {ir::Op::attention, std::move(operands), own_};
    }

    static constexpr ir::NodeId none = ~ir::NodeId{0};

    const Patterns &patterns_;
    ir::NodeId id_;
    ir::Attention own_;
    ir::NodeId weights_ = none, values_ = none, scores_ = none, products_ = none;
    ir::NodeId queries_ = none, keys_ = none, mask_ = none;
    NameList heads_, columns_;
    bool are_read_elsewhere_ = false;
};

}  // namespace

std::optional<Fused> fuse_attention(const Patterns &patterns, ir::NodeId id) {
    const ir::Node &node = patterns[id];
    const bool is_product = node.op == ir::Op::contract || patterns.uses(node.operands[0]) == 1;
    return is_product ? AttentionFinder(patterns, id).find() : std::nullopt;
}

}  // namespace tenrex::optimizer
