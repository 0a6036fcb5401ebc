#include "lib/program/dense/region_step.h"

#include <algorithm>
#include <cstring>
#include <span>

#include <fmt/ranges.h>

#include "lib/program/blocks.h"
#include "lib/support/format.h"

namespace tenrex::program {

namespace {

using kernels::tile_cells;
using kernels::TileOperation;
using kernels::TileValue;

// What the values of a tile should fit in, with room in the first level of the cache for what comes in and goes out.
constexpr std::size_t tile_bytes = std::size_t{12} << 10;
constexpr std::size_t least_tile = 64;
constexpr std::size_t most_tile = 1024;
// Shorter documents take longer as rows of a tile than one after the other.
constexpr std::size_t least_document_row = 32;
constexpr std::size_t line = sizeof(CacheLine);
// More operations are counted.
constexpr std::size_t most_names = 3;
// The last cells of a value: fewer than a whole number of vectors of any kernel.
constexpr std::size_t slot_bytes = tile_cells * sizeof(double);

}  // namespace

RegionStep::RegionStep(RegionCode code, const kernels::TileTarget &target, std::uint32_t tiles,
                       std::size_t most_documents)
    : index_(code.index), cells_(code.cells), target_(target), tiles_(tiles) {
    find_reduction(code);
    documents_are_rows_ = !index_ && cells_ >= least_document_row &&
                          std::any_of(code.values.begin(), code.values.end(), [](const RegionValue &value) {
                              return value.kind == RegionValueKind::broadcast_document;
                          });
    const std::uint32_t rooms = assign_rooms(code);
    const auto width_of = [](CellType type) { return byte_size(type); };
    const bool any_double = std::any_of(code.values.begin(), code.values.end(), [](const RegionValue &value) {
        return value.kind != RegionValueKind::constant && value.type == CellType::f64;
    });
    const std::size_t room_width = any_double ? sizeof(double) : sizeof(float);
    const bool any_strided = std::any_of(code.values.begin(), code.values.end(), [](const RegionValue &value) {
        return value.kind == RegionValueKind::strided;
    });
    const std::size_t tile = std::clamp(tile_bytes / std::max<std::size_t>(1, rooms * room_width), least_tile,
                                        any_strided ? most_strided_tile : most_tile);
    find_tile(code, index_ ? tile : std::min(tile, cells_ * most_documents), room_width);

    // Numbers of the values among those of a tile.
    std::vector<std::uint32_t> number(code.values.size());
    std::vector<std::uint32_t> incoming;
    incoming.reserve(code.values.size());
    std::size_t constants = 0;
    std::size_t places = rooms;
    for (std::uint32_t i = 0; i < code.values.size(); ++i) {
        const RegionValue &value = code.values[i];
        constants += value.kind == RegionValueKind::constant ? 1 : 0;
        places += value.has_room() ? 0 : 1;
        if (value.kind != RegionValueKind::constant && value.kind != RegionValueKind::computed) {
            incoming.push_back(i);
        }
    }
    places_.reserve(places);
    sources_.reserve(incoming.size());
    constants_.reserve(whole_lines(constants * target_.vector_bytes) / line);
    names_.reserve(code.operations.size());
    const auto take_place = [&](Place place) {
        places_.push_back(place);
        return static_cast<std::uint32_t>(places_.size() - 1);
    };
    const auto add_sources = [&](RegionValueKind kind) {
        Sources range{sources_.size(), 0, 0};
        for (const bool doubles : {true, false}) {
            for (const std::uint32_t i : incoming) {
                const RegionValue &value = code.values[i];
                if (value.kind != kind || (value.type == CellType::f64) != doubles) {
                    continue;
                }
                if (kind != RegionValueKind::converted) {
                    const bool written_out =
                        kind == RegionValueKind::broadcast_row || kind == RegionValueKind::broadcast_document;
                    std::size_t room = written_out ? (tile_ + value.period + tile_cells) * width_of(value.type) : 0;
                    if (kind == RegionValueKind::cells && reduction_ && !reads_exactly_) {
                        room = (std::min(row_, tile_) + tile_cells) * width_of(value.type);  // of the last row
                    }
                    if (kind == RegionValueKind::strided) {
                        strided_cells_.emplace_back(value.nest, value.period, value.type, target_)
                            .set_tile(row_, tile_);
                        room = strided_cells_.back().room();
                    }
                    const bool has_rows = kind != RegionValueKind::broadcast_number &&
                                          kind != RegionValueKind::strided &&
                                          (kind != RegionValueKind::broadcast_document || !documents_are_rows_);
                    number[i] = take_place({0, false, kind != RegionValueKind::broadcast_number, room,
                                            has_rows ? row_ * width_of(value.type) : 0});
                }
                const CellType stored = value.conversion != nullptr        ? value.conversion->from
                                        : value.part != BroadcastPart::all ? CellType::f64
                                                                           : value.type;
                sources_.push_back({value.from, width_of(stored), i, value.conversion, value.period, value.part,
                                    value.is_placed, value.is_of_blocks});
            }
            (doubles ? range.doubles : range.end) = sources_.size();
        }
        return range;
    };
    whole_ = add_sources(RegionValueKind::cells);
    shared_numbers_ = add_sources(RegionValueKind::broadcast_number);
    shared_rows_ = add_sources(RegionValueKind::broadcast_row);
    document_numbers_ = add_sources(RegionValueKind::broadcast_document);
    strided_ = add_sources(RegionValueKind::strided);
    converted_ = add_sources(RegionValueKind::converted);
    for (std::size_t i = 0; i < code.values.size(); ++i) {
        const RegionValue &value = code.values[i];
        if (value.kind == RegionValueKind::constant) {
            number[i] = take_place({add_constant(value), true, false});
        }
    }
    const auto first_room = static_cast<std::uint32_t>(places_.size());
    places_.resize(places_.size() + rooms);
    for (std::size_t i = 0; i < code.values.size(); ++i) {
        const RegionValue &value = code.values[i];
        if (value.has_room()) {
            number[i] = first_room + value.room;
        } else if (value.one_for_all || value.is_aggregated) {
            number[i] = take_place({0, false, false});
        } else if (value.kind == RegionValueKind::computed) {
            number[i] = take_place({0, false, true, 0, row_ * width_of(value.type)});
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
    add_operations(code, number);
    if (reduction_) {
        reduction_->value = number[reduction_->value];
    }

    work_.flops = code.flops;
    work_.per_block = index_ && !code.index_of_shared;
    work_.per_shared_block = code.index_of_shared;
    for (std::size_t i = 0; i < sources_.size(); ++i) {
        const std::size_t cells = shared_numbers_.has(i) || document_numbers_.has(i) ? 1
                                  : shared_rows_.has(i) || strided_.has(i)           ? sources_[i].period
                                                                                     : cells_;
        work_.bytes_read += static_cast<double>(sources_[i].width * cells);
    }
    for (const Output &output : outputs_) {
        work_.bytes_written += static_cast<double>(output.width * cells_);
    }
    if (reduction_) {
        work_.flops += static_cast<double>(cells_);
        const std::size_t rows = cells_ / reduction_->length;
        work_.bytes_written += static_cast<double>(byte_size(reduction_->type) * rows);
    }
}

void RegionStep::find_reduction(RegionCode &code) {
    if (!code.reduction) {
        return;
    }
    reduction_.emplace(Reduction{*code.reduction});
    const RegionOperation &last = code.operations.back();
    if (last.result != reduction_->value || last.kind != RegionOperationKind::elementwise) {
        return;
    }
    const kernels::TileReductions &functions =
        target_.of(code.type_of(last)).reductions[static_cast<std::size_t>(last.elementwise)];
    switch (reduction_->kernel->operation) {
        case kernels::ReduceOperation::sum:
            reduction_->function = code.type_of(last) == CellType::f64 ? functions.sum : nullptr;
            break;
        case kernels::ReduceOperation::float_sum:
            reduction_->function = functions.sum;
            break;
        case kernels::ReduceOperation::max:
            reduction_->function = functions.largest;
            break;
        case kernels::ReduceOperation::min:
            reduction_->function = functions.smallest;
            break;
        case kernels::ReduceOperation::prod:
        case kernels::ReduceOperation::median:
            break;
    }
    code.values[last.result].is_aggregated = reduction_->function != nullptr;
    reads_exactly_ = reduction_->function != nullptr && code.operations.size() == 1;
}

// Tiles have about so many cells, and are some rows of all strided values and of those that become numbers, or part of
// one.
void RegionStep::find_tile(const RegionCode &code, std::size_t wanted, std::size_t room_width) {
    tile_ = (wanted + tile_cells - 1) / tile_cells * tile_cells;
    for (const RegionValue &value : code.values) {
        // Of two rows the shorter one is a part of the longer one: both are made of the last dimensions.
        const std::size_t run = value.nest.run().size;
        if (value.kind == RegionValueKind::strided && run >= tile_cells) {
            row_ = row_ == 0 ? run : std::min(row_, run);
        }
    }
    if (reduction_) {
        row_ = row_ == 0 ? reduction_->length : std::min(row_, reduction_->length);
    }
    if (documents_are_rows_) {
        row_ = row_ == 0 ? cells_ : std::min(row_, cells_);
    }
    whole_row_ = (row_ + tile_cells - 1) / tile_cells * tile_cells;
    if (row_ != 0 && whole_row_ <= tile_) {
        tile_ = tile_ / whole_row_ * whole_row_;
    }
    if (reduction_) {
        find_parts(room_width);
    }
}

// Kernels take as many cells of a row at a time as there may be, and tiles have whole parts.
void RegionStep::find_parts(std::size_t room_width) {
    const std::size_t rows = reduction_->length / row_;
    if (row_ > tile_) {
        reduction_->parts = rows * ((row_ + tile_ - 1) / tile_);
        return;
    }
    std::size_t together = 1;
    const bool follow = whole_row_ == row_ && room_width == byte_size(reduction_->kernel->type);
    if (follow || reads_exactly_) {
        together = std::min(rows, tile_ / whole_row_);
        while (rows % together != 0) {
            --together;
        }
        tile_ = tile_ / (together * whole_row_) * together * whole_row_;
    }
    reduction_->together = together;
    reduction_->parts = rows / together;
}

std::size_t RegionStep::add_constant(const RegionValue &value) {
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

// The memory: the values of whole tiles and of the last cells, the sources, what the strided ones have written, the
// values of a single cell, and what the other values need.
void RegionStep::lay_out(std::uint32_t first_room, std::uint32_t rooms, std::size_t room_width) {
    single_cells_ = 2 * places_.size() * sizeof(TileValue) + sources_.size() * sizeof(const std::byte *) +
                    strided_cells_.size() * sizeof(std::size_t);
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
            place.row_bytes = whole_row_ * room_width;
        } else if (place.room != 0) {
            end += whole_lines(place.room);
        } else {
            end += place.goes_on ? slot_bytes : whole_lines(target_.vector_bytes);
        }
    }
    memory_bytes_ = end;
}

void RegionStep::add_operations(const RegionCode &code, const std::vector<std::uint32_t> &number) {
    std::size_t terms = 0;
    for (const RegionOperation &operation : code.operations) {
        terms += operation.kind == RegionOperationKind::sum_of_products ? operation.operands.size() / 2 : 0;
    }
    terms_.reserve(terms);  // operations point to them
    operations_.reserve(code.operations.size() + code.operations.size() / kernels::operations_between_pauses + 1);
    in_one_row_.reserve(operations_.capacity());
    const auto pause = [&] {
        operations_.emplace_back().function = target_.kernels->pause;
        in_one_row_.push_back(true);
    };
    for (const RegionOperation &operation : code.operations) {
        names_.push_back(code.name_of(operation));
        const auto is_one_row = [&](std::uint32_t value) {
            const Place &place = places_[number[value]];
            return !place.goes_on || place.row_bytes == whole_row_ * byte_size(code.values[value].type);
        };
        const bool in_one_row = std::all_of(operation.operands.begin(), operation.operands.end(), is_one_row) &&
                                is_one_row(operation.result);
        const kernels::TypedTileKernels &typed = target_.of(code.type_of(operation));
        const std::vector<std::uint32_t> &operands = operation.operands;
        if (operations_.size() % (kernels::operations_between_pauses + 1) == kernels::operations_between_pauses) {
            pause();
        }
        in_one_row_.push_back(in_one_row);
        TileOperation &made = operations_.emplace_back();
        made.out = number[operation.result];
        made.in[0] = number[operands[0]];
        switch (operation.kind) {
            case RegionOperationKind::elementwise:
                made.function = typed.operations[static_cast<std::size_t>(operation.elementwise)];
                for (std::size_t i = 1; i < operands.size(); ++i) {
                    made.in[i] = number[operands[i]];
                }
                break;
            case RegionOperationKind::convert:
                made.function = typed.convert;
                break;
            case RegionOperationKind::in_set:
                made.function = typed.in_set;
                made.in[1] = number[operands[1]];
                made.count = static_cast<std::uint32_t>(operands.size() - 1);
                break;
            case RegionOperationKind::choice:
                made.function = typed.choices[static_cast<std::size_t>(operation.comparison)];
                for (std::size_t i = 1; i < operands.size(); ++i) {
                    made.in[i] = number[operands[i]];
                }
                break;
            case RegionOperationKind::sum_of_products:
                made.function = typed.sum_of_products;
                made.terms = terms_.data() + terms_.size();
                made.count = static_cast<std::uint32_t>(operands.size() / 2);
                for (std::size_t i = 0; i < operands.size(); i += 2) {
                    terms_.push_back({number[operands[i]], number[operands[i + 1]]});
                }
                break;
        }
    }
    if (reduction_ && reduction_->function != nullptr) {
        in_one_row_.pop_back();
    }
    operations_.emplace_back().function = target_.kernels->end;
}

std::string RegionStep::kernel() const {
    const std::string tiles = std::string(name(target_.target)) + "::tile_*";
    return reduction_ ? fmt::format("{}, {}", tiles, full_name(*reduction_->kernel)) : tiles;
}

std::vector<std::string> RegionStep::names() const {
    std::vector<std::string> names = names_;
    if (reduction_) {
        names.push_back(fmt::format("{} of rows of {} cells", info(reduction_->aggregator).name, reduction_->length));
    }
    return names;
}

std::string RegionStep::describe() const {
    const std::vector<std::string> all = names();
    return all.size() <= most_names ? fmt::format("{}", fmt::join(all, ", "))
                                    : fmt::format("{} operations on cells", all.size());
}

std::string RegionStep::parts() const {
    const std::vector<std::string> all = names();
    return all.size() <= most_names ? std::string() : fmt::format("{}", fmt::join(all, ", "));
}

}  // namespace tenrex::program
