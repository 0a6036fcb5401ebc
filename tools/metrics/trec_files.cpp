#include "tools/metrics/trec_files.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "tools/input.h"
#include "tools/plain_number.h"

namespace tenrex::tool {

namespace {

struct Layout {
    std::string_view fields;
    std::size_t count;   // of the fields
    std::size_t number;  // which of them is the number
};

constexpr Layout judgements = {"query 0 document relevance", 4, 3};
constexpr Layout run = {"query Q0 document rank score name", 6, 4};
constexpr std::string_view blanks = " \t\r\v\f";

std::vector<std::string_view> fields_of(std::string_view line) {
    std::vector<std::string_view> fields;
    for (std::size_t begin = line.find_first_not_of(blanks); begin != std::string_view::npos;) {
        const std::size_t end = std::min(line.find_first_of(blanks, begin), line.size());
        fields.push_back(line.substr(begin, end - begin));
        begin = line.find_first_not_of(blanks, end);
    }
    return fields;
}

Status take(TrecFile &file, std::string_view line, const Layout &layout) {
    const std::vector<std::string_view> fields = fields_of(line);
    if (fields.empty()) {
        return {};
    }
    if (fields.size() != layout.count) {
        return Error(fmt::format("the line has {} fields", fields.size()),
                     fmt::format("{} are needed: {}", layout.count, layout.fields));
    }
    const std::optional<double> number = plain_number(fields[layout.number]);
    if (!number) {
        return Error(fmt::format("\"{}\" is no number", fields[layout.number]),
                     fmt::format("a line is {}", layout.fields));
    }
    const auto [query, is_new] = file.documents.try_emplace(std::string(fields[0]));
    if (is_new) {
        file.queries.push_back(query->first);
    }
    QueryDocuments &documents = query->second;
    if (!documents.positions.try_emplace(std::string(fields[2]), documents.entries.size()).second) {
        return Error(fmt::format("document \"{}\" is there twice for query \"{}\"", fields[2], fields[0]),
                     "a query has one line for each document");
    }
    documents.entries.push_back({std::string(fields[2]), *number});
    return {};
}

Result<TrecFile> read(const std::string &path, const Layout &layout) {
    const Result<File> file = File::open(path);
    if (!file) {
        return file.error();
    }
    TrecFile result;
    LineReader lines(file->descriptor(), longest_line);
    for (;;) {
        const LineReader::Event event = lines.next();
        if (event == LineReader::Event::end) {
            return result;
        }
        if (event == LineReader::Event::failure) {
            return Error(fmt::format("{} cannot be read", file->name()));
        }
        const Status taken = event == LineReader::Event::line
                                 ? take(result, lines.line(), layout)
                                 : Error(fmt::format("the line is longer than {} bytes", longest_line));
        if (!taken) {
            return Error(taken.error().issues(), fmt::format("{}:{}", file->name(), lines.line_number()));
        }
    }
}

}  // namespace

const QueryDocuments *TrecFile::find(const std::string &query) const {
    const auto found = documents.find(query);
    return found == documents.end() ? nullptr : &found->second;
}

Result<TrecFile> read_judgements(const std::string &path) {
    return read(path, judgements);
}

Result<TrecFile> read_run(const std::string &path) {
    return read(path, run);
}

}  // namespace tenrex::tool
