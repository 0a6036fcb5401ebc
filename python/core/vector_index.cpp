// tenrex._core.VectorIndex: vectors and those that are nearest to others.
#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <vector>

#include <tenrex/nearest_neighbors.h>

#include "python/core/python.h"
#include "tools/rank/parallel.h"

namespace tenrex::python {

namespace {

constexpr std::array<std::string_view, 5> metric_names = {"euclidean", "angular", "prenormalized-angular", "dotproduct",
                                                          "hamming"};
constexpr std::array<std::string_view, 4> cell_names = {"float32", "bfloat16", "int8", "bits"};

// The place of a name in a list.
template <std::size_t count>
std::size_t place_of(const std::array<std::string_view, count> &names, const std::string &name, const char *what) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) {
        std::string hint = "there are";
        for (const std::string_view known : names) {
            hint.append(known == names.front() ? " " : ", ").append(known);
        }
        raise(std::string("there is no ") + what + " '" + name + "'", std::move(hint));
    }
    return static_cast<std::size_t>(found - names.begin());
}

// What a search writes on its way, one for each thread, whatever the index.
SearchMemory &search_memory() {
    static thread_local SearchMemory memory;
    return memory;
}

// Rows of vectors that lie one after the other.
struct Vectors {
    Vectors(const py::object &array, std::size_t dimensions) : dimensions_(dimensions) {
        view_.borrow_bytes(array);
        of_bytes = view_->itemsize == 1;
        rows = view_.bytes() / (dimensions * static_cast<std::size_t>(view_->itemsize));
    }

    template <class T>
    std::span<const T> row(std::size_t index) const noexcept {
        return {static_cast<const T *>(view_->buf) + index * dimensions_, dimensions_};
    }
    template <class T>
    std::span<const T> all() const noexcept {
        return {static_cast<const T *>(view_->buf), rows * dimensions_};
    }

    std::size_t rows = 0;
    bool of_bytes = false;  // int8; else float

private:
    BufferView view_;
    std::size_t dimensions_;
};

// Threads that begin with a task and end with it: those of an index take long.
class Threads : public Executor {
public:
    explicit Threads(std::size_t count) : count_(count) {}
    std::size_t concurrency() const noexcept override { return count_; }
    void parallel_for(std::size_t parts, ParallelTask task) noexcept override {
        tool::run_parallel(parts, parts, [&](std::size_t, std::size_t part) { task(part); });
    }

private:
    std::size_t count_;
};

// Any number of threads search at a time, or one adds or removes.
class SharedIndex {
    // The lock of the interpreter goes first: a thread that has it never waits for one that wants it.
    template <class Call>
    auto reading(Call call) {
        const py::gil_scoped_release released;
        const std::shared_lock lock(mutex_);
        return call();
    }
    template <class Call>
    auto writing(Call call) {
        const py::gil_scoped_release released;
        const std::unique_lock lock(mutex_);
        return call();
    }

public:
    explicit SharedIndex(VectorIndex index) : index_(std::move(index)) {}

    static std::unique_ptr<SharedIndex> create(const py::dict &options) {
        VectorIndexOptions given;
        given.dimensions = py::cast<std::size_t>(options["dimensions"]);
        given.metric = static_cast<DistanceMetric>(place_of(metric_names, from_python(options["metric"]), "metric"));
        given.cells = static_cast<VectorCells>(place_of(cell_names, from_python(options["cells"]), "kind of cells"));
        given.keep_floats = py::cast<bool>(options["keep_floats"]);
        given.links = py::cast<std::size_t>(options["links"]);
        given.explored_when_added = py::cast<std::size_t>(options["explored_when_added"]);
        given.seed = py::cast<std::uint64_t>(options["seed"]);
        return std::make_unique<SharedIndex>(require(VectorIndex::create(given)));
    }

    static std::unique_ptr<SharedIndex> load(const py::str &path, bool map) {
        const std::string name = from_python(path);
        return of([&] {
            const py::gil_scoped_release released;
            return VectorIndex::load(name, map);
        }());
    }

    static std::unique_ptr<SharedIndex> read(const py::object &content) {
        BufferView view;
        view.borrow_bytes(content);
        return of([&] {
            const py::gil_scoped_release released;
            return VectorIndex::read({static_cast<const char *>(view->buf), view.bytes()});
        }());
    }

    void save(const py::str &path) {
        const std::string name = from_python(path);
        require(reading([&] { return index_.save(name); }));
    }

    // The ids. What stands in front of a wrong vector has been added. first, rows: where the vectors are among others.
    py::object add(const py::object &array, std::size_t threads, std::size_t first, std::size_t rows) {
        const Vectors vectors(array, index_.options().dimensions);
        std::vector<std::uint32_t> ids;
        require(writing([&]() -> Status {
            Threads executor(threads);
            const Status status = vectors.of_bytes ? index_.add_many(vectors.all<std::int8_t>(), ids, &executor)
                                                   : index_.add_many(vectors.all<float>(), ids, &executor);
            return status ? status : named(status.error(), "vector", first + ids.size(), rows);
        }));
        return array_of<std::uint32_t>(ids, py::int_(ids.size()), 'I');
    }

