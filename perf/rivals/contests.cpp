#include "perf/rivals/contests.h"

#include <algorithm>
#include <memory>

#include "perf/measure/figures.h"
#include "perf/measure/workload.h"

namespace tenrex::perf {

namespace {

using Make = Evaluation (*)(const Rival &rival, const ContestData &data);

Evaluation dots(const Rival &rival, const ContestData &data) {
    if (rival.dots == nullptr) {
        return {};
    }
    const std::size_t length = data.size_of("a", "x");
    const float *const query = data.cells.at("a").data();
    const float *const rows = data.cells.at("b").data();
    return [=](std::size_t first, std::size_t count, float *results) {
        rival.dots(query, rows + first * length, length, count, results);
    };
}

Evaluation distances(const Rival &rival, const ContestData &data) {
    if (rival.distances == nullptr) {
        return {};
    }
    const std::size_t length = data.size_of("a", "x");
    const float *const query = data.cells.at("a").data();
    const float *const rows = data.cells.at("b").data();
    return [=](std::size_t first, std::size_t count, float *results) {
        rival.distances(query, rows + first * length, length, count, results);
    };
}

Evaluation layer(const Rival &rival, const ContestData &data) {
    const std::size_t k = data.size_of("W1", "x");
    const std::size_t n = data.size_of("W1", "hidden");
    const float *const rows = data.cells.at("d").data();
    const float *const weights = data.cells.at("W1").data();
    const float *const bias = data.cells.at("b1").data();
    return [=](std::size_t first, std::size_t count, float *results) {
        rival.layer(rows + first * k, weights, bias, k, n, count, results);
    };
}

Evaluation net(const Rival &rival, const ContestData &data) {
    // Who has no activations is helped by the loops.
    const auto finish = rival.elu_product != nullptr ? rival.elu_product : loops.elu_product;
    const std::size_t n = data.size_of("W1", "hidden");
    const auto hidden = std::make_shared<std::vector<float>>(n * data.documents);
    const Evaluation first_layer = layer(rival, data);
    const float *const last = data.cells.at("W2").data();
    const float bias = data.cells.at("b2").front();
    return [=](std::size_t first, std::size_t count, float *results) {
        first_layer(first, count, hidden->data());
        finish(hidden->data(), last, bias, n, count, results);
    };
}

Evaluation maxsim(const Rival &rival, const ContestData &data) {
    const std::size_t length = data.size_of("q", "x");
    const std::vector<float> &query = data.cells.at("q");
    const std::size_t cells = data.cells.at("d").size() / data.documents;
    const float *const documents = data.cells.at("d").data();
    return [=, rows = query.data(), count_of_rows = query.size() / length](std::size_t first, std::size_t count,
                                                                           float *results) {
        for (std::size_t i = 0; i < count; ++i) {
            results[i] = rival.maxsim(rows, count_of_rows, documents + (first + i) * cells, cells / length, length);
        }
    };
}

Evaluation contraction(const Rival &rival, const ContestData &data) {
    const std::size_t m = data.size_of("a", "x");
    const std::size_t n = data.size_of("b", "y");
    const std::size_t k = data.size_of("a", "d");
    const float *const a = data.cells.at("a").data();
    const float *const b = data.cells.at("b").data();
    return [=](std::size_t first, std::size_t count, float *results) {
        for (std::size_t i = 0; i < count; ++i) {
            rival.contraction(a + (first + i) * m * k, b, m, n, k, results + i * m * n);
        }
    };
}

constexpr struct {
    const char *name;
    Make make;
} contests[] = {{"dot.f32.128", dots},  {"dot.f32.768", dots},      {"euclidean.768", distances},
                {"xw.100x64", layer},   {"net.100-64-1", net},      {"net.768-256-1", net},
                {"maxsim.f32", maxsim}, {"matmul.f32", contraction}};

void append_cells(std::vector<float> &cells, const Tensor &tensor) {
    for (std::size_t i = 0; i < tensor.cell_count(); ++i) {
        cells.push_back(static_cast<float>(tensor.cell(i)));
    }
}

}  // namespace

std::size_t ContestData::size_of(const std::string &input, const std::string &dimension) const {
    const TensorType &type = types.at(input);
    return type.dimensions()[*type.find(dimension)].size;
}

Result<ContestData> contest_data(const Case &described) {
    ContestData data;
    WorkloadOptions making;
    making.documents = described.documents != 0 ? described.documents : fitting_documents(described.document_bytes());
    making.samples = making.documents;
    const Result<Workload> workload = Workload::make(described, making);
    if (!workload) {
        return workload.error();
    }
    data.documents = making.documents;
    for (const InputDeclaration &input : workload->schema().inputs()) {
        data.types.emplace(input.name, input.type);
        if (input.value) {
            append_cells(data.cells[input.name], *input.value);
        }
    }
    for (const auto &[name, value] : workload->query_values()) {
        append_cells(data.cells[name], value);
    }
    for (const std::vector<NamedTensor> &document : workload->samples()) {
        for (const auto &[name, value] : document) {
            append_cells(data.cells[name], value);
        }
    }
    Context context(workload->plan());
    const std::vector<Column> columns = workload->columns();
    const auto values = workload->query().evaluate_tensors({data.documents, columns}, context);
    if (!values) {
        return values.error();
    }
    for (std::size_t i = values->size() - data.documents; i < values->size(); ++i) {
        append_cells(data.expected, (*values)[i]);
    }
    data.result_cells = data.expected.size() / data.documents;
    return data;
}

bool is_contest(const std::string &case_name) {
    return std::any_of(std::begin(contests), std::end(contests),
                       [&](const auto &each) { return each.name == case_name; });
}

Evaluation contest(const std::string &case_name, const Rival &rival, const ContestData &data) {
    const auto *const found = std::find_if(std::begin(contests), std::end(contests),
                                           [&](const auto &each) { return each.name == case_name; });
    return found == std::end(contests) ? Evaluation() : found->make(rival, data);
}

}  // namespace tenrex::perf
