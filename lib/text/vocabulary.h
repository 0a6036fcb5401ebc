// The tokens of a file, by id and by text.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "lib/text/json_part.h"

namespace tenrex::text {

class Vocabulary {
public:
    using Entry = std::pair<std::string_view, std::uint32_t>;

    // Of equal tokens the last one counts.
    void add(std::string_view token, std::uint32_t id);
    // The members of an object {"token": id}.
    void read(const JsonPart &object);

    // One more than the largest id.
    std::size_t size() const noexcept { return by_id_.size(); }
    // Empty if there is no such id.
    std::string_view token(std::uint32_t id) const noexcept {
        return id < by_id_.size() && by_id_[id] != nullptr ? std::string_view(*by_id_[id]) : std::string_view();
    }
    std::optional<std::uint32_t> find(std::string_view token) const;
    // The token of a byte that stands for it where a character has no token, such as <0x0A>.
    std::optional<std::uint32_t> find_byte(std::uint32_t byte) const;
    // Views that live as long as this.
    std::vector<Entry> entries() const;

private:
    struct Hash {
        using is_transparent = void;
        std::size_t operator()(std::string_view text) const noexcept { return std::hash<std::string_view>()(text); }
    };
    std::unordered_map<std::string, std::uint32_t, Hash, std::equal_to<>> ids_;
    std::vector<const std::string *> by_id_;
};

// Ids are indexes: none may be larger than this, however few tokens a file has.
inline constexpr std::uint32_t most_sparse_id = 1U << 18U;

// The largest id that a file of so many tokens may use.
inline std::uint32_t largest_id(std::size_t tokens) noexcept {
    const std::uint64_t most = most_sparse_id + std::uint64_t{4} * tokens;
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(most, INT32_MAX));
}

}  // namespace tenrex::text
