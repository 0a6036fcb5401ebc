// Times what others need for the same cases, on the same data, after comparing the results.
//
//   rivals_benchmark                     all cases that have rivals, an object for each rival
//   rivals_benchmark --filter '^net'     some of them
//   rivals_benchmark --export DIRECTORY  writes the data of some cases, for rivals in other languages
//
// Exit status: 1 if a result differs or a case fails, 2 after wrong usage.
#include <cmath>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <regex>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "perf/expressions/case_file.h"
#include "perf/measure/measure.h"
#include "perf/rivals/contests.h"

namespace tenrex::perf {
namespace {

using Json = nlohmann::ordered_json;

struct Entry {
    const char *name;
    const Rival *rival;  // null: not installed when this was built
};

constexpr Entry rivals[] = {{"loops", &loops},
#ifdef TENREX_WITH_EIGEN
                            {"Eigen", &eigen},
#else
                            {"Eigen", nullptr},
#endif
#ifdef TENREX_WITH_OPENBLAS
                            {"OpenBLAS", &openblas},
#else
                            {"OpenBLAS", nullptr},
#endif
#ifdef TENREX_WITH_ONEDNN
                            {"oneDNN", &onednn}};
#else
                            {"oneDNN", nullptr}};
#endif
constexpr std::size_t block_size = 64;

void print(const Json &object) {
    std::puts(object.dump().c_str());
    std::fflush(stdout);
}

// The first result that differs; sums in another order differ in the last digits.
std::string difference(const std::vector<float> &actual, const ContestData &data) {
    double squares = 0;
    for (const float each : data.expected) {
        squares += static_cast<double>(each) * each;
    }
    const double usual = std::sqrt(squares / static_cast<double>(data.expected.size()));
    for (std::size_t i = 0; i < data.expected.size(); ++i) {
        if (!(std::fabs(actual[i] - data.expected[i]) <= 1e-4 * std::max(usual, 1.0))) {
            return fmt::format("result {} is {}, not {}", i, actual[i], data.expected[i]);
        }
    }
    return {};
}

bool compete(const Case &described, const ContestData &data) {
    bool equal = true;
    for (const Entry &entry : rivals) {
        Json object = {{"name", described.name}, {"rival", entry.name}};
        const Evaluation evaluation =
            entry.rival == nullptr ? Evaluation() : contest(described.name, *entry.rival, data);
        if (entry.rival == nullptr) {
            object["missing"] = "not installed";
        } else if (!evaluation) {
            object["missing"] = "has no such operation";
        } else {
            std::vector<float> results(data.expected.size());
            const auto all = [&] {
                for (std::size_t first = 0; first < data.documents; first += block_size) {
                    evaluation(first, std::min(block_size, data.documents - first),
                               results.data() + first * data.result_cells);
                }
            };
            all();
            if (const std::string text = difference(results, data); !text.empty()) {
                object["error"] = text;
                equal = false;
            } else {
                object["ns"] = measure(data.documents, {5, 0.01}, all).median;
            }
        }
        print(object);
    }
    return equal;
}

// DIRECTORY/CASE.json says the types and how many documents, DIRECTORY/CASE.INPUT.f32 has the cells.
bool export_data(const std::filesystem::path &directory, const Case &described, const ContestData &data) {
    std::filesystem::create_directories(directory);
    Json object = {{"name", described.name}, {"expression", described.expression}, {"documents", data.documents}};
    const auto write = [&](const std::string &name, const std::vector<float> &cells) {
        std::ofstream file(directory / fmt::format("{}.{}.f32", described.name, name), std::ios::binary);
        file.write(reinterpret_cast<const char *>(cells.data()),
                   static_cast<std::streamsize>(cells.size() * sizeof(float)));
        return file.good();
    };
    bool written = write("expected", data.expected);
    for (const auto &[name, cells] : data.cells) {
        Json sizes = Json::object();
        for (const Dimension &dimension : data.types.at(name).dimensions()) {
            sizes[dimension.name] = dimension.size;
        }
        object["inputs"][name] = sizes;
        written = write(name, cells) && written;
    }
    std::ofstream file(directory / (described.name + ".json"));
    file << object.dump() << '\n';
    return written && file.good();
}

int fail(const std::string &message) {
    std::fputs((message + "\n").c_str(), stderr);
    return 1;
}

int run(const std::string &filter, const std::string &exported) {
    const Result<std::vector<Case>> cases = read_cases(TENREX_CASES);
    if (!cases) {
        return fail(cases.error().render());
    }
    bool failed = false;
    const std::regex pattern(filter);
    for (const Case &described : *cases) {
        if (!std::regex_search(described.name, pattern) || (exported.empty() && !is_contest(described.name))) {
            continue;
        }
        const Result<ContestData> data = contest_data(described);
        if (!data) {
            return fail(described.name + ": " + data.error().render());
        }
        if (exported.empty()) {
            failed = !compete(described, *data) || failed;
        } else if (!export_data(exported, described, *data)) {
            return fail("cannot write to " + exported);
        }
    }
    return failed ? 1 : 0;
}

}  // namespace
}  // namespace tenrex::perf

int main(int count, char **values) {
    try {
        std::string filter, exported;
        for (int i = 1; i < count; i += 2) {
            const std::string_view option = values[i];
            if (i + 1 == count || (option != "--filter" && option != "--export")) {
                std::fputs("usage: rivals_benchmark [--filter REGEX] [--export DIRECTORY]\n", stderr);
                return 2;
            }
            (option == "--filter" ? filter : exported) = values[i + 1];
        }
        return tenrex::perf::run(filter, exported);
    } catch (const std::exception &problem) {  // a wrong regular expression, a directory that cannot be
        std::fputs(problem.what(), stderr);
        return 2;
    }
}
