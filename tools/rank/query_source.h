// The queries of a run: values for the inputs of a profile, from arguments, a JSON object, or JSON Lines.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tenrex/rank_profile.h>
#include <tenrex/result.h>

#include "tools/json_object.h"
#include "tools/rank/query_embedding.h"

namespace tenrex::tool {

struct RankQuery {
    std::string id;
    std::vector<NamedTensor> values;
    std::string text;          // whose words are searched for
    std::size_t embedded = 0;  // texts that became values, in so much time
    double seconds = 0;
};

class QueryReader {
public:
    explicit QueryReader(const RankProfile &profile) : profile_(profile) {}

    // "query(q)=VALUE", also written "q=VALUE"; a value for all queries.
    // Prints what is wrong with it, and then gives the exit status.
    std::optional<int> add_argument(const std::string &argument);
    // The text of queries that have none of their own.
    void set_text(std::string text) { text_ = std::move(text); }
    // Who makes values of texts; must outlive the reader.
    void set_embedder(QueryEmbedder &embedder) noexcept { embedder_ = &embedder; }
    // A JSON object: {"query(q)": [1,2]}, or {"id": "7", "inputs": {"query(q)": [1,2]}}. A literal may stand in a
    // string, and so may "embed(...)" (query_embedding.h). A member "text" is the text of the query, unless the profile
    // has an input of that name. The name of an input may begin with "input.".
    Result<RankQuery> read(std::string_view json, std::string id) const;

private:
    // A value for all queries: a tensor, or what becomes of a text of the query.
    struct Argument {
        const ProfileInput *input;
        std::optional<Tensor> value;
        EmbedCall call;
    };
    const ProfileInput *find(const std::string &name) const;
    Result<Tensor> embed(const EmbedCall &call, const ProfileInput &input, const JsonValue &object,
                         const std::string &text) const;
    Result<Tensor> read_value_of(const ProfileInput &input, const JsonValue &value) const;
    Status add_arguments(const JsonValue &object, RankQuery &query) const;

    const RankProfile &profile_;
    std::vector<Argument> arguments_;
    std::string text_;
    QueryEmbedder *embedder_ = nullptr;
};

// Answers the query of a file with a JSON object, or one without values of its own if the path is empty. Gives the exit
// status: that of the answer, or of what is wrong with the query.
int answer_query(const QueryReader &reader, const std::string &path,
                 const std::function<int(const RankQuery &)> &answer);
// Answers the queries of a file, a JSON object a line, until an answer is no success. A query without an id has the
// number of its line.
int answer_queries(const QueryReader &reader, const std::string &path,
                   const std::function<int(const RankQuery &)> &answer);

}  // namespace tenrex::tool
