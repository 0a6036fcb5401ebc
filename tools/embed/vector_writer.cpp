#include "tools/embed/vector_writer.h"

#include <bit>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <iterator>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

namespace tenrex::tool {

namespace {

constexpr std::size_t header_bytes = 128;

// Where the last whole line ends, and how many there are.
struct WholeLines {
    std::size_t count = 0;
    std::size_t bytes = 0;
};

// False if the file cannot be read.
bool find_whole_lines(int descriptor, WholeLines &lines) {
    std::vector<char> bytes(std::size_t{1} << 20U);
    for (std::size_t at = 0;;) {
        const ssize_t read = ::pread(descriptor, bytes.data(), bytes.size(), static_cast<off_t>(at));
        if (read <= 0) {
            return read == 0;
        }
        for (ssize_t i = 0; i < read; ++i) {
            if (bytes[static_cast<std::size_t>(i)] == '\n') {
                ++lines.count;
                lines.bytes = at + static_cast<std::size_t>(i) + 1;
            }
        }
        at += static_cast<std::size_t>(read);
    }
}

void append_number(float number, std::string &text) {
    if (std::isfinite(number)) {
        fmt::format_to(std::back_inserter(text), "{},", number);
    } else {
        text += "null,";  // JSON has no other word
    }
}

}  // namespace

// The number of rows is known in the end only, so it has room for any.
std::string VectorWriter::header() const {
    constexpr std::size_t prefix_bytes = 10;
    std::string text = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}, {}), }}",
                                   cells_ == VectorCells::floats ? "<f4" : "|i1", count_, numbers());
    text.resize(header_bytes - prefix_bytes - 1, ' ');
    text += '\n';
    std::string bytes = "\x93NUMPY";
    bytes += {'\x01', '\0', static_cast<char>(header_bytes - prefix_bytes), '\0'};
    return bytes + text;
}

Result<std::size_t> VectorWriter::resume() {
    const int file = out_.descriptor();
    const off_t end = ::lseek(file, 0, SEEK_END);
    WholeLines whole;
    bool is_read = end >= 0;
    if (is_read && format_ == Format::jsonl) {
        is_read = find_whole_lines(file, whole);
    } else if (is_read && end >= static_cast<off_t>(header_bytes)) {
        const std::size_t vector_bytes = numbers() * (cells_ == VectorCells::floats ? sizeof(float) : 1);
        whole.count = (static_cast<std::size_t>(end) - header_bytes) / vector_bytes;
        whole.bytes = header_bytes + whole.count * vector_bytes;
        has_header_ = true;
    }
    if (!is_read || ::ftruncate(file, static_cast<off_t>(whole.bytes)) != 0 || ::lseek(file, 0, SEEK_END) < 0) {
        return Error(fmt::format("what was written before cannot be read: {}", std::strerror(errno)));
    }
    count_ = whole.count;
    return count_;
}

void VectorWriter::write(std::span<const float> vectors) {
    static_assert(std::endian::native == std::endian::little);
    if (format_ == Format::npy && !std::exchange(has_header_, true)) {
        out_.write(header());
    }
    std::string bytes;
    std::string text;
    for (std::size_t at = 0; at < vectors.size(); at += size_, ++count_) {
        const auto vector = vectors.subspan(at, size_);
        bytes.clear();
        if (cells_ != VectorCells::floats) {
            append_whole_numbers(vector, cells_, bytes);
        } else if (format_ == Format::npy) {
            bytes.resize(vector.size_bytes());
            std::memcpy(bytes.data(), vector.data(), vector.size_bytes());
        }
        if (format_ == Format::npy) {
            out_.write(bytes);
            continue;
        }
        text = "{\"vector\":[";
        for (const char number : bytes) {
            fmt::format_to(std::back_inserter(text), "{},", static_cast<int>(static_cast<signed char>(number)));
        }
        for (std::size_t i = 0; cells_ == VectorCells::floats && i < vector.size(); ++i) {
            append_number(vector[i], text);
        }
        text.back() = ']';
        text += "}\n";
        out_.write(text);
    }
}

Status VectorWriter::finish() {
    if (format_ == Format::jsonl) {
        return {};
    }
    write({});
    const std::string last = header();
    if (!out_.flush() ||
        ::pwrite(out_.descriptor(), last.data(), last.size(), 0) != static_cast<ssize_t>(last.size())) {
        return Error("the number of vectors cannot be written in front of them", "write to a file, or write .jsonl");
    }
    return {};
}

}  // namespace tenrex::tool
