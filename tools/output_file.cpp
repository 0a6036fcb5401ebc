#include "tools/output_file.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>
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

// The file that is being written, for the handler of signals. One at a time.
std::atomic<const char *> unfinished{nullptr};
static_assert(std::atomic<const char *>::is_always_lock_free);

constexpr int deadly_signals[] = {SIGHUP, SIGINT, SIGTERM, SIGXCPU};

extern "C" void remove_unfinished(int signal) {
    if (const char *const path = unfinished.exchange(nullptr)) {
        ::unlink(path);
    }
    // The handler is gone (SA_RESETHAND): the signal does what it always does.
    ::raise(signal);
}

void handle_deadly_signals() {
    for (const int signal : deadly_signals) {
        struct sigaction action {};
        if (::sigaction(signal, nullptr, &action) == 0 &&
            action.sa_handler == SIG_DFL) {  // not if ignored, as by nohup
            action.sa_handler = remove_unfinished;
            action.sa_flags = SA_RESETHAND;
            ::sigaction(signal, &action, nullptr);
        }
    }
    // A file that outgrows its limit is reported like a disk that is full.
    std::signal(SIGXFSZ, SIG_IGN);
}

// Holds signals back while a file is there that the handler does not know.
class HeldSignals {
public:
    HeldSignals() {
        sigset_t held;
        ::sigemptyset(&held);
        for (const int signal : deadly_signals) {
            ::sigaddset(&held, signal);
        }
        ::pthread_sigmask(SIG_BLOCK, &held, &before_);
    }
    HeldSignals(const HeldSignals &) = delete;
    HeldSignals &operator=(const HeldSignals &) = delete;
    ~HeldSignals() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

private:
    sigset_t before_{};
};

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
    constexpr std::string_view suffix = ".tmp-XXXXXX";
    auto temporary = std::make_unique<char[]>(path.size() + suffix.size() + 1);
    std::copy(suffix.begin(), suffix.end(), std::copy(path.begin(), path.end(), temporary.get()));
    handle_deadly_signals();
    const HeldSignals held;
    const int descriptor = ::mkostemp(temporary.get(), O_CLOEXEC);
    if (descriptor < 0) {
        return Error(cannot_write(path, errno));
    }
    unfinished = temporary.get();
    ::fchmod(descriptor, exists ? status.st_mode & 07777 : usual_mode());
    return OutputFile(descriptor, path, std::move(temporary));
}

Result<OutputFile> OutputFile::reopen(const std::string &path, const std::string &part) {
    const int descriptor = ::open(part.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (descriptor < 0) {
        return Error(cannot_write(part, errno));
    }
    auto name = std::make_unique<char[]>(part.size() + 1);
    std::copy(part.begin(), part.end(), name.get());
    OutputFile file(descriptor, path, std::move(name));
    file.stays_ = true;
    return file;
}

OutputFile::OutputFile(OutputFile &&other) noexcept
    : out_(std::move(other.out_)),
      path_(std::move(other.path_)),
      temporary_(std::move(other.temporary_)),
      stays_(other.stays_) {}

OutputFile::~OutputFile() {
    if (out_ != nullptr && out_->descriptor() != STDOUT_FILENO) {
        ::close(out_->descriptor());
    }
    if (temporary_ != nullptr && !stays_) {
        ::unlink(temporary_.get());
        unfinished = nullptr;
    }
}

int OutputFile::finish(int status) {
    const int written = tool::finish(*out_, status);
    if (written != success || temporary_ == nullptr) {
        return written;
    }
    // A full disk may be noticed only when the data go there.
    if (::fsync(out_->descriptor()) != 0 || std::rename(temporary_.get(), path_.c_str()) != 0) {
        print_failure(cannot_write(path_, errno));
        return io_failure;
    }
    unfinished = nullptr;
    temporary_.reset();
    return success;
}

}  // namespace tenrex::tool
