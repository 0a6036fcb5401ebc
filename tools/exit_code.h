// What the program's exit status says.
#pragma once

namespace tenrex::tool {

enum ExitCode : int {
    success = 0,
    rejected = 1,   // the expression or a value is wrong
    usage = 2,      // the command line is wrong
    io_failure = 3  // something could not be read or written
};

}  // namespace tenrex::tool
