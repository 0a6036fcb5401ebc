#include "tools/repl/console.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include <fmt/format.h>
#include <unistd.h>

#include "tools/exit_code.h"
#include "tools/input.h"
#include "tools/output.h"
#include "tools/repl/history.h"
#include "tools/repl/input_worker.h"
#include "tools/repl/line_editor.h"
#include "tools/terminal.h"

namespace tenrex::tool {

namespace {

// Shows replies: results on standard output, errors and warnings on standard error.
class Console {
public:
    Console(Session &session, bool interactive) : session_(session), interactive_(interactive) {}

    void show(const Reply &reply) {
        for (const Reply &inner : reply.replies) {
            show(inner);
        }
        for (const Issue &warning : reply.warnings) {
            in_order([&] { print_warning(warning); });
        }
        switch (reply.kind) {
            case Reply::Kind::value:
                show_value(*reply.value);
                break;
            case Reply::Kind::assigned:
                if (interactive_) {
                    out_.write(fmt::format("{}: {}\n", reply.name, type_text(*reply.value)));
                }
                break;
            case Reply::Kind::info:
                out_.write(reply.text);
                break;
            case Reply::Kind::error:
            case Reply::Kind::incomplete:
                failed_ = true;
                in_order([&] { print_error(*reply.error); });
                break;
            case Reply::Kind::nothing:
            case Reply::Kind::quit:
                break;
        }
    }

    Output &out() noexcept { return out_; }
    bool failed() const noexcept { return failed_; }

private:
    // Results and messages may go to the same place.
    template <class Print>
    void in_order(Print print) {
        out_.flush();
        print();
    }

    void show_value(const Tensor &value) {
        const ValueFormat format = session_.format.value_or(default_format(STDOUT_FILENO));
        const auto text = format_value(value, format, terminal_width(STDOUT_FILENO));
        if (text) {
            out_.write(*text);
        } else {
            show(Reply::failure(text.error()));
        }
    }

    Session &session_;
    Output out_{STDOUT_FILENO};
    bool interactive_;
    bool failed_ = false;
};

// An entry of the history is one line; a comment would swallow the lines behind it.
std::string history_entry(std::string text) {
    if (text.find('#') == std::string::npos) {
        std::replace(text.begin(), text.end(), '\n', ' ');
    }
    return text;
}

}  // namespace

int run_terminal(Session &session) {
    Console console(session, true);
    LineEditor editor(use_color(color_mode(), STDOUT_FILENO),
                      [&](std::string_view line, std::size_t cursor) { return complete(line, cursor, session); });
    const HistoryFile history(history_path());
    for (const std::string &entry : history.load()) {
        editor.add_history(entry);
    }
    console.out().write("Tenrex evaluates what you type. :help tells more, :quit or Ctrl-D leaves.\n");
    InputAssembler input;
    InputWorker worker;
    std::string line;
    const auto remember = [&] {
        std::string entry = history_entry(input.text());
        for (std::size_t begin = 0; begin < entry.size();) {
            const std::size_t end = std::min(entry.find('\n', begin), entry.size());
            if (end > begin) {
                editor.add_history(entry.substr(begin, end - begin));
                history.append(std::string_view(entry).substr(begin, end - begin));
            }
            begin = end + 1;
        }
        input.clear();
    };
    while (console.out().flush()) {
        const auto event = editor.read(input.empty() ? "tenrex> " : "   ...> ", line);
        if (event == LineEditor::Event::interrupted) {
            input.clear();
            continue;
        }
        if (event == LineEditor::Event::end) {
            console.out().write("\n");
            break;
        }
        // An empty line ends an input that wants more: its error is then shown.
        const bool give_up = line.empty() && !input.empty();
        if (!give_up && !input.add(line)) {
            continue;
        }
        const std::optional<Reply> reply = worker.submit(session, input.text());
        if (reply && reply->kind == Reply::Kind::incomplete && !give_up) {
            continue;
        }
        remember();
        if (!reply) {
            print_failure("abandoned; what had been begun goes on unseen until it ends");
            continue;
        }
        console.show(*reply);
        if (reply->kind == Reply::Kind::quit) {
            break;
        }
    }
    const int status = finish(console.out(), success);
    if (worker.has_abandoned()) {
        ::_exit(status);  // nothing may be destroyed while it is in use
    }
    return status;
}

int run_script(Session &session) {
    Console console(session, false);
    LineReader lines(STDIN_FILENO, longest_line);
    InputAssembler input;
    for (bool more = true; more && !console.out().failed();) {
        if (console.out().pending() && !lines.ready()) {
            console.out().flush();
        }
        const auto event = lines.next();
        if (event == LineReader::Event::failure || event == LineReader::Event::too_long) {
            console.out().flush();
            print_failure(event == LineReader::Event::failure
                              ? fmt::format("cannot read standard input: {}", std::strerror(lines.error()))
                              : fmt::format("standard input, line {}: longer than the limit of {} bytes",
                                            lines.line_number(), longest_line));
            return io_failure;
        }
        more = event == LineReader::Event::line;
        if (more ? !input.add(lines.line()) : input.empty()) {
            continue;
        }
        Reply reply = session.submit(input.text());
        if (reply.kind == Reply::Kind::incomplete && more) {
            continue;
        }
        if (reply.error && reply.error->source_name().empty()) {
            const std::size_t first_line = lines.line_number() - input.lines() + 1;
            std::vector<Issue> issues = reply.error->issues();
            for (Issue &issue : issues) {
                issue.line += static_cast<std::uint32_t>(first_line - 1);
            }
            reply.error = Error(std::move(issues));
        }
        input.clear();
        console.show(reply);
        more = more && reply.kind != Reply::Kind::quit;
    }
    return finish(console.out(), console.failed() ? rejected : success);
}

}  // namespace tenrex::tool
