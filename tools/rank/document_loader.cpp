#include "tools/rank/document_loader.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>

#include <fmt/format.h>

#include "tools/input.h"
#include "tools/rank/line_batches.h"
#include "tools/rank/progress.h"

namespace tenrex::tool {

namespace {

constexpr std::size_t kept_problems = 10;

// What a batch of lines became.
struct Piece {
    std::unique_ptr<DocumentSegment> segment;
    std::vector<DocumentProblem> problems;  // the first ones
    std::size_t bad = 0;
    std::size_t bytes = 0;
};

struct Line {
    std::string_view text;
    std::size_t number = 0;
};

std::vector<Line> lines_of(const LineBatch &batch) {
    std::vector<Line> lines;
    std::size_t number = batch.first_line;
    for (std::size_t begin = 0; begin < batch.text.size(); ++number) {
        const std::size_t end = std::min(batch.text.find('\n', begin), batch.text.size());
        const std::string_view text(batch.text.data() + begin, end - begin);
        if (text.find_first_not_of(" \t\r") != std::string_view::npos) {
            lines.push_back({text, number});
        }
        begin = end + 1;
    }
    return lines;
}

// What a document may have of a table that is read for it.
std::vector<std::string> columns_of(const DocumentLayout &layout) {
    std::vector<std::string> names = {"id", "put", "fields"};
    for (const DocumentLayout::Field &field : layout.fields()) {
        if (!field.is_made && std::find(names.begin(), names.end(), field.name) == names.end()) {
            names.push_back(field.name);
        }
    }
    return names;
}

class Loader {
public:
    Loader(const DocumentLayout &layout, const LoadOptions &options, LabelTable &labels)
        : layout_(layout),
          options_(options),
          labels_(labels),
          batches_(options.paths, longest_line, columns_of(layout)) {
        report_.missing.resize(layout.fields().size());
    }

    Result<LoadReport> run();

private:
    void work() noexcept;
    bool work_on_batch();
    std::optional<LineBatch> take_batch();
    Piece read(const LineBatch &batch) const;
    bool read_document(DocumentSegment &segment, const CsvRows *table, std::string_view line, const std::string &id,
                       std::string &field, ValueProblem &problem) const;
    bool commit(std::size_t number, Piece &piece);
    void stop();

    const DocumentLayout &layout_;
    const LoadOptions &options_;
    LabelTable &labels_;

    std::mutex reading_;
    LineBatches batches_;
    std::optional<Error> read_error_;
    Progress progress_;

