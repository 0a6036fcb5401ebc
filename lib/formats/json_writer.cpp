#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>
#include <vector>

#include <tenrex/formats.h>

#include "lib/formats/hex.h"
#include "lib/formats/write_lists.h"
#include "lib/support/format.h"
#include "lib/types/number.h"
#include "lib/types/utf8_text.h"

namespace tenrex {

namespace {

// Bytes that are not UTF-8 become surrogates from DC80 to DCFF, which the reader turns back into bytes.
void append_json_string(std::string &out, std::string_view text) {
    out += '"';
    while (!text.empty()) {
        const char c = text.front();
        std::size_t length = utf8_length(text);
        if (c == '"' || c == '\\') {
            out += '\\';
            out += c;
        } else if (length == 0) {
            fmt::format_to(std::back_inserter(out), "\\udc{:02x}", static_cast<unsigned char>(c));
            length = 1;
        } else if (length == 1 && (c < 0x20 || c == 0x7f)) {
            fmt::format_to(std::back_inserter(out), "\\u{:04x}", static_cast<unsigned>(c));
        } else {
            out += text.substr(0, length);
        }
        text.remove_prefix(length);
    }
    out += '"';
}

class JsonWriter {
public:
    JsonWriter(const TensorView &tensor, JsonOptions options)
        : tensor_(tensor),
          type_(tensor.type()),
          cells_(type_.cell_type(), tensor.cells(), tensor.cell_count()),
          options_(options) {
        for (const Dimension &dimension : type_.dimensions()) {
            (dimension.is_mapped() ? mapped_ : indexed_).push_back(&dimension);
        }
    }

    std::string write() {
        if (type_.is_scalar()) {
            append_cell(0);
            return std::move(out_);
        }
        const bool by_cell = options_.form == JsonOptions::Form::cells;
        if (options_.typed) {
            out_ += R"({"type":")";
            out_ += type_.to_string();
            out_ += by_cell || type_.is_sparse() ? R"(","cells":)"
                    : type_.is_dense()           ? R"(","values":)"
                                                 : R"(","blocks":)";
        }
        if (by_cell) {
            write_cells();
        } else if (type_.is_dense()) {
            write_block(0);
        } else if (mapped_.size() == 1) {
            write_map();
        } else {
            write_elements();
        }
        if (options_.typed) {
            out_ += '}';
        }
        return std::move(out_);
    }

private:
    void append_cell(std::size_t index) {
        const bool is_finite = std::isfinite(tensor_.cell(index));
        out_.append(is_finite ? 0 : 1, '"');
        cells_.append(out_, index);
        out_.append(is_finite ? 0 : 1, '"');
    }

    void write_block(std::size_t block) {
        const std::size_t begin = block * type_.block_cells();
        if (options_.form == JsonOptions::Form::hex && type_.has_indexed()) {
            out_ += '"';
            append_hex(out_, tensor_, begin, begin + type_.block_cells());
            out_ += '"';
        } else {
            write_list(begin);
        }
    }

    void write_list(std::size_t begin) {
        write_lists(out_, indexed_, begin, type_.block_cells(), [this](std::size_t cell) { append_cell(cell); });
    }

    // {"a":1}, {"a":[...]}
    void write_map() {
        out_ += '{';
        for (std::size_t block = 0; block < tensor_.blocks(); ++block) {
            if (block > 0) {
                out_ += ',';
            }
            append_json_string(out_, tensor_.label(block, 0));
            out_ += ':';
            write_block(block);
        }
        out_ += '}';
    }

    // [{"address":{...},"value":1}], [{"address":{...},"values":[...]}]
    void write_elements() {
        out_ += '[';
        for (std::size_t block = 0; block < tensor_.blocks(); ++block) {
            out_ += block == 0 ? R"({"address":{)" : R"(,{"address":{)";
            for (std::size_t i = 0; i < mapped_.size(); ++i) {
                fmt::format_to(std::back_inserter(out_), R"({}"{}":)", i == 0 ? "" : ",", mapped_[i]->name);
                append_json_string(out_, tensor_.label(block, i));
            }
            out_ += type_.has_indexed() ? R"(},"values":)" : R"(},"value":)";
            write_block(block);
            out_ += '}';
        }
        out_ += ']';
    }

    void write_cells() {
        std::vector<std::uint64_t> indexes(indexed_.size());
        std::size_t cell = 0;
        out_ += '[';
        for (std::size_t block = 0; block < tensor_.blocks(); ++block) {
            for (std::size_t i = 0; i < type_.block_cells(); ++i, ++cell) {
                out_ += cell == 0 ? R"({"address":{)" : R"(,{"address":{)";
                write_address(block, indexes);
                out_ += R"(},"value":)";
                append_cell(cell);
                out_ += '}';
                for (std::size_t d = indexes.size(); d-- > 0 && ++indexes[d] == indexed_[d]->size;) {
                    indexes[d] = 0;
                }
            }
        }
        out_ += ']';
    }

    void write_address(std::size_t block, const std::vector<std::uint64_t> &indexes) {
        std::size_t mapped = 0;
        std::size_t indexed = 0;
        for (const Dimension &dimension : type_.dimensions()) {
            fmt::format_to(std::back_inserter(out_), R"({}"{}":)", mapped + indexed == 0 ? "" : ",", dimension.name);
            if (dimension.is_mapped()) {
                append_json_string(out_, tensor_.label(block, mapped++));
            } else {
                fmt::format_to(std::back_inserter(out_), R"("{}")", indexes[indexed++]);
            }
        }
    }

    const TensorView &tensor_;
    const TensorType &type_;
    CellWriter cells_;
    JsonOptions options_;
    std::vector<const Dimension *> mapped_;
    std::vector<const Dimension *> indexed_;
    std::string out_;
};

}  // namespace

std::string to_json(const TensorView &tensor, JsonOptions options) {
    return JsonWriter(tensor, options).write();
}

std::string to_json(const Tensor &tensor, JsonOptions options) {
    return to_json(tensor.view(), options);
}

}  // namespace tenrex
