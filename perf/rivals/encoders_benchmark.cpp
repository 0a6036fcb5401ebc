// Times the output "embedding" of a text encoder in an ONNX file, for rivals in other languages to be compared with.
//
//   encoders_benchmark MODEL TOKENS EMBEDDING [f32|bf16|int8]
//
// TOKENS is a file with the numbers of the tokens of a text, as doubles. The embedding goes to the file EMBEDDING, as
// doubles. One object comes out: the time to import and compile, and the least of a text on its own. Exit status: 1 if
// something fails, 2 after wrong usage.
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <tenrex/column_buffer.h>
#include <tenrex/formats.h>
#include <tenrex/onnx.h>
#include <tenrex/plan.h>

#include "perf/rivals/processor_time.h"

namespace tenrex::perf {
namespace {

std::vector<double> numbers_of(const char *path) {
    std::ifstream file(path, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    std::vector<double> numbers(bytes.size() / sizeof(double));
    std::copy_n(bytes.data(), numbers.size() * sizeof(double), reinterpret_cast<char *>(numbers.data()));
    return numbers;
}

// What an input has for each token.
std::vector<double> cells_of(const std::string &input, const std::vector<double> &tokens) {
    if (input == "input_ids") {
        return tokens;
    }
    return std::vector<double>(tokens.size(), input == "attention_mask" ? 1 : 0);
}

int run(const char *path, const char *tokens_path, const char *embedding_path, ModelPrecision precision) {
    const std::vector<double> tokens = numbers_of(tokens_path);
    const double before = now();
    const auto model = OnnxModel::load(path, {.name = "m", .precision = precision});
    if (!model) {
        return fail(model.error().render());
    }
    Schema schema;
    for (const OnnxModel::Port &input : model->inputs()) {
        schema.document(input.symbol, input.type);
    }
    model->add_to(schema);
    const auto plan = compile("onnx(m).embedding", schema);
    if (!plan) {
        return fail(plan.error().render());
    }
    const double compiled = (now() - before) * 1e-3;
    std::vector<ColumnBuffer> buffers;
    for (const InputDeclaration &input : plan->document_inputs()) {
        const std::string literal =
            fmt::format("tensor(d0[1],d1[{}]):[[{}]]", tokens.size(), fmt::join(cells_of(input.name, tokens), ","));
        const auto value = from_literal(literal, input.type);
        if (!value || !buffers.emplace_back(input.type, plan->labels()).append(*value)) {
            return fail(fmt::format("no value for '{}'", input.name));
        }
    }
    std::vector<Column> columns;
    columns.reserve(buffers.size());
    for (const ColumnBuffer &buffer : buffers) {
        columns.push_back(buffer.column());
    }
    const auto query = plan->bind({});
    if (!query) {
        return fail(query.error().render());
    }
    Context context(*plan);
    std::vector<double> embedding;
    double least = 1e9;
    constexpr double enough = 400e3;
    constexpr int most = 1000;
    const double first = now();
    for (int i = 0; i < most && (i < 3 || now() - first < enough); ++i) {
        const double start = now();
        const auto values = query->evaluate_tensors({1, columns}, context);
        least = std::min(least, now() - start);
        if (!values) {
            return fail(values.error().render());
        }
        embedding.clear();
        for (std::size_t cell = 0; cell < values->front().cell_count(); ++cell) {
            embedding.push_back(values->front().cell(cell));
        }
    }
    std::ofstream file(embedding_path, std::ios::binary);
    file.write(reinterpret_cast<const char *>(embedding.data()),
               static_cast<std::streamsize>(embedding.size() * sizeof(double)));
    std::puts(fmt::format("{{\"compile_ms\": {:.1f}, \"ms\": {:.4f}}}", compiled, least * 1e-3).c_str());
    return file.good() ? 0 : fail("the embedding was not written");
}

}  // namespace
}  // namespace tenrex::perf

int main(int argc, char **argv) {
    const auto precision = tenrex::precision_from_name(argc == 5 ? argv[4] : "f32");
    if (argc < 4 || argc > 5 || !precision) {
        std::fputs("usage: encoders_benchmark MODEL TOKENS EMBEDDING [f32|bf16|int8]\n", stderr);
        return 2;
    }
    return tenrex::perf::run(argv[1], argv[2], argv[3], *precision);
}
