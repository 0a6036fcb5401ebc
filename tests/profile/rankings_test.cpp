// The profiles in tests/profiles rank their documents as tests/profiles/work_out.py says, which knows no Tenrex.
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <string>
#include <unordered_map>
#include <vector>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <tenrex/ranking.h>

#include "tests/profile/scoring.h"

namespace tenrex::rankings_test {
namespace {

using nlohmann::json;

const std::filesystem::path folder = "tests/profiles";

Result<std::string> read_file(std::string_view name) {
    std::ifstream file(folder / name, std::ios::binary);
    if (!file) {
        return Error("there is no file " + std::string(name));
    }
    return std::string(std::istreambuf_iterator<char>(file), {});
}

// A field of a document as the literal of the column.
std::string literal_of(const json *value, const ColumnNeed &need, const RankProfile &profile) {
    if (value == nullptr) {
        return need.type.is_scalar() ? "nan" : need.type.has_mapped() ? "{}" : "[]";
    }
    if (need.source == ColumnSource::labels) {
        json labels = json::object();
        for (const json &label : *value) {
            labels[label.get<std::string>()] = 1;
        }
        return labels.dump();
    }
    if (value->is_string()) {
        std::ostringstream text;
        text.precision(17);
        text << string_number(value->get<std::string>());
        return text.str();
    }
    for (const Attribute &attribute : profile.attributes()) {
        if (attribute.name == need.argument && attribute.kind == AttributeKind::array) {
            json elements = json::object();
            for (std::size_t i = 0; i < value->size(); ++i) {
                elements[std::to_string(i)] = (*value)[i];
            }
            return elements.dump();
        }
    }
    return value->dump();
}

class Ranking {
public:
    Ranking(const json &test, const RankProfile &profile, std::vector<json> documents)
        : profile_(profile), documents_(std::move(documents)) {
        std::vector<NamedTensor> given;
        for (const auto &[name, value] : test["query"].items()) {
            for (const ProfileInput &input : profile.inputs()) {
                if (input.name == name) {
                    given.emplace_back(name, *from_literal(value.get<std::string>(), input.type));
                }
            }
        }
        values_ = *profile.query_values(given, test["now"].get<double>());
    }

    std::vector<Hit> run() {
        std::vector<Hit> all;
        for (std::uint64_t d = 0; d < documents_.size(); ++d) {
            all.push_back({d, 0});
        }
        const std::vector<double> first = evaluate(profile_.first_phase(), all)[0];
        TopHits top(all.size());
        for (std::uint64_t d = 0; d < first.size(); ++d) {
            if (!(first[d] <= profile_.first_phase().drop_limit.value_or(-std::numeric_limits<double>::max()))) {
                top.add(d, first[d]);
            }
        }
        std::vector<Hit> hits = std::move(top).take();
        remember(hits, ColumnSource::first_phase);
        if (profile_.second_phase().plan) {
            score_again(hits, profile_.second_phase());
        }
        remember(hits, ColumnSource::second_phase);
        if (profile_.global_phase().plan) {
            const GlobalPhase &global = profile_.global_phase();
            const std::vector<Hit> best(hits.begin(), hits.begin() + std::min(global.rerank_count, hits.size()));
            if (global.normalized.plan) {
                const auto inputs = evaluate(global.normalized, best);
                for (const Normalizer &normalizer : global.normalizers) {
                    const auto &input = inputs[normalizer.output];
                    normalized_[normalizer.name] = normalizer.kind == NormalizerKind::linear
                                                       ? normalize_linear(input)
                                                       : reciprocal_rank(input, normalizer.k);
                }
            }
            score_again(hits, global);
        }
        return hits;
    }

private:
    void remember(const std::vector<Hit> &hits, ColumnSource source) {
        for (const Hit &hit : hits) {
            (source == ColumnSource::first_phase ? first_ : second_)[hit.document] = hit.score;
        }
    }

    void score_again(std::vector<Hit> &hits, const RankPhase &phase) {
        const std::vector<Hit> best(hits.begin(), hits.begin() + std::min(phase.rerank_count, hits.size()));
        const std::vector<double> scores = evaluate(phase, best)[0];
        rerank(hits, scores);
        for (std::size_t i = 0; i < best.size(); ++i) {
            if (phase.drop_limit && scores[i] <= *phase.drop_limit) {
                std::erase_if(hits, [&](const Hit &hit) { return hit.document == best[i].document; });
            }
        }
    }

