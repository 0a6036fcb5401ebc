// The bytes of a file or of standard input, decompressed if they are gzip or zstd, and as lines of JSON if the Python
// package reads them. Their first bytes tell, not a name.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tenrex/result.h>

#include "tools/input.h"
#include "tools/rank/python_lines.h"

namespace tenrex::tool {

// Decompresses a stream piece by piece.
class Decompressor {
public:
    virtual ~Decompressor() = default;

    struct Step {
        std::size_t consumed = 0;
        std::size_t produced = 0;
        bool at_boundary = false;       // all that came so far is whole: the input may end here
        const char *problem = nullptr;  // why it cannot go on
    };
    virtual Step step(const char *input, std::size_t input_size, char *output, std::size_t output_size) = 0;
};

class ByteSource {
public:
    // columns: those that are wanted of a file that Python reads.
    ByteSource(File file, const std::vector<std::string> &columns);

    // Reads up to `size` bytes; fewer only at the end. The error names the file.
    Result<std::size_t> read(char *buffer, std::size_t size);

    const std::string &name() const noexcept { return file_.name(); }
    // Bytes read from the file so far, before decompression.
    std::uint64_t consumed() const noexcept { return consumed_; }
    // Bytes in the file, 0 if it is none whose size is known.
    std::uint64_t file_bytes() const noexcept { return file_bytes_; }

private:
    Status start();
    Result<std::size_t> read_file(char *buffer, std::size_t size);
    Status refill();
    Error failure(std::string_view reason) const;

    File file_;
    const std::vector<std::string> &columns_;
    std::optional<PythonLines> python_;
    std::uint64_t consumed_ = 0;
    std::uint64_t file_bytes_ = 0;
    bool is_regular_ = false;
    bool started_ = false;
    bool file_ended_ = false;
    bool whole_ = true;     // nothing compressed is unfinished
    bool pending_ = false;  // the decompressor may hold more than there was room for
    std::unique_ptr<Decompressor> decompressor_;
    std::unique_ptr<char[]> input_;  // what was read from the file: [begin_, end_) is not used yet
    std::size_t begin_ = 0;
    std::size_t end_ = 0;
};

}  // namespace tenrex::tool
