#include "lib/program/sparse/fill_step.h"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "lib/program/sparse/index_writer.h"

namespace tenrex::program {

namespace {

std::vector<std::uint16_t> all_positions(std::size_t width) {
    std::vector<std::uint16_t> positions(width);
    std::iota(positions.begin(), positions.end(), std::uint16_t{0});
    return positions;
}

}  // namespace

FillStep::FillStep(IndexedCells operand, IndexSlot wanted, std::size_t wanted_width,
                   std::vector<std::uint16_t> positions, Target target)
    : operand_(operand),
      wanted_(wanted),
      wanted_width_(wanted_width),
      positions_(std::move(positions)),
      key_(all_positions(positions_.size())),
      target_(target) {}

void FillStep::run(Frame &frame) const {
    const std::size_t width = key_.size();
    const Index &operand = frame.index(operand_.index);
    const Index &wanted = frame.index(wanted_);
    const std::byte *const operand_cells = frame.cells(operand_.cells).data;
    std::byte *const cells = room_for(frame, target_, blocks_of(frame, operand) + blocks_of(frame, wanted));
    IndexWriter writer(frame, target_.index, width);
    AddressTable &known = frame.scratch->table;
    for (std::size_t document = 0; document < frame.documents; ++document) {
        const std::uint32_t own = operand.end(document) - operand.begin(document);
        const std::uint32_t more = wanted.end(document) - wanted.begin(document);
        writer.reserve(own + more);
        known.clear(writer.labels(), width, key_, writer.count(), own + more);
        if (own != 0) {
            std::memcpy(cells + writer.count() * target_.bytes, operand_cells + operand.begin(document) * target_.bytes,
                        own * target_.bytes);
        }
        for (std::uint32_t block = operand.begin(document); block < operand.end(document); ++block) {
            std::copy_n(operand.labels + block * width, width, writer.add());
            known.add(writer.count() - 1);
        }
        for (std::uint32_t block = wanted.begin(document); block < wanted.end(document); ++block) {
            const Label *const address = wanted.labels + block * wanted_width_;
            if (known.first(address, positions_) == AddressTable::none) {
                std::memset(cells + writer.count() * target_.bytes, 0, target_.bytes);
                Label *const labels = writer.add();
                for (std::size_t i = 0; i < width; ++i) {
                    labels[i] = address[positions_[i]];
                }
                known.add(writer.count() - 1);
            }
        }
        writer.end_document();
    }
}

}  // namespace tenrex::program
