#include "tools/rank/vector_retriever.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <span>
#include <utility>

#include <fmt/format.h>

namespace tenrex::tool {

namespace {

const Attribute *attribute_of(const RetrieveArgument &argument, const RankProfile &profile) {
    const auto &attributes = profile.attributes();
    const auto found = std::find_if(attributes.begin(), attributes.end(),
                                    [&](const Attribute &each) { return each.name == argument.attribute; });
    return found == attributes.end() ? nullptr : &*found;
}

bool is_vector(const TensorType &type) {
    return type.dimensions().size() == 1 && type.has_indexed() && !type.has_open();
}

// Cells as they are stored, as numbers of the index.
template <class To>
bool read_cells(const void *cells, CellType type, std::size_t count, std::vector<To> &vector) {
    vector.resize(count);
    return visit_cell_type(type, [&]<class T>(T cell) {
        bool any = false;
        for (std::size_t i = 0; i < count; ++i) {
            std::memcpy(&cell, static_cast<const char *>(cells) + i * sizeof(T), sizeof(T));
            vector[i] = to_cell<To>(static_cast<double>(cell));
            any = any || static_cast<double>(cell) != 0;
        }
        return any;
    });
}

tenrex::VectorCells cells_of(const Attribute &attribute) {
    switch (attribute.type.cell_type()) {
        case CellType::bf16:
            return tenrex::VectorCells::bfloat16;
        case CellType::i8:
            return tenrex::VectorCells::int8;
        case CellType::f32:
        case CellType::f64:
            break;
    }
    return tenrex::VectorCells::float32;
}

// Vectors that are given to the index together, so that threads can share the work.
constexpr std::size_t vectors_at_a_time = 4096;

// numbers: those of the documents, in the order of their vectors.
template <class T>
Status add_documents(VectorIndex &index, const Attribute &attribute, std::size_t column, const DocumentStore &store,
                     Executor &executor, std::vector<std::uint64_t> &numbers) {
    std::vector<T> vector, together;
    std::vector<std::uint32_t> ids;
    const auto add = [&]() -> Status {
        Status status = index.add_many(together, ids, &executor);
        together.clear();
        if (status) {
            return status;
        }
        const DocumentStore::Place place = store.place(numbers[ids.size()]);
        return Error(fmt::format("document {}: {}: {}", place.segment->id(place.document), attribute.name,
                                 status.error().message()));
    };
    for (std::uint64_t document = 0; document < store.documents(); ++document) {
        const DocumentStore::Place place = store.place(document);
        const std::span<const std::byte> cells = place.segment->column(column).cells(place.document);
        if (!read_cells(cells.data(), attribute.type.cell_type(), index.options().dimensions, vector)) {
            continue;
        }
        together.insert(together.end(), vector.begin(), vector.end());
        numbers.push_back(document);
        if (numbers.size() % vectors_at_a_time == 0) {
            if (Status status = add(); !status) {
                return status;
            }
        }
    }
    return add();
}

}  // namespace

Status VectorRetriever::check(const RetrieveArgument &argument, const RankProfile &profile) {
    const Attribute *const attribute = attribute_of(argument, profile);
    if (attribute == nullptr) {
        return Error(fmt::format("there is no attribute '{}'", argument.attribute),
                     "declare it in the schema or with --attribute");
    }
    if (attribute->kind != AttributeKind::tensor || !is_vector(attribute->type)) {
        return Error(fmt::format("nearestNeighbor needs an attribute that is a vector, but {} is {}", attribute->name,
                                 attribute->kind == AttributeKind::tensor ? attribute->type.to_string() : "no tensor"));
    }
    if (attribute->metric == DistanceMetric::hamming && attribute->type.cell_type() != CellType::i8) {
        return Error(fmt::format("the metric hamming is of int8 cells, but {} is {}", attribute->name,
                                 attribute->type.to_string()));
    }
    const std::string name = fmt::format("query({})", argument.query);
    const auto input = std::find_if(profile.inputs().begin(), profile.inputs().end(),
                                    [&](const ProfileInput &each) { return each.name == name; });
    if (input == profile.inputs().end()) {
        return Error(fmt::format("the profile has no input \"{}\"", name), "declare it in the profile's inputs");
    }
    if (input->type.dimensions() != attribute->type.dimensions()) {
        return Error(fmt::format("{} is {}, but {} is {}", name, input->type.to_string(), attribute->name,
                                 attribute->type.to_string()),
                     "both need the same dimension");
    }
    return {};
}

Result<VectorRetriever> VectorRetriever::make(const RetrieveArgument &argument, const RankProfile &profile,
                                              const DocumentLayout &layout, const DocumentStore &store,
                                              Executor &executor) {
    const Attribute &attribute = *attribute_of(argument, profile);
    VectorIndexOptions options;
    options.dimensions = attribute.type.block_cells();
    options.metric = attribute.metric;
    options.cells = cells_of(attribute);
    options.keep_floats = false;  // the cells are those of the documents
    options.links = argument.approximate ? options.links : 0;
    auto index = VectorIndex::create(options);
    if (!index) {
        return index.error();
    }
    VectorRetriever retriever(argument, *std::move(index));
    const std::size_t column = layout.attribute_column(attribute.name);
    retriever.numbers_.reserve(store.documents());
    const auto add = attribute.metric == DistanceMetric::hamming ? add_documents<std::int8_t> : add_documents<float>;
    const Status status = add(retriever.index_, attribute, column, store, executor, retriever.numbers_);
    return status ? Result<VectorRetriever>(std::move(retriever)) : status.error();
}

Result<std::vector<std::uint64_t>> VectorRetriever::documents(const std::vector<NamedTensor> &values) {
    auto found = search(values, false);
    if (!found) {
        return found.error();
    }
    last_ = *std::move(found);
    std::vector<std::uint64_t> documents;
    documents.reserve(last_.size());
    for (const Neighbor &neighbor : last_) {
        documents.push_back(numbers_[neighbor.id]);
    }
    return documents;
}

Status VectorRetriever::compare(const std::vector<NamedTensor> &values) {
    if (!argument_.approximate) {
        return {};
    }
    const auto exact = search(values, true);
    if (!exact) {
        return exact.error();
    }
    wanted_ += exact->size();
    found_ += static_cast<std::size_t>(std::count_if(last_.begin(), last_.end(), [&](const Neighbor &neighbor) {
        return std::any_of(exact->begin(), exact->end(), [&](const Neighbor &each) { return each.id == neighbor.id; });
    }));
    return {};
}

std::optional<double> VectorRetriever::recall() const noexcept {
    return wanted_ == 0 ? std::nullopt : std::optional(static_cast<double>(found_) / static_cast<double>(wanted_));
}

Result<std::vector<Neighbor>> VectorRetriever::search(const std::vector<NamedTensor> &values, bool exact) {
    const std::string name = fmt::format("query({})", argument_.query);
    const auto value =
        std::find_if(values.begin(), values.end(), [&](const NamedTensor &each) { return each.first == name; });
    NeighborSearch how;
    how.count = argument_.target_hits;
    how.explored = argument_.target_hits + argument_.explored_beyond;
    how.exact = exact;
    const CellType type = value->second.type().cell_type();
    const void *const cells = value->second.view().cells();
    const std::size_t count = index_.options().dimensions;
    Result<std::vector<Neighbor>> found = std::vector<Neighbor>();
    if (index_.options().metric == DistanceMetric::hamming) {
        std::vector<std::int8_t> vector;
        read_cells(cells, type, count, vector);
        found = index_.search(vector, how, memory_);
    } else {
        std::vector<float> vector;
        read_cells(cells, type, count, vector);
        found = index_.search(vector, how, memory_);
    }
    if (!found) {
        return Error(fmt::format("{}: {}", name, found.error().message()));
    }
    return found;
}

}  // namespace tenrex::tool
