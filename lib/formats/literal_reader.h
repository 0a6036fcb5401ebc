// Reads literals: the type or what is known of it, then the cells in one of their forms.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tenrex/limits.h>
#include <tenrex/result.h>
#include <tenrex/tensor.h>

#include "lib/formats/layout.h"
#include "lib/storage/value_builder.h"
#include "lib/types/text_reader.h"

namespace tenrex {

class LiteralReader {
public:
    LiteralReader(std::string_view text, const TensorType *known, const Limits &limits)
        : in_(text), limits_(limits), known_(known) {}

    Result<Tensor> read();

private:
    // A text in quotes, which is a string.
    Result<Tensor> read_string();
    bool read_type_of_value();
    bool infer_type();
    void set_type(TensorType type, const std::vector<std::size_t> &order);
    // Of open dimensions, from the cells that follow.
    bool read_sizes();

    bool read_content();
    bool read_cell(std::uint64_t offset);
    bool read_scalar();
    bool read_hex();
    // One address and number for each cell.
    bool read_verbose();
    bool read_address(std::uint64_t &offset);
    bool read_address_part(std::uint64_t &offset);
    // Nested lists and maps. Calls nest as deep as the type has dimensions and no deeper, whatever the text.
    bool read_short(std::size_t depth, std::uint64_t offset);
    bool read_map(std::size_t depth, std::uint64_t offset);
    bool read_list(std::size_t depth, std::uint64_t offset);
    bool read_flat_list(std::size_t depth, std::uint64_t offset);
    bool too_many(std::string message);
    bool too_few(std::size_t begin, std::string message);
    void set_label(std::size_t mapped, TextToken &label);
    bool begins_flat_list(std::size_t depth);

    TextReader in_;
    const Limits &limits_;
    const TensorType *known_;
    TensorType type_;
    std::vector<std::size_t> order_;       // in which brackets nest: places in the type
    std::vector<DimensionLayout> levels_;  // in that order
    std::optional<ValueBuilder> values_;
    std::vector<bool> given_;           // for each level, whether the address names it
    AddressText address_;               // of the block being read
    std::optional<std::size_t> block_;  // with that address, once it is needed
};

}  // namespace tenrex
