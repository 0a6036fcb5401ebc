#include "perf/expressions/evaluation_timing.h"

#include <numeric>

namespace tenrex::perf {

namespace {

// Descriptions of columns are read, too: many small blocks must not push the documents out of the cache.
constexpr std::size_t most_described_bytes = 96 << 10;

volatile double sink;  // what is never read could be left out

}  // namespace

Result<Timing> time_blocks(const Workload &workload, std::size_t block_size, const Effort &effort) {
    struct Piece {
        std::size_t first;
        std::size_t count;
        std::vector<Column> columns;
    };
    std::vector<Piece> pieces;
    std::size_t described = 0;
    std::size_t documents = 0;
    for (std::size_t first = 0; first < workload.documents(); first += block_size) {
        if (documents >= 64 && described > most_described_bytes) {
            break;
        }
        const std::size_t count = std::min(block_size, workload.documents() - first);
        pieces.push_back({first, count, workload.columns(first)});
        described += sizeof(Piece) + pieces.back().columns.size() * sizeof(Column);
        documents += count;
    }
    std::vector<double> scores(documents);
    Context context(workload.plan());
    Status failure;
    const Timing timing = measure(documents, effort, [&] {
        for (const Piece &piece : pieces) {
            const Block block{piece.count, piece.columns};
            if (Status status =
                    workload.query().evaluate(block, context, std::span(scores).subspan(piece.first, piece.count));
                !status) {
                failure = status;
            }
        }
        sink = scores.front() + scores[documents / 2] + scores.back();
    });
    sink = std::accumulate(scores.begin(), scores.end(), 0.0);
    if (!failure) {
        return std::move(failure).error();
    }
    return timing;
}

std::size_t context_bytes(const Workload &workload, std::size_t block_size) {
    Context context(workload.plan());
    const std::size_t count = std::min(block_size, workload.documents());
    std::vector<double> scores(count);
    const std::vector<Column> columns = workload.columns(0);
    const Status status = workload.query().evaluate({count, columns}, context, scores);
    return status ? context.memory_bytes() : 0;
}

}  // namespace tenrex::perf
