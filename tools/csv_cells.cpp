#include "tools/csv_cells.h"

#include <algorithm>

namespace tenrex::tool {

namespace {

std::string_view trimmed(std::string_view cell) noexcept {
    while (!cell.empty() && (cell.front() == ' ' || cell.front() == '\t')) {
        cell.remove_prefix(1);
    }
    while (!cell.empty() && (cell.back() == ' ' || cell.back() == '\t' || cell.back() == '\r')) {
        cell.remove_suffix(1);
    }
    return cell;
}

}  // namespace

Result<std::vector<CsvCell>> csv_cells(std::string_view line) {
    std::vector<CsvCell> cells;
    std::size_t at = 0;
    for (;;) {
        std::string &cell = cells.emplace_back(CsvCell{{}, at}).text;
        if (at < line.size() && line[at] == '"') {
            for (++at;; ++at) {
                const std::size_t quote = line.find('"', at);
                if (quote == std::string_view::npos) {
                    return Error("a quoted cell does not end", "a quote within a cell is written twice");
                }
                cell += line.substr(at, quote - at);
                at = quote + 1;
                if (at >= line.size() || line[at] != '"') {
                    break;
                }
                cell += '"';
            }
        }
        const std::size_t end = std::min(line.find(',', at), line.size());
        cell += trimmed(line.substr(at, end - at));
        if (end == line.size()) {
            return cells;
        }
        at = end + 1;
    }
}

}  // namespace tenrex::tool
