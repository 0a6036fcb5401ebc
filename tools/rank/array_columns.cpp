#include "tools/rank/array_columns.h"

#include <algorithm>
#include <limits>
#include <memory>

#include <fmt/format.h>

#include "tools/input.h"
#include "tools/npz/npy_array.h"

namespace tenrex::tool {

namespace {

// So many documents have their columns in common.
constexpr std::uint64_t documents_of_segment = 16384;

// The error with what it is about in front.
Error failure(const std::string &what, const Error &error) {
    const Issue &issue = error.issues().front();
    return Error(what + ": " + issue.message, issue.hint);
}

// Documents that have nothing but their numbers.
void add_documents(std::uint64_t count, const DocumentLayout &layout, LabelTable &labels, LoadReport &report) {
    std::string field;
    ValueProblem problem;
    for (std::uint64_t first = 0; first < count; first += documents_of_segment) {
        const std::uint64_t end = std::min(first + documents_of_segment, count);
        auto segment = std::make_unique<DocumentSegment>(layout, end - first);
        for (std::uint64_t i = first; i < end; ++i) {
            segment->read("{}", std::to_string(i + 1), field, problem);
        }
        segment->intern(labels);
        segment->finish();
        report.store.append(std::move(segment));
    }
    report.missing.assign(layout.fields().size(), count);
}

Status take_array(const ArrayColumn &array, std::size_t field, const NpyView &rows, LoadReport &report) {
    DocumentStore &store = report.store;
    if (rows.shape().front() != store.documents()) {
        return Error(fmt::format("{}: it has {} rows, and there are {} documents", array.path, rows.shape().front(),
                                 store.documents()),
                     "each document has its row");
    }
    for (std::size_t i = 0; i < store.segments(); ++i) {
        if (Status status = store.segment(i).take_rows(field, rows, store.first(i)); !status) {
            return failure(fmt::format("{}: field \"{}\"", array.path, array.field), status.error());
        }
    }
    report.missing[field] = 0;
    return {};
}

}  // namespace

Result<ArrayColumn> ArrayColumn::parse(const std::string &argument) {
    const std::size_t place = argument.find('=');
    if (place == std::string::npos || place == 0 || place + 1 == argument.size()) {
        return Error(fmt::format("'{}' names no field and file", argument), "such as embedding=vectors.npy");
    }
    return ArrayColumn{argument.substr(0, place), argument.substr(place + 1)};
}

Status take_arrays(std::span<const ArrayColumn> arrays, const DocumentLayout &layout, bool rows_are_documents,
                   LabelTable &labels, LoadReport &report) {
    for (const ArrayColumn &array : arrays) {
        const auto field = layout.find(array.field, 0);
        if (!field) {
            std::string names;
            for (const DocumentLayout::Field &known : layout.fields()) {
                names += (names.empty() ? "" : ", ") + known.name;
            }
            return Error(fmt::format("--column: the profile reads no field '{}'", array.field),
                         names.empty() ? "it reads none" : "it reads " + names);
        }
        // One after the other, since all together may not fit into memory.
        const auto bytes = read_all(array.path, std::numeric_limits<std::size_t>::max());
        if (!bytes) {
            return bytes.error();
        }
        const auto rows = NpyView::of(*bytes);
        if (!rows) {
            return failure(array.path, rows.error());
        }
        if (rows->shape().empty()) {
            return failure(array.path, Error("it is a single number", "an array has a row for each document"));
        }
        if (rows_are_documents && report.store.documents() == 0) {
            add_documents(rows->shape().front(), layout, labels, report);
        }
        if (Status status = take_array(array, *field, *rows, report); !status) {
            return status;
        }
    }
    return {};
}

}  // namespace tenrex::tool
