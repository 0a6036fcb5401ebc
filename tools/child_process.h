// Other programs that run beside this one.
#pragma once

#include <string>
#include <vector>

#include <sys/types.h>

namespace tenrex::tool {

// Descriptors that become the standard streams of a process.
struct ChildStreams {
    int input;
    int output;
    int errors;
};

// Starts a program, which is looked for in PATH unless its name has a slash, without a shell. words: its arguments; the
// first is what it is called. It has no other descriptors and no signals blocked. Gives 0, or an errno.
int start_child(const std::string &program, std::vector<std::string> words, const ChildStreams &streams,
                pid_t &process);

}  // namespace tenrex::tool