    void remove(const std::vector<std::uint32_t> &ids) {
        require(writing([&]() -> Status {
            for (const std::uint32_t id : ids) {
                if (Status status = index_.remove(id); !status) {
                    return status;
                }
            }
            return {};
        }));
    }

    // Ids and distances, for each query as many as are asked for: behind the last that was found come -1 and infinity.
    py::tuple search(const py::object &array, std::size_t count, std::size_t explored, std::size_t rescored,
                     const py::object &allowed, bool exact) {
        const Vectors queries(array, index_.options().dimensions);
        BufferView words;
        NeighborSearch search{count, explored, rescored, {}, exact};
        if (!allowed.is_none()) {
            words.borrow_bytes(allowed);
            search.allowed = {static_cast<const std::uint64_t *>(words->buf), words.bytes() / sizeof(std::uint64_t)};
        }
        const py::tuple shape = py::make_tuple(queries.rows, count);
        py::object ids = empty_array(shape, 'l');
        py::object distances = empty_array(shape, 'd');
        BufferView ids_view, distances_view;
        ids_view.borrow_bytes(ids, true);
        distances_view.borrow_bytes(distances, true);
        auto *const first_id = static_cast<std::int64_t *>(ids_view->buf);
        auto *const first_distance = static_cast<double *>(distances_view->buf);
        const auto write = [&](std::size_t row, const std::vector<Neighbor> &found) {
            for (std::size_t i = 0; i < count; ++i) {
                const std::size_t place = row * count + i;
                first_id[place] = i < found.size() ? std::int64_t{found[i].id} : -1;
                first_distance[place] = i < found.size() ? found[i].distance : std::numeric_limits<double>::infinity();
            }
        };
        require(reading([&]() -> Status {
            if (exact && !queries.of_bytes && queries.rows > 1) {
                const auto found = index_.search_exactly(queries.all<float>(), search);
                for (std::size_t i = 0; found && i < queries.rows; ++i) {
                    write(i, (*found)[i]);
                }
                return found ? Status() : Status(found.error());
            }
            for (std::size_t i = 0; i < queries.rows; ++i) {
                const auto found = queries.of_bytes
                                       ? index_.search(queries.row<std::int8_t>(i), search, search_memory())
                                       : index_.search(queries.row<float>(i), search, search_memory());
                if (!found) {
                    return named(found.error(), "query", i, queries.rows);
                }
                write(i, *found);
            }
            return {};
        }));
        return py::make_tuple(ids, distances);
    }

    py::dict options() const {
        const VectorIndexOptions &options = index_.options();
        py::dict result;
        result["dimensions"] = options.dimensions;
        result["metric"] = metric_names[static_cast<std::size_t>(options.metric)];
        result["cells"] = cell_names[static_cast<std::size_t>(options.cells)];
        result["keep_floats"] = options.keep_floats;
        result["links"] = options.links;
        result["explored_when_added"] = options.explored_when_added;
        result["seed"] = options.seed;
        return result;
    }

    std::size_t size() {
        return reading([&] { return index_.size(); });
    }
    std::size_t end_id() {
        return reading([&] { return index_.end_id(); });
    }
    std::size_t memory_bytes() {
        return reading([&] { return index_.memory_bytes(); });
    }
    bool contains(std::uint32_t id) {
        return reading([&] { return index_.contains(id); });
    }

private:
    static std::unique_ptr<SharedIndex> of(Result<VectorIndex> index) {
        return std::make_unique<SharedIndex>(require(std::move(index)));
    }

    static Error named(Error error, const char *what, std::size_t index, std::size_t rows) {
        if (rows > 1) {
            error.set_source_name(std::string(what) + " " + std::to_string(index));
        }
        return error;
    }

    VectorIndex index_;
    std::shared_mutex mutex_;
};

}  // namespace

void bind_indexes(py::module_ &module) {
    py::class_<SharedIndex>(module, "VectorIndex")
        .def_static("create", &SharedIndex::create)
        .def_static("load", &SharedIndex::load)
        .def_static("read", &SharedIndex::read)
        .def("save", &SharedIndex::save)
        .def("add", &SharedIndex::add)
        .def("remove", &SharedIndex::remove)
        .def("search", &SharedIndex::search)
        .def("contains", &SharedIndex::contains)
        .def_property_readonly("options", &SharedIndex::options)
        .def_property_readonly("size", &SharedIndex::size)
        .def_property_readonly("end_id", &SharedIndex::end_id)
        .def_property_readonly("memory_bytes", &SharedIndex::memory_bytes);
}

}  // namespace tenrex::python
