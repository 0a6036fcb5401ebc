#include "lib/syntax/keywords.h"

#include <array>
#include <cstddef>

namespace tenrex::syntax {

namespace {

constexpr std::size_t slots = 256;

// Mixes the length and a few letters; the table below is checked to have short probes at compile time.
constexpr std::size_t hash(std::string_view name) noexcept {
    const auto letter = [name](std::size_t i) { return static_cast<std::size_t>(static_cast<unsigned char>(name[i])); };
    const std::size_t size = name.size();
    return (size * 67 + letter(0) * 7 + letter(size / 2) * 31 + letter(size - 1) * 5) % slots;
}

struct Table {
    std::array<Keyword, slots> keywords{};
    std::size_t longest_probe = 0;
    std::size_t longest_name = 0;

    constexpr Table() {
        for (const ScalarFunctionInfo &entry : scalar_function_table) {
            if (!entry.is_operator) {
                add({entry.name, Keyword::scalar_function, entry.id, {}});
            }
        }
        for (const TensorFunctionInfo &entry : tensor_function_table) {
            add({entry.name, Keyword::tensor_function, {}, entry.id});
        }
        add({"if", Keyword::conditional, {}, {}});
        add({"switch", Keyword::switch_case, {}, {}});
        add({"tensor", Keyword::tensor_type, {}, {}});
        add({"true", Keyword::truth, {}, {}});
        add({"false", Keyword::truth, {}, {}});
    }

    constexpr void add(Keyword keyword) {
        std::size_t slot = hash(keyword.name);
        for (std::size_t probe = 0;; ++probe) {
            Keyword &place = keywords[slot];
            if (place.kind == Keyword::none) {
                place = keyword;
                longest_probe = probe > longest_probe ? probe : longest_probe;
                longest_name = keyword.name.size() > longest_name ? keyword.name.size() : longest_name;
                return;
            }
            if (place.name == keyword.name) {
                place.kind = Keyword::extremum;
                place.tensor = keyword.tensor;
                return;
            }
            slot = (slot + 1) % slots;
        }
    }
};

constexpr Table keyword_table;
static_assert(keyword_table.longest_probe <= 4, "choose other factors in hash()");

constexpr Keyword no_keyword{};

}  // namespace

const Keyword &find_keyword(std::string_view name) noexcept {
    if (name.empty() || name.size() > keyword_table.longest_name) {
        return no_keyword;
    }
    std::size_t slot = hash(name);
    for (std::size_t probe = 0; probe <= keyword_table.longest_probe; ++probe) {
        const Keyword &keyword = keyword_table.keywords[slot];
        if (keyword.kind == Keyword::none) {
            break;
        }
        if (keyword.name == name) {
            return keyword;
        }
        slot = (slot + 1) % slots;
    }
    return no_keyword;
}

}  // namespace tenrex::syntax
