// tenrex._core.ArrowNode: columns that other libraries lend through Arrow's C data interface, without a copy.
//
// Python passes the structures below in capsules. Who takes them must release them; here that is the last node or
// buffer that refers to them.
#include <cstdint>
#include <memory>

#include "python/core/python.h"

extern "C" {

// The layouts that the interface prescribes.
struct ArrowSchema {
    const char *format;
    const char *name;
    const char *metadata;
    std::int64_t flags;
    std::int64_t n_children;
    ArrowSchema **children;
    ArrowSchema *dictionary;
    void (*release)(ArrowSchema *);
    void *private_data;
};

struct ArrowArray {
    std::int64_t length;
    std::int64_t null_count;
    std::int64_t offset;
    std::int64_t n_buffers;
    std::int64_t n_children;
    const void **buffers;
    ArrowArray **children;
    ArrowArray *dictionary;
    void (*release)(ArrowArray *);
    void *private_data;
};

struct ArrowArrayStream {
    int (*get_schema)(ArrowArrayStream *, ArrowSchema *);
    int (*get_next)(ArrowArrayStream *, ArrowArray *);
    const char *(*get_last_error)(ArrowArrayStream *);
    void (*release)(ArrowArrayStream *);
    void *private_data;
};

}  // extern "C"

namespace tenrex::python {

namespace {

// A structure of the interface, released at the end.
template <class T>
struct Owned {
    T content{};

    Owned() = default;
    explicit Owned(T *from) : content(*from) { from->release = nullptr; }  // moved, as the interface says
    Owned(const Owned &) = delete;
    Owned &operator=(const Owned &) = delete;
    ~Owned() {
        if (content.release != nullptr) {
            content.release(&content);
        }
    }
};

template <class T>
T *content_of(const py::capsule &capsule, const char *name) {
    auto *content = static_cast<T *>(PyCapsule_GetPointer(capsule.ptr(), name));
    if (content == nullptr) {
        throw py::error_already_set();
    }
    if (content->release == nullptr) {
        raise("the Arrow data of this capsule was taken before");
    }
    return content;
}

// An array of the tree, with all that keeps it valid.
struct Node {
    std::shared_ptr<Owned<ArrowSchema>> schemas;
    std::shared_ptr<Owned<ArrowArray>> arrays;
    const ArrowSchema *schema;
    const ArrowArray *array;

    Node at(const ArrowSchema *of_schema, const ArrowArray *of_array) const {
        return {schemas, arrays, of_schema, of_array};
    }
};

// A buffer of an array, which Python may read as bytes.
struct Bytes {
    std::shared_ptr<Owned<ArrowArray>> arrays;
    const void *address;
    py::ssize_t size;
};

py::object bytes_of(const Node &node, std::int64_t index, py::ssize_t size) {
    if (index < 0 || index >= node.array->n_buffers || size < 0) {
        throw py::index_error("there is no such Arrow buffer");
    }
    const void *address = node.array->buffers[index];
    if (address == nullptr) {
        if (size != 0 && index != 0) {
            raise("an Arrow buffer is missing");
        }
        return py::none();  // of the validity bits: there are no nulls
    }
    return py::cast(Bytes{node.arrays, address, size});
}

// What stands in for the arrays of a stream without chunks.
const ArrowArray no_rows{};

Node child_of(const Node &node, std::int64_t index) {
    if (index < 0 || index >= node.schema->n_children) {
        throw py::index_error("there is no such Arrow child");
    }
    if (node.array->length == 0 && node.array->n_children == 0) {
        return node.at(node.schema->children[index], &no_rows);
    }
    if (index >= node.array->n_children) {
        throw py::index_error("an Arrow array has fewer children than its type");
    }
    return node.at(node.schema->children[index], node.array->children[index]);
}

Node import_array(const py::capsule &schema, const py::capsule &array) {
    const auto schemas = std::make_shared<Owned<ArrowSchema>>(content_of<ArrowSchema>(schema, "arrow_schema"));
    const auto arrays = std::make_shared<Owned<ArrowArray>>(content_of<ArrowArray>(array, "arrow_array"));
    return {schemas, arrays, &schemas->content, &arrays->content};
}

// All arrays of a stream.
py::list import_stream(const py::capsule &capsule) {
    Owned<ArrowArrayStream> stream(content_of<ArrowArrayStream>(capsule, "arrow_array_stream"));
    const auto check = [&](int status) {
        if (status != 0) {
            const char *reason = stream.content.get_last_error(&stream.content);
            raise(std::string("the Arrow stream failed: ") + (reason == nullptr ? "it says no reason" : reason));
        }
    };
    const auto schemas = std::make_shared<Owned<ArrowSchema>>();
    check(stream.content.get_schema(&stream.content, &schemas->content));
    py::list nodes;
    while (true) {
        const auto arrays = std::make_shared<Owned<ArrowArray>>();
        int status = 0;
        {
            const py::gil_scoped_release released;
            status = stream.content.get_next(&stream.content, &arrays->content);
        }
        check(status);
        if (arrays->content.release == nullptr) {
            break;
        }
        nodes.append(Node{schemas, arrays, &schemas->content, &arrays->content});
    }
    if (nodes.empty()) {
        nodes.append(Node{schemas, nullptr, &schemas->content, &no_rows});  // it tells the type
    }
    return nodes;
}

}  // namespace

void bind_arrow(py::module_ &module) {
    py::class_<Bytes>(module, "ArrowBytes", py::buffer_protocol()).def_buffer([](Bytes &bytes) {
        return py::buffer_info(const_cast<void *>(bytes.address), 1, "B", 1, {bytes.size}, {py::ssize_t{1}}, true);
    });
    py::class_<Node>(module, "ArrowNode")
        .def_property_readonly("format", [](const Node &node) { return to_python(node.schema->format); })
        .def_property_readonly(
            "name", [](const Node &node) { return to_python(node.schema->name == nullptr ? "" : node.schema->name); })
        .def_property_readonly("length", [](const Node &node) { return node.array->length; })
        .def_property_readonly("offset", [](const Node &node) { return node.array->offset; })
        .def_property_readonly("null_count", [](const Node &node) { return node.array->null_count; })
        .def_property_readonly("children", [](const Node &node) { return node.schema->n_children; })
        .def_property_readonly("buffers", [](const Node &node) { return node.array->n_buffers; })
        .def_property_readonly("has_dictionary", [](const Node &node) { return node.schema->dictionary != nullptr; })
        .def_property_readonly(
            "dictionary", [](const Node &node) { return node.at(node.schema->dictionary, node.array->dictionary); })
        .def("child", &child_of)
        .def("buffer", &bytes_of);
    module.def("import_array", &import_array);
    module.def("import_stream", &import_stream);
}

}  // namespace tenrex::python
