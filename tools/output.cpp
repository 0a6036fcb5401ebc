#include "tools/output.h"

#include <cerrno>
#include <cstring>

#include <unistd.h>

#include "tools/exit_code.h"
#include "tools/terminal.h"

namespace tenrex::tool {

namespace {
constexpr std::size_t buffer_bytes = std::size_t{64} << 10;
}

void Output::write(std::string_view text) {
    if (buffer_.size() + text.size() > buffer_bytes) {
        flush();
        if (text.size() >= buffer_bytes) {
            write_through(text);
            return;
        }
    }
    buffer_ += text;
}

bool Output::flush() {
    write_through(buffer_);
    buffer_.clear();
    return !failed();
}

void Output::write_through(std::string_view text) {
    while (!text.empty() && error_ == 0) {
        const ssize_t written = ::write(descriptor_, text.data(), text.size());
        if (written >= 0) {
            text.remove_prefix(static_cast<std::size_t>(written));
        } else if (errno != EINTR) {
            error_ = errno;
        }
    }
}

int finish(Output &out, int status) {
    if (out.flush()) {
        return status;
    }
    if (out.error() != EPIPE) {
        print_failure(std::string("cannot write the result: ") + std::strerror(out.error()));
    }
    return io_failure;
}

}  // namespace tenrex::tool