    // The outputs of a phase's plan for hits.
    std::vector<std::vector<double>> evaluate(const RankPhase &phase, const std::vector<Hit> &hits) {
        std::vector<ColumnBuffer> buffers;
        for (const ColumnNeed &need : phase.columns) {
            ColumnBuffer buffer(need.type, profile_.labels());
            for (std::size_t i = 0; i < hits.size(); ++i) {
                append(buffer, need, hits[i], i);
            }
            buffers.push_back(std::move(buffer));
        }
        std::vector<Column> columns;
        for (const ColumnBuffer &buffer : buffers) {
            columns.push_back(buffer.column());
        }
        Context context(*phase.plan);
        std::vector<std::vector<double>> results(phase.plan->outputs().size(), std::vector<double>(hits.size()));
        const std::vector<std::span<double>> spans(results.begin(), results.end());
        const Status status = phase.plan->bind(values_)->evaluate({hits.size(), columns}, context, spans);
        EXPECT_TRUE(status.has_value()) << (status ? "" : status.error().render());
        return results;
    }

    void append(ColumnBuffer &buffer, const ColumnNeed &need, const Hit &hit, std::size_t number) {
        const json &document = documents_[hit.document];
        switch (need.source) {
            case ColumnSource::attribute:
            case ColumnSource::labels:
            case ColumnSource::host: {
                const bool host = need.source == ColumnSource::host;
                const json &from = host ? document["features"] : document;
                const auto found = from.find(host ? need.name : need.argument);
                const auto text = literal_of(found == from.end() ? nullptr : &*found, need, profile_);
                const auto value = from_literal(text, need.type);
                ASSERT_TRUE(value.has_value()) << text;
                ASSERT_TRUE(buffer.append(*value).has_value());
                break;
            }
            case ColumnSource::random:
                buffer.append(random_number(1, hit.document, need.name));
                break;
            case ColumnSource::first_phase:
                buffer.append(first_.at(hit.document));
                break;
            case ColumnSource::second_phase:
                buffer.append(second_.at(hit.document));
                break;
            case ColumnSource::structs:
                FAIL() << "no profile here has structs";
            case ColumnSource::normalizer:
                buffer.append(normalized_.at(need.name)[number]);
                break;
        }
    }

    const RankProfile &profile_;
    std::vector<json> documents_;
    std::vector<NamedTensor> values_;
    std::unordered_map<std::uint64_t, double> first_, second_;
    std::unordered_map<std::string, std::vector<double>> normalized_;
};

class Rankings : public ::testing::TestWithParam<std::string_view> {};

TEST_P(Rankings, AreAsWorkedOut) {
    const json test = json::parse(*read_file(std::string(GetParam()) + ".json"));
    const std::string file = test["file"];
    ProfileOptions options;
    options.undeclared_attributes = true;
    options.features = {{"bm25(body)"}};
    const auto set = ProfileSet::parse(*read_file(file), file, read_file);
    ASSERT_TRUE(set.has_value()) << (set ? "" : set.error().render());
    EXPECT_TRUE(set->warnings().empty());
    const auto profile = compile_profile(*set, test["profile"].get<std::string>(), options);
    ASSERT_TRUE(profile.has_value()) << (profile ? "" : profile.error().render());
    EXPECT_TRUE(profile->warnings().empty());
    std::vector<json> documents;
    std::istringstream lines(*read_file(test["documents"].get<std::string>()));
    for (std::string line; std::getline(lines, line);) {
        documents.push_back(json::parse(line));
    }
    const std::vector<Hit> hits = Ranking(test, *profile, std::move(documents)).run();
    ASSERT_EQ(hits.size(), test["hits"].size());
    for (std::size_t i = 0; i < hits.size(); ++i) {
        const json &expected = test["hits"][i];
        EXPECT_EQ(hits[i].document, expected[0].get<std::uint64_t>()) << "place " << i;
        if (expected[1].is_string()) {
            EXPECT_TRUE(std::isnan(hits[i].score));
        } else {
            EXPECT_NEAR(hits[i].score, expected[1].get<double>(), 1e-5 * (1 + std::abs(hits[i].score)));
        }
    }
}

constexpr std::string_view cases[] = {"music_cheap",    "music_fresh",       "music_fresh_asked", "hybrid_text",
                                      "hybrid_fused",   "hybrid_normalized", "network",           "network_asked",
                                      "network_linear", "rescaled"};

INSTANTIATE_TEST_SUITE_P(All, Rankings, ::testing::ValuesIn(cases),
                         [](const auto &one) { return std::string(one.param); });

}  // namespace
}  // namespace tenrex::rankings_test
