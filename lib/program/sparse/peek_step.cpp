#include "lib/program/sparse/peek_step.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>
#include <type_traits>

#include "lib/program/copy_bytes.h"
#include "lib/program/sparse/index_writer.h"
#include "lib/support/format.h"

namespace tenrex::program {

namespace {

std::vector<std::uint16_t> first_numbers(std::size_t count) {
    std::vector<std::uint16_t> numbers(count);
    for (std::size_t i = 0; i < count; ++i) {
        numbers[i] = static_cast<std::uint16_t>(i);
    }
    return numbers;
}

}  // namespace

PeekStep::PeekStep(Shape shape)
    : shape_(std::move(shape)),
      key_positions_(first_numbers(shape_.key.size())),
      target_positions_(first_numbers(shape_.labels.size())),
      may_repeat_(shape_.nest.runs() * shape_.nest.run().size > 1),
      one_label_(is_one_label()) {}

std::string PeekStep::describe() const {
    return fmt::format("peek at {} labels, {} of them computed", shape_.key.size(), shape_.choosers.size());
}

const Blocks *PeekStep::choosers_in(Frame &frame) const {
    auto *const choosers =
        reinterpret_cast<Blocks *>(frame.scratch->bytes.room(shape_.choosers.size() * sizeof(Blocks)));
    for (std::size_t i = 0; i < shape_.choosers.size(); ++i) {
        std::construct_at(choosers + i, frame, shape_.choosers[i].cells);
    }
    return choosers;
}

std::ptrdiff_t *PeekStep::offsets_in(Frame &frame) const {
    const std::size_t arrays = shape_.nest.run().strides.size();
    std::ptrdiff_t *const offsets = frame.scratch->offsets.room(arrays);
    std::fill_n(offsets, arrays, 0);
    return offsets;
}

// One run over the documents of a frame.
class PeekStep::Run {
public:
    Run(const PeekStep &step, Frame &frame)
        : step_(step),
          shape_(step.shape_),
          frame_(frame),
          operand_(frame.cells(shape_.operand)),
          choosers_(step.choosers_in(frame)),
          offsets_(step.offsets_in(frame)) {
        key_ = frame.scratch->labels.room(shape_.key.size() + shape_.labels.size() + 1);
        address_ = key_ + shape_.key.size();
        if (shape_.target.index) {
            writer_.emplace(frame, shape_.target.index, shape_.labels.size());
            most_blocks_ = frame.most_cells / std::max<std::size_t>(1, shape_.target.bytes / sizeof(double));
        }
    }
    void run();

private:
    void choose(std::size_t document, std::size_t chooser_block);
    // Copies what the block has at these offsets, in cells.
    void take(std::size_t document, std::uint32_t block, const Label *chooser_address, std::ptrdiff_t target_offset,
              std::ptrdiff_t operand_offset);
    // Null if the document has as many blocks as the limit allows.
    std::byte *target_block(std::size_t document, std::uint32_t block, const Label *chooser_address);
    void find_blocks(std::size_t document, const Label *chooser_address, std::ptrdiff_t target_offset,
                     std::ptrdiff_t operand_offset);

