#include "tools/repl/history.h"

#include <cstdlib>
#include <filesystem>
#include <system_error>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/input.h"
#include "tools/output.h"

namespace tenrex::tool {

namespace {

constexpr std::size_t longest_entry = std::size_t{1} << 20;

// What is written here is for the user's eyes only.
void write_file(const std::string &path, int flags, std::string_view text) {
    const int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | flags, S_IRUSR | S_IWUSR);
    if (descriptor < 0) {
        return;
    }
    Output out(descriptor);
    out.write(text);
    out.flush();
    ::close(descriptor);
}

}  // namespace

std::vector<std::string> HistoryFile::load() const {
    std::vector<std::string> entries;
    const auto file = path_.empty() ? Result<File>(Error("none")) : File::open(path_);
    if (!file) {
        return entries;
    }
    LineReader lines(file->descriptor(), longest_entry);
    for (auto event = lines.next(); event == LineReader::Event::line || event == LineReader::Event::too_long;
         event = lines.next()) {
        if (event == LineReader::Event::line && !lines.line().empty()) {
            entries.emplace_back(lines.line());
        }
    }
    if (entries.size() > most_entries) {
        const bool cut = entries.size() > 2 * most_entries;
        entries.erase(entries.begin(), entries.end() - static_cast<std::ptrdiff_t>(most_entries));
        if (cut) {
            std::string text;
            for (const std::string &entry : entries) {
                text += entry + '\n';
            }
            write_file(path_, O_TRUNC, text);
        }
    }
    return entries;
}

void HistoryFile::append(std::string_view entry) const {
    if (path_.empty() || entry.size() > longest_entry) {
        return;
    }
    std::error_code ignored;
    std::filesystem::create_directories(std::filesystem::path(path_).parent_path(), ignored);
    write_file(path_, O_APPEND, std::string(entry) + '\n');
}

std::string history_path() {
    const char *state = std::getenv("XDG_STATE_HOME");
    if (state != nullptr && *state == '/') {
        return std::string(state) + "/tenrex/history";
    }
    const char *home = std::getenv("HOME");
    return home == nullptr || *home == '\0' ? std::string() : std::string(home) + "/.local/state/tenrex/history";
}

}  // namespace tenrex::tool
