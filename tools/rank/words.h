// The words of texts: runs of letters and digits, in lower case.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tenrex::tool {

// Letters, numbers and the marks on them, as Unicode has them; letters become small ones. Bytes that are not UTF-8 end
// a word.
std::vector<std::string> words_of(std::string_view text);

// "bm25" and "title" of "bm25(title)".
std::pair<std::string_view, std::string_view> split_feature(std::string_view name);
// Whether a feature is computed of the words of texts, of one of these fields (text_features.h lists them).
bool is_text_feature(std::string_view name, const std::vector<std::string> &fields);

}  // namespace tenrex::tool
