// The module tenrex._embed: encoders of texts. It is a module of its own since it needs ICU, as tokenizers do, and all
// of the library beside.
#include <algorithm>
#include <atomic>
#include <cstddef>
#include <iterator>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "python/core/python.h"
#include "tools/embed/embedder_settings.h"
#include "tools/embed/embedding_folder.h"
#include "tools/embed/text_embedder.h"
#include "tools/embed/whole_numbers.h"
#include "tools/rank/parallel.h"

namespace tenrex::python {

namespace {

using tool::EmbeddingFolder;
using tool::TextEmbedder;

// An encoder, and what threads that use it need.
class SharedEmbedder {
public:
    explicit SharedEmbedder(TextEmbedder embedder) : embedder_(std::move(embedder)) {}

    const TextEmbedder &embedder() const noexcept { return embedder_; }

    // So many workers for one call.
    std::vector<std::unique_ptr<TextEmbedder::Worker>> take(std::size_t count) {
        std::vector<std::unique_ptr<TextEmbedder::Worker>> workers;
        {
            const std::scoped_lock lock(mutex_);
            while (workers.size() < count && !idle_.empty()) {
                workers.push_back(std::move(idle_.back()));
                idle_.pop_back();
            }
        }
        while (workers.size() < count) {
            workers.push_back(std::make_unique<TextEmbedder::Worker>(embedder_));
        }
        return workers;
    }
    void give_back(std::vector<std::unique_ptr<TextEmbedder::Worker>> workers) {
        const std::scoped_lock lock(mutex_);
        std::move(workers.begin(), workers.end(), std::back_inserter(idle_));
    }

private:
    TextEmbedder embedder_;
    std::mutex mutex_;
    std::vector<std::unique_ptr<TextEmbedder::Worker>> idle_;
};

// What is said in place of the folder; None: as the folder says.
tool::EmbedderSettings settings_of(const py::dict &said) {
    tool::EmbedderSettings settings;
    settings.precision = from_python(said["precision"]);
    settings.dimensions = said["dimensions"].cast<std::size_t>();
    if (!said["pooling"].is_none()) {
        settings.pooling = from_python(said["pooling"]);
    }
    if (!said["normalize"].is_none()) {
        settings.normalize = said["normalize"].cast<bool>();
    }
    if (!said["prefix"].is_none()) {
        settings.prefix = from_python(said["prefix"]);
    }
    if (!said["max_length"].is_none()) {
        settings.max_length = said["max_length"].cast<std::size_t>();
    }
    return settings;
}

// The embedder, with the prefix that it puts in front of texts and the most tokens that it takes.
py::tuple load(const py::str &path, const py::dict &said) {
    const tool::EmbedderSettings settings = settings_of(said);
    tool::EmbedderOptions options = tool::options_of(settings);
    options.isa = from_python(said["max_isa"]);
    if (const auto bytes = said["cache_bytes"].cast<std::size_t>(); bytes != 0) {
        options.cache = std::make_shared<ResponseCache>(bytes);
    }
    EmbeddingFolder folder = require(tool::read_embedding_folder(from_python(path)));
    require(tool::apply(settings, folder));
    Result<TextEmbedder> embedder = [&] {
        const py::gil_scoped_release released;
        return TextEmbedder::make(folder, options);
    }();
    return py::make_tuple(std::make_shared<SharedEmbedder>(require(std::move(embedder))), to_python(folder.prefix),
                          folder.max_length ? py::object(py::int_(*folder.max_length)) : py::object(py::none()));
}

// Texts that are embedded together by a thread.
constexpr std::size_t texts_of_block = 16;

Status embed_blocks(SharedEmbedder &shared, const std::vector<std::string> &texts, std::size_t threads,
                    std::span<float> vectors, std::size_t &cut) {
    const std::size_t blocks = (texts.size() + texts_of_block - 1) / texts_of_block;
    const std::size_t size = shared.embedder().size();
    auto workers = shared.take(std::clamp<std::size_t>(blocks, 1, threads));
    const auto cut_texts = [&] {
        std::size_t count = 0;
        for (const auto &worker : workers) {
            count += worker->cut_texts();
        }
        return count;
    };
    const std::size_t before = cut_texts();
    std::vector<Status> done(blocks);
    tool::run_parallel(workers.size(), blocks, [&](std::size_t thread, std::size_t block) {
        const std::size_t begin = block * texts_of_block;
        const auto some = std::span(texts).subspan(begin, std::min(texts_of_block, texts.size() - begin));
        std::vector<float> found;
        done[block] = shared.embedder().embed(some, *workers[thread], found);
        std::copy(found.begin(), found.end(), vectors.begin() + static_cast<std::ptrdiff_t>(begin * size));
    });
    cut = cut_texts() - before;
    shared.give_back(std::move(workers));
    for (std::size_t block = 0; block < blocks; ++block) {
        if (!done[block]) {
            return Error(done[block].error().issues(), "text " + std::to_string(block * texts_of_block) + " or after");
        }
    }
    return {};
}

// The vectors as an array with a row for each text, and how many texts were cut.
py::tuple embed(SharedEmbedder &shared, const py::list &list, const py::str &cells, std::size_t threads) {
    std::vector<std::string> texts;
    texts.reserve(list.size());
    for (const py::handle text : list) {
        texts.push_back(from_python(text));
    }
    const std::size_t size = shared.embedder().size();
    std::vector<float> vectors(texts.size() * size);
    std::size_t cut = 0;
    const Status status = [&] {
        const py::gil_scoped_release released;
        return embed_blocks(shared, texts, threads, vectors, cut);
    }();
    require(status);
    const std::string kind = from_python(cells);
    if (kind == "float") {
        return py::make_tuple(array_of(std::span<const float>(vectors), py::make_tuple(texts.size(), size), 'f'), cut);
    }
    const bool bits = kind == "bits";
    std::string numbers;
    for (std::size_t i = 0; i < texts.size(); ++i) {
        tool::append_whole_numbers(std::span<const float>(vectors).subspan(i * size, size),
                                   bits ? tool::VectorCells::bits : tool::VectorCells::int8, numbers);
    }
    const py::tuple shape = py::make_tuple(texts.size(), bits ? (size + 7) / 8 : size);
    return py::make_tuple(array_of(std::span<const char>(numbers), shape, 'b'), cut);
}

py::object cache_statistics(const SharedEmbedder &shared) {
    if (shared.embedder().cache() == nullptr) {
        return py::none();
    }
    const ResponseCache::Statistics statistics = shared.embedder().cache()->statistics();
    py::dict result;
    result["hits"] = statistics.hits;
    result["misses"] = statistics.misses;
    result["vectors"] = statistics.answers;
    result["bytes"] = statistics.bytes;
    return result;
}

}  // namespace

}  // namespace tenrex::python

PYBIND11_MODULE(_embed, module) {
    using namespace tenrex::python;
    py::options options;
    options.disable_function_signatures();
    py::class_<SharedEmbedder, std::shared_ptr<SharedEmbedder>>(module, "Embedder")
        .def_static("load", &load)
        .def("embed", &embed)
        .def_property_readonly("size", [](const SharedEmbedder &shared) { return shared.embedder().size(); })
        .def_property_readonly("cache_statistics", &cache_statistics);
}
