// How a case is compiled and how its documents come, chosen at random.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tenrex::differential {

struct Arrangement {
    std::uint64_t seed = 0;  // of the order of the documents, their columns and the further outputs
    std::string isa;
    std::vector<std::string> disabled_passes;
    bool raised_limits = false;
    bool shared_labels = false;  // with a label table of the caller's
    bool plain_columns = false;
    bool used_context = false;  // first for a block of another size
    bool threads = false;
    std::size_t block = 1;
    std::size_t outputs = 1;

    std::string to_string() const;
};

Arrangement arrangement_of(std::uint64_t seed);
// A smaller arrangement for each way to make it so.
std::vector<Arrangement> simpler(const Arrangement &arrangement);

}  // namespace tenrex::differential
