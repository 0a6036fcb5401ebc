// Files of lines, cut into pieces of whole lines that threads can work on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tenrex/result.h>

#include "tools/rank/byte_source.h"
#include "tools/rank/csv_rows.h"

namespace tenrex::tool {

struct LineBatch {
    std::size_t number = 0;                // counted from 0 over all files
    std::string source;                    // the name of the file
    std::size_t first_line = 1;            // in the file
    std::string text;                      // lines, each but maybe the last one with its end
    std::shared_ptr<const CsvRows> table;  // that the lines are rows of; null: they are JSON
};

class LineBatches {
public:
    // "-" is standard input. A line may have up to `line_limit` bytes. Files that are called .csv, perhaps with .gz or
    // .zst behind, are tables, whose first line is no row. columns: those that are wanted of files that the Python
    // package reads.
    LineBatches(std::vector<std::string> paths, std::size_t line_limit, std::vector<std::string> columns);

    // Nothing at the end of the last file. Error: a file cannot be read, or has a line that is too long.
    Result<std::optional<LineBatch>> next();

    // How far reading is, for a progress bar: bytes of files; the total is 0 if it is not known.
    std::uint64_t bytes_read() const noexcept { return finished_bytes_ + (source_ ? source_->consumed() : 0); }
    std::uint64_t bytes_total() const noexcept { return total_bytes_; }

private:
    Status open_next();
    Status read_header(std::string &text, std::size_t &end, LineBatch &batch);

    std::vector<std::string> paths_;
    std::size_t next_path_ = 0;
    std::size_t line_limit_;
    std::vector<std::string> columns_;
    std::optional<ByteSource> source_;
    std::string rest_;  // the beginning of a line whose end has not been read
    std::size_t line_ = 1;
    bool is_table_ = false;
    std::shared_ptr<const CsvRows> table_;  // whose header has been read
    std::size_t number_ = 0;
    std::uint64_t finished_bytes_ = 0;
    std::uint64_t total_bytes_ = 0;
};

}  // namespace tenrex::tool
