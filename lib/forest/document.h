// A file of nested values, as JSON and UBJSON both write it. Lists of plain numbers are read when they are asked for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tenrex/export.h>
#include <tenrex/result.h>

namespace tenrex::forest {

// What the bytes of a file are, for messages.
enum class FileKind : std::uint8_t { text, binary };

// An error at a place of a file: line and column of a text, else the number of the byte.
Error error_at(std::string_view source, FileKind kind, std::size_t begin, std::size_t end, std::string message,
               std::string hint = {});

class TENREX_EXPORT Document {
public:
    enum class Kind : std::uint8_t { null, number, text, object, list, numbers };
    using Id = std::uint32_t;
    static constexpr Id none = UINT32_MAX;

    // The source must outlive the document.
    static Result<Document> from_json(std::string_view source);
    static Result<Document> from_ubjson(std::string_view source);

    Id root() const noexcept { return 0; }
    Kind kind(Id id) const noexcept { return nodes_[id].kind; }
    // The members of an object or the values of a list: the first one, and the one behind another.
    Id first(Id id) const noexcept { return nodes_[id].first; }
    Id next(Id id) const noexcept { return nodes_[id].next; }
    std::string_view key(Id id) const noexcept { return nodes_[id].key; }
    // none if the object has no such member, or is no object.
    Id find(Id object, std::string_view key) const noexcept;

    // These fail if the value is another one. Numbers may be written as text, booleans count as 0 and 1.
    Result<Id> member(Id object, std::string_view key) const;
    Result<std::string_view> text(Id id) const;
    Result<double> number(Id id) const;
    Result<std::int64_t> integer(Id id, std::int64_t least, std::int64_t most) const;
    // All numbers of a list that holds nothing else.
    Result<std::vector<double>> numbers(Id id) const;
    Result<std::vector<std::int32_t>> integers(Id id) const;

    Error error(Id id, std::string message, std::string hint = {}) const;
    std::string_view source() const noexcept { return source_; }
    // Where the value stands in the source.
    std::size_t begin(Id id) const noexcept { return nodes_[id].begin; }

private:
    friend class JsonDocumentReader;
    friend class UbjsonReader;
    struct Node {
        Kind kind = Kind::null;
        char type = 0;  // of numbers: that of UBJSON; 0 if they are text
        Id first = none;
        Id next = none;
        std::size_t begin = 0;  // in the source
        std::size_t end = 0;
        double number = 0;
        std::string_view key;
        std::string_view text;  // of numbers: their bytes
    };

    Document(std::string_view source, FileKind file_kind) : source_(source), file_kind_(file_kind) {}
    template <class T>
    Result<std::vector<T>> read_numbers(Id id) const;

    std::string_view source_;
    FileKind file_kind_;
    std::vector<Node> nodes_;
    std::deque<std::string> unescaped_;  // what keys and texts refer to that are written with escapes
};

// How deep values may nest. Trees of some trainers are written as nested objects.
inline constexpr std::size_t most_nesting = 20'000;

// One number of UBJSON at the start of the bytes, which are enough: 'i', 'U', 'I', 'l', 'L', 'd' or 'D'.
double ubjson_number(char type, const char *bytes) noexcept;
// The size of a number of UBJSON; 0 if the type is none of a number.
std::size_t ubjson_size(char type) noexcept;

}  // namespace tenrex::forest
