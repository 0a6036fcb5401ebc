// Searches the packages of a Debian system: SQLite's FTS5 finds those with all words of the query, a rank profile says
// which come first.
//
//   package_search text editor
//   package_search --database packages.db --features text editor   (the second time from the file)
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "examples/package_search/database.h"
#include "examples/package_search/package_index.h"
#include "examples/package_search/package_list.h"
#include "examples/package_search/package_ranker.h"

namespace {

using namespace tenrex::packages;

constexpr char usage[] =
    "Usage: package_search [OPTION]... WORD...\n"
    "Ranks the packages that have all words in their name or description.\n"
    "  --hits COUNT      print the best COUNT packages (default: 10)\n"
    "  --database FILE   keep the index in a file; it is made if it is not there\n"
    "  --packages FILE   read packages from a file as 'apt-cache dumpavail' prints it\n"
    "  --profile FILE    rank with another profile\n"
    "  --features        print the match features of each hit\n";

constexpr int failed = 1, used_wrongly = 2;

struct Options {
    std::size_t hits = 10;
    std::string database = ":memory:";
    std::string packages;
    std::string profile = PACKAGES_PROFILE;
    bool features = false;
    bool help = false;
    std::vector<std::string> words;
};

int complain(const std::string &message, int status = failed) {
    std::fprintf(stderr, "package_search: %s\n", message.c_str());
    return status;
}

// What is wrong with the arguments; empty if nothing is.
std::string read_arguments(int count, char **arguments, Options &options) {
    bool only_words = false;
    for (int i = 1; i < count; ++i) {
        const std::string argument = arguments[i];
        if (only_words || !argument.starts_with("-") || argument == "-") {
            options.words.push_back(argument);
            continue;
        }
        std::string *text = argument == "--database"   ? &options.database
                            : argument == "--packages" ? &options.packages
                            : argument == "--profile"  ? &options.profile
                                                       : nullptr;
        if (argument == "--") {
            only_words = true;
        } else if (argument == "--features") {
            options.features = true;
        } else if (argument == "--help") {
            options.help = true;
        } else if (text == nullptr && argument != "--hits") {
            return "there is no option " + argument;
        } else if (++i == count) {
            return argument + " needs a value";
        } else if (text != nullptr) {
            *text = arguments[i];
        } else {
            const char *const end = arguments[i] + std::strlen(arguments[i]);
            const auto result = std::from_chars(arguments[i], end, options.hits);
            if (result.ec != std::errc() || result.ptr != end || options.hits == 0 || options.hits > 1'000'000) {
                return "--hits must be a number from 1 to 1000000";
            }
        }
    }
    return options.words.empty() && !options.help ? "no words are given; see --help" : "";
}

tenrex::Result<std::vector<Package>> find_packages(const std::string &path, std::string &source) {
    if (!path.empty()) {
        std::FILE *file = std::fopen(path.c_str(), "r");
        if (file == nullptr) {
            return tenrex::Error(path + ": cannot be read");
        }
        std::vector<Package> packages = read_packages(file);
        std::fclose(file);
        source = path;
        return packages;
    }
    source = "apt-cache dumpavail";
    std::vector<Package> packages = installable_packages();
    if (packages.empty()) {
        source = "no package list on this machine: a small generated collection";
        packages = generated_packages();
    }
    return packages;
}

double seconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// Fills the database unless it is already.
tenrex::Result<PackageIndex> open_index(const Options &options, Database &database) {
    const auto start = std::chrono::steady_clock::now();
    std::string source = options.database;
    if (!PackageIndex::exists(database)) {
        const auto packages = find_packages(options.packages, source);
        if (!packages) {
            return packages.error();
        }
        if (const tenrex::Status status = PackageIndex::write(database, *packages); !status) {
            return tenrex::Error(options.database + ": " + status.error().message());
        }
    }
    auto index = PackageIndex::load(database);
    if (index) {
        const double seconds = seconds_since(start);
        std::printf("%s: %zu packages in %.2f s, %.0f packages/s\n", source.c_str(), index->packages(), seconds,
                    static_cast<double>(index->packages()) / seconds);
    }
    return index;
}

tenrex::Status print(const Options &options, const PackageRanker &ranker, const Answer &answer, Database &database) {
    auto row = database.prepare(
        "SELECT name, description, section FROM packages, attributes "
        "WHERE packages.rowid = ?1 AND attributes.package = ?1");
    if (!row) {
        return row.error();
    }
    for (std::size_t i = 0; i < answer.hits.size(); ++i) {
        row->bind(1, static_cast<sqlite3_int64>(answer.hits[i].document));
        if (const auto found = row->step(); !found) {
            return found.error();
        }
        std::printf("%8.3f  %-24s %-12s %s\n", answer.hits[i].score, std::string(row->text(0)).c_str(),
                    std::string(row->text(2)).c_str(), std::string(row->text(1)).c_str());
        for (std::size_t f = 0; options.features && f < ranker.feature_names().size(); ++f) {
            std::printf("%s%s %.3f", f == 0 ? "          " : "  ", ranker.feature_names()[f].c_str(),
                        answer.features[i][f]);
        }
        std::printf("%s", options.features ? "\n" : "");
        row->reset();
    }
    if (answer.hits.empty()) {
        std::printf("no package has all of these words\n");
    }
    for (const PhaseTime &time : answer.times) {
        std::printf("%-28s%8zu documents %10.3f ms %14.0f documents/s\n", time.what, time.documents, time.seconds * 1e3,
                    time.seconds > 0 ? static_cast<double>(time.documents) / time.seconds : 0);
    }
    return {};
}

int search(const Options &options) {
    std::ifstream file(options.profile);
    const std::string profile{std::istreambuf_iterator<char>(file), {}};
    if (!file) {
        return complain(options.profile + ": cannot be read");
    }
    auto database = Database::open(options.database);
    if (!database) {
        return complain(database.error().message());
    }
    const auto index = open_index(options, *database);
    if (!index) {
        return complain(index.error().message());
    }
    const auto ranker = PackageRanker::make(*database, *index, profile, options.profile);
    if (!ranker) {
        std::fputs(ranker.error().render().c_str(), stderr);
        return failed;
    }
    const auto answer = (*ranker)->search(options.words, options.hits);
    if (!answer) {
        return complain(answer.error().message());
    }
    if (const tenrex::Status status = print(options, **ranker, *answer, *database); !status) {
        return complain(status.error().message());
    }
    return 0;
}

}  // namespace

int main(int count, char **arguments) {
    Options options;
    if (const std::string wrong = read_arguments(count, arguments, options); !wrong.empty()) {
        return complain(wrong, used_wrongly);
    }
    if (options.help) {
        std::fputs(usage, stdout);
    }
    const int status = options.help ? 0 : search(options);
    if (std::fflush(stdout) != 0) {
        return complain("the output cannot be written");
    }
    return status;
}
