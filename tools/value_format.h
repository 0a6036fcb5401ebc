// The forms in which a value can be written to standard output or shown by the REPL.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tenrex/result.h>
#include <tenrex/tensor.h>

namespace tenrex::tool {

enum class ValueFormat { literal, verbose, json, hex, binary, table };

// Their names, in the order of the enumerators.
const std::vector<std::string> &value_format_names();
std::optional<ValueFormat> value_format_from_name(std::string_view name);
std::string_view name(ValueFormat format);

// "string", or the type of the value.
std::string type_text(const Tensor &value);

// A table for a tensor on a terminal, else a literal.
ValueFormat default_format(int descriptor);

// The value in that form. Text ends with a newline; a table is preceded by a line with the type and fits `width`
// columns. Error: hex digits cannot tell the labels of mapped dimensions.
Result<std::string> format_value(const Tensor &value, ValueFormat format, std::size_t width);

}  // namespace tenrex::tool
