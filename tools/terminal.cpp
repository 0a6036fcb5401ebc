#include "tools/terminal.h"

#include <charconv>
#include <cstdlib>
#include <cstring>

#include <sys/ioctl.h>
#include <unistd.h>

#include "tools/output.h"

namespace tenrex::tool {

namespace {

ColorMode mode_of_messages = ColorMode::automatic;

RenderOptions render_options() {
    return {use_color(mode_of_messages, STDERR_FILENO)};
}

void write_error(std::string_view text) {
    Output out(STDERR_FILENO);
    out.write(text);
    out.flush();  // if even this fails there is nobody left to tell
}

}  // namespace

bool is_terminal(int descriptor) {
    return ::isatty(descriptor) == 1;
}

bool use_color(ColorMode mode, int descriptor) {
    if (mode != ColorMode::automatic) {
        return mode == ColorMode::always;
    }
    const char *no_color = std::getenv("NO_COLOR");
    const char *terminal = std::getenv("TERM");
    return (no_color == nullptr || *no_color == '\0') && terminal != nullptr && std::strcmp(terminal, "dumb") != 0 &&
           is_terminal(descriptor);
}

std::size_t terminal_width(int descriptor) {
    winsize size{};
    if (::ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
        return size.ws_col;
    }
    std::size_t columns = 0;
    if (const char *text = std::getenv("COLUMNS")) {
        std::from_chars(text, text + std::strlen(text), columns);
    }
    return columns > 0 ? columns : 80;
}

void set_color_mode(ColorMode mode) {
    mode_of_messages = mode;
}

ColorMode color_mode() {
    return mode_of_messages;
}

void print_failure(std::string_view message) {
    write_error("tenrex: " + std::string(message) + "\n");
}

void print_error(const Error &error) {
    write_error(error.render(render_options()));
}

void print_warning(const Issue &issue, std::string_view source_name) {
    write_error(render(issue, source_name, render_options()));
}

void print_warning(std::string_view message) {
    Issue issue;
    issue.severity = Severity::warning;
    issue.message = message;
    print_warning(issue);
}

}  // namespace tenrex::tool
