// The page of the playground, which is part of the program.
#pragma once

#include <string>
#include <string_view>

namespace tenrex::tool {

// nonce: a word that the page's scripts and styles are marked with.
std::string playground_page(std::string_view nonce);

}  // namespace tenrex::tool
