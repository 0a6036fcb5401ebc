#include "lib/plan/chain_step.h"

#include <algorithm>
#include <cstring>
#include <span>

#include <fmt/ranges.h>

#include "lib/plan/blocks.h"
#include "lib/support/format.h"

namespace tenrex::plan {

namespace {

using kernels::tile_cells;
using kernels::TileOperation;
using kernels::TileValue;

// What the values of a tile should fit in, with room in the first level of the cache for what comes in and goes out.
constexpr std::size_t tile_bytes = std::size_t{12} << 10;
constexpr std::size_t least_tile = 64;
constexpr std::size_t most_tile = 512;
constexpr std::size_t line = sizeof(CacheLine);
// The last cells of a value: fewer than a whole number of vectors of any kernel.
constexpr std::size_t slot_bytes = tile_cells * sizeof(double);

}  // namespace

ChainStep::ChainStep(Chain chain, const kernels::TileTarget &target, std::uint32_t tiles, std::size_t most_documents)
    : index_(chain.index), cells_(chain.cells), target_(target), tiles_(tiles) {
    const std::uint32_t rooms = assign_rooms(chain);
    const auto width_of = [](CellType type) { return byte_size(type); };
    const bool any_double = std::any_of(chain.values.begin(), chain.values.end(), [](const ChainValue &value) {
        return value.kind != ChainKind::constant && value.type == CellType::f64;
    });
    const std::size_t room_width = any_double ? sizeof(double) : sizeof(float);
    tile_ = std::clamp(tile_bytes / std::max<std::size_t>(1, rooms * room_width), least_tile, most_tile);
    tile_ = index_ ? tile_ : std::min(tile_, cells_ * most_documents);
    tile_ = (tile_ + tile_cells - 1) / tile_cells * tile_cells;

    // Numbers of the values among those of a tile.
    std::vector<std::uint32_t> number(chain.values.size());
    const auto take_place = [&](Place place) {
        places_.push_back(place);
        return static_cast<std::uint32_t>(places_.size() - 1);
    };
    const auto add_sources = [&](ChainKind kind) {
        Sources range{sources_.size(), 0, 0};
        for (const bool doubles : {true, false}) {
            for (std::size_t i = 0; i < chain.values.size(); ++i) {
                const ChainValue &value = chain.values[i];
                if (value.kind != kind || (value.type == CellType::f64) != doubles) {
                    continue;
                }
                if (kind != ChainKind::converted) {
                    number[i] = take_place({0, false, kind == ChainKind::cells});
                }
                const CellType stored = value.conversion != nullptr ? value.conversion->from : value.type;
                sources_.push_back(
                    {value.from, width_of(stored), static_cast<std::uint32_t>(i), value.conversion, value.is_placed});
            }
            (doubles ? range.doubles : range.end) = sources_.size();
        }
        return range;
    };
    whole_ = add_sources(ChainKind::cells);
    spread_ = add_sources(ChainKind::spread);
    converted_ = add_sources(ChainKind::converted);
    for (std::size_t i = 0; i < chain.values.size(); ++i) {
        const ChainValue &value = chain.values[i];
        if (value.kind == ChainKind::constant) {
            number[i] = take_place({add_constant(value), true, false});
        }
    }
    const auto first_room = static_cast<std::uint32_t>(places_.size());
    places_.resize(places_.size() + rooms);
    for (std::size_t i = 0; i < chain.values.size(); ++i) {
        const ChainValue &value = chain.values[i];
        if (value.has_room()) {
            number[i] = first_room + value.room;
        } else if (value.one_for_all) {
            number[i] = take_place({0, false, false});
        } else if (value.kind == ChainKind::computed) {
            number[i] = take_place({});
            outputs_.push_back({value.to, width_of(value.type), number[i], target.of(value.type).store});
        }
    }
    for (Source &source : sources_) {
        source.value = number[source.value];
        if (source.conversion != nullptr) {
            names_.push_back(
                fmt::format("convert {} to {}", name(source.conversion->from), name(source.conversion->to)));
        }
    }
    lay_out(first_room, rooms, room_width);
    add_operations(chain, number);

    work_.flops = static_cast<double>(chain.flops);
    work_.per_block = static_cast<bool>(index_);
    for (std::size_t i = 0; i < sources_.size(); ++i) {
        const bool one_for_all = i >= spread_.begin && i < spread_.end;
        work_.bytes_read += static_cast<double>(sources_[i].width * (one_for_all ? 1 : cells_));
    }
    for (const Output &output : outputs_) {
        work_.bytes_written += static_cast<double>(output.width * cells_);
    }
}

std::size_t ChainStep::add_constant(const ChainValue &value) {
    const std::size_t begin = constant_bytes_;
    constant_bytes_ += target_.vector_bytes;
    constants_.resize(whole_lines(constant_bytes_) / line);
    std::byte *const bytes = constants_.front().bytes;
    const auto fill = [&](auto cell) {
        for (std::size_t at = begin; at < constant_bytes_; at += sizeof(cell)) {
            std::memcpy(bytes + at, &cell, sizeof(cell));
        }
    };
    value.type == CellType::f64 ? fill(value.number) : fill(static_cast<float>(value.number));
    return begin;
}

// The memory: the values of whole tiles and of the last cells, the sources, the values of a single cell, and what the
// other values need.
void ChainStep::lay_out(std::uint32_t first_room, std::uint32_t rooms, std::size_t room_width) {
    single_cells_ = 2 * places_.size() * sizeof(TileValue) + sources_.size() * sizeof(const std::byte *);
    std::size_t end = whole_lines(single_cells_ + places_.size() * kernels::single_cell_bytes);
    for (std::size_t i = 0; i < places_.size(); ++i) {
        Place &place = places_[i];
        if (place.constant) {
            continue;
        }
        place.offset = end;
        if (i >= first_room && i < first_room + rooms) {
            // Distances that are no powers of two: a processor takes addresses 4096 bytes apart for the same at first.
            end += whole_lines(tile_ * room_width) + line;
        } else {
            end += place.goes_on ? slot_bytes : whole_lines(target_.vector_bytes);
        }
    }
    memory_bytes_ = end;
}

void ChainStep::add_operations(const Chain &chain, const std::vector<std::uint32_t> &number) {
    std::size_t terms = 0;
    for (const ChainOperation &operation : chain.operations) {
        terms += operation.kind == ChainOperationKind::sum_of_products ? operation.operands.size() / 2 : 0;
    }
    terms_.reserve(terms);  // operations point to them
    operations_.reserve(chain.operations.size() + chain.operations.size() / kernels::operations_between_pauses + 1);
    const auto pause = [&] { operations_.emplace_back().function = target_.kernels->pause; };
    for (const ChainOperation &operation : chain.operations) {
        names_.push_back(chain.name_of(operation));
        const kernels::TypedTileKernels &typed = target_.of(chain.type_of(operation));
        const std::vector<std::uint32_t> &operands = operation.operands;
        if (operations_.size() % (kernels::operations_between_pauses + 1) == kernels::operations_between_pauses) {
            pause();
        }
        TileOperation &made = operations_.emplace_back();
        made.out = number[operation.result];
        made.in[0] = number[operands[0]];
        switch (operation.kind) {
            case ChainOperationKind::elementwise:
                made.function = typed.operations[static_cast<std::size_t>(operation.elementwise)];
                for (std::size_t i = 1; i < operands.size(); ++i) {
                    made.in[i] = number[operands[i]];
                }
                break;
            case ChainOperationKind::convert:
                made.function = typed.convert;
                break;
            case ChainOperationKind::in_set:
                made.function = typed.in_set;
                made.in[1] = number[operands[1]];
                made.count = static_cast<std::uint32_t>(operands.size() - 1);
                break;
            case ChainOperationKind::choice:
                made.function = typed.choices[static_cast<std::size_t>(operation.comparison)];
                for (std::size_t i = 1; i < operands.size(); ++i) {
                    made.in[i] = number[operands[i]];
                }
                break;
            case ChainOperationKind::sum_of_products:
                made.function = typed.sum_of_products;
                made.terms = terms_.data() + terms_.size();
                made.count = static_cast<std::uint32_t>(operands.size() / 2);
                for (std::size_t i = 0; i < operands.size(); i += 2) {
                    terms_.push_back({number[operands[i]], number[operands[i + 1]]});
                }
                break;
        }
    }
    pause();
}

std::string ChainStep::describe() const {
    constexpr std::size_t most = 3;
    return names_.size() <= most ? fmt::format("{}", fmt::join(names_, ", "))
                                 : fmt::format("{} operations on cells", names_.size());
}

std::string ChainStep::parts() const {
    constexpr std::size_t most = 3;
    return names_.size() <= most ? std::string() : fmt::format("{}", fmt::join(names_, ", "));
}

std::vector<Placement> ChainStep::placements() const {
    std::vector<Placement> all;
    for (const Source &source : sources_) {
        if (source.is_placed) {
            all.push_back(
                {source.from.number, tiles_, single_cells_ + source.value * kernels::single_cell_bytes, source.type()});
        }
    }
    return all;
}

SingleFormula ChainStep::single_formula(Store &store) const {
    if (cells_ != 1 || index_ || outputs_.size() != 1) {
        return {};
    }
    std::byte *const cells = single_cells(store);
    const auto place_of = [&](std::uint32_t value) { return cells + value * kernels::single_cell_bytes; };
    SingleFormula formula{operations_, cells, place_of(outputs_.front().value), {}};
    for (const Source &source : sources_) {
        if (source.from.stage != outputs_.front().to.stage && source.conversion == nullptr) {
            formula.earlier.push_back({source.from, place_of(source.value), source.type()});
        } else if (!source.is_placed) {
            return {};
        }
    }
    return formula;
}

std::byte *ChainStep::single_cells(Store &store) const noexcept {
    return store.tiles[tiles_].data() + single_cells_;
}

ChainStep::Memory ChainStep::memory_of(Store &store) const noexcept {
    std::byte *const memory = store.tiles[tiles_].data();
    auto *const whole = reinterpret_cast<TileValue *>(memory);
    auto **const sources = reinterpret_cast<const std::byte **>(whole + 2 * places_.size());
    return {whole, whole + places_.size(), sources};
}

void ChainStep::prepare(Store &store) const {
    std::byte *const base = store.tiles[tiles_].room(memory_bytes_);
    // Operations work on whole vectors: what is behind the last cells should be numbers.
    std::memset(base, 0, memory_bytes_);
    const Memory memory = memory_of(store);
    for (std::size_t i = 0; i < places_.size(); ++i) {
        const Place &place = places_[i];
        std::byte *const cells =
            place.constant ? const_cast<std::byte *>(constants_.front().bytes) + place.offset : base + place.offset;
        memory.whole[i] = memory.last[i] = {cells, place.goes_on ? ~std::uintptr_t{0} : 0};
        if (place.constant) {
            std::memcpy(base + single_cells_ + i * kernels::single_cell_bytes, cells, kernels::single_cell_bytes);
        }
    }
}

// The cell that stands for all fills a vector.
inline void ChainStep::spread(const Memory &memory) const {
    const auto run = [&](CellType type, std::size_t begin, std::size_t end) {
        if (begin != end) {
            target_.of(type).spread(memory.last + begin, memory.sources + begin, end - begin);
        }
    };
    run(CellType::f64, spread_.begin, spread_.doubles);
    run(CellType::f32, spread_.doubles, spread_.end);
}

void ChainStep::run(Frame &frame) const {
    if (index_) {
        run_blocks(frame);
    } else {
        cells_ == 1 && frame.documents == 1 ? run_single_cell(frame) : run_documents(frame);
    }
}

// All blocks of all documents follow each other.
void ChainStep::run_blocks(Frame &frame) const {
    for (const Output &output : outputs_) {
        if (make_indexed_room(frame, {index_, output.to, output.width * cells_}) == nullptr) {
            return;
        }
    }
    const Memory memory = memory_of(*frame.stores[static_cast<int>(outputs_.front().to.stage)]);
    point_to(frame, memory, 0);
    spread(memory);
    run_cells(frame, memory, 0, frame.index(index_).blocks(frame.documents) * cells_);
}

void ChainStep::run_documents(Frame &frame) const {
    const Memory memory = memory_of(*frame.stores[static_cast<int>(outputs_.front().to.stage)]);
    point_to(frame, memory, 0);
    if (is_one_run(frame)) {
        spread(memory);
        run_cells(frame, memory, 0, frame.documents * cells_);
        return;
    }
    if (cells_ == 1) {
        spread(memory);
        run_scattered(frame, memory);
        return;
    }
    for (std::size_t document = 0; document < frame.documents; ++document) {
        point_to(frame, memory, document);
        spread(memory);
        run_cells(frame, memory, document * cells_, cells_);
    }
}

void ChainStep::point_to(Frame &frame, const Memory &memory, std::size_t document) const {
    for (std::size_t i = 0; i < sources_.size(); ++i) {
        const Cells &cells = frame.cells(sources_[i].from);
        memory.sources[i] = cells.data + static_cast<std::ptrdiff_t>(document) * cells.stride;
    }
}

// Whether the cells of all documents follow each other.
bool ChainStep::is_one_run(const Frame &frame) const {
    if (frame.documents == 1) {
        return true;
    }
    bool follow = true;
    for (std::size_t i = 0; i < sources_.size(); ++i) {
        const bool one_for_all = i >= spread_.begin && i < spread_.end;
        const std::size_t stride = one_for_all ? 0 : sources_[i].width * cells_;
        follow &= frame.cells(sources_[i].from).stride == static_cast<std::ptrdiff_t>(stride);
    }
    return follow;
}

inline void ChainStep::run_operations(const TileValue *values, std::size_t count) const {
    for (const TileOperation &operation : std::span(operations_).first(operations_.size() - 1)) {
        operation.function.tile(operation, values, count);
    }
}

// All that a document on its own needs for a scalar formula: loops over one cell would take longer than the formula.
void ChainStep::run_single_cell(Frame &frame) const {
    std::byte *const cells = single_cells(*frame.stores[static_cast<int>(outputs_.front().to.stage)]);
    const auto copy = [](const std::byte *from, std::byte *to, std::size_t width) {
        width == sizeof(double) ? std::memcpy(to, from, sizeof(double)) : std::memcpy(to, from, sizeof(float));
    };
    for (const Source &source : sources_) {
        if (source.is_placed && frame.are_placed) {
            continue;
        }
        const std::byte *const from = frame.cells(source.from).data;
        std::byte *const to = cells + source.value * kernels::single_cell_bytes;
        if (source.conversion != nullptr) {
            source.conversion->function({from, 0, to, 0, 1, 1});
        } else {
            copy(from, to, source.width);
        }
    }
    kernels::compute_single_cells(operations_, cells);
    for (const Output &output : outputs_) {
        copy(cells + output.value * kernels::single_cell_bytes, frame.cells(output.to).data, output.width);
    }
}

void ChainStep::compute(const Memory &memory, const TileValue *values, std::size_t count) const {
    for (std::size_t i = converted_.begin; i < converted_.end; ++i) {
        const Source &source = sources_[i];
        source.conversion->function({memory.sources[i], 0, values[source.value].cells, 0, 1, count});
    }
    run_operations(values, count);
}

// Of the results those from `first` on; the sources are at their first cells.
void ChainStep::run_cells(Frame &frame, const Memory &memory, std::size_t first, std::size_t count) const {
    while (count >= tile_cells) {
        const std::size_t now = std::min(tile_, count / tile_cells * tile_cells);
        for (std::size_t i = whole_.begin; i < whole_.end; ++i) {
            memory.whole[i].cells = const_cast<std::byte *>(memory.sources[i]);
        }
        for (const Output &output : outputs_) {
            memory.whole[output.value].cells = frame.cells(output.to).data + first * output.width;
        }
        compute(memory, memory.whole, now);
        for (std::size_t i = 0; i < sources_.size(); ++i) {
            memory.sources[i] += i >= spread_.begin && i < spread_.end ? 0 : now * sources_[i].width;
        }
        first += now;
        count -= now;
    }
    if (count != 0) {
        const auto load = [&](CellType type, std::size_t begin, std::size_t end) {
            if (begin != end) {
                target_.of(type).load(memory.last + begin, memory.sources + begin, end - begin, count);
            }
        };
        load(CellType::f64, whole_.begin, whole_.doubles);
        load(CellType::f32, whole_.doubles, whole_.end);
        compute(memory, memory.last, count);
        store_last(frame, memory, first, count);
    }
}

void ChainStep::store_last(Frame &frame, const Memory &memory, std::size_t first, std::size_t count) const {
    for (const Output &output : outputs_) {
        output.store(frame.cells(output.to).data + first * output.width, memory.last[output.value].cells, count);
    }
}

// One cell of each document, where they do not follow each other.
void ChainStep::run_scattered(Frame &frame, const Memory &memory) const {
    for (std::size_t first = 0; first < frame.documents; first += tile_cells) {
        const std::size_t count = std::min(tile_cells, frame.documents - first);
        for (std::size_t i = 0; i < sources_.size(); ++i) {
            const Source &source = sources_[i];
            const std::ptrdiff_t stride = frame.cells(source.from).stride;
            const std::byte *from = frame.cells(source.from).data + static_cast<std::ptrdiff_t>(first) * stride;
            std::byte *to = memory.last[source.value].cells;
            if (i >= spread_.begin && i < spread_.end) {
                continue;
            }
            if (source.conversion != nullptr) {
                // One cell in each row.
                source.conversion->function(
                    {from, stride, to, static_cast<std::ptrdiff_t>(byte_size(source.conversion->to)), count, 1});
                continue;
            }
            for (std::size_t k = 0; k < count; ++k, from += stride, to += source.width) {
                std::memcpy(to, from, source.width);
            }
        }
        run_operations(memory.last, count);
        store_last(frame, memory, first, count);
    }
}

}  // namespace tenrex::plan
