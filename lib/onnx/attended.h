// The parts of attention that several operators are made of. Queries, keys and values have the axes batch, heads, rows
// and cells; scores and shares have batch, heads, queries and keys.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "lib/onnx/node_context.h"

namespace tenrex::onnx {

// An input that has an axis of heads, or whose rows have the heads one after the other, as many as the attribute says.
// Nothing: told.
std::optional<Value> with_heads(NodeContext &context, std::size_t input, std::string_view attribute);
// The products of queries and keys, at the precision that was asked for.
std::string products_of_heads(const NodeContext &context, const Value &query, const Value &key);
// The softmax of each row of scores. Nothing: told.
std::optional<Value> shares_of(NodeContext &context, const Value &scores);
// Rows of values, weighted by shares, the same. Nothing: told.
std::optional<Value> mixed_by(NodeContext &context, const Value &shares, const Value &values);
// The heads of a row one after the other: [batch, rows, heads * cells].
std::string joined_heads(const Value &mixed);
// For what is told of the model: both products of attention.
void count_attention(NodeContext &context, const Shape &scores, std::int64_t key_cells, std::int64_t value_cells);

}  // namespace tenrex::onnx
