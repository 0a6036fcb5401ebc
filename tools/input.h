// Reading files and standard input: whole, or line by line in bounded memory.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tenrex/result.h>

namespace tenrex::tool {

// An open file descriptor, closed at the end unless it is standard input.
class File {
public:
    // "-" is standard input. The error names the file and the reason.
    static Result<File> open(const std::string &path);

    File(File &&other) noexcept;
    File &operator=(File &&) = delete;
    ~File();

    int descriptor() const noexcept { return descriptor_; }
    const std::string &name() const noexcept { return name_; }

private:
    File(int descriptor, std::string name) : descriptor_(descriptor), name_(std::move(name)) {}

    int descriptor_;
    std::string name_;
};

// What some editors put in front of UTF-8; it is no part of the text.
inline constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

// All bytes of a file; "-" is standard input. More than `most` bytes are an error.
Result<std::string> read_all(const std::string &path, std::size_t most);

// Of lines that hold expressions or requests; a longer one is an error.
inline constexpr std::size_t longest_line = std::size_t{256} << 20;

// Lines of a file descriptor, however they arrive.
class LineReader {
public:
    enum class Event {
        line,      // line() is the next line
        too_long,  // the next line was longer than the limit and has been skipped
        end,       // no more lines
        failure    // reading failed; error() is the errno
    };

    LineReader(int descriptor, std::size_t most_bytes) noexcept : descriptor_(descriptor), most_(most_bytes) {}

    // True if the next line can be had without waiting for the peer.
    bool ready() const;
    Event next();
    // Without its end, and without a byte order mark in front; valid until the next call of next().
    std::string_view line() const noexcept { return line_; }
    // The number of the line that next() spoke of last, counted from 1.
    std::size_t line_number() const noexcept { return number_; }
    int error() const noexcept { return error_; }

private:
    bool fill();
    void count_line();
    Event skip_rest();

    int descriptor_;
    std::size_t most_;
    std::vector<char> buffer_;
    std::size_t begin_ = 0;  // what has not been handed out yet is buffer_[begin_, end_)
    std::size_t end_ = 0;
    std::size_t searched_ = 0;  // no line ends before this position
    std::string_view line_;
    std::size_t number_ = 0;
    bool at_end_ = false;
    int error_ = 0;
};

}  // namespace tenrex::tool
