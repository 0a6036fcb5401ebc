// The same calls from C++, for calls.py. It is linked into a module of its own beside the bindings, so that both run
// the same machine code: where the linker puts a loop may change its speed by several percent.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include <tenrex/forest.h>
#include <tenrex/tenrex.h>

namespace {

using Clock = std::chrono::steady_clock;

template <class T>
T value_of(tenrex::Result<T> result) {
    if (!result) {
        std::fputs(result.error().render().c_str(), stderr);
        std::abort();
    }
    return *std::move(result);
}

}  // namespace

// The seconds of a call that evaluates documents: the least of rounds over a tenth of a second. The request is JSON:
// the expression, the types of its inputs, its forests' files, how many documents, the addresses of their columns, and
// whether each call gives away an array that is new, as a function that returns scores does, or writes to one that
// stays.
extern "C" [[gnu::visibility("default")]] double tenrex_measure_calls(const char *text);

double tenrex_measure_calls(const char *text) {
    const auto request = nlohmann::json::parse(text);
    tenrex::Schema schema;
    for (const auto &[name, type] : request["query"].items()) {
        schema.query(name, type.get<std::string>());
    }
    for (const auto &[name, type] : request["document"].items()) {
        schema.document(name, type.get<std::string>());
    }
    for (const auto &[name, path] : request["forests"].items()) {
        schema.forest(name, value_of(tenrex::Forest::load(path.get<std::string>())));
    }
    const auto plan = value_of(tenrex::compile(request["expression"].get<std::string>(), schema));
    std::vector<tenrex::NamedTensor> values;
    for (const auto &input : plan.query_inputs()) {
        tenrex::TensorBuilder builder(input.type);
        for (std::size_t i = 0; i < input.type.block_cells(); ++i) {
            builder.set(0, i, 0.5);
        }
        values.emplace_back(input.name, std::move(builder).build());
    }
    const auto query = value_of(plan.bind(values));
    const auto documents = request["documents"].get<std::size_t>();
    std::vector<tenrex::Column> columns;
    for (const auto &input : plan.document_inputs()) {
        columns.push_back(tenrex::Column::dense(
            reinterpret_cast<const void *>(request["columns"][input.name].get<std::uintptr_t>()),
            static_cast<std::ptrdiff_t>(input.type.block_cells() * tenrex::byte_size(input.type.cell_type()))));
    }
    tenrex::Context context(plan);
    const auto evaluate = [&](std::span<double> scores) {
        if (!query.evaluate({documents, columns}, context, scores)) {
            std::abort();
        }
    };
    const bool is_fresh = request["fresh"].get<bool>();
    const std::span<double> kept(reinterpret_cast<double *>(request["out"].get<std::uintptr_t>()), documents);
    const int calls = documents == 1 ? 1000 : 20;
    double least = std::numeric_limits<double>::infinity();
    const auto end = Clock::now() + std::chrono::milliseconds(100);
    while (Clock::now() < end) {
        const auto start = Clock::now();
        for (int i = 0; i < calls; ++i) {
            if (is_fresh) {
                std::vector<double> scores(documents);
                evaluate(scores);
            } else {
                evaluate(kept);
            }
        }
        least = std::min(least, std::chrono::duration<double>(Clock::now() - start).count() / calls);
    }
    return least;
}