    std::mutex committing_;
    std::condition_variable turn_changed_;
    std::size_t turn_ = 0;  // the number of the batch that is next
    bool stopped_ = false;
    std::size_t documents_ = 0;
    std::vector<std::unique_ptr<DocumentSegment>> segments_;  // by batch
    LoadReport report_;
    std::exception_ptr exception_;
};

std::optional<LineBatch> Loader::take_batch() {
    const std::scoped_lock lock(reading_);
    std::size_t documents = 0;
    {
        const std::scoped_lock commits(committing_);
        if (stopped_) {
            return std::nullopt;
        }
        documents = documents_;
    }
    if (read_error_) {
        return std::nullopt;
    }
    auto batch = batches_.next();
    if (!batch) {
        read_error_ = batch.error();
        return std::nullopt;
    }
    if (options_.progress) {
        progress_.show(documents, batches_.bytes_read(), batches_.bytes_total());
    }
    return *std::move(batch);
}

// What to do about a file whose lines are no documents, as its first line tells; empty if that is not what is wrong.
std::string_view advice(std::string_view line) {
    const std::size_t begin = line.find_first_not_of(" \t\r");
    if (begin == std::string_view::npos) {
        return {};
    }
    if (line[begin] == '[') {
        return "\n  hint: documents are lines, not a list: jq -c '.[]' FILE makes lines of it";
    }
    return line[begin] == '{' && line.find_first_not_of(" \t\r", begin + 1) == std::string_view::npos
               ? "\n  hint: a document stands on one line: jq -c . FILE makes it so"
               : std::string_view();
}

// Of a table: null if the line is JSON. False: `field` and `problem` tell why.
bool Loader::read_document(DocumentSegment &segment, const CsvRows *table, std::string_view line, const std::string &id,
                           std::string &field, ValueProblem &problem) const {
    if (table == nullptr) {
        return segment.read(line, id, field, problem);
    }
    const Result<std::string> json = table->to_json(line, layout_);
    if (!json) {
        field.clear();
        problem = {json.error().issues().front().message, 0};
        return false;
    }
    const bool is_right = segment.read(*json, id, field, problem);
    if (!is_right) {
        problem.position = table->begin_of(line, field);
    }
    return is_right;
}

Piece Loader::read(const LineBatch &batch) const {
    const std::vector<Line> lines = lines_of(batch);
    Piece piece;
    piece.bytes = batch.text.size();
    piece.segment = std::make_unique<DocumentSegment>(layout_, lines.size());
    const bool many_files = options_.paths.size() > 1;
    ValueProblem problem;
    std::string field;
    for (const Line &line : lines) {
        const std::string id =
            many_files ? fmt::format("{}:{}", batch.source, line.number) : std::to_string(line.number);
        if (read_document(*piece.segment, batch.table.get(), line.text, id, field, problem)) {
            continue;
        }
        ++piece.bad;
        if (piece.problems.size() < kept_problems) {
            piece.problems.push_back({batch.source, line.number, problem.position + 1, field, problem.reason});
            if (batch.table == nullptr && line.number == 1) {
                piece.problems.back().reason += advice(line.text);
            }
        }
        if (!options_.skip_bad) {
            break;
        }
    }
    return piece;
}

void Loader::stop() {
    {
        const std::scoped_lock lock(committing_);
        stopped_ = true;
    }
    turn_changed_.notify_all();
}

// Waits until all batches before are done. False if that is no longer wanted.
bool Loader::commit(std::size_t number, Piece &piece) {
    {
        std::unique_lock lock(committing_);
        turn_changed_.wait(lock, [&] { return stopped_ || turn_ == number; });
        if (stopped_) {
            return false;
        }
        piece.segment->intern(labels_);
        const auto room = static_cast<std::ptrdiff_t>(kept_problems - report_.problems.size());
        const auto kept = std::min(room, static_cast<std::ptrdiff_t>(piece.problems.size()));
        report_.problems.insert(report_.problems.end(), piece.problems.begin(), piece.problems.begin() + kept);
        report_.bad += piece.bad;
        report_.bytes += piece.bytes;
        documents_ += piece.segment->documents();
        for (std::size_t i = 0; i < report_.missing.size(); ++i) {
            report_.missing[i] += piece.segment->missing()[i];
        }
        segments_.resize(std::max(segments_.size(), number + 1));
        ++turn_;
        stopped_ = piece.bad > 0 && !options_.skip_bad;
    }
    turn_changed_.notify_all();
    return true;
}

bool Loader::work_on_batch() {
    const std::optional<LineBatch> batch = take_batch();
    if (!batch) {
        return false;
    }
    Piece piece = read(*batch);
    if (!commit(batch->number, piece)) {
        return false;
    }
    piece.segment->finish();
    const std::scoped_lock lock(committing_);
    segments_[batch->number] = std::move(piece.segment);
    return true;
}

void Loader::work() noexcept {
    try {
        while (work_on_batch()) {
        }
    } catch (...) {
        {
            const std::scoped_lock lock(committing_);
            exception_ = std::current_exception();
        }
        stop();
    }
}

Result<LoadReport> Loader::run() {
    const auto start = std::chrono::steady_clock::now();
    std::vector<std::jthread> threads;
    for (std::size_t i = 1; i < options_.threads; ++i) {
        threads.emplace_back([this] { work(); });
    }
    work();
    threads.clear();
    progress_.clear();
    if (exception_) {
        std::rethrow_exception(exception_);
    }
    // What was wrong in front of the place that could not be read comes first.
    if (read_error_ && (report_.bad == 0 || options_.skip_bad)) {
        return *read_error_;
    }
    for (auto &segment : segments_) {
        if (segment != nullptr && segment->documents() > 0) {
            report_.store.append(std::move(segment));
        }
    }
    report_.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return std::move(report_);
}

}  // namespace

std::string DocumentProblem::message() const {
    return fmt::format("{}:{}:{}: {}{}", source, line, column,
                       field.empty() ? "" : fmt::format("field \"{}\": ", field), reason);
}

Result<LoadReport> load_documents(const DocumentLayout &layout, const LoadOptions &options, LabelTable &labels) {
    return Loader(layout, options, labels).run();
}

}  // namespace tenrex::tool
