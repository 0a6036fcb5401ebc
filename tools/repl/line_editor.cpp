#include "tools/repl/line_editor.h"

#include <algorithm>
#include <cerrno>
#include <clocale>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <cwchar>

#include <fmt/format.h>
#include <histedit.h>
#include <poll.h>
#include <unistd.h>

#include "tools/output.h"
#include "tools/repl/history.h"
#include "tools/repl/interrupts.h"
#include "tools/table_printer.h"
#include "tools/terminal.h"

namespace tenrex::tool {

namespace {

volatile std::sig_atomic_t resized = 0;

void on_resize(int) {
    resized = 1;
}

// 1, or 0 at the end of the input, or -1 after Ctrl-C or an error. Ctrl-C is held outside of here, so that none comes
// between the question whether there was one and the wait. It is open while bytes are read too: Ctrl-C makes the
// terminal forget what was typed, also what the wait has just promised.
int next_byte(int descriptor, char &byte) {
    sigset_t held;
    ::sigprocmask(SIG_SETMASK, nullptr, &held);
    sigset_t open = held;
    ::sigdelset(&open, SIGINT);
    while (!interrupted()) {
        pollfd input{descriptor, POLLIN, 0};
        ssize_t count = ::ppoll(&input, 1, nullptr, &open);
        if (count > 0) {
            ::sigprocmask(SIG_SETMASK, &open, nullptr);
            count = interrupted() ? -1 : ::read(descriptor, &byte, 1);
            const int error = errno;
            ::sigprocmask(SIG_SETMASK, &held, nullptr);
            if (count >= 0) {
                return static_cast<int>(count);
            }
            errno = error;
        }
        if (errno != EINTR) {
            return -1;
        }
    }
    return -1;
}

// Reads a character for libedit: what next_byte gives. Bytes that are not UTF-8 are left out.
int next_character(EditLine *, wchar_t *character) {
    std::mbstate_t state{};
    for (;;) {
        char byte = 0;
        if (const int count = next_byte(STDIN_FILENO, byte); count != 1) {
            *character = L'\0';
            return count;
        }
        const std::size_t length = std::mbrtowc(character, &byte, 1, &state);
        if (length == static_cast<std::size_t>(-1)) {
            state = {};
        } else if (length != static_cast<std::size_t>(-2)) {
            return 1;
        }
    }
}

void catch_resizes() {
    struct sigaction action {};
    action.sa_handler = on_resize;
    action.sa_flags = SA_RESTART;
    ::sigemptyset(&action.sa_mask);
    ::sigaction(SIGWINCH, &action, nullptr);
}

}  // namespace

struct LineEditor::Content {
    EditLine *line = nullptr;
    History *history = nullptr;
    std::string prompt;
    bool color = false;
    Completer completer;

    static Content &of(EditLine *line) {
        void *data = nullptr;
        ::el_get(line, EL_CLIENTDATA, &data);
        return *static_cast<Content *>(data);
    }

    static char *get_prompt(EditLine *line) { return of(line).prompt.data(); }

