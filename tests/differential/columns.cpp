#include "tests/differential/columns.h"

#include <algorithm>
#include <cstring>
#include <numeric>

namespace tenrex::differential {

using random::RandomExpression;
using random::Source;

namespace {

bool ascend(std::span<const Label> labels) {
    return std::is_sorted(labels.begin(), labels.end(), [](Label a, Label b) {
        return static_cast<std::uint64_t>(a) < static_cast<std::uint64_t>(b);
    });
}

}  // namespace

InputValues::InputValues(const InputDeclaration &input, const RandomExpression &expression, LabelTable &labels,
                         Source source)
    : type_(input.type) {
    const auto found = std::find_if(expression.inputs.begin(), expression.inputs.end(),
                                    [&](const random::RandomInput &known) { return known.name == input.name; });
    const std::size_t mapped = type_.mapped_count();
    const std::size_t block_bytes = type_.block_cells() * byte_size(type_.cell_type());
    const bool sorts = mapped == 1 && source.chance(40);
    ascends_ = mapped == 1;
    for (std::size_t i = 0; i < expression.documents(); ++i) {
        const Tensor &value = found->of_document(i);
        const auto *const cells = static_cast<const std::byte *>(value.view().cells());
        Document &document = documents_.emplace_back();
        document.blocks = value.blocks();
        std::vector<Label> ids;
        for (std::size_t block = 0; block < value.blocks(); ++block) {
            for (std::size_t dimension = 0; dimension < mapped; ++dimension) {
                ids.push_back(labels.intern(value.label(block, dimension)));
            }
        }
        std::vector<std::size_t> order(value.blocks());
        std::iota(order.begin(), order.end(), std::size_t{0});
        if (sorts) {
            std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
                return static_cast<std::uint64_t>(ids[a]) < static_cast<std::uint64_t>(ids[b]);
            });
        }
        for (const std::size_t block : order) {
            document.labels.insert(document.labels.end(), ids.begin() + static_cast<std::ptrdiff_t>(block * mapped),
                                   ids.begin() + static_cast<std::ptrdiff_t>((block + 1) * mapped));
            document.cells.insert(document.cells.end(), cells + block * block_bytes, cells + (block + 1) * block_bytes);
        }
        ascends_ = ascends_ && ascend(document.labels);
    }
    ascends_ = ascends_ && source.chance(70);  // a caller need not say so
}

bool InputValues::is_same_for(std::span<const std::size_t> order) const {
    return std::all_of(order.begin(), order.end(),
                       [&](std::size_t document) { return documents_[document] == documents_[order.front()]; });
}

Columns::Columns(std::span<const InputValues> inputs, std::span<const std::size_t> order, Layout layout, Source source)
    : documents_(order.size()) {
    std::vector<std::size_t> all(order.begin(), order.end());
    if (layout == Layout::any && source.chance(30)) {
        // After other documents.
        first_ = 1 + source.below(3);
        all.insert(all.begin(), first_, order.back());
    }
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        const auto twin = std::find(inputs.begin(), inputs.begin() + static_cast<std::ptrdiff_t>(i), inputs[i]);
        const auto at = static_cast<std::size_t>(twin - inputs.begin());
        if (layout == Layout::any && at < i && inputs[at].ascends() == inputs[i].ascends() && source.chance(70)) {
            columns_.push_back(columns_[at]);
            layouts_.emplace_back("shared");
        } else {
            add(inputs[i], all, layout, source);
        }
    }
}

std::byte *Columns::room(std::size_t bytes, std::size_t offset) {
    // To its end exactly: the address sanitizer sees what reads beyond.
    return cells_.emplace_back(offset + bytes).data() + offset;
}

void Columns::add_sparse(const InputValues &input, std::span<const std::size_t> order, std::size_t offset) {
    std::vector<Label> &labels = labels_.emplace_back();
    std::vector<std::uint64_t> &offsets = offsets_.emplace_back(1, std::uint64_t{0});
    std::size_t bytes = 0;
    for (const std::size_t document : order) {
        bytes += input.bytes(document);
    }
    std::byte *const cells = room(bytes, offset);
    std::byte *to = cells;
    for (const std::size_t document : order) {
        const InputValues::Document &values = input.documents_[document];
        labels.insert(labels.end(), values.labels.begin(), values.labels.end());
        offsets.push_back(offsets.back() + values.blocks);
        to = std::copy(values.cells.begin(), values.cells.end(), to);
    }
    columns_.push_back(Column::sparse(offsets.data(), labels.data(), cells, input.ascends()));
}

void Columns::add(const InputValues &input, std::span<const std::size_t> order, Layout layout, Source &source) {
    const std::size_t width = byte_size(input.type().cell_type());
    const bool any = layout == Layout::any;
    // Cells are aligned to their own size or not at all.
    const std::size_t offset = any && source.chance(40) ? (source.chance(50) ? width : 1 + source.below(7)) : 0;
    if (input.type().has_mapped()) {
        add_sparse(input, order, offset);
        layouts_.emplace_back(std::string(input.ascends() ? "sorted" : "unsorted") +
                              (offset % width == 0 ? "" : " misaligned"));
        return;
    }
    const std::size_t bytes = input.bytes(0);
    const auto copy = [&](std::size_t document, std::byte *to) {
        std::copy(input.documents_[document].cells.begin(), input.documents_[document].cells.end(), to);
    };
    if (any && input.is_same_for(order) && source.chance(60)) {
        std::byte *const cells = room(bytes, offset);
        copy(order.front(), cells);
        columns_.push_back(Column::dense(cells, 0));
        layouts_.emplace_back("one for all");
        return;
    }
    if (any && source.chance(20)) {
        std::vector<std::vector<std::byte>> documents;
        for (const std::size_t document : order) {
            documents.push_back(input.documents_[document].cells);
        }
        fills_.emplace_back([documents, bytes](std::size_t first, std::size_t count, void *cells) {
            for (std::size_t i = 0; i < count; ++i) {
                std::memcpy(static_cast<std::byte *>(cells) + i * bytes, documents[first + i].data(), bytes);
            }
        });
        columns_.push_back(Column::computed(fills_.back()));
        layouts_.emplace_back("computed");
        return;
    }
    const std::size_t gap =
        any && source.chance(40) ? (source.chance(60) ? width * (1 + source.below(20)) : 1 + source.below(9)) : 0;
    const std::size_t stride = bytes + gap;
    std::byte *const cells = room(stride * (order.size() - 1) + bytes, offset);
    const bool backwards = any && source.chance(10);
    for (std::size_t i = 0; i < order.size(); ++i) {
        copy(order[i], cells + stride * (backwards ? order.size() - 1 - i : i));
    }
    const auto step = static_cast<std::ptrdiff_t>(stride);
    columns_.push_back(backwards ? Column::dense(cells + stride * (order.size() - 1), -step)
                                 : Column::dense(cells, step));
    layouts_.emplace_back(std::string(backwards  ? "backwards"
                                      : gap != 0 ? "with gaps"
                                                 : "packed") +
                          ((offset | gap) % width == 0 ? "" : " misaligned"));
}

}  // namespace tenrex::differential
