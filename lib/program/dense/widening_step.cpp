#include "lib/program/dense/widening_step.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>

#include "lib/program/dense/float_parts.h"

namespace tenrex::program {

namespace {

double number_of(const Cells &cells, std::size_t document) {
    double number;
    std::memcpy(&number, cells.data + static_cast<std::ptrdiff_t>(document) * cells.stride, sizeof(number));
    return number;
}

// Whether all of them are within the range of floats, which says less than has_nearest_float() but takes next to no
// time: differences of whole numbers, whose signs are looked at once.
inline bool all_within_range(const std::byte *cells, std::ptrdiff_t stride, std::size_t count) {
    constexpr auto least = std::bit_cast<std::int64_t>(double{std::numeric_limits<float>::min()});
    constexpr auto most = std::bit_cast<std::int64_t>(double{std::numeric_limits<float>::max()});
    std::int64_t outside = 0;
    for (std::size_t i = 0; i < count; ++i, cells += stride) {
        std::int64_t number;
        std::memcpy(&number, cells, sizeof(number));
        const std::int64_t size = number & std::numeric_limits<std::int64_t>::max();
        outside |= (size - least) | (most - size);
    }
    return outside >= 0;
}

inline bool all_within_range(const Cells &cells, std::size_t documents) {
    if (cells.stride == 0 || documents == 1) {
        return all_within_range(cells.data, 0, 1);
    }
    return cells.stride == sizeof(double) ? all_within_range(cells.data, sizeof(double), documents)
                                          : all_within_range(cells.data, cells.stride, documents);
}

}  // namespace

void WideningStep::prepare(Store &store) const {
    in_float_->prepare(store);
    in_double_->prepare(store);
}

void WideningStep::run(Frame &frame) const {
    in_float_->run(frame);
    bool within_range = true;
    for (const CellsSlot number : numbers_) {
        within_range &= all_within_range(frame.cells(number), frame.documents);
    }
    if (within_range || frame.too_large) {
        return;
    }
    for (std::size_t document = 0; document < frame.documents; ++document) {
        if (!std::all_of(numbers_.begin(), numbers_.end(), [&](CellsSlot number) {
                return has_nearest_float(number_of(frame.cells(number), document));
            })) {
            in_double_->run_document(frame, document);
        }
    }
}

}  // namespace tenrex::program
