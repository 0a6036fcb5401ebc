#include "python/core/plain_values.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <utility>

#include "python/core/array_view.h"

namespace tenrex::python {

namespace {

bool is_list(PyObject *value) noexcept {
    return PyList_CheckExact(value) || PyTuple_CheckExact(value);
}

// Calls use(element) for each element of a list or a tuple until it returns false. A number of numpy may run code that
// changes the list, so its size is asked for again, and its elements are held.
template <class Use>
bool each_element(PyObject *list, const Use &use) {
    for (py::ssize_t i = 0; i < PySequence_Fast_GET_SIZE(list); ++i) {
        if (!use(py::reinterpret_borrow<py::object>(PySequence_Fast_GET_ITEM(list, i)).ptr())) {
            return false;
        }
    }
    return true;
}

// How many lists are one in the other, and axes of an array within them; at most a few more than `most`.
std::size_t depth_of(PyObject *value, std::size_t most) {
    if (is_plain_array(value)) {
        ArrayView view;
        return view.borrow(value) ? view.shape().size() : 0;
    }
    if (most == 0 || !is_list(value)) {
        return 0;
    }
    std::size_t inner = 0;
    each_element(value, [&](PyObject *element) {
        inner = depth_of(element, most - 1);
        return element == Py_None;  // missing: the next one tells
    });
    return 1 + inner;
}

// Writes values one after the other, as cells of an input.
class CellWriter {
public:
    explicit CellWriter(const InputPort &port) : port_(port), type_(port.declaration->type.cell_type()) {}

    // A value with these axes; false if it is not made of lists, numbers and arrays of that shape.
    bool add(PyObject *value, std::span<const py::ssize_t> shape) {
        if (shape.empty()) {
            if (value == Py_None) {
                return add(std::numeric_limits<double>::quiet_NaN());
            }
            const std::optional<double> number = plain_number(value, port_.is_string);
            return number && (PyFloat_Check(value) || is_rounded_once(*number)) && add(*number);
        }
        if (is_plain_array(value)) {
            return add_array(value, shape);
        }
        py::ssize_t count = 0;
        return is_list(value) &&
               each_element(
                   value,
                   [&](PyObject *element) { return ++count <= shape.front() && add(element, shape.subspan(1)); }) &&
               count == shape.front();
    }
    void add_zeros() { cells_.resize(cells_.size() + static_cast<std::size_t>(port_.block_bytes)); }
    std::vector<std::byte> take() && { return std::move(cells_); }

private:
    // Whether a whole number is no other cell because it was made a double first. Numpy makes cells of it in one step.
    bool is_rounded_once(double number) const noexcept {
        constexpr double exact = 9007199254740992;
        return type_ == CellType::f64 || std::abs(number) <= exact;
    }

    bool add(double number) {
        if (type_ == CellType::i8 && !(number >= -128 && number <= 127 && number == std::rint(number))) {
            return false;
        }
        visit_cell_type(type_, [&]<class T>(T) {
            const T cell = [&] {
                if constexpr (sizeof(T) == sizeof(BFloat16)) {
                    return T(static_cast<float>(number));
                } else {
                    return static_cast<T>(number);
                }
            }();
            const auto *bytes = reinterpret_cast<const std::byte *>(&cell);
            cells_.insert(cells_.end(), bytes, bytes + sizeof(T));
        });
        return true;
    }

    bool add_array(PyObject *value, std::span<const py::ssize_t> shape) {
        ArrayView view;
        if (port_.raw_only || !view.borrow(value) || view.format() != port_.format ||
            !std::ranges::equal(view.shape(), shape) || !view.is_packed(port_.cell_bytes)) {
            return false;
        }
        py::ssize_t bytes = port_.cell_bytes;
        for (const py::ssize_t size : shape) {
            bytes *= size;
        }
        const auto *cells = reinterpret_cast<const std::byte *>(view.data());
        cells_.insert(cells_.end(), cells, cells + bytes);
        return true;
    }

    const InputPort &port_;
    CellType type_;
    std::vector<std::byte> cells_;
};

// Collects the blocks of documents.
class BlockWriter {
public:
    BlockWriter(const InputPort &port, LabelHolder &holder)
        : port_(port), holder_(holder), cells_(port), address_(port.declaration->type.mapped_count()) {}

