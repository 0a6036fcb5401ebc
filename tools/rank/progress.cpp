#include "tools/rank/progress.h"

#include <algorithm>
#include <string>

#include <fmt/format.h>
#include <unistd.h>

#include "tools/output.h"
#include "tools/terminal.h"

namespace tenrex::tool {

namespace {

constexpr std::string_view clear_line = "\r\x1b[K";

void print(std::string_view text) {
    Output out(STDERR_FILENO);
    out.write(text);
    out.flush();
}

}  // namespace

void Progress::show(std::size_t count, std::uint64_t bytes, std::uint64_t bytes_total) {
    const auto now = Clock::now();
    if (now - latest_ < std::chrono::milliseconds(200)) {
        return;
    }
    latest_ = now;
    const double seconds = std::chrono::duration<double>(now - start_).count();
    std::string text = fmt::format(" {} {}, {:.0f}/s", count, unit_, static_cast<double>(count) / seconds);
    const std::size_t width = terminal_width(STDERR_FILENO);
    if (bytes_total > 0 && text.size() + 20 < width) {
        const double part = std::min(1.0, static_cast<double>(bytes) / static_cast<double>(bytes_total));
        const std::size_t room = std::min<std::size_t>(width - text.size() - 10, 40);
        const auto filled = static_cast<std::size_t>(part * static_cast<double>(room));
        text = fmt::format("[{}{}] {:3.0f} %{}", std::string(filled, '#'), std::string(room - filled, '.'), part * 100,
                           text);
    }
    print(fmt::format("{}{}", clear_line, text.substr(0, width - 1)));
    shown_ = true;
}

void Progress::clear() {
    if (shown_) {
        print(clear_line);
        shown_ = false;
    }
}

}  // namespace tenrex::tool
