// Ranking from end to end, as `tenrex rank` does it: documents of JSON Lines to columns, queries to ranked lists.
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <random>
#include <string>

#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <unistd.h>

#include <tenrex/formats.h>

#include "perf/components/components.h"
#include "tools/rank/document_loader.h"
#include "tools/rank/ranker.h"

namespace tenrex::perf {

namespace {

constexpr std::size_t documents = 10'000;
constexpr std::size_t cells = 128;

constexpr std::string_view profile_text =
    "schema item { document item {\n"
    "    field popularity type float { indexing: attribute }\n"
    "    field embedding type tensor<bfloat16>(x[128]) { indexing: attribute }\n"
    "}\n"
    "rank-profile item {\n"
    "    inputs { query(q) tensor<float>(x[128]) }\n"
    "    first-phase { expression: sum(query(q) * attribute(embedding)) }\n"
    "    second-phase { rerank-count: 100\n        expression: firstPhase + log(1 + attribute(popularity))\n    }\n"
    "} }\n";

std::string random_cells(std::mt19937 &random) {
    std::string text = "[";
    for (std::size_t i = 0; i < cells; ++i) {
        text += fmt::format("{}{:.4f}", i == 0 ? "" : ",", std::uniform_real_distribution<double>(-1, 1)(random));
    }
    return text + "]";
}

// The documents of a file that is gone with the object.
class Collection {
public:
    Collection() {
        const int descriptor = mkstemp(path_.data());
        std::FILE *const file = descriptor < 0 ? nullptr : fdopen(descriptor, "w");
        if (file == nullptr) {
            return;
        }
        std::mt19937 random(1);
        for (std::size_t i = 0; i < documents; ++i) {
            std::fputs(fmt::format(R"({{"id":"item{}","popularity":{},"embedding":{}}})"
                                   "\n",
                                   i, random() % 1000, random_cells(random))
                           .c_str(),
                       file);
        }
        std::fclose(file);
    }
    Collection(const Collection &) = delete;
    Collection &operator=(const Collection &) = delete;
    ~Collection() { unlink(path_.c_str()); }

    const std::string &path() const noexcept { return path_; }

private:
    std::string path_ = "/tmp/tenrex-documents-XXXXXX";
};

struct Setting {
    static std::optional<Setting> make() {
        const auto set = ProfileSet::parse(profile_text);
        if (!set) {
            return std::nullopt;
        }
        auto profile = compile_profile(*set, "item");
        if (!profile) {
            return std::nullopt;
        }
        return Setting{*profile, tool::DocumentLayout(*profile, false), std::make_shared<Collection>()};
    }
    Result<tool::LoadReport> load() const {
        tool::LoadOptions options;
        options.paths = {collection->path()};
        return tool::load_documents(layout, options, *profile.labels());
    }

    RankProfile profile;
    tool::DocumentLayout layout;
    std::shared_ptr<Collection> collection;
};

void count_documents(benchmark::State &state) {
    state.counters["document"] = benchmark::Counter(static_cast<double>(state.iterations()) * documents,
                                                    benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

void load(benchmark::State &state) {
    const auto setting = Setting::make();
    std::uint64_t bytes = 0;
    for (auto _ : state) {
        const auto loaded = setting ? setting->load() : Error("the profile is wrong");
        if (!loaded || loaded->store.documents() != documents) {
            state.SkipWithError("loading fails");
            break;
        }
        bytes += loaded->bytes;
    }
    count_documents(state);
    state.SetBytesProcessed(static_cast<std::int64_t>(bytes));
}

void query(benchmark::State &state) {
    const auto setting = Setting::make();
    const auto loaded = setting ? setting->load() : Error("the profile is wrong");
    std::mt19937 random(2);
    const auto vector = from_json(random_cells(random), *TensorType::parse("tensor<float>(x[128])"));
    if (!loaded || !vector) {
        state.SkipWithError("loading fails");
        return;
    }
    tool::Ranker ranker(setting->profile, setting->layout, loaded->store, {});
    for (auto _ : state) {
        const auto list = ranker.rank({.id = {}, .values = {{"query(q)", *vector}}, .text = {}}, 0);
        if (!list || list->hits.size() != tool::RankOptions().hits) {
            state.SkipWithError("ranking fails");
            break;
        }
    }
    count_documents(state);
}

}  // namespace

void add_ranking() {
    benchmark::RegisterBenchmark("rank/load_10000", load);
    benchmark::RegisterBenchmark("rank/query_10000", query);
}

}  // namespace tenrex::perf
