// Files that the Python package can read: it runs beside this program and writes their documents as lines of JSON.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include <sys/types.h>

#include <tenrex/result.h>

#include "tools/descriptor.h"

namespace tenrex::tool {

class PythonLines {
public:
    // Of an open file, which Python reads from its beginning: it must be one that can be read again. Of its columns
    // those with these names are written.
    static Result<PythonLines> of(int file, std::span<const std::string> columns);

    PythonLines(PythonLines &&other) noexcept;
    PythonLines &operator=(PythonLines &&) = delete;
    ~PythonLines();  // ends the process if it has not ended

    // Up to `size` bytes of the lines; 0 at their end. Error: what Python says is wrong.
    Result<std::size_t> read(char *buffer, std::size_t size);

private:
    PythonLines(pid_t process, Descriptor lines, Descriptor messages) noexcept
        : process_(process), lines_(std::move(lines)), messages_(std::move(messages)) {}
    Status finish();

    pid_t process_;
    Descriptor lines_;     // a pipe
    Descriptor messages_;  // a file in memory: as much as Python likes
};

}  // namespace tenrex::tool
