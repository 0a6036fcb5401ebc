#include "lib/program/move/gather_split_step.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>

#include "lib/program/move/gather_steps.h"

namespace tenrex::program {

namespace {

using Entry = GatherIndices::Entry;
using Run = GatherIndices::Run;

// Whole numbers of this size are exact, as are sums of some of them.
constexpr double most_exact = 1099511627776.0;
// Beyond every index to which such numbers are added.
constexpr double farthest = 2.0 * SplitSum::most_terms * most_exact;

double number_at(const Frame &frame, const BlockUse &use, std::size_t document) {
    double number;
    std::memcpy(&number, Blocks(frame, use).at(document, document), sizeof(number));
    return number;
}

bool holds(ScalarFunction comparison, double a, double b) noexcept {
    switch (comparison) {
        case ScalarFunction::less:
            return a < b;
        case ScalarFunction::less_equal:
            return a <= b;
        case ScalarFunction::greater:
            return a > b;
        default:
            return a >= b;
    }
}

}  // namespace

// The list for one document.
class ListSplitIndicesStep::Document {
public:
    Document(const Frame &frame, const SplitRule &rule, std::size_t document, std::byte *list)
        : frame_(frame),
          rule_(rule),
          document_(document),
          list_(reinterpret_cast<GatherIndices *>(list)),
          run_(reinterpret_cast<Run *>(list + sizeof(GatherIndices))) {}

    // Run by run; false if an index is not whole, so that its cells need not follow each other.
    bool list_runs() {
        struct Piece {
            std::uint32_t operation;
            std::int64_t begin, end;
        };
        // Each operation has one run, and each choice leaves one for later.
        std::array<Piece, GatherStep::most_operations + 1> pending;
        std::size_t count = 1;
        pending[0] = {0, 0, static_cast<std::int64_t>(rule_.cells)};
        const Run *const first = run_;
        while (count != 0) {
            const auto [number, begin, end] = pending[--count];
            if (begin >= end) {
                continue;
            }
            const SplitRule::Operation &operation = rule_.operations[number];
            switch (operation.kind) {
                case SplitRule::Kind::choice:
                    pending[count++] = {operation.when[number_at(frame_, operation.number, document_) != 0 ? 1 : 0],
                                        begin, end};
                    break;
                case SplitRule::Kind::comparison: {
                    const std::optional<std::int64_t> shift = shift_of(operation.index);
                    if (!shift) {
                        return false;
                    }
                    const auto [at, holds_before] = cut(operation);
                    const std::int64_t middle = std::clamp(at - *shift, begin, end);
                    pending[count++] = {operation.when[holds_before ? 0 : 1], middle, end};
                    pending[count++] = {operation.when[holds_before ? 1 : 0], begin, middle};
                    break;
                }
                case SplitRule::Kind::cells:
                    add(operation.source, operation.base, operation.stride, begin, end, 0);
                    break;
                case SplitRule::Kind::peek: {
                    const std::optional<std::int64_t> shift = shift_of(operation.index);
                    if (!shift) {
                        return false;
                    }
                    const auto size = static_cast<std::int64_t>(operation.size);
                    const std::int64_t inside = std::clamp(-*shift, begin, end);
                    const std::int64_t outside = std::clamp(size - *shift, inside, end);
                    add(rule_.sources, 0, 0, begin, inside, 0);
                    add(operation.source, operation.base, operation.stride, inside, outside, *shift);
                    add(rule_.sources, 0, 0, outside, end, 0);
                    break;
                }
            }
        }
        *list_ = {static_cast<std::uint32_t>(run_ - first), 0, 0};
        return true;
    }

    // Cell by cell, as the expression says.
    void list_places() {
        auto *entry = reinterpret_cast<Entry *>(list_ + 1);
        for (std::size_t cell = 0; cell < rule_.cells; ++cell) {
            *entry++ = entry_of(cell);
        }
        *list_ = {0, static_cast<std::uint32_t>(rule_.cells), 0};
    }

private:
    struct Cut {
        std::int64_t at;    // the first index for which the comparison has changed
        bool holds_before;  // and whether it holds up to there
    };

