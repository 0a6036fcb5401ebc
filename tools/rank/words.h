// The words of texts: runs of letters and digits, in lower case.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tenrex::tool {

// Letters, numbers and the marks on them, as Unicode has them; letters become small ones. Bytes that are not UTF-8 end
// a word.
std::vector<std::string> words_of(std::string_view text);

struct FeatureParts {
    std::string_view base;                 // "nativeRank" of "nativeRank(title,body)"
    std::vector<std::string_view> fields;  // "title", "body"
    std::string_view output;               // "gaps" of "fieldMatch(title).gaps"
};
FeatureParts split_feature(std::string_view name);
// Whether a feature is computed of the words of texts, of these fields alone (text_features.h lists them).
bool is_text_feature(std::string_view name, const std::vector<std::string> &fields);
// Whether it is computed of the words of this field, perhaps with those of others: nativeRank without fields is of all.
bool is_text_feature_of(std::string_view name, const std::string &field);

}  // namespace tenrex::tool
