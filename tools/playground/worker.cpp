#include "tools/playground/worker.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tools/child_process.h"
#include "tools/descriptor.h"
#include "tools/playground/answer.h"

namespace tenrex::tool {

namespace {

using Clock = std::chrono::steady_clock;

// Shadow memory of sanitizers counts as address space.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool limits_memory = false;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
constexpr bool limits_memory = false;
#else
constexpr bool limits_memory = true;
#endif
#else
constexpr bool limits_memory = true;
#endif

struct Pipe {
    Descriptor reader;
    Descriptor writer;
    bool open() {
        int ends[2];
        if (::pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) {
            return false;
        }
        reader.set(ends[0]);
        writer.set(ends[1]);
        return true;
    }
};

// Its standard streams are the pipes' ends, which block for it, and the messages of this program.
std::optional<pid_t> start(const Pipe &input, const Pipe &output, const RequestLimits &limits) {
    for (const int end : {input.reader.get(), output.writer.get()}) {
        ::fcntl(end, F_SETFL, ::fcntl(end, F_GETFL) & ~O_NONBLOCK);
    }
    const std::vector<std::string> words = {"tenrex",
                                            "playground",
                                            "--answer",
                                            "--seconds",
                                            std::to_string(limits.seconds),
                                            "--memory",
                                            std::to_string(limits.megabytes)};
    pid_t child = 0;
    const int problem =
        start_child("/proc/self/exe", words, {input.reader.get(), output.writer.get(), STDERR_FILENO}, child);
    return problem == 0 ? std::optional(child) : std::nullopt;
}

enum class Ending { closed, late, large };

// Writes the request and reads the answer, whichever is possible, until the other side closes or time is over.
Ending exchange(std::string_view request, Pipe &input, Pipe &output, Clock::time_point deadline, std::string &answer) {
    std::array<char, 65536> buffer;
    for (;;) {
        if (request.empty()) {
            input.writer.close();
        }
        pollfd waiting[] = {{output.reader.get(), POLLIN, 0}, {input.writer.get(), POLLOUT, 0}};
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
        if (left <= 0) {
            return Ending::late;
        }
        if (::poll(waiting, request.empty() ? 1 : 2, static_cast<int>(left) + 1) < 0 && errno != EINTR) {
            return Ending::closed;
        }
        if (!request.empty() && waiting[1].revents != 0) {
            const ssize_t count = ::write(input.writer.get(), request.data(), request.size());
            if (count > 0) {
                request.remove_prefix(static_cast<std::size_t>(count));
            } else if (count < 0 && errno != EAGAIN && errno != EINTR) {
                request = {};  // it reads no more; perhaps it has an answer
            }
        }
        if (waiting[0].revents != 0) {
            const ssize_t count = ::read(output.reader.get(), buffer.data(), buffer.size());
            if (count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR)) {
                return Ending::closed;
            }
            answer.append(buffer.data(), static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
            if (answer.size() > most_answer_bytes) {
                return Ending::large;
            }
        }
    }
}

std::string too_late(const RequestLimits &limits) {
    return failure_json(
        fmt::format("this takes longer than {} s, which is all that a request may take", limits.seconds));
}

}  // namespace

std::string answer_apart(std::string_view request, const RequestLimits &limits) {
    Pipe input;
    Pipe output;
    if (!input.open() || !output.open()) {
        return failure_json(fmt::format("no pipe can be opened: {}", std::strerror(errno)));
    }
    const auto child = start(input, output, limits);
    if (!child) {
        return failure_json("no process can be started for this request");
    }
    input.reader.close();
    output.writer.close();
    std::string answer;
    const Ending ending = exchange(request, input, output, Clock::now() + std::chrono::seconds(limits.seconds), answer);
    if (ending != Ending::closed) {
        ::kill(*child, SIGKILL);
    }
    int status = 0;
    while (::waitpid(*child, &status, 0) < 0 && errno == EINTR) {
    }
    if (ending == Ending::large) {
        return failure_json("the answer is too large for a page");
    }
    if (ending == Ending::late || (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU)) {
        return too_late(limits);
    }
    if (WIFSIGNALED(status)) {
        return failure_json(fmt::format("evaluating this ended with signal {}", WTERMSIG(status)));
    }
    return answer.empty() ? failure_json("this takes more memory than a request may have") : answer;
}

void keep_limits(const RequestLimits &limits) {
    const auto set = [](auto resource, rlim_t most) {
        const rlimit limit{most, most};
        ::setrlimit(resource, &limit);
    };
    set(RLIMIT_CORE, 0);
    set(RLIMIT_CPU, limits.seconds + 1);  // in case nobody waits any more
    if (limits_memory) {
        set(RLIMIT_AS, limits.megabytes << 20);
    }
}

}  // namespace tenrex::tool