    // What the sum adds to each index, if that is a whole number.
    std::optional<std::int64_t> shift_of(const SplitSum &sum) const {
        double shift = 0;
        for (const SplitSum::Term &term : sum.terms) {
            const double number = number_at(frame_, term.number, document_);
            if (!(std::fabs(number) <= most_exact && number == std::trunc(number))) {
                return std::nullopt;
            }
            shift += term.is_subtracted ? -number : number;
        }
        return static_cast<std::int64_t>(shift);
    }

    // Of whole numbers: below x are those below ceil(x), and not above x those below floor(x) + 1.
    Cut cut(const SplitRule::Operation &operation) const {
        const double number = number_at(frame_, operation.number, document_);
        const auto whole = [](double end) { return static_cast<std::int64_t>(std::clamp(end, -farthest, farthest)); };
        if (std::isnan(number)) {
            return {whole(farthest), false};
        }
        switch (operation.comparison) {
            case ScalarFunction::less:
                return {whole(std::ceil(number)), true};
            case ScalarFunction::less_equal:
                return {whole(std::floor(number) + 1), true};
            case ScalarFunction::greater:
                return {whole(std::floor(number) + 1), false};
            default:
                return {whole(std::ceil(number)), false};
        }
    }

    // The cells [begin, end) of the result, from those of a source at indexes that are greater by a shift. The shift
    // may be so large that only the sum with an index can be multiplied.
    void add(std::uint32_t source, std::size_t base, std::size_t stride, std::int64_t begin, std::int64_t end,
             std::int64_t shift) {
        if (begin < end) {
            const std::size_t cell = base + static_cast<std::size_t>(begin + shift) * stride;
            *run_++ = {{source, static_cast<std::int32_t>(cell)},
                       static_cast<std::int32_t>(stride),
                       static_cast<std::uint32_t>(end - begin)};
        }
    }

    double index_of(const SplitSum &sum, std::size_t cell) const {
        auto index = static_cast<double>(cell);
        for (const SplitSum::Term &term : sum.terms) {
            const double number = number_at(frame_, term.number, document_);
            index = term.is_subtracted ? index - number : index + number;
        }
        return index;
    }

    Entry entry_of(std::size_t cell) const {
        const SplitRule::Operation *operation = rule_.operations.data();
        while (operation->kind == SplitRule::Kind::choice || operation->kind == SplitRule::Kind::comparison) {
            const double number = number_at(frame_, operation->number, document_);
            const bool is_true = operation->kind == SplitRule::Kind::choice
                                     ? number != 0
                                     : holds(operation->comparison, index_of(operation->index, cell), number);
            operation = &rule_.operations[operation->when[is_true ? 1 : 0]];
        }
        auto at = static_cast<double>(cell);
        if (operation->kind == SplitRule::Kind::peek) {
            at = index_of(operation->index, cell);  // truncated, so down to -1 it is 0
            if (!(at > -1 && at < static_cast<double>(operation->size))) {
                return {rule_.sources, 0};
            }
        }
        return {operation->source,
                static_cast<std::int32_t>(operation->base + static_cast<std::size_t>(at) * operation->stride)};
    }

    const Frame &frame_;
    const SplitRule &rule_;
    std::size_t document_;
    GatherIndices *list_;
    Run *run_;  // the next one
};

std::size_t ListSplitIndicesStep::bytes(const SplitRule &rule) noexcept {
    // A peek has three runs: zeros, cells and zeros.
    return sizeof(GatherIndices) + std::max(3 * rule.operations.size() * sizeof(Run), rule.cells * sizeof(Entry));
}

Work ListSplitIndicesStep::work() const {
    const auto operations = static_cast<double>(rule_.operations.size());
    return {operations, operations * sizeof(double), operations * sizeof(Run)};
}

void ListSplitIndicesStep::run(Frame &frame) const {
    const Cells &lists = frame.cells(indices_);
    for (std::size_t document = 0; document < frame.documents; ++document) {
        std::byte *const list = lists.data + static_cast<std::ptrdiff_t>(document) * lists.stride;
        if (!Document(frame, rule_, document, list).list_runs()) {
            Document(frame, rule_, document, list).list_places();
        }
    }
}

}  // namespace tenrex::program
