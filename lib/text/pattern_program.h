// A regular expression as a graph of nodes, for those that tokenizers have: sets, literals, runs, alternatives without
// a quantifier, and look-ahead. What a text must have is matched by going from node to node; each node that leaves a
// choice is a place to go back to.
#pragma once

#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "lib/text/pattern.h"
#include "lib/text/pattern_set.h"

namespace tenrex::text {

// What stands at a place of a text: a byte, or nothing.
inline constexpr std::size_t end_of_text = 256;
inline constexpr std::size_t beginnings = 257;
using Beginnings = std::bitset<beginnings>;

struct Node {
    enum class Kind : std::uint8_t {
        pass,        // to the next node; only while the graph is built
        end,         // all has been found
        one,         // a character of a set
        run,         // several
        choice,      // one of several nodes, and from there on
        look_ahead,  // what is found, or must not be found, without going on in the text
    };
    static constexpr std::uint32_t any_number = UINT32_MAX;

    Kind kind = Kind::pass;
    bool keeps_all = false;    // a run that gives nothing back
    bool is_negative = false;  // what a look-ahead finds must not be there
    std::uint32_t next = 0;
    std::uint32_t part = 0;  // number of the set or of the choice; the node that a look-ahead begins with
    std::uint32_t least = 1;
    std::uint32_t most = 1;
    Beginnings begins{};  // what may stand where this node and what comes after it is found
};

struct Choice {
    std::vector<std::uint32_t> nodes;                      // in the order in which they are tried
    std::array<std::uint64_t, beginnings> by_beginning{};  // a bit for each node that may begin so
};
inline constexpr std::size_t most_branches = 64;

struct Program {
    std::vector<Node> nodes;
    std::vector<CharacterSet> sets;
    std::vector<Choice> choices;
    std::uint32_t first = 0;
};

// Nothing: the expression is wrong, or has what programs do not have.
std::optional<Program> compile_pattern(std::string_view expression);
std::unique_ptr<Pattern> make_matcher(Program program);

}  // namespace tenrex::text
