// tenrex._core.TensorType and tenrex._core.Tensor: values with their memory.
#include <array>
#include <cstring>
#include <vector>

#include <tenrex/formats.h>
#include <tenrex/language.h>
#include <tenrex/tensor.h>
#include <tenrex/tensor_type.h>

#include "python/core/buffer_format.h"
#include "python/core/python.h"

namespace tenrex::python {

namespace {

// A buffer without memory still needs an address.
std::byte nothing[64];

py::buffer_info buffer_of(const Tensor &tensor) {
    const TensorType &type = tensor.type();
    std::vector<py::ssize_t> shape;
    if (type.has_mapped()) {
        shape.push_back(static_cast<py::ssize_t>(tensor.blocks()));
    }
    for (const Dimension &dimension : type.dimensions()) {
        if (dimension.is_indexed()) {
            shape.push_back(static_cast<py::ssize_t>(dimension.size));
        }
    }
    const auto bytes = static_cast<py::ssize_t>(byte_size(type.cell_type()));
    std::vector<py::ssize_t> strides(shape.size());
    py::ssize_t stride = bytes;
    for (std::size_t i = shape.size(); i-- > 0;) {
        strides[i] = stride;
        stride *= shape[i];
    }
    const void *cells = tensor.view().cells();
    // pybind11 asks for memory that may be written, and is told that it may not.
    void *const address = cells == nullptr ? nothing : const_cast<void *>(cells);
    return {
        address, bytes, std::string(1, buffer_format(type.cell_type())), static_cast<py::ssize_t>(shape.size()), shape,
        strides, true};
}

// addresses: for each block its labels, or None if the type has no mapped dimension.
Tensor build(const TensorType &type, const py::object &addresses, const py::object &cells) {
    BufferView view;
    view.borrow_bytes(cells);
    const std::size_t block_bytes = type.block_cells() * byte_size(type.cell_type());
    TensorBuilder builder(type);
    if (!type.has_mapped()) {
        if (view.bytes() != block_bytes) {
            raise("the cells take " + std::to_string(view.bytes()) + " bytes, " + type.to_string() + " takes " +
                  std::to_string(block_bytes));
        }
        std::memcpy(builder.cells(0), view->buf, block_bytes);
        return std::move(builder).build();
    }
    const py::sequence list(addresses);
    if (view.bytes() != list.size() * block_bytes) {
        raise("there are " + std::to_string(list.size()) + " addresses and " + std::to_string(view.bytes()) +
              " bytes of cells; " + type.to_string() + " takes " + std::to_string(block_bytes) + " for each");
    }
    builder.reserve(list.size());
    std::vector<std::string> texts(type.mapped_count());
    std::vector<std::string_view> address(type.mapped_count());
    const auto *from = static_cast<const std::byte *>(view->buf);
    for (const py::handle entry : list) {
        const py::sequence labels = py::reinterpret_borrow<py::sequence>(entry);
        if (labels.size() != address.size()) {
            raise("an address has " + std::to_string(labels.size()) + " labels, " + type.to_string() + " has " +
                  std::to_string(address.size()) + " mapped dimensions");
        }
        for (std::size_t i = 0; i < address.size(); ++i) {
            texts[i] = from_python(labels[i]);
            if (texts[i].empty()) {
                raise("a label is empty", "labels have at least one character");
            }
            address[i] = texts[i];
        }
        if (builder.has_block(address)) {
            raise("the label " + quoted_label(texts.back()) + " occurs twice",
                  "a label that is a number and its text, such as 1 and \"1\", are the same");
        }
        std::memcpy(builder.cells(builder.block(address)), from, block_bytes);
        from += block_bytes;
    }
    return std::move(builder).build();
}

py::list addresses_of(const Tensor &tensor) {
    py::list result;
    const std::size_t count = tensor.type().mapped_count();
    for (std::size_t block = 0; block < tensor.blocks(); ++block) {
        py::tuple address(count);
        for (std::size_t i = 0; i < count; ++i) {
            address[i] = to_python(tensor.label(block, i));
        }
        result.append(address);
    }
    return result;
}

py::list dimensions_of(const TensorType &type) {
    py::list result;
    for (const Dimension &dimension : type.dimensions()) {
        result.append(py::make_tuple(to_python(dimension.name),
                                     dimension.is_mapped() ? py::object(py::none()) : py::int_(dimension.size)));
    }
    return result;
}

// float32 cells to bfloat16 cells, as the language converts them.
void to_bfloat16(const py::object &from, const py::object &to) {
    BufferView source, target;
    source.borrow_bytes(from);
    target.borrow_bytes(to, true);
    if (source.bytes() != 2 * target.bytes()) {
        raise("as many bfloat16 cells as float cells are needed");
    }
    const auto *read = static_cast<const float *>(source->buf);
    auto *write = static_cast<BFloat16 *>(target->buf);
    for (std::size_t i = 0; i < target.bytes() / sizeof(BFloat16); ++i) {
        write[i] = BFloat16(read[i]);
    }
}

void bind_type(py::module_ &module) {
    py::class_<TensorType>(module, "TensorType")
        .def(py::init([](const py::str &text) { return require(TensorType::parse(from_python(text))); }))
        .def_static(
            "make",
            [](const py::str &cell_type, const py::list &dimensions) {
                const auto cells = cell_type_from_name(from_python(cell_type));
                if (!cells) {
                    raise("there is no cell type '" + from_python(cell_type) + "'",
                          "the cell types are double, float, bfloat16 and int8");
                }
                std::vector<Dimension> made;
                for (const py::handle entry : dimensions) {
                    const py::tuple pair = py::reinterpret_borrow<py::tuple>(entry);
                    made.push_back({from_python(pair[0]), pair[1].is_none() ? 0 : py::cast<std::uint64_t>(pair[1])});
                }
                return require(TensorType::make(*cells, std::move(made)));
            })
        .def("__str__", [](const TensorType &type) { return to_python(type.to_string()); })
        .def_property_readonly("cell_type", [](const TensorType &type) { return to_python(name(type.cell_type())); })
        .def_property_readonly("dimensions", &dimensions_of)
        .def_property_readonly("block_cells", &TensorType::block_cells)
        .def("same", [](const TensorType &a, const TensorType &b) { return a == b; });
}

void bind_tensor(py::module_ &module) {
    py::class_<Tensor>(module, "Tensor", py::buffer_protocol())
        .def_buffer([](Tensor &tensor) { return buffer_of(tensor); })
        .def_static("build", &build)
        .def_static("string", [](const py::str &text) { return Tensor::string(from_python(text)); })
        .def_static("from_literal", [](const py::str &text) { return require(from_literal(from_python(text))); })
        .def_static(
            "from_literal_of",
            [](const py::str &text, const TensorType &type) { return require(from_literal(from_python(text), type)); })
        .def_static("from_json", [](const py::str &text) { return require(from_json(from_python(text))); })
        .def_static("from_binary",
                    [](const py::object &bytes) {
                        BufferView view;
                        view.borrow_bytes(bytes);
                        return require(from_binary({static_cast<const std::byte *>(view->buf), view.bytes()}));
                    })
        .def("to_literal",
             [](const Tensor &tensor, bool verbose) {
                 return to_python(to_literal(tensor, verbose ? LiteralStyle::verbose : LiteralStyle::shortest));
             })
        .def("to_json", [](const Tensor &tensor) { return to_python(to_json(tensor)); })
        .def("to_binary",
             [](const Tensor &tensor) {
                 const std::vector<std::byte> bytes = to_binary(tensor.view());
                 return py::bytes(reinterpret_cast<const char *>(bytes.data()), bytes.size());
             })
        .def_property_readonly("type", [](const Tensor &tensor) { return tensor.type(); })
        .def_property_readonly("blocks", &Tensor::blocks)
        .def_property_readonly("addresses", &addresses_of)
        .def("number", &Tensor::as_double)
        .def("same", [](const Tensor &a, const Tensor &b) { return a == b; });
}

py::list help_of(const std::vector<FunctionHelp> &functions) {
    py::list result;
    for (const FunctionHelp &function : functions) {
        result.append(py::make_tuple(to_python(function.name), to_python(function.signature),
                                     to_python(function.summary), to_python(function.example)));
    }
    return result;
}

}  // namespace

void bind_types(py::module_ &module) {
    bind_type(module);
    bind_tensor(module);
    module.def("to_bfloat16", &to_bfloat16);
    module.def("string_number", [](const py::str &text) { return string_number(from_python(text)); });
    module.def("functions", [] { return help_of(functions()); });
}

}  // namespace tenrex::python