    const PeekStep &step_;
    const Shape &shape_;
    Frame &frame_;
    const Cells &operand_;
    const Blocks *choosers_;
    std::ptrdiff_t *offsets_;   // of the arrays of the nest
    Label *key_ = nullptr;      // what the operand's blocks must have
    Label *address_ = nullptr;  // of a block of the result
    std::optional<IndexWriter> writer_;
    std::size_t room_ = 0;           // blocks of the target that there is memory for
    std::uint32_t first_ = 0;        // block of the document
    std::uint64_t most_blocks_ = 0;  // of a document
    bool use_table_ = false;
};

void PeekStep::run(Frame &frame) const {
    if (one_label_) {
        run_one_label(frame);
    } else {
        Run(*this, frame).run();
    }
}

void PeekStep::Run::run() {
    Cells &target = frame_.cells(shape_.target.cells);
    if (!writer_) {
        // What is not found stays 0.
        std::memset(target.data, 0, frame_.documents * shape_.target.bytes);
    } else {
        target.data = target.memory().room(1);
    }
    // One choice is found as fast by looking at every block.
    use_table_ = shape_.operand_index && (shape_.table || shape_.chooser_index || step_.may_repeat_);
    for (std::size_t document = 0; document < frame_.documents; ++document) {
        if (use_table_ && !shape_.table) {
            const Index &index = frame_.index(shape_.operand_index);
            frame_.scratch->table.build(index.labels, shape_.operand_width, shape_.key, index.begin(document),
                                        index.end(document));
        }
        if (writer_ && step_.may_repeat_) {
            frame_.scratch->other_table.clear(writer_->labels(), shape_.labels.size(), step_.target_positions_,
                                              writer_->count(), 8);
        }
        if (!shape_.chooser_index) {
            choose(document, document);
        } else {
            const Index &index = frame_.index(shape_.chooser_index);
            for (std::uint32_t block = index.begin(document); block < index.end(document); ++block) {
                choose(document, block);
            }
        }
        if (frame_.too_large) {
            return;
        }
        if (writer_) {
            writer_->end_document();
            first_ = writer_->count();
        }
    }
}

void PeekStep::Run::choose(std::size_t document, std::size_t chooser_block) {
    const Label *const chooser_address =
        shape_.chooser_index ? frame_.index(shape_.chooser_index).labels + chooser_block * shape_.chooser_width
                             : nullptr;
    for (std::size_t i = 0; i < shape_.key.size(); ++i) {
        const KeyLabel &label = shape_.key_labels[i];
        key_[i] = label.from_chooser_index ? chooser_address[label.position] : label.label;
    }
    const auto &run = shape_.nest.run();
    shape_.nest.for_each_run(offsets_, [&] {
        for (std::size_t i = 0; i < run.size; ++i) {
            const auto step = static_cast<std::ptrdiff_t>(i);
            std::ptrdiff_t operand_offset =
                static_cast<std::ptrdiff_t>(shape_.base) + offsets_[1] + step * run.strides[1];
            bool exists = true;
            for (std::size_t c = 0; c < shape_.choosers.size() && exists; ++c) {
                const Chooser &chooser = shape_.choosers[c];
                double number;
                std::memcpy(&number,
                            choosers_[c].at(document, chooser_block) + (offsets_[2 + c] + step * run.strides[2 + c]) *
                                                                           static_cast<std::ptrdiff_t>(sizeof(double)),
                            sizeof(double));
                const std::optional<std::int64_t> whole = truncated(number);
                if (!whole) {
                    exists = false;
                } else if (chooser.stride != 0) {
                    exists = *whole >= 0 && static_cast<std::uint64_t>(*whole) < chooser.size;
                    operand_offset += exists ? *whole * static_cast<std::ptrdiff_t>(chooser.stride) : 0;
                } else {
                    key_[chooser.key] = frame_.labels->find(*whole);
                }
            }
            if (exists) {
                find_blocks(document, chooser_address, offsets_[0] + step * run.strides[0], operand_offset);
            }
        }
    });
}

void PeekStep::Run::find_blocks(std::size_t document, const Label *chooser_address, std::ptrdiff_t target_offset,
                                std::ptrdiff_t operand_offset) {
    if (!shape_.operand_index) {
        take(document, AddressTable::none, chooser_address, target_offset, operand_offset);
        return;
    }
    if (use_table_) {
        const AddressTable &table = shape_.table ? frame_.table(shape_.table) : frame_.scratch->table;
        for (std::uint32_t block = table.first(key_, step_.key_positions_); block != AddressTable::none;
             block = table.next(block)) {
            take(document, block, chooser_address, target_offset, operand_offset);
        }
        return;
    }
    const Index &index = frame_.index(shape_.operand_index);
    const std::size_t width = shape_.operand_width;
    for (std::uint32_t block = index.begin(document); block < index.end(document); ++block) {
        const Label *const address = index.labels + block * width;
        bool equal = true;
        for (std::size_t i = 0; i < shape_.key.size() && equal; ++i) {
            equal = address[shape_.key[i]] == key_[i];
        }
        if (equal) {
            take(document, block, chooser_address, target_offset, operand_offset);
            if (width == shape_.key.size()) {
                return;
            }
        }
    }
}

void PeekStep::Run::take(std::size_t document, std::uint32_t block, const Label *chooser_address,
                         std::ptrdiff_t target_offset, std::ptrdiff_t operand_offset) {
    std::byte *const target = target_block(document, block, chooser_address);
    if (target == nullptr) {
        return;
    }
    const std::byte *const source = block == AddressTable::none
                                        ? operand_.data + static_cast<std::ptrdiff_t>(document) * operand_.stride
                                        : operand_.data + block * shape_.operand_bytes;
    const auto bytes = static_cast<std::ptrdiff_t>(shape_.cell_bytes);
    shape_.rest.run(target + target_offset * bytes, source + operand_offset * bytes);
}

std::byte *PeekStep::Run::target_block(std::size_t document, std::uint32_t block, const Label *chooser_address) {
    Cells &target = frame_.cells(shape_.target.cells);
    if (!writer_) {
        return target.data + document * shape_.target.bytes;
    }
    const Label *const operand_address = block == AddressTable::none
                                             ? nullptr
                                             : frame_.index(shape_.operand_index).labels + block * shape_.operand_width;
    for (std::size_t i = 0; i < shape_.labels.size(); ++i) {
        address_[i] = (shape_.labels[i].from_operand ? operand_address : chooser_address)[shape_.labels[i].position];
    }
    AddressTable &known = frame_.scratch->other_table;
    std::uint32_t number = AddressTable::none;
    if (step_.may_repeat_) {
        number = known.first(address_, step_.target_positions_);
    }
    if (number == AddressTable::none) {
        number = writer_->count();
        if (number - first_ >= most_blocks_) {
            frame_.too_large = true;
            return nullptr;
        }
        std::copy_n(address_, shape_.labels.size(), writer_->add());
        if (step_.may_repeat_) {
            known.moved(writer_->labels());
            known.add(number);
        }
        if (number >= room_) {
            const std::size_t wanted = std::max<std::size_t>(16, 2 * room_);
            target.data = target.memory().grow(wanted * shape_.target.bytes, room_ * shape_.target.bytes);
            room_ = wanted;
        }
        std::memset(target.data + number * shape_.target.bytes, 0, shape_.target.bytes);
    }
    return target.data + number * shape_.target.bytes;
}

}  // namespace tenrex::program
