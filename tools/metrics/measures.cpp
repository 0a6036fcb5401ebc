#include "tools/metrics/measures.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <iterator>
#include <limits>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tenrex::tool {

namespace {

constexpr std::size_t all_documents = std::numeric_limits<std::size_t>::max();

bool is_relevant(double relevance) {
    return relevance > 0;
}

std::size_t relevant_in(const std::vector<double> &documents, std::size_t most) {
    const auto end = documents.begin() + static_cast<std::ptrdiff_t>(std::min(most, documents.size()));
    return static_cast<std::size_t>(std::count_if(documents.begin(), end, is_relevant));
}

std::size_t relevant(const JudgedRanking &ranking) {
    return relevant_in(ranking.found, all_documents) + relevant_in(ranking.missing, all_documents);
}

double share(std::size_t part, std::size_t whole) {
    return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

double discounted(const std::vector<double> &gains, std::size_t most) {
    double sum = 0;
    for (std::size_t i = 0; i < std::min(most, gains.size()); ++i) {
        sum += std::max(gains[i], 0.0) / std::log2(static_cast<double>(i + 2));
    }
    return sum;
}

// The relevance is the gain, or 0 if a judge gave less; it is divided by what the best order of all documents has.
double ndcg(const JudgedRanking &ranking, std::size_t most) {
    std::vector<double> best = ranking.found;
    best.insert(best.end(), ranking.missing.begin(), ranking.missing.end());
    std::sort(best.begin(), best.end(), std::greater<>());
    const double ideal = discounted(best, most);
    return ideal == 0 ? 0 : discounted(ranking.found, most) / ideal;
}

// The mean of the precision at the ranks of all relevant documents.
double average_precision(const JudgedRanking &ranking, std::size_t most) {
    double sum = 0;
    std::size_t hits = 0;
    for (std::size_t i = 0; i < std::min(most, ranking.found.size()); ++i) {
        if (is_relevant(ranking.found[i])) {
            sum += share(++hits, i + 1);
        }
    }
    const std::size_t wanted = relevant(ranking);
    return wanted == 0 ? 0 : sum / static_cast<double>(wanted);
}

double reciprocal_rank(const JudgedRanking &ranking, std::size_t most) {
    const auto first = std::find_if(ranking.found.begin(), ranking.found.end(), is_relevant);
    const auto rank = static_cast<std::size_t>(first - ranking.found.begin()) + 1;
    return first == ranking.found.end() || rank > most ? 0 : share(1, rank);
}

double recall(const JudgedRanking &ranking, std::size_t most) {
    return share(relevant_in(ranking.found, most), relevant(ranking));
}

double precision(const JudgedRanking &ranking, std::size_t most) {
    return share(relevant_in(ranking.found, most), most == all_documents ? ranking.found.size() : most);
}

}  // namespace

const std::vector<Measure::Row> &Measure::rows() {
    static const std::vector<Row> all = {
        {"ndcg", ndcg},     {"map", average_precision}, {"mrr", reciprocal_rank},
        {"recall", recall}, {"precision", precision},
    };
    return all;
}

Result<Measure> Measure::parse(std::string_view name) {
    const std::size_t at = name.find('@');
    const auto row =
        std::find_if(rows().begin(), rows().end(), [&](const Row &each) { return each.name == name.substr(0, at); });
    if (row == rows().end()) {
        std::vector<std::string_view> names;
        std::transform(rows().begin(), rows().end(), std::back_inserter(names),
                       [](const Row &each) { return each.name; });
        return Error(fmt::format("there is no measure \"{}\"", name),
                     fmt::format("the measures are {}, perhaps with @10 behind", fmt::join(names, ", ")));
    }
    std::size_t most = all_documents;
    if (at != std::string_view::npos) {
        const std::string_view digits = name.substr(at + 1);
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), most);
        if (error != std::errc() || end != digits.data() + digits.size() || most == 0) {
            return Error(fmt::format("\"{}\" is no number of documents", digits), "it is a whole number from 1 on");
        }
    }
    return Measure(std::string(name), row->function, most);
}

double Measure::of(const JudgedRanking &ranking) const {
    return ranking.found.empty() ? 0 : function_(ranking, most_);
}

}  // namespace tenrex::tool
