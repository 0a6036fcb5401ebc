#include "tools/rank/python_lines.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "tools/child_process.h"

namespace tenrex::tool {

namespace {

constexpr std::string_view package_hint =
    "it needs Python 3.11 or later with the packages tenrex and pyarrow; TENREX_PYTHON names another interpreter";

std::string interpreter() {
    const char *name = std::getenv("TENREX_PYTHON");
    return name == nullptr || *name == '\0' ? "python3" : name;
}

Error python_failure(std::string_view reason, std::string_view hint) {
    return Error(fmt::format("{}{}{}", reason, hint.empty() ? "" : "\n  hint: ", hint));
}

int wait_for(pid_t process) {
    int status = 0;
    while (::waitpid(process, &status, 0) < 0 && errno == EINTR) {
    }
    return status;
}

// What a process wrote, as far as someone would read it, without white space at the end.
std::string text_of(int file) {
    std::string text(16384, '\0');
    const ssize_t count = ::pread(file, text.data(), text.size(), 0);
    text.resize(static_cast<std::size_t>(count < 0 ? 0 : count));
    text.resize(text.find_last_not_of(" \n") + 1);
    return text;
}

// The message of the package as it is; of Python itself the line that tells what is wrong.
Error error_of(const std::string &text, int status) {
    constexpr std::string_view prefix = "tenrex: ";
    if (text.starts_with(prefix)) {
        return Error(text.substr(prefix.size()));
    }
    if (WIFSIGNALED(status)) {
        return Error(fmt::format("{} was ended by signal {}", interpreter(), WTERMSIG(status)));
    }
    const std::size_t begin = text.starts_with("Traceback") ? text.rfind('\n') + 1 : 0;
    const std::string line = text.substr(begin, text.find('\n', begin) - begin);
    return python_failure(line.empty() ? fmt::format("{} failed", interpreter()) : line, package_hint);
}

}  // namespace

Result<PythonLines> PythonLines::of(int file, std::span<const std::string> columns) {
    std::array<int, 2> ends{};
    Descriptor messages(::memfd_create("messages", MFD_CLOEXEC));
    if (messages.get() < 0 || ::lseek(file, 0, SEEK_SET) != 0 || ::pipe2(ends.data(), O_CLOEXEC) != 0) {
        return Error(std::strerror(errno));
    }
    Descriptor lines(ends[0]);
    const Descriptor output(ends[1]);
    // -P: no module of the working directory is taken for one of Python's.
    std::vector<std::string> words = {interpreter(), "-P", "-m", "tenrex", "jsonl"};
    for (const std::string &column : columns) {
        words.push_back("--if-there=" + column);
    }
    words.emplace_back("-");
    pid_t process = 0;
    const int problem = start_child(words.front(), words, {file, output.get(), messages.get()}, process);
    if (problem != 0) {
        return python_failure(fmt::format("{}: {}", words.front(), std::strerror(problem)), package_hint);
    }
    return PythonLines(process, std::move(lines), std::move(messages));
}

PythonLines::PythonLines(PythonLines &&other) noexcept
    : process_(std::exchange(other.process_, 0)),
      lines_(std::move(other.lines_)),
      messages_(std::move(other.messages_)) {}

PythonLines::~PythonLines() {
    if (process_ != 0) {
        ::kill(process_, SIGTERM);
        wait_for(process_);
    }
}

Status PythonLines::finish() {
    const int status = wait_for(std::exchange(process_, 0));
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
        return {};
    }
    return error_of(text_of(messages_.get()), status);
}

Result<std::size_t> PythonLines::read(char *buffer, std::size_t size) {
    std::size_t count = 0;
    while (count < size && process_ != 0) {
        const ssize_t read = ::read(lines_.get(), buffer + count, size - count);
        if (read < 0 && errno != EINTR) {
            return Error(std::strerror(errno));
        }
        if (read == 0) {
            if (const Status status = finish(); !status) {
                return status.error();
            }
        }
        count += static_cast<std::size_t>(read < 0 ? 0 : read);
    }
    return count;
}

}  // namespace tenrex::tool
