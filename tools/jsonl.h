// Answers a stream of requests, one JSON object a line:
//   {"id": 7, "expression": "a+1", "inputs": {"a": "2"}}  ->  {"id":7,"result":"3"}
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <tenrex/expression.h>

#include "tools/evaluation.h"
#include "tools/input.h"
#include "tools/output.h"

namespace tenrex::tool {

struct JsonlOptions {
    EvaluationOptions expression;  // for requests that name no dialect
    Engine engine = Engine::compiled;
    std::size_t line_limit = longest_line;
};

// Answers each line in order until the input ends; blank lines are passed over. A wrong line gets an answer that says
// so. Answers are held back only while more requests are there already, so a peer may wait for each. Ends early if the
// answers cannot be written; out.failed() tells. Error: the input cannot be read.
Status answer_jsonl(const File &input, Output &out, const JsonlOptions &options);

// The answer to one line, without its end. Plans of earlier requests are taken from the cache.
std::string answer_request(std::string_view line, std::size_t line_number, const JsonlOptions &options,
                           CompileCache &plans);

}  // namespace tenrex::tool
