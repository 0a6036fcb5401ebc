#include "lib/program/layout.h"

#include <algorithm>

#include "lib/program/copy_bytes.h"

namespace tenrex::program {

CopyNest::CopyNest(const TensorType &to, const TensorType &from, kernels::Isa isa)
    : CopyNest(byte_size(to.cell_type()), isa) {
    for (const Dimension &dimension : to.dimensions()) {
        if (dimension.is_indexed()) {
            add(dimension.size, static_cast<std::ptrdiff_t>(stride_of(to, dimension.name)),
                static_cast<std::ptrdiff_t>(stride_of(from, dimension.name)));
        }
    }
}

std::size_t CopyNest::contiguous_bytes() const noexcept {
    const Axis<2> &run = nest_.run();
    const bool contiguous = nest_.is_single_run() && (run.size == 1 || (run.strides[0] == 1 && run.strides[1] == 1));
    return contiguous ? run.size * cell_bytes_ : 0;
}

namespace {

template <std::size_t bytes>
void copy_run(std::byte *to, const std::byte *from, const Axis<2> &run) noexcept {
    const auto width = static_cast<std::ptrdiff_t>(bytes);
    for (std::size_t i = 0; i < run.size; ++i) {
        std::memcpy(to, from, bytes);
        to += run.strides[0] * width;
        from += run.strides[1] * width;
    }
}

}  // namespace

bool CopyNest::run_single(std::byte *to, std::ptrdiff_t to_step, const std::byte *from, std::ptrdiff_t from_step,
                          std::size_t count) const {
    if (!nest_.is_single_run() || nest_.run().size != 1) {
        return false;
    }
    const auto copy = [&](auto cell) {
        for (std::size_t i = 0; i < count; ++i, to += to_step, from += from_step) {
            std::memcpy(&cell, from, sizeof(cell));
            std::memcpy(to, &cell, sizeof(cell));
        }
    };
    switch (cell_bytes_) {
        case 1:
            copy(std::uint8_t{});
            break;
        case 2:
            copy(std::uint16_t{});
            break;
        case 4:
            copy(std::uint32_t{});
            break;
        default:
            copy(std::uint64_t{});
            break;
    }
    return true;
}

void CopyNest::find_around(const std::vector<Axis<2>> &axes, const Axis<2> *first, const Axis<2> *second) {
    around_ = {};
    for (const Axis<2> &axis : axes) {
        if (&axis != first && &axis != second) {
            around_.add(axis.size, axis.strides);
        }
    }
}

void CopyNest::find_order() {
    order_ = Order::any;
    std::vector<Axis<2>> axes = nest_.outer();
    axes.push_back(nest_.run());
    if (axes.size() == 1) {
        return;
    }
    if (nest_.run().strides == std::array<std::ptrdiff_t, 2>{1, 1}) {
        order_ = Order::in_rows;
        rows_ = axes[axes.size() - 2];
        columns_ = axes.back();
        find_around(axes, &axes[axes.size() - 2], &axes.back());
        return;
    }
    const std::size_t least = kernels::transposed_at_once(cell_bytes_);
    const auto contiguous_in = [&](std::size_t array) {
        return std::find_if(axes.begin(), axes.end(),
                            [&](const Axis<2> &axis) { return axis.strides[array] == 1 && axis.size >= least; });
    };
    const auto rows = contiguous_in(0);
    const auto columns = contiguous_in(1);
    if (rows != axes.end() && columns != axes.end() && rows != columns) {
        order_ = Order::transposed;
        rows_ = *rows;
        columns_ = *columns;
        find_around(axes, &*rows, &*columns);
    }
}

void CopyNest::run(std::byte *to, const std::byte *from) const {
    const auto bytes = static_cast<std::ptrdiff_t>(cell_bytes_);
    // Calls work(where to write, where to read) for each turn of all other loops.
    const auto for_each_around = [&](const auto &work) {
        const Axis<2> &last = around_.run();
        around_.for_each_run([&](const std::array<std::ptrdiff_t, 2> &offsets) {
            for (std::size_t i = 0; i < last.size; ++i) {
                const auto turn = static_cast<std::ptrdiff_t>(i);
                work(to + (offsets[0] + turn * last.strides[0]) * bytes,
                     from + (offsets[1] + turn * last.strides[1]) * bytes);
            }
        });
    };
    if (order_ == Order::in_rows) {
        for_each_around([&](std::byte *target, const std::byte *source) {
            copy_rows(target, rows_.strides[0] * bytes, source, rows_.strides[1] * bytes, rows_.size,
                      columns_.size * cell_bytes_);
        });
        return;
    }
    if (order_ == Order::transposed) {
        for_each_around([&](std::byte *target, const std::byte *source) {
            transpose_(
                {target, columns_.strides[0] * bytes, source, rows_.strides[1] * bytes, rows_.size, columns_.size});
        });
        return;
    }
    const Axis<2> &run = nest_.run();
    if (const std::size_t contiguous = contiguous_bytes(); contiguous != 0) {
        copy_bytes(to, from, contiguous);
        return;
    }
    const auto copy = [&](std::byte *target, const std::byte *source, const Axis<2> &axis) {
        switch (cell_bytes_) {
            case 1:
                return copy_run<1>(target, source, axis);
            case 2:
                return copy_run<2>(target, source, axis);
            case 4:
                return copy_run<4>(target, source, axis);
            default:
                return copy_run<8>(target, source, axis);
        }
    };
    if (nest_.outer().size() == 1 && nest_.outer()[0].size > run.size) {
        // The longer loop inside.
        for (std::size_t i = 0; i < run.size; ++i) {
            copy(to, from, nest_.outer()[0]);
            to += run.strides[0] * bytes;
            from += run.strides[1] * bytes;
        }
        return;
    }
    nest_.for_each_run([&](const std::array<std::ptrdiff_t, 2> &offsets) {
        copy(to + offsets[0] * bytes, from + offsets[1] * bytes, run);
    });
}

}  // namespace tenrex::program
