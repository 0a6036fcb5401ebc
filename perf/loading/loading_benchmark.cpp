// Loads a network and compiles plans with it, for loading.py, which looks at its memory meanwhile.
//
//   loading_benchmark MODEL EXPRESSION PLANS [f32|bf16|int8]
//   loading_benchmark pack MODEL f32|bf16|int8 PACKED
//
// EXPRESSION calls the model m. One object comes out when all plans are there: milliseconds, and the bytes of the
// weights. Then the program waits until its input ends. Exit status: 1 if something fails, 2 after wrong usage.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <tenrex/onnx.h>
#include <tenrex/plan.h>

#include "perf/rivals/processor_time.h"

namespace tenrex::perf {
namespace {

double milliseconds_since(std::chrono::steady_clock::time_point begin) {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
}

int run(const char *path, const char *expression, int count, ModelPrecision precision) {
    const auto begin = std::chrono::steady_clock::now();
    const auto model = OnnxModel::load(path, {.name = "m", .precision = precision});
    if (!model) {
        return fail(model.error().render());
    }
    const double loaded = milliseconds_since(begin);
    Schema schema;
    for (const OnnxModel::Port &input : model->inputs()) {
        schema.document(input.symbol, input.type);
    }
    model->add_to(schema);
    CompileOptions options;
    options.weights = std::make_shared<WeightStore>();
    std::vector<Plan> plans;
    std::string compiled;
    for (int i = 0; i < count; ++i) {
        const auto before = std::chrono::steady_clock::now();
        auto plan = compile(expression, schema, options);
        if (!plan) {
            return fail(plan.error().render());
        }
        compiled += fmt::format("{}{:.1f}", i == 0 ? "" : ", ", milliseconds_since(before));
        plans.push_back(*std::move(plan));
    }
    const WeightStore::Statistics packed = options.weights->statistics();
    std::puts(fmt::format("{{\"load_ms\": {:.1f}, \"compile_ms\": [{}], \"parameters\": {}, \"packed\": {}, "
                          "\"packed_bytes\": {}}}",
                          loaded, compiled, model->parameters(), packed.matrices, packed.bytes)
                  .c_str());
    std::fflush(stdout);
    while (std::getchar() != EOF) {
    }
    return 0;
}

int pack(const char *model, ModelPrecision precision, const char *packed) {
    std::ofstream file(packed, std::ios::binary);
    const Status status = pack_onnx_model(model, {.precision = precision}, [&](std::string_view bytes) {
        file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    });
    return status && file.flush() ? 0 : fail(status ? "the file cannot be written" : status.error().render());
}

}  // namespace
}  // namespace tenrex::perf

int main(int argc, char **argv) {
    const bool packs = argc == 5 && std::string_view(argv[1]) == "pack";
    const auto precision = tenrex::precision_from_name(argc == 5 ? argv[packs ? 3 : 4] : "f32");
    if (packs && precision) {
        return tenrex::perf::pack(argv[2], *precision, argv[4]);
    }
    const int plans = argc >= 4 ? std::atoi(argv[3]) : 0;
    if (argc < 4 || argc > 5 || !precision || plans < 1) {
        std::fputs(
            "usage: loading_benchmark MODEL EXPRESSION PLANS [f32|bf16|int8]\n"
            "       loading_benchmark pack MODEL f32|bf16|int8 PACKED\n",
            stderr);
        return 2;
    }
    return tenrex::perf::run(argv[1], argv[2], plans, *precision);
}
