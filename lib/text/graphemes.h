// Clusters of characters that a reader takes for one, as far as SentencePiece's map needs them.
#pragma once

#include <cstddef>
#include <string_view>

namespace tenrex::text {

// Where the cluster ends that begins at a place of valid UTF-8. Clusters of several pictures, flags, and consonants
// that are joined are cut: they have six bytes or more, whose characters the map takes one by one in any case.
std::size_t grapheme_end(std::string_view text, std::size_t begin);

// Whether the code point is no part of a cluster unless marks follow it. Two of these are never in the same one.
bool stands_alone(char32_t code_point);

}  // namespace tenrex::text
