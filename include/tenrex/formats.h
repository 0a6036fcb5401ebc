// Text, JSON, hex and binary forms of tensor values, both ways. Decoders accept any bytes and answer with a value or
// an error that says where and why.
//
//   auto tensor = tenrex::from_literal("tensor<float>(x[3]):[1,2,3]");
//   tenrex::to_json(*tensor);      // {"type":"tensor<float>(x[3])","values":[1,2,3]}
//   tenrex::to_binary(*tensor);    // the typed binary format
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <tenrex/export.h>
#include <tenrex/limits.h>
#include <tenrex/result.h>
#include <tenrex/tensor.h>

namespace tenrex {

// Every format agrees on this: a cell that an address names twice has the first value, except that binary values must
// not name an address twice; a list has all elements of its dimension; cells whose addresses are left out of a dense
// block are 0; labels are not empty; numbers become cells as to_cell says. Blocks keep their order.

// ---- literals: "1.5", "\"a string\"", "tensor(x{}):{a:1}", "tensor(k{},x[2]):{a:[1,2]}", "{{x:a}:1}", "[1,2,3]"

// Reads a literal that names its type, a number, a string in quotes, or a sparse verbose literal (its type is
// tensor(its dimensions{})).
TENREX_EXPORT Result<Tensor> from_literal(std::string_view text, const Limits &limits = {});
// Reads a literal of a known type; the literal may leave its type out or must agree with it. Dense values may also be
// flat lists or a hex string.
TENREX_EXPORT Result<Tensor> from_literal(std::string_view text, const TensorType &type, const Limits &limits = {});

enum class LiteralStyle {
    // Nested lists and maps: tensor(k{},x[2]):{a:[1,2]}. Brackets nest in the order in which the type is written, so
    // mapped dimensions are written first: tensor(x[2],y{}) becomes tensor(y{},x[2]):{a:[1,2]}.
    shortest,
    // One address for each cell, the type canonical: tensor(k{},x[2]):{{k:a,x:0}:1,{k:a,x:1}:2}
    verbose
};
// Numbers are printed with the fewest digits that read back to the same cell, strings in quotes.
TENREX_EXPORT std::string to_literal(const TensorView &tensor, LiteralStyle style = LiteralStyle::shortest);
TENREX_EXPORT std::string to_literal(const Tensor &tensor, LiteralStyle style = LiteralStyle::shortest);
// A label as it stands in a literal: bare if it consists of letters, digits and '_', else quoted and escaped.
TENREX_EXPORT std::string quoted_label(std::string_view label);

// ---- JSON

// Reads {"type": ..., "cells"|"values"|"blocks": ...}, or a number. In labels that are not UTF-8, bytes 80 to FF are
// written, and read, as escapes of the lone surrogates DC80 to DCFF.
TENREX_EXPORT Result<Tensor> from_json(std::string_view json, const Limits &limits = {});
// Reads JSON of a known type: the object above, or only its content.
TENREX_EXPORT Result<Tensor> from_json(std::string_view json, const TensorType &type, const Limits &limits = {});

struct JsonOptions {
    enum class Form { shortest, cells, hex };
    Form form = Form::shortest;  // shortest: "values" for dense, "cells" for sparse, "blocks" for mixed
    bool typed = true;           // false: only the content, for readers that know the type
};
TENREX_EXPORT std::string to_json(const TensorView &tensor, JsonOptions options = {});
TENREX_EXPORT std::string to_json(const Tensor &tensor, JsonOptions options = {});

// ---- hex: the cells of a dense value, big-endian, two digits a byte, no separators

TENREX_EXPORT Result<Tensor> from_hex(std::string_view hex, const TensorType &type, const Limits &limits = {});
// Cells of one block, or of all blocks one after the other.
TENREX_EXPORT std::string to_hex(const TensorView &tensor);

// ---- typed binary format (language reference, "exchange formats")

TENREX_EXPORT Result<Tensor> from_binary(std::span<const std::byte> bytes, const Limits &limits = {});
// Sizes of dimensions, lengths of labels and numbers of blocks must be below 2^31.
TENREX_EXPORT std::vector<std::byte> to_binary(const TensorView &tensor);

}  // namespace tenrex
