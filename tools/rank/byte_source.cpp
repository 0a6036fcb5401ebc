#include "tools/rank/byte_source.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

namespace tenrex::tool {

namespace {

constexpr std::size_t input_bytes = std::size_t{256} << 10;
constexpr std::string_view gzip_magic = "\x1f\x8b";
constexpr std::string_view zstd_magic = "\x28\xb5\x2f\xfd";

// What is not read here, and who makes lines of it.
struct OtherFormat {
    std::string_view magic;
    const char *reason;
    const char *command;
    bool by_python = false;  // which is started for it if it can read the file from the beginning
};
constexpr OtherFormat other_formats[] = {
    {std::string_view("\xfd"
                      "7zXZ\0",
                      6),
     "xz is not read here; gzip and zstd are", "xz -dc"},
    {"BZh", "bzip2 is not read here; gzip and zstd are", "bzip2 -dc"},
    {"PK\x03\x04", "zip archives are not read here; gzip and zstd are", "unzip -p"},
    {"PAR1", "Parquet is not read from a pipe", "python3 -m tenrex jsonl", true},
    {"ARROW1", "Arrow files are not read from a pipe", "python3 -m tenrex jsonl", true},
    {"\x93NUMPY", "arrays of numpy are not read from a pipe", "python3 -m tenrex jsonl", true}};

// A file's name as a shell reads it.
std::string shell_word(std::string_view name) {
    constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./+,:@%";
    if (name.find_first_not_of(plain) == std::string_view::npos) {
        return std::string(name);
    }
    std::string word = "'";
    for (const char byte : name) {
        word += byte == '\'' ? "'\\''" : std::string(1, byte);
    }
    return word + "'";
}

class GzipDecompressor : public Decompressor {
public:
    GzipDecompressor() {
        constexpr int window_and_gzip = 15 + 16;
        if (::inflateInit2(&stream_, window_and_gzip) != Z_OK) {
            throw std::bad_alloc();
        }
    }
    GzipDecompressor(const GzipDecompressor &) = delete;
    GzipDecompressor &operator=(const GzipDecompressor &) = delete;
    ~GzipDecompressor() override { ::inflateEnd(&stream_); }

    Step step(const char *input, std::size_t input_size, char *output, std::size_t output_size) override {
        std::size_t padding = 0;
        if (at_end_) {
            // Tapes and block devices fill up with zeros, which begin no stream.
            padding = std::min(std::string_view(input, input_size).find_first_not_of('\0'), input_size);
            if (padding == input_size) {
                return {padding, 0, true, nullptr};
            }
            ::inflateReset(&stream_);  // one file may be several streams
            at_end_ = false;
        }
        stream_.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(input + padding));
        stream_.avail_in = static_cast<uInt>(input_size - padding);
        stream_.next_out = reinterpret_cast<Bytef *>(output);
        stream_.avail_out = static_cast<uInt>(output_size);
        const int result = ::inflate(&stream_, Z_NO_FLUSH);
        at_end_ = result == Z_STREAM_END;
        const bool failed = result != Z_OK && result != Z_STREAM_END && result != Z_BUF_ERROR;
        return {input_size - stream_.avail_in, output_size - stream_.avail_out, at_end_,
                failed ? "damaged gzip data" : nullptr};
    }

private:
    z_stream stream_{};
    bool at_end_ = false;
};

class ZstdDecompressor : public Decompressor {
public:
    ZstdDecompressor() : stream_(::ZSTD_createDStream()) {
        if (stream_ == nullptr) {
            throw std::bad_alloc();
        }
    }
    ZstdDecompressor(const ZstdDecompressor &) = delete;
    ZstdDecompressor &operator=(const ZstdDecompressor &) = delete;
    ~ZstdDecompressor() override { ::ZSTD_freeDStream(stream_); }

