#include "tools/output_file.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/exit_code.h"
#include "tools/terminal.h"

namespace tenrex::tool {

namespace {

std::string cannot_write(const std::string &path, int error) {
    return fmt::format("cannot write {}: {}", path, std::strerror(error));
}

// What a new file may be read and written by.
mode_t usual_mode() {
    const mode_t mask = ::umask(0);
    ::umask(mask);
    return 0666 & ~mask;
}

}  // namespace

Result<OutputFile> OutputFile::open(const std::string &path) {
    if (path.empty()) {
        return OutputFile(STDOUT_FILENO, {}, {});
    }
    struct stat status {};
    const bool exists = ::stat(path.c_str(), &status) == 0;
    if (exists && !S_ISREG(status.st_mode)) {
        const int descriptor = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
        if (descriptor < 0) {
            return Error(cannot_write(path, errno));
        }
        return OutputFile(descriptor, path, {});
    }
    std::string temporary = path + ".tmp-XXXXXX";
    const int descriptor = ::mkostemp(temporary.data(), O_CLOEXEC);
    if (descriptor < 0) {
        return Error(cannot_write(path, errno));
    }
    ::fchmod(descriptor, exists ? status.st_mode & 07777 : usual_mode());
    return OutputFile(descriptor, path, std::move(temporary));
}

OutputFile::OutputFile(OutputFile &&other) noexcept
    : out_(std::move(other.out_)), path_(std::move(other.path_)), temporary_(std::exchange(other.temporary_, {})) {}

OutputFile::~OutputFile() {
    if (out_ != nullptr && out_->descriptor() != STDOUT_FILENO) {
        ::close(out_->descriptor());
    }
    if (!temporary_.empty()) {
        ::unlink(temporary_.c_str());
    }
}

int OutputFile::finish(int status) {
    const int written = tool::finish(*out_, status);
    if (written != success || temporary_.empty()) {
        return written;
    }
    // A full disk may be noticed only when the data go there.
    if (::fsync(out_->descriptor()) != 0 || std::rename(temporary_.c_str(), path_.c_str()) != 0) {
        print_failure(cannot_write(path_, errno));
        return io_failure;
    }
    temporary_.clear();
    return success;
}

}  // namespace tenrex::tool