    // The next document; false if it is not as plain as it must be.
    bool add_document(PyObject *value) {
        const bool is_plain = value == Py_None || (PyDict_CheckExact(value) ? add_blocks(value, 0) : add_rows(value));
        if (!is_plain) {
            return false;
        }
        blocks_.offsets.push_back(blocks_.labels.size() / address_.size());
        return true;
    }
    SparseBlocks take() && {
        blocks_.cells = std::move(cells_).take();
        return std::move(blocks_);
    }

private:
    bool add_blocks(PyObject *dict, std::size_t dimension) {
        PyObject *key = nullptr;
        PyObject *entry = nullptr;
        for (py::ssize_t place = 0; PyDict_Next(dict, &place, &key, &entry) != 0;) {
            const auto block = py::reinterpret_borrow<py::object>(entry);
            const std::optional<Label> label = label_of(key);
            if (!label) {
                return false;
            }
            address_[dimension] = *label;
            if (dimension + 1 < address_.size()) {
                if (!PyDict_CheckExact(block.ptr()) || !add_blocks(block.ptr(), dimension + 1)) {
                    return false;
                }
                continue;
            }
            blocks_.labels.insert(blocks_.labels.end(), address_.begin(), address_.end());
            if (!cells_.add(block.ptr(), port_.shape)) {
                return false;
            }
        }
        return true;
    }

    // Rows have the labels 0, 1, ...
    bool add_rows(PyObject *list) {
        std::uint64_t row = 0;
        return address_.size() == 1 && is_list(list) && each_element(list, [&](PyObject *element) {
                   blocks_.labels.push_back(numeric_label(row++));
                   return cells_.add(element, port_.shape);
               });
    }

    std::optional<Label> label_of(PyObject *key) {
        if (PyLong_CheckExact(key)) {
            const std::int64_t number = PyLong_AsLongLong(key);
            if (number >= 0) {
                return numeric_label(static_cast<std::uint64_t>(number));
            }
            PyErr_Clear();  // too large, or below 0: a text
            return std::nullopt;
        }
        py::ssize_t bytes = 0;
        const char *text = PyUnicode_CheckExact(key) ? PyUnicode_AsUTF8AndSize(key, &bytes) : nullptr;
        if (text == nullptr) {
            PyErr_Clear();
            return std::nullopt;
        }
        return holder_.hold(std::string_view(text, static_cast<std::size_t>(bytes)));
    }

    const InputPort &port_;
    LabelHolder &holder_;
    CellWriter cells_;
    std::vector<Label> address_;
    SparseBlocks blocks_;
};

}  // namespace

std::optional<double> plain_number(PyObject *value, bool is_string) {
    if (is_string) {
        py::ssize_t bytes = 0;
        const char *text = PyUnicode_CheckExact(value) ? PyUnicode_AsUTF8AndSize(value, &bytes) : nullptr;
        if (text != nullptr) {
            return string_number({text, static_cast<std::size_t>(bytes)});
        }
        PyErr_Clear();
        return std::nullopt;
    }
    if (PyFloat_Check(value)) {  // numpy.float64 is one too
        return PyFloat_AS_DOUBLE(value);
    }
    if (PyLong_CheckExact(value) || PyBool_Check(value) || is_array_number(value)) {
        const double number = PyFloat_AsDouble(value);
        if (number != -1 || PyErr_Occurred() == nullptr) {
            return number;
        }
        PyErr_Clear();  // it has too many digits: numpy may know what to do
    }
    return std::nullopt;
}

std::optional<DenseCells> plain_dense_cells(const InputPort &port, PyObject *value) {
    if (!is_list(value)) {
        return std::nullopt;
    }
    const std::size_t axes = port.shape.size();
    const std::size_t depth = depth_of(value, axes + 1);
    CellWriter writer(port);
    DenseCells result;
    if (depth <= axes) {
        // One value for all documents, but for what might as well be documents that are missing.
        const bool is_whole = each_element(value, [](PyObject *element) { return element != Py_None; });
        if (!is_whole || !writer.add(value, port.shape)) {
            return std::nullopt;
        }
    } else {
        result.documents = 0;
        const bool is_plain = each_element(value, [&](PyObject *element) {
            ++*result.documents;
            if (axes > 0 && element == Py_None) {
                writer.add_zeros();
                return true;
            }
            return writer.add(element, port.shape);
        });
        if (!is_plain) {
            return std::nullopt;
        }
    }
    result.cells = std::move(writer).take();
    return result.cells.empty() ? std::nullopt : std::optional(std::move(result));  // nothing would have no place
}

std::shared_ptr<SparseCells> plain_sparse_cells(const InputPort &port, const std::shared_ptr<LabelTable> &table,
                                                PyObject *value) {
    const bool is_single = PyDict_CheckExact(value);
    if (!is_single && !is_list(value)) {
        return nullptr;
    }
    auto holder = std::make_shared<LabelHolder>(table);
    BlockWriter writer(port, *holder);
    const bool is_plain = is_single
                              ? writer.add_document(value)
                              : each_element(value, [&](PyObject *document) { return writer.add_document(document); });
    if (!is_plain) {
        return nullptr;
    }
    return std::make_shared<SparseCells>(port.declaration->type, std::move(holder), std::move(writer).take(),
                                         is_single);
}

}  // namespace tenrex::python
