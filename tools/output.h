// Buffered writing to a file descriptor that notices failures: a full disk, a reader that went away.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tenrex::tool {

class Output {
public:
    explicit Output(int descriptor) noexcept : descriptor_(descriptor) {}
    Output(const Output &) = delete;
    Output &operator=(const Output &) = delete;

    // Adds text; writes when enough has come together. After a failure nothing is written any more.
    void write(std::string_view text);
    // Writes what is buffered. False if that, or anything before it, failed.
    bool flush();

    bool pending() const noexcept { return !buffer_.empty(); }
    bool failed() const noexcept { return error_ != 0; }
    // The errno of the first failure.
    int error() const noexcept { return error_; }
    int descriptor() const noexcept { return descriptor_; }

private:
    void write_through(std::string_view text);

    int descriptor_;
    int error_ = 0;
    std::string buffer_;
};

// Ends a command that wrote results to `out`: flushes, and gives `status`, or io_failure with a message on standard
// error if the results did not arrive. A reader that closed its pipe knows; it gets no message.
int finish(Output &out, int status);

}  // namespace tenrex::tool
