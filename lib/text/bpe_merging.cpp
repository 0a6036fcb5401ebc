#include "lib/text/bpe_merging.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tenrex::text {

namespace {

using Symbol = ModelScratch::Symbol;

constexpr std::uint32_t no_neighbor = UINT32_MAX;
constexpr std::size_t most_without_heap = 64;  // symbols

class Merging {
public:
    Merging(const BpeMerges &merges, ModelScratch &scratch) noexcept
        : merges_(merges), symbols_(scratch.symbols), heap_(scratch.merges) {}

    void run() {
        link();
        if (symbols_.size() <= most_without_heap) {
            merge_few();
        } else {
            merge_many();
        }
    }

private:
    void link() noexcept {
        const auto count = static_cast<std::uint32_t>(symbols_.size());
        for (std::uint32_t i = 0; i < count; ++i) {
            symbols_[i].previous = i == 0 ? no_neighbor : i - 1;
            symbols_[i].next = i + 1 == count ? no_neighbor : i + 1;
        }
        for (std::uint32_t i = 0; i < count; ++i) {
            look_up(i);
        }
    }

    // The rank of the merge of a symbol with the next one.
    std::int32_t look_up(std::uint32_t at) noexcept {
        Symbol &symbol = symbols_[at];
        symbol.merge = symbol.next == no_neighbor ? BpeMerge() : merges_.find(symbol.id, symbols_[symbol.next].id);
        return symbol.merge.rank;
    }

    // Puts a symbol and the next one together. Returns the one that is empty now.
    std::uint32_t join(std::uint32_t at) noexcept {
        Symbol &left = symbols_[at];
        const std::uint32_t gone = left.next;
        Symbol &right = symbols_[gone];
        left.id = left.merge.id;
        left.end = right.end;
        left.next = right.next;
        right.end = right.begin;
        right.merge.rank = BpeMerge::none;
        if (left.next != no_neighbor) {
            symbols_[left.next].previous = at;
        }
        return gone;
    }

    void merge_few() noexcept {
        std::array<std::int32_t, most_without_heap> ranks;
        // Whole vectors of them.
        constexpr std::size_t step = 8;
        const std::size_t count = symbols_.size();
        const std::size_t rounded = (count + step - 1) / step * step;
        for (std::size_t i = 0; i < rounded; ++i) {
            ranks[i] = i < count ? symbols_[i].merge.rank : BpeMerge::none;
        }
        for (;;) {
            std::int32_t best = BpeMerge::none;
            for (std::size_t i = 0; i < rounded; ++i) {
                best = std::min(best, ranks[i]);
            }
            if (best == BpeMerge::none) {
                return;
            }
            const auto at = static_cast<std::uint32_t>(std::find(ranks.begin(), ranks.end(), best) - ranks.begin());
            ranks[join(at)] = BpeMerge::none;
            ranks[at] = look_up(at);
            if (const std::uint32_t previous = symbols_[at].previous; previous != no_neighbor) {
                ranks[previous] = look_up(previous);
            }
        }
    }

    static bool is_behind(const ModelScratch::Merge &a, const ModelScratch::Merge &b) noexcept {
        return a.rank != b.rank ? a.rank > b.rank : a.at > b.at;
    }

    void merge_many() {
        heap_.clear();
        for (std::uint32_t at = 0; at < symbols_.size(); ++at) {
            if (symbols_[at].merge.rank != BpeMerge::none) {
                heap_.push_back({symbols_[at].merge.rank, at});
            }
        }
        std::make_heap(heap_.begin(), heap_.end(), is_behind);
        while (!heap_.empty()) {
            std::pop_heap(heap_.begin(), heap_.end(), is_behind);
            const ModelScratch::Merge top = heap_.back();
            heap_.pop_back();
            // What was put together since then has another merge, or none.
            if (symbols_[top.at].merge.rank != top.rank) {
                continue;
            }
            join(top.at);
            for (const std::uint32_t at : {symbols_[top.at].previous, top.at}) {
                if (at != no_neighbor && look_up(at) != BpeMerge::none) {
                    heap_.push_back({symbols_[at].merge.rank, at});
                    std::push_heap(heap_.begin(), heap_.end(), is_behind);
                }
            }
        }
    }

    const BpeMerges &merges_;
    std::vector<Symbol> &symbols_;
    std::vector<ModelScratch::Merge> &heap_;
};

}  // namespace

void merge_symbols(const BpeMerges &merges, ModelScratch &scratch) {
    Merging(merges, scratch).run();
}

}  // namespace tenrex::text
