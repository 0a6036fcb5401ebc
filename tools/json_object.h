// Reads one JSON object of a line protocol: members that are needed as text are kept as text, nested deeper than a
// limit is refused, and nothing is built for the rest. Writes JSON strings.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tenrex/result.h>

namespace tenrex::tool {

struct JsonMember;

struct JsonValue {
    enum class Kind { null, boolean, number, string, object, array };
    using Member = JsonMember;

    Kind kind = Kind::null;
    std::string text;             // of a string its content, of everything else JSON
    std::vector<Member> members;  // of an object that was to be expanded; its text is empty

    // The last member of that name, or null.
    const JsonValue *find(std::string_view name) const;
    bool is_string() const noexcept { return kind == Kind::string; }
};

struct JsonMember {
    JsonMember(std::string name, JsonValue value) : first(std::move(name)), second(std::move(value)) {}

    std::string first;  // the name
    JsonValue second;
};

inline constexpr std::size_t json_nesting_limit = 100;

// Reads an object. Of its members, those named in `expand` are read member by member if they are objects; all others
// are kept as text. Numbers keep their digits, and may be of any size.
Result<JsonValue> read_json_object(std::string_view json, std::initializer_list<std::string_view> expand = {});

// The text as a JSON string with its quotes; bytes that are not UTF-8 become U+FFFD.
std::string json_string(std::string_view text);

}  // namespace tenrex::tool
