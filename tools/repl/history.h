// The inputs of earlier sessions: a text file with one input a line, to which several sessions may append.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tenrex::tool {

class HistoryFile {
public:
    // An empty path keeps nothing.
    explicit HistoryFile(std::string path) : path_(std::move(path)) {}

    // The latest entries, oldest first. A file that has grown far beyond them is cut.
    std::vector<std::string> load() const;
    // Failures are ignored: a session is not to suffer from a full home directory.
    void append(std::string_view entry) const;

    static constexpr std::size_t most_entries = 10000;

private:
    std::string path_;
};

// $XDG_STATE_HOME/tenrex/history, else ~/.local/state/tenrex/history; empty if neither variable is set.
std::string history_path();

}  // namespace tenrex::tool
