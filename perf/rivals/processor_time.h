// What programs that rivals are compared with share.
#pragma once

#include <time.h>

#include <cstdio>
#include <string>

namespace tenrex::perf {

// Exit status 1, with a message.
inline int fail(const std::string &message) {
    std::fputs((message + "\n").c_str(), stderr);
    return 1;
}

// Microseconds of the processor: others may run meanwhile.
inline double now() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) * 1e6 + static_cast<double>(time.tv_nsec) * 1e-3;
}

}  // namespace tenrex::perf
