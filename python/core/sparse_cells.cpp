#include "python/core/sparse_cells.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <string>

#include <tenrex/formats.h>

namespace tenrex::python {

namespace {

std::vector<std::uint64_t> numbers_of(const py::object &object, const char *what) {
    BufferView view;
    view.borrow_bytes(object);
    if (view.bytes() % sizeof(std::uint64_t) != 0) {
        raise(std::string("the ") + what + " are no 64-bit numbers");
    }
    std::vector<std::uint64_t> numbers(view.bytes() / sizeof(std::uint64_t));
    if (!numbers.empty()) {
        std::memcpy(numbers.data(), view->buf, view.bytes());
    }
    return numbers;
}

// The buffer for the ids of so many labels.
std::span<Label> room_for(BufferView &view, const py::object &ids, std::size_t count) {
    view.borrow_bytes(ids, true);
    if (view.bytes() != count * sizeof(Label)) {
        raise("there is no room for " + std::to_string(count) + " labels");
    }
    return {static_cast<Label *>(view->buf), count};
}

}  // namespace

Label LabelHolder::hold(std::string_view text) {
    if (text.empty()) {
        raise("a label is empty", "labels have at least one character");
    }
    return held_.hold(text);
}

void LabelHolder::hold(const py::sequence &labels, const py::object &ids) {
    BufferView view;
    const std::span<Label> room = room_for(view, ids, labels.size());
    for (std::size_t i = 0; i < room.size(); ++i) {
        const py::object label = labels[i];
        room[i] = hold(PyUnicode_Check(label.ptr()) ? from_python(label) : std::string(py::str(label)));
    }
}

void LabelHolder::hold_texts(const py::object &offsets, const py::object &bytes, const py::object &ids) {
    const std::vector<std::uint64_t> places = numbers_of(offsets, "offsets of the texts");
    BufferView text, view;
    text.borrow_bytes(bytes);
    const std::span<Label> room = room_for(view, ids, places.empty() ? 0 : places.size() - 1);
    const std::string_view all(static_cast<const char *>(text->buf), text.bytes());
    for (std::size_t i = 0; i < room.size(); ++i) {
        if (places[i] > places[i + 1] || places[i + 1] > all.size()) {
            raise("the offsets of the texts do not ascend within them");
        }
        room[i] = hold(all.substr(places[i], places[i + 1] - places[i]));
    }
}

SparseCells::SparseCells(const TensorType &type, std::shared_ptr<LabelHolder> holder, const py::object &offsets,
                         const py::object &labels, const py::object &cells, bool single)
    : type_(type), holder_(std::move(holder)), single_(single), offsets_(numbers_of(offsets, "offsets")) {
    if (!type_.has_mapped() || offsets_.empty() || offsets_.front() != 0 ||
        !std::is_sorted(offsets_.begin(), offsets_.end())) {
        raise("the offsets must begin with 0 and ascend, for a type with mapped dimensions");
    }
    const std::vector<std::uint64_t> ids = numbers_of(labels, "labels");
    borrowed_.borrow_bytes(cells);
    if (ids.size() != blocks() * type_.mapped_count()) {
        raise("there are " + std::to_string(ids.size()) + " labels for " + std::to_string(blocks()) + " blocks of " +
              type_.to_string());
    }
    if (borrowed_.bytes() != blocks() * type_.block_cells() * byte_size(type_.cell_type())) {
        raise("there are " + std::to_string(borrowed_.bytes()) + " bytes of cells for " + std::to_string(blocks()) +
              " blocks of " + type_.to_string());
    }
    labels_.resize(ids.size());
    std::transform(ids.begin(), ids.end(), labels_.begin(), [](std::uint64_t id) { return Label{id}; });
    put_in_order();
}

SparseCells::SparseCells(const TensorType &type, std::shared_ptr<LabelHolder> holder, SparseBlocks blocks, bool single)
    : type_(type),
      holder_(std::move(holder)),
      single_(single),
      offsets_(std::move(blocks.offsets)),
      labels_(std::move(blocks.labels)),
      own_cells_(std::move(blocks.cells)) {
    put_in_order();
}

// Sorts the blocks of each document by their addresses, which shows those that occur twice; plans search sorted ones.
void SparseCells::put_in_order() {
    const std::size_t width = type_.mapped_count();
    const auto compare = [&](std::uint64_t a, std::uint64_t b) {
        return std::lexicographical_compare_three_way(
            labels_.begin() + static_cast<std::ptrdiff_t>(a * width),
            labels_.begin() + static_cast<std::ptrdiff_t>((a + 1) * width),
            labels_.begin() + static_cast<std::ptrdiff_t>(b * width),
            labels_.begin() + static_cast<std::ptrdiff_t>((b + 1) * width),
            [](Label x, Label y) { return static_cast<std::uint64_t>(x) <=> static_cast<std::uint64_t>(y); });
    };
    std::vector<std::uint64_t> order(blocks());
    std::iota(order.begin(), order.end(), std::uint64_t{0});
    for (std::size_t document = 0; document < documents(); ++document) {
        const auto begin = order.begin() + static_cast<std::ptrdiff_t>(offsets_[document]);
        const auto end = order.begin() + static_cast<std::ptrdiff_t>(offsets_[document + 1]);
        std::sort(begin, end, [&](std::uint64_t a, std::uint64_t b) { return compare(a, b) < 0; });
        const auto twice =
            std::adjacent_find(begin, end, [&](std::uint64_t a, std::uint64_t b) { return compare(a, b) == 0; });
        if (twice != end) {
            raise("document " + std::to_string(document) + " has the label " +
                      quoted_label(holder_->table()->text(labels_[(*twice + 1) * width - 1])) + " twice",
                  "each block of a document has an address of its own");
        }
    }
    if (std::is_sorted(order.begin(), order.end())) {
        return;
    }
    const std::size_t bytes = type_.block_cells() * byte_size(type_.cell_type());
    std::vector<Label> labels;
    labels.reserve(labels_.size());
    std::vector<std::byte> moved(order.size() * bytes);
    for (std::size_t i = 0; i < order.size(); ++i) {
        const auto from = labels_.begin() + static_cast<std::ptrdiff_t>(order[i] * width);
        labels.insert(labels.end(), from, from + static_cast<std::ptrdiff_t>(width));
        std::memcpy(moved.data() + i * bytes, cells() + order[i] * bytes, bytes);
    }
    labels_ = std::move(labels);
    own_cells_ = std::move(moved);
    borrowed_.release();
}

const std::byte *SparseCells::cells() const noexcept {
    return borrowed_->obj != nullptr ? static_cast<const std::byte *>(borrowed_->buf) : own_cells_.data();
}

Column SparseCells::column() const noexcept {
    return Column::sparse(offsets_.data(), labels_.data(), cells(), type_.mapped_count() == 1);
}

SparseCells::SparseCells(const SparseCells &all, const std::vector<std::uint64_t> &documents)
    : type_(all.type_), holder_(all.holder_), offsets_(1) {
    const std::size_t width = type_.mapped_count();
    const std::size_t bytes = type_.block_cells() * byte_size(type_.cell_type());
    for (const std::uint64_t document : documents) {
        if (document >= all.documents()) {
            throw py::index_error("there is no document " + std::to_string(document));
        }
        const auto begin = static_cast<std::ptrdiff_t>(all.offsets_[document]);
        const auto end = static_cast<std::ptrdiff_t>(all.offsets_[document + 1]);
        const auto labels = static_cast<std::ptrdiff_t>(width);
        const auto block = static_cast<std::ptrdiff_t>(bytes);
        labels_.insert(labels_.end(), all.labels_.begin() + begin * labels, all.labels_.begin() + end * labels);
        own_cells_.insert(own_cells_.end(), all.cells() + begin * block, all.cells() + end * block);
        offsets_.push_back(offsets_.back() + static_cast<std::uint64_t>(end - begin));
    }
}

std::shared_ptr<SparseCells> SparseCells::take(const py::object &documents) const {
    return std::shared_ptr<SparseCells>(new SparseCells(*this, numbers_of(documents, "documents")));
}

Tensor SparseCells::tensor(std::size_t document) const {
    if (document >= documents()) {
        throw py::index_error("there is no document " + std::to_string(document));
    }
    const std::size_t bytes = type_.block_cells() * byte_size(type_.cell_type());
    TensorBuilder builder(type_);
    std::vector<std::string> texts(type_.mapped_count());
    std::vector<std::string_view> address(texts.size());
    for (std::uint64_t block = offsets_[document]; block < offsets_[document + 1]; ++block) {
        for (std::size_t i = 0; i < texts.size(); ++i) {
            texts[i] = holder_->table()->text(labels_[block * texts.size() + i]);
            address[i] = texts[i];
        }
        std::memcpy(builder.cells(builder.block(address)), cells() + block * bytes, bytes);
    }
    return std::move(builder).build();
}

void bind_labels(py::module_ &module) {
    py::class_<LabelTable, std::shared_ptr<LabelTable>>(module, "LabelTable")
        .def(py::init<>())
        .def_property_readonly("size", &LabelTable::size)
        .def_property_readonly("memory_bytes", &LabelTable::memory_bytes);
    py::class_<LabelHolder, std::shared_ptr<LabelHolder>>(module, "LabelHolder")
        .def(py::init<std::shared_ptr<LabelTable>>())
        .def("hold", py::overload_cast<const py::sequence &, const py::object &>(&LabelHolder::hold))
        .def("hold_texts", &LabelHolder::hold_texts);
    py::class_<SparseCells, std::shared_ptr<SparseCells>>(module, "SparseCells")
        .def(py::init<const TensorType &, std::shared_ptr<LabelHolder>, const py::object &, const py::object &,
                      const py::object &, bool>())
        .def_property_readonly("type", &SparseCells::type)
        .def("__len__", &SparseCells::documents)
        .def("take", &SparseCells::take)
        .def("tensor", &SparseCells::tensor);
}

}  // namespace tenrex::python
