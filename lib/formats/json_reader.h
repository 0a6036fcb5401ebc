// Reads tensor values from JSON: the object with type and content, or content alone if the type is known.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tenrex/issue.h>
#include <tenrex/limits.h>
#include <tenrex/result.h>
#include <tenrex/tensor.h>

#include "lib/formats/json_scanner.h"
#include "lib/formats/layout.h"
#include "lib/storage/value_builder.h"

namespace tenrex {

class JsonReader {
public:
    JsonReader(std::string_view json, const TensorType *known, const Limits &limits)
        : in_(json, limits), limits_(limits), known_(known) {}

    Result<Tensor> read();

private:
    // The members of the object that hold cells; `direct` is content without the object.
    enum class Content { none, direct, cells, values, blocks };
    static std::string_view name(Content content) noexcept;
    struct Element;
    // How the value of an element is named there, and a hint about its members.
    static std::string_view value_name(Content content) noexcept;
    static std::string members_of_element(Content content);

    // {"type":...,"cells"|"values"|"blocks":...}
    bool read_object();
    bool read_member(Content &content, std::optional<std::size_t> &later);
    bool read_type();
    bool is_object_with_content();
    // where: what an error about the type speaks of.
    bool set_type(const TensorType &type, Span where);
    // Of open dimensions, from the cells that follow.
    bool read_sizes();

    bool read_content(Content content);
    // [{"address":{...},"value":1}], [{"address":{...},"values":[...]}]
    bool begins_list();
    bool read_list(Content content);
    bool read_element(Content content);
    bool read_element_member(Content content, Element &element);
    bool read_element_value(bool is_block);
    bool read_address();
    bool read_address_part();
    bool read_label(TextToken &label);
    bool check_address(bool is_block);
    // {"a":1}, {"a":[...]}
    bool read_map();

    bool find_block();
    bool read_cell();
    // The cells of a block: nested arrays, a flat array, or hexadecimal digits.
    bool read_block();
    bool read_hex();
    bool read_flat(std::size_t begin);
    bool read_nested(std::size_t depth, std::size_t first, std::size_t count);

    JsonScanner in_;
    const Limits &limits_;
    const TensorType *known_;
    std::optional<TensorType> type_;
    std::vector<DimensionLayout> layout_;
    std::vector<DimensionLayout> indexed_;  // the indexed dimensions only
    std::optional<ValueBuilder> values_;

    // What the cells or the block being read belong to.
    AddressText address_;
    std::vector<bool> given_;  // for each dimension, whether the address names it
    std::size_t offset_ = 0;   // of a cell in its block
    std::size_t block_ = 0;    // the block with that address
    Span address_span_;
};

}  // namespace tenrex