    Step step(const char *input, std::size_t input_size, char *output, std::size_t output_size) override {
        ZSTD_inBuffer in{input, input_size, 0};
        ZSTD_outBuffer out{output, output_size, 0};
        const std::size_t result = ::ZSTD_decompressStream(stream_, &out, &in);
        return {in.pos, out.pos, result == 0, ::ZSTD_isError(result) != 0 ? "damaged zstd data" : nullptr};
    }

private:
    ZSTD_DStream *stream_;
};

}  // namespace

ByteSource::ByteSource(File file, const std::vector<std::string> &columns) : file_(std::move(file)), columns_(columns) {
    struct stat status {};
    if (::fstat(file_.descriptor(), &status) == 0 && S_ISREG(status.st_mode)) {
        is_regular_ = true;
        file_bytes_ = static_cast<std::uint64_t>(status.st_size);
    }
}

Error ByteSource::failure(std::string_view reason) const {
    return Error(fmt::format("cannot read {}: {}", name(), reason));
}

Result<std::size_t> ByteSource::read_file(char *buffer, std::size_t size) {
    std::size_t count = 0;
    while (count < size && !file_ended_) {
        const ssize_t read = ::read(file_.descriptor(), buffer + count, size - count);
        if (read < 0 && errno != EINTR) {
            return failure(std::strerror(errno));
        }
        file_ended_ = read == 0;
        count += static_cast<std::size_t>(std::max<ssize_t>(read, 0));
    }
    consumed_ += count;
    return count;
}

Status ByteSource::refill() {
    const auto count = read_file(input_.get(), input_bytes);
    if (!count) {
        return count.error();
    }
    begin_ = 0;
    end_ = *count;
    return {};
}

Status ByteSource::start() {
    started_ = true;
    input_ = std::make_unique<char[]>(input_bytes);
    if (Status status = refill(); !status) {
        return status;
    }
    const std::string_view head(input_.get(), end_);
    if (head.starts_with(gzip_magic)) {
        decompressor_ = std::make_unique<GzipDecompressor>();
    } else if (head.starts_with(zstd_magic)) {
        decompressor_ = std::make_unique<ZstdDecompressor>();
    }
    for (const OtherFormat &other : other_formats) {
        if (!head.starts_with(other.magic)) {
            continue;
        }
        if (!other.by_python || !is_regular_) {
            const std::string file = name() == "standard input" ? "FILE" : shell_word(name());
            return failure(fmt::format("{}: {} {} | tenrex rank PROFILE", other.reason, other.command, file));
        }
        auto lines = PythonLines::of(file_.descriptor(), columns_);
        if (!lines) {
            return failure(lines.error().message());
        }
        python_.emplace(*std::move(lines));
        consumed_ = file_bytes_;
        break;
    }
    return {};
}

Result<std::size_t> ByteSource::read(char *buffer, std::size_t size) {
    if (!started_) {
        if (Status status = start(); !status) {
            return status.error();
        }
    }
    if (python_) {
        auto count = python_->read(buffer, size);
        if (!count) {
            return failure(count.error().message());
        }
        return count;
    }
    std::size_t count = 0;
    while (count < size) {
        if (begin_ == end_ && !pending_) {
            if (file_ended_) {
                break;
            }
            if (Status status = refill(); !status) {
                return status.error();
            }
            continue;
        }
        Decompressor::Step step;
        if (decompressor_ == nullptr) {
            step.consumed = step.produced = std::min(size - count, end_ - begin_);
            std::memcpy(buffer + count, input_.get() + begin_, step.consumed);
            step.at_boundary = true;
        } else {
            step = decompressor_->step(input_.get() + begin_, end_ - begin_, buffer + count, size - count);
        }
        if (step.problem != nullptr) {
            return failure(step.problem);
        }
        if (step.consumed + step.produced > 0) {
            whole_ = step.at_boundary;
        }
        begin_ += step.consumed;
        count += step.produced;
        pending_ = decompressor_ != nullptr && count == size;
    }
    if (count < size && !whole_) {
        return failure("the compressed data end too early");
    }
    return count;
}

}  // namespace tenrex::tool
