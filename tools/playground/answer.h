// What the playground answers to an expression with inputs: JSON in, JSON out (docs/playground.md).
#pragma once

#include <string>
#include <string_view>

namespace tenrex::tool {

// The answer to one request; to what is no request, too.
std::string answer_request(std::string_view request);

// {"error":"message"}: why there is no other answer.
std::string failure_json(std::string_view message);

}  // namespace tenrex::tool
