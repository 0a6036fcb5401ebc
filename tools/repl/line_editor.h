// Reads lines from a terminal with editing, history and completion.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tools/repl/completion.h"

namespace tenrex::tool {

class LineEditor {
public:
    enum class Event {
        line,
        interrupted,  // Ctrl-C: what was typed is gone
        end           // Ctrl-D on an empty line, or the terminal went away
    };
    using Completer = std::function<Completion(std::string_view line, std::size_t cursor)>;

    LineEditor(bool color, Completer completer);
    ~LineEditor();
    LineEditor(const LineEditor &) = delete;
    LineEditor &operator=(const LineEditor &) = delete;

    Event read(std::string_view prompt, std::string &line);
    void add_history(const std::string &entry);

private:
    struct Content;
    std::unique_ptr<Content> content_;
};

// Candidates side by side, as many columns as fit.
std::string arrange(const std::vector<std::string> &candidates, std::size_t width);

}  // namespace tenrex::tool
