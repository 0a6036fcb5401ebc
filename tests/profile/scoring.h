// Compiles profiles from text and scores a few documents with them.
#pragma once

#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include <tenrex/column_buffer.h>
#include <tenrex/formats.h>
#include <tenrex/rank_profile.h>

namespace tenrex::testing {

// The values of one document by the name of the column: "attribute(price)".
using Document = std::map<std::string, std::string>;

using Files = std::map<std::string, std::string>;

inline FileLoader loader_of(Files files) {
    return [files = std::move(files)](std::string_view path) -> Result<std::string> {
        const auto found = files.find(std::string(path));
        if (found == files.end()) {
            return Error("there is no file " + std::string(path));
        }
        return found->second;
    };
}

inline Result<RankProfile> compile_text(std::string_view text, std::string_view name = "test",
                                        const ProfileOptions &options = {}, Files files = {}) {
    auto set = ProfileSet::parse(text, "test.profile", loader_of(std::move(files)));
    if (!set) {
        return set.error();
    }
    return compile_profile(*set, name, options);
}

inline RankProfile compiled(std::string_view text, std::string_view name = "test", const ProfileOptions &options = {},
                            Files files = {}) {
    auto profile = compile_text(text, name, options, std::move(files));
    if (!profile) {
        ADD_FAILURE() << profile.error().render();
        std::abort();
    }
    return *std::move(profile);
}

inline constexpr double some_time = 1000000;

// The outputs of a plan for the documents: result[output][document].
inline std::vector<std::vector<Tensor>> outputs(const RankProfile &profile, const Plan &plan,
                                                const std::vector<ColumnNeed> &needs,
                                                const std::vector<Document> &documents,
                                                const std::vector<NamedTensor> &query = {}) {
    std::vector<ColumnBuffer> buffers;
    for (const ColumnNeed &need : needs) {
        ColumnBuffer buffer(need.type, plan.labels());
        for (const Document &document : documents) {
            const auto found = document.find(need.name);
            EXPECT_NE(found, document.end()) << need.name;
            const auto value = from_literal(found->second, need.type);
            EXPECT_TRUE(value.has_value()) << need.name << ": " << (value ? "" : value.error().render());
            EXPECT_TRUE(buffer.append(*value).has_value());
        }
        buffers.push_back(std::move(buffer));
    }
    std::vector<Column> columns;
    for (const ColumnBuffer &buffer : buffers) {
        columns.push_back(buffer.column());
    }
    const auto values = profile.query_values(query, some_time);
    EXPECT_TRUE(values.has_value()) << (values ? "" : values.error().render());
    const auto bound = plan.bind(*values);
    EXPECT_TRUE(bound.has_value()) << (bound ? "" : bound.error().render());
    Context context(plan);
    const auto tensors = bound->evaluate_tensors({documents.size(), columns}, context);
    EXPECT_TRUE(tensors.has_value()) << (tensors ? "" : tensors.error().render());
    std::vector<std::vector<Tensor>> result;
    for (std::size_t i = 0; i < plan.outputs().size(); ++i) {
        const auto begin = tensors->begin() + static_cast<std::ptrdiff_t>(i * documents.size());
        result.emplace_back(begin, begin + static_cast<std::ptrdiff_t>(documents.size()));
    }
    return result;
}

inline std::vector<double> numbers(const std::vector<Tensor> &tensors) {
    std::vector<double> result;
    for (const Tensor &tensor : tensors) {
        result.push_back(tensor.as_double());
    }
    return result;
}

inline std::vector<double> scores(const RankProfile &profile, const RankPhase &phase,
                                  const std::vector<Document> &documents, const std::vector<NamedTensor> &query = {}) {
    return numbers(outputs(profile, *phase.plan, phase.columns, documents, query).front());
}

inline double score(const RankProfile &profile, const Document &document, const std::vector<NamedTensor> &query = {}) {
    return scores(profile, profile.first_phase(), {document}, query).front();
}

// A profile whose first phase is the expression, and what stands beside it.
inline std::string profile_of(std::string_view expression, std::string_view rest = "") {
    return "rank-profile test {\n" + std::string(rest) + "\nfirst-phase {\nexpression {\n" + std::string(expression) +
           "\n}\n}\n}\n";
}

inline double value_of(std::string_view expression, std::string_view rest = "", const Document &document = {},
                       const ProfileOptions &options = {}, Files files = {}) {
    return score(compiled(profile_of(expression, rest), "test", options, std::move(files)), document);
}

}  // namespace tenrex::testing
