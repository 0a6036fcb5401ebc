#include "tools/rank/line_batches.h"

#include <algorithm>

#include <fmt/format.h>
#include <sys/stat.h>

namespace tenrex::tool {

namespace {

constexpr std::size_t batch_bytes = std::size_t{1} << 20;

bool is_table(std::string_view path) {
    for (const std::string_view compressed : {".gz", ".zst"}) {
        if (path.ends_with(compressed)) {
            path.remove_suffix(compressed.size());
        }
    }
    return path.ends_with(".csv");
}

}  // namespace

LineBatches::LineBatches(std::vector<std::string> paths, std::size_t line_limit, std::vector<std::string> columns)
    : paths_(std::move(paths)), line_limit_(line_limit), columns_(std::move(columns)) {
    for (const std::string &path : paths_) {
        struct stat status {};
        if (path == "-" || ::stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) {
            total_bytes_ = 0;
            break;
        }
        total_bytes_ += static_cast<std::uint64_t>(status.st_size);
    }
}

Status LineBatches::open_next() {
    is_table_ = is_table(paths_[next_path_]);
    table_.reset();
    auto file = File::open(paths_[next_path_++]);
    if (!file) {
        return file.error();
    }
    source_.emplace(*std::move(file), columns_);
    line_ = 1;
    return {};
}

// Takes it from the beginning of a table. end: of the last whole line of the text.
Status LineBatches::read_header(std::string &text, std::size_t &end, LineBatch &batch) {
    const std::size_t length = std::min(text.find('\n'), text.size());
    auto table = CsvRows::parse(std::string_view(text).substr(0, length));
    if (!table) {
        return Error(table.error().issues(), fmt::format("{}:1", batch.source));
    }
    table_ = std::make_shared<const CsvRows>(*std::move(table));
    text.erase(0, length + 1);
    end -= std::min(end, length + 1);
    batch.first_line = ++line_;
    return {};
}

Result<std::optional<LineBatch>> LineBatches::next() {
    for (;;) {
        if (!source_) {
            if (next_path_ == paths_.size()) {
                return std::optional<LineBatch>();
            }
            if (const Status status = open_next(); !status) {
                return status.error();
            }
        }
        std::string text = std::move(rest_);
        rest_.clear();
        std::size_t end = 0;  // of the last whole line
        bool at_end = false;
        while (end == 0 && !at_end) {
            const std::size_t before = text.size();
            const std::size_t wanted = std::max(batch_bytes, before + before / 2);
            text.resize(wanted);
            const auto count = source_->read(text.data() + before, wanted - before);
            if (!count) {
                return count.error();
            }
            text.resize(before + *count);
            at_end = text.size() < wanted;
            const std::size_t newline = text.rfind('\n');
            end = newline == std::string::npos || newline < before ? 0 : newline + 1;
            if (text.size() - end > line_limit_) {
                const auto lines = std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(end), '\n');
                return Error(fmt::format("{}:{}: the line is longer than the limit of {} bytes", source_->name(),
                                         line_ + static_cast<std::size_t>(lines), line_limit_));
            }
        }
        LineBatch batch{number_, source_->name(), line_, {}, {}};
        if (line_ == 1 && text.starts_with(byte_order_mark)) {
            text.erase(0, byte_order_mark.size());
            end -= std::min(end, byte_order_mark.size());
        }
        if (is_table_ && !table_) {
            if (const Status status = read_header(text, end, batch); !status) {
                return status.error();
            }
        }
        batch.table = table_;
        if (at_end) {
            finished_bytes_ += source_->consumed();
            source_.reset();
        } else {
            rest_.assign(text, end);
            text.resize(end);
            line_ += static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
        }
        if (!text.empty()) {
            batch.text = std::move(text);
            ++number_;
            return std::optional(std::move(batch));
        }
    }
}

}  // namespace tenrex::tool
