// The columns of a block by the names of inputs, with types that are checked.
//
//   tenrex::Columns columns(*plan);
//   columns.set("bm25(title)", std::span<const double>(bm25));              // a number for each document
//   columns.set("attribute(embedding)", std::span<const float>(vectors));  // as many cells as the type has
//   columns.set("price", std::span<const Item>(items), &Item::price);      // a field of structs
//   const auto block = columns.block(documents);
//   if (!block) { std::cerr << block.error().render(); return 1; }
//   query->evaluate(*block, context, scores);
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <tenrex/cell_type.h>
#include <tenrex/export.h>
#include <tenrex/plan.h>
#include <tenrex/result.h>

namespace tenrex {

// What is set describes memory of the caller and copies nothing but strings. A name that the plan has no document input
// for is left aside: the documents may have more than the expression uses.
class TENREX_EXPORT Columns {
public:
    explicit Columns(const Plan &plan) : plan_(plan), columns_(plan.document_inputs().size()) {}

    // The cells of the documents, one document after the other, of an input without mapped dimensions. Errors: another
    // type of cells than the input has, a number of cells that is no whole number of documents.
    template <class T>
    Status set(std::string_view name, std::span<const T> cells) {
        return set_cells(name, cell_type_of(cells.data()), cells.data(), cells.size());
    }
    // A field of each struct: a number, an array, or a std::array, with as many cells as the type has.
    template <class Row, class Field>
    Status set(std::string_view name, std::span<const Row> rows, Field Row::*field) {
        using Cells = ArrayCells<Field>;
        const void *const first = rows.empty() ? nullptr : &(rows.front().*field);
        return set_field(name, cell_type_of(static_cast<const typename Cells::Cell *>(nullptr)), Cells::count, first,
                         sizeof(Row), rows.size());
    }
    // Texts, of an input of the type "string". Their numbers are kept here.
    Status set(std::string_view name, std::span<const std::string_view> texts);
    // Any column, for as many documents as are asked for: sparse, computed, one value for all. Its type is not looked
    // at.
    Status set(std::string_view name, const Column &column);

    // The documents from number `first` on; valid until a column is set again. Errors: an input without a column, or
    // with one for fewer documents.
    Result<Block> block(std::size_t documents, std::size_t first = 0) const;

private:
    // What is known of a column: that it is there, and for how many documents it is.
    struct Known {
        bool is_set = false;
        std::optional<std::size_t> documents;
        std::vector<double> numbers;  // of texts
    };

#define TENREX_CELL_TYPE(id, name, storage, wire)                      \
    static constexpr CellType cell_type_of(const storage *) noexcept { \
        return CellType::id;                                           \
    }
#include <tenrex/cell_types.def>
#undef TENREX_CELL_TYPE

    template <class T>
    struct ArrayCells {
        using Cell = std::remove_all_extents_t<T>;
        static constexpr std::size_t count = sizeof(T) / sizeof(Cell);
    };
    template <class T, std::size_t size>
    struct ArrayCells<std::array<T, size>> {
        using Cell = T;
        static constexpr std::size_t count = size;
    };

    Status set_cells(std::string_view name, CellType type, const void *cells, std::size_t count);
    Status set_field(std::string_view name, CellType type, std::size_t cells, const void *first, std::size_t stride,
                     std::size_t rows);
    std::optional<std::size_t> find(std::string_view name);
    Status put(std::size_t place, const Column &column, std::optional<std::size_t> documents);

    Plan plan_;
    std::vector<Column> columns_;
    std::vector<Known> known_ = std::vector<Known>(columns_.size());
    std::vector<std::string> left_aside_;
};

}  // namespace tenrex
