// Tokenizers from the bytes of files. What is wrong throws forest::Broken.
#pragma once

#include <string>
#include <string_view>

#include <tenrex/result.h>
#include <tenrex/tokenizer.h>

#include "lib/text/content.h"

namespace tenrex::text {

// tokenizer.json
Parts read_parts(std::string_view json);
// vocab.txt of a BERT model: a token a line, whose number from 0 is its id.
Parts read_vocabulary_lines(std::string_view lines, const VocabularyOptions &options);

Result<std::string> read_file(const std::string &path);

}  // namespace tenrex::text
