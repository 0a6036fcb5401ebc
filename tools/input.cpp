#include "tools/input.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

namespace tenrex::tool {

namespace {

constexpr std::size_t chunk_bytes = std::size_t{64} << 10;

// read() that goes on after a signal.
ssize_t read_some(int descriptor, char *buffer, std::size_t size) {
    ssize_t count = 0;
    do {
        count = ::read(descriptor, buffer, size);
    } while (count < 0 && errno == EINTR);
    return count;
}

Error cannot_read(const std::string &name, int error) {
    return Error(fmt::format("cannot read {}: {}", name, std::strerror(error)));
}

}  // namespace

Result<File> File::open(const std::string &path) {
    if (path == "-") {
        return File(STDIN_FILENO, "standard input");
    }
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) {
        return cannot_read(path, errno);
    }
    return File(descriptor, path);
}

File::File(File &&other) noexcept : descriptor_(other.descriptor_), name_(std::move(other.name_)) {
    other.descriptor_ = STDIN_FILENO;
}

File::~File() {
    if (descriptor_ != STDIN_FILENO) {
        ::close(descriptor_);
    }
}

Result<std::string> read_all(const std::string &path, std::size_t most) {
    auto file = File::open(path);
    if (!file) {
        return file.error();
    }
    std::string content;
    for (;;) {
        const std::size_t before = content.size();
        content.resize(before + std::max(chunk_bytes, before / 2));
        const ssize_t count = read_some(file->descriptor(), content.data() + before, content.size() - before);
        if (count < 0) {
            return cannot_read(file->name(), errno);
        }
        content.resize(before + static_cast<std::size_t>(count));
        if (content.size() > most) {
            return Error(fmt::format("{} is larger than the limit of {} bytes", file->name(), most));
        }
        if (count == 0) {
            return content;
        }
    }
}

bool LineReader::ready() const {
    if (at_end_ || std::find(buffer_.begin() + static_cast<std::ptrdiff_t>(searched_),
                             buffer_.begin() + static_cast<std::ptrdiff_t>(end_),
                             '\n') != buffer_.begin() + static_cast<std::ptrdiff_t>(end_)) {
        return true;
    }
    pollfd poll_descriptor{descriptor_, POLLIN, 0};
    return ::poll(&poll_descriptor, 1, 0) > 0;
}

// Reads more behind what is there. False at the end and after a failure.
bool LineReader::fill() {
    if (begin_ == end_) {
        begin_ = end_ = searched_ = 0;
        if (buffer_.size() > 16 * chunk_bytes) {
            std::vector<char>().swap(buffer_);  // a long line has passed; give its memory back
        }
    } else if (end_ == buffer_.size() && begin_ > 0) {
        std::copy(buffer_.data() + begin_, buffer_.data() + end_, buffer_.data());
        searched_ -= begin_;
        end_ -= begin_;
        begin_ = 0;
    }
    if (end_ == buffer_.size()) {
        // At least one byte more than the limit fits: a line that fills the buffer is known to be too long.
        buffer_.resize(std::max(chunk_bytes, std::min(2 * buffer_.size(), most_ + chunk_bytes)));
    }
    const ssize_t count = read_some(descriptor_, buffer_.data() + end_, buffer_.size() - end_);
    if (count < 0) {
        error_ = errno;
    }
    if (count <= 0) {
        at_end_ = true;
        return false;
    }
    end_ += static_cast<std::size_t>(count);
    return true;
}

LineReader::Event LineReader::next() {
    for (;;) {
        const char *const from = buffer_.data() + searched_;
        const void *const found = end_ > searched_ ? std::memchr(from, '\n', end_ - searched_) : nullptr;
        if (found != nullptr) {
            const std::size_t stop = searched_ + static_cast<std::size_t>(static_cast<const char *>(found) - from);
            line_ = {buffer_.data() + begin_, stop - begin_};
            begin_ = searched_ = stop + 1;
            count_line();
            return line_.size() > most_ ? Event::too_long : Event::line;
        }
        searched_ = end_;
        if (end_ - begin_ > most_) {
            return skip_rest();
        }
        if (!at_end_ && fill()) {
            continue;
        }
        if (error_ != 0) {
            return Event::failure;
        }
        if (begin_ == end_) {
            return Event::end;
        }
        line_ = {buffer_.data() + begin_, end_ - begin_};  // the last line has no end
        begin_ = searched_ = end_;
        count_line();
        return Event::line;
    }
}

void LineReader::count_line() {
    if (number_++ == 0 && line_.starts_with(byte_order_mark)) {
        line_.remove_prefix(byte_order_mark.size());
    }
}

LineReader::Event LineReader::skip_rest() {
    ++number_;
    for (;;) {
        const char *const from = buffer_.data() + searched_;
        const void *const found = end_ > searched_ ? std::memchr(from, '\n', end_ - searched_) : nullptr;
        if (found != nullptr) {
            begin_ = searched_ = searched_ + static_cast<std::size_t>(static_cast<const char *>(found) - from) + 1;
            return Event::too_long;
        }
        begin_ = searched_ = end_;
        if (!fill()) {
            return error_ != 0 ? Event::failure : Event::too_long;
        }
    }
}

}  // namespace tenrex::tool
