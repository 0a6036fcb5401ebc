// Times the raw scores of a forest over the doubles f0, f1, ..., for rivals in other languages to be compared with.
//
//   forests_benchmark MODEL ROWS FEATURES SCORES
//
// MODEL is a file of a trainer, ROWS one with doubles, row by row. The scores go to the file SCORES, as doubles. One
// object comes out: the time to import and to compile, and of a row: in blocks of 64, and on its own (median, 99th
// percentile, longest). Exit status: 1 if something fails, 2 after wrong usage.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <tenrex/forest.h>
#include <tenrex/plan.h>

#include "perf/rivals/processor_time.h"

namespace tenrex::perf {
namespace {

std::string contents(const char *path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

// What the clock itself takes.
double clock_time() {
    double least = 1e6;
    for (int i = 0; i < 1000; ++i) {
        const double start = now();
        least = std::min(least, now() - start);
    }
    return least;
}

// Microseconds of each call.
template <class Call>
std::vector<double> times(std::size_t calls, const Call &call) {
    std::vector<double> found;
    const double clock = clock_time();
    for (std::size_t i = 0; i < calls; ++i) {
        const double start = now();
        call(i);
        found.push_back(now() - start - clock);
    }
    std::sort(found.begin(), found.end());
    return found;
}

int run(const char *model, const char *rows_path, std::size_t features, const char *scores_path) {
    const std::string bytes = contents(rows_path);
    std::vector<double> rows(bytes.size() / sizeof(double));
    std::copy_n(bytes.data(), rows.size() * sizeof(double), reinterpret_cast<char *>(rows.data()));
    const std::size_t documents = rows.size() / features;
    Schema schema;
    for (std::size_t i = 0; i < features; ++i) {
        schema.document(fmt::format("f{}", i));
    }
    const std::string text = contents(model);
    std::vector<double> imported, compiled;
    std::optional<Plan> plan;
    constexpr int imports = 5;
    for (int i = 0; i < imports; ++i) {
        const double before = now();
        const auto forest = Forest::read(text);
        imported.push_back(now() - before);
        if (!forest) {
            return fail(forest.error().render());
        }
        Schema with_forest = schema;
        const double between = now();
        with_forest.forest("m", *forest);
        auto made = compile("forest(m).raw", with_forest);
        compiled.push_back(now() - between);
        if (!made) {
            return fail(made.error().render());
        }
        plan = *std::move(made);
    }
    std::sort(imported.begin(), imported.end());
    std::sort(compiled.begin(), compiled.end());
    const auto query = plan->bind({});
    if (!query) {
        return fail(query.error().render());
    }
    std::vector<Column> columns;
    for (const InputDeclaration &input : plan->document_inputs()) {
        const std::size_t feature = std::strtoul(input.name.c_str() + 1, nullptr, 10);
        columns.push_back(Column::dense(rows.data() + feature, static_cast<std::ptrdiff_t>(features * sizeof(double))));
    }
    constexpr std::size_t block = 64;
    Context context(*plan);
    std::vector<double> scores(documents);
    bool failed = false;
    const auto evaluate = [&](std::size_t first, std::size_t count) {
        failed |= !query->evaluate({count, columns, first}, context, std::span(scores).subspan(first, count));
    };
    const auto all = [&](std::size_t) {
        for (std::size_t first = 0; first < documents; first += block) {
            evaluate(first, std::min(block, documents - first));
        }
    };
    all(0);
    const std::vector<double> in_blocks = times(9, all);
    const std::vector<double> single = times(documents, [&](std::size_t i) { evaluate(i, 1); });
    if (failed) {
        return fail("a block was not evaluated");
    }
    std::ofstream file(scores_path, std::ios::binary);
    file.write(reinterpret_cast<const char *>(scores.data()),
               static_cast<std::streamsize>(scores.size() * sizeof(double)));
    std::puts(fmt::format("{{\"import_us\": {:.0f}, \"compile_us\": {:.0f}, \"block_us\": {:.3f}, \"single_us\": "
                          "{:.3f}, \"single_p99_us\": "
                          "{:.3f}, \"single_max_us\": {:.3f}}}",
                          imported[imports / 2], compiled[imports / 2],
                          in_blocks[in_blocks.size() / 2] / static_cast<double>(documents), single[documents / 2],
                          single[documents * 99 / 100], single.back())
                  .c_str());
    return file.good() ? 0 : fail("the scores were not written");
}

}  // namespace
}  // namespace tenrex::perf

int main(int argc, char **argv) {
    const std::size_t features = argc == 5 ? std::strtoul(argv[3], nullptr, 10) : 0;
    if (features == 0) {
        std::fputs("usage: forests_benchmark MODEL ROWS FEATURES SCORES\n", stderr);
        return 2;
    }
    return tenrex::perf::run(argv[1], argv[2], features, argv[4]);
}