    static unsigned char complete_word(EditLine *line, int) {
        const LineInfo *info = ::el_line(line);
        const std::string_view text(info->buffer, static_cast<std::size_t>(info->lastchar - info->buffer));
        const auto cursor = static_cast<std::size_t>(info->cursor - info->buffer);
        const Completion found = of(line).completer(text, cursor);
        if (found.candidates.empty()) {
            return CC_REFRESH_BEEP;
        }
        const std::string common = common_prefix(found.candidates);
        const std::size_t typed = cursor - found.start;
        if (common.size() > typed) {
            return ::el_insertstr(line, common.c_str() + typed) == 0 ? CC_REFRESH : CC_ERROR;
        }
        if (found.candidates.size() == 1) {
            return CC_REFRESH;
        }
        Output out(STDOUT_FILENO);
        out.write("\n" + arrange(found.candidates, terminal_width(STDOUT_FILENO)));
        out.flush();
        return CC_REDISPLAY;
    }
};

LineEditor::LineEditor(bool color, Completer completer) : content_(std::make_unique<Content>()) {
    // Lines are UTF-8 whatever the locale; everything but character types stays in the C locale.
    if (std::setlocale(LC_CTYPE, "") == nullptr || std::strcmp(std::setlocale(LC_CTYPE, nullptr), "C") == 0) {
        std::setlocale(LC_CTYPE, "C.UTF-8");
    }
    content_->color = color;
    content_->completer = std::move(completer);
    EditLine *line = ::el_init("tenrex", stdin, stdout, stderr);
    content_->line = line;
    content_->history = ::history_init();
    HistEvent event;
    ::history(content_->history, &event, H_SETSIZE, static_cast<int>(HistoryFile::most_entries));
    ::history(content_->history, &event, H_SETUNIQUE, 1);
    ::el_set(line, EL_CLIENTDATA, content_.get());
    ::el_set(line, EL_PROMPT_ESC, &Content::get_prompt, '\1');
    ::el_set(line, EL_HIST, ::history, content_->history);
    ::el_set(line, EL_EDITOR, "emacs");
    ::el_set(line, EL_SIGNAL, 0);
    ::el_set(line, EL_GETCFN, &next_character);
    // The wide form keeps these texts as they are; the other keeps copies, which it never frees.
    ::el_wset(line, EL_ADDFN, L"tenrex-complete", L"Complete the word at the cursor", &Content::complete_word);
    constexpr std::pair<const char *, const char *> keys[] = {
        {"^I", "tenrex-complete"},     {"^R", "em-inc-search-prev"}, {"\\e[3~", "ed-delete-next-char"},
        {"\\e[H", "ed-move-to-beg"},   {"\\e[F", "ed-move-to-end"},  {"\\e[1~", "ed-move-to-beg"},
        {"\\e[4~", "ed-move-to-end"},  {"\\e[1;5D", "ed-prev-word"}, {"\\e[1;5C", "em-next-word"},
        {"^W", "ed-delete-prev-word"},
    };
    for (const auto &[key, function] : keys) {
        ::el_set(line, EL_BIND, key, function, nullptr);
    }
    ::el_source(line, nullptr);  // the user's ~/.editrc
    catch_interrupts();
    catch_resizes();
}

LineEditor::~LineEditor() {
    ::el_end(content_->line);
    ::history_end(content_->history);
}

LineEditor::Event LineEditor::read(std::string_view prompt, std::string &line) {
    content_->prompt = content_->color ? fmt::format("\1\x1b[1;32m\1{}\1\x1b[0m\1", prompt) : std::string(prompt);
    if (resized != 0) {
        resized = 0;
        ::el_resize(content_->line);
    }
    const HeldInterrupts held;
    forget_interrupts();
    const InterruptWatch watch;
    ::el_set(content_->line, EL_PREP_TERM, 1);  // before the prompt: keys count from then on
    int count = 0;
    const char *text = ::el_gets(content_->line, &count);
    if (interrupted()) {
        ::el_set(content_->line, EL_UNBUFFERED, 0);
        ::el_reset(content_->line);
        std::fputs("^C\n", stdout);
        std::fflush(stdout);
        return Event::interrupted;
    }
    if (text == nullptr || count <= 0) {
        return Event::end;
    }
    line.assign(text, static_cast<std::size_t>(count));
    while (line.ends_with('\n') || line.ends_with('\r')) {
        line.pop_back();
    }
    return Event::line;
}

void LineEditor::add_history(const std::string &entry) {
    HistEvent event;
    ::history(content_->history, &event, H_ENTER, entry.c_str());
}

std::string arrange(const std::vector<std::string> &candidates, std::size_t width) {
    std::size_t widest = 0;
    for (const std::string &candidate : candidates) {
        widest = std::max(widest, display_width(candidate));
    }
    const std::size_t columns = std::max<std::size_t>(1, width / (widest + 2));
    const std::size_t rows = (candidates.size() + columns - 1) / columns;
    std::string text;
    for (std::size_t row = 0; row < rows; ++row) {
        for (std::size_t i = row; i < candidates.size(); i += rows) {
            text += candidates[i];
            if (i + rows < candidates.size()) {
                text.append(widest + 2 - display_width(candidates[i]), ' ');
            }
        }
        text += '\n';
    }
    return text;
}

}  // namespace tenrex::tool
