// Rank profiles: files that say how documents are scored, phase by phase, with functions, constants and query inputs.
//
//   auto set = tenrex::ProfileSet::parse(text, "music.profile", read_file);
//   if (!set) { std::cerr << set.error().render(); return 1; }
//   tenrex::ProfileOptions options;
//   options.attributes.push_back({"price"});                          // unless a schema block in the file declares it
//   options.features.push_back({"bm25(title)"});                      // what the engine computes itself
//   auto profile = tenrex::compile_profile(*set, "popular", options);
//   auto values = profile->query_values({{"query(q)", q}}, now);      // defaults filled in; for bind() of every plan
//   auto query = profile->first_phase().plan->bind(*values);
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tenrex/distance_metric.h>
#include <tenrex/export.h>
#include <tenrex/expression.h>
#include <tenrex/issue.h>
#include <tenrex/model_reader.h>
#include <tenrex/plan.h>
#include <tenrex/result.h>
#include <tenrex/tensor.h>
#include <tenrex/tensor_type.h>

namespace tenrex {

// ---- attributes: values that documents have

enum class AttributeKind : std::uint8_t {
    number,       // column of type double; a document without a value has NaN, or false if it is a bool
    string,       // column of type double that holds string_number() of the text, of an empty one if there is none
    tensor,       // column of the declared type; without a value empty, or zeros if it has no mapped dimension
    array,        // column of type tensor(index{}): the elements under the labels 0, 1, ...
    weighted_set  // column of type tensor(key{}): the weights under their keys
};

// What a text of a document consists of: a part that is written in the schema, or a field.
struct TextPart {
    std::string text;  // as written, or the name of the field
    bool is_field = false;
    std::optional<std::string> otherwise{};  // of a document without the field; nothing: it has no text at all
};

// How the value of an attribute comes of a text: "indexing: input title | embed e5 | attribute".
struct EmbeddedText {
    std::string embedder;  // empty: the only one
    std::vector<TextPart> parts;
};

struct Attribute {
    std::string name;
    AttributeKind kind = AttributeKind::number;
    bool of_strings = false;  // elements of the array, or keys of the weighted set, are strings
    TensorType type{};        // of a tensor
    DistanceMetric metric = DistanceMetric::euclidean;  // of a tensor, for closeness and distance
    bool of_struct = false;                  // the member of a struct, or of each struct of an array: "field.member"
    std::optional<EmbeddedText> embedded{};  // of a tensor; a program without an embedder reads it as any other
    bool is_bool = false;                    // of a number
};

// The value in [0, 1) of the feature `random` for a document: a fixed function of all three. The name is that of the
// feature, such as "random" or "random(a)".
TENREX_EXPORT double random_number(std::uint64_t seed, std::uint64_t document, std::string_view name) noexcept;

// ---- what a file says

// Reads a file that a profile names; the path is as written. The message of an error is shown where the name stands.
using FileLoader = std::function<Result<std::string>(std::string_view path)>;

// A file with its text.
struct ProfileFile {
    std::string name;
    std::string text;
};

// The profiles of one file: `rank-profile` blocks, alone or within `schema name { document name { field ... } }`. What
// a schema inherits is read from the files "parent.sd". Immutable; copies share what they hold.
class TENREX_EXPORT ProfileSet {
public:
    // Errors: every issue of the text. file_name stands in front of positions. The loader is asked for expressions and
    // for schemas here and for constants and models by compile_profile; without one, files are refused.
    static Result<ProfileSet> parse(std::string_view text, std::string_view file_name = {}, FileLoader loader = {},
                                    const ExpressionOptions &options = {});
    // The same of a schema whose profiles stand in files of their own, too: the schema first.
    static Result<ProfileSet> parse(const std::vector<ProfileFile> &files, FileLoader loader = {},
                                    const ExpressionOptions &options = {});

    // In the order of the files, without those that a schema inherits.
    std::vector<std::string> names() const;
    bool has(std::string_view name) const noexcept;
    // The attribute fields of the schema block.
    const std::vector<Attribute> &attributes() const noexcept;
    // The fields of texts, or of arrays of texts, that the schema block indexes: an engine has bm25(field) of them.
    const std::vector<std::string> &indexed_texts() const noexcept;
    // Settings that are not known, or known and without effect here, and were skipped.
    const std::vector<Issue> &warnings() const noexcept;

    struct Content;
    const Content &content() const noexcept { return *content_; }

private:
    explicit ProfileSet(std::shared_ptr<const Content> content) : content_(std::move(content)) {}
    std::shared_ptr<const Content> content_;
};

// ---- compiling

// A feature that the engine computes for each document, such as bm25(title), and gives as a column.
struct HostFeature {
    std::string name;
    TensorType type{};  // a number if nothing else is said
};

// What an engine with an index of texts computes, such as bm25(title) or fieldMatch(title).completeness.
struct EngineFeature {
    TensorType type{};
    double value = 0;  // of a document that did not match, if it is a number
};
// Nothing if it is no name of such a feature.
TENREX_EXPORT std::optional<EngineFeature> engine_feature(std::string_view name);

// A setting for such a feature: "bm25(title).k1" and "1.5".
struct FeatureProperty {
    std::string name;
    std::string value;
};

// Which query tensor closeness and distance compare an attribute with.
struct NearestNeighbor {
    std::string label;      // for closeness(label,...); may be empty
    std::string attribute;  // for closeness(field,...)
    std::string query;      // the name of the input: "q" for query(q)
};

// An input of the profile, which comes with the query.
struct ProfileInput {
    std::string name;  // "query(q)"
    TensorType type;
    std::optional<Tensor> default_value;
    bool is_string = false;
};

struct ProfileOptions {
    // Labels are shared by all plans; null: a table is made. `expression` has no meaning here: the set has its own.
    CompileOptions compile;
    std::vector<Attribute> attributes;  // besides those of the schema block, which come first
    // Attributes that nobody declares are numbers. Otherwise they are errors.
    bool undeclared_attributes = false;
    std::vector<HostFeature> features;
    // For families of features that are too many to list: the type of a feature, or nothing if there is none of that
    // name. Asked after the list. May be empty.
    std::function<std::optional<TensorType>(std::string_view name)> host_feature;
    // Types of query inputs that the profile uses and does not declare. Others are numbers, with a warning unless
    // rank-properties give them a default.
    std::vector<ProfileInput> query_inputs;
    // Mistakes in functions that nothing uses are errors; otherwise warnings, as names that mean nothing in them are in
    // either case. Functions with arguments are checked where they are called.
    bool check_unused_functions = false;
    // Gives each phase a plan for each of its functions, for those who measure.
    bool function_plans = false;
    // Who reads the files of blocks onnx-model: read_onnx_model() of <tenrex/onnx.h>. Without it such blocks are
    // skipped with a warning.
    ModelReader models;
    // Attributes that are not named here are compared with the only query input of their dimensions.
    std::vector<NearestNeighbor> nearest_neighbors;
};

// Where the column for a document input of a plan comes from.
enum class ColumnSource : std::uint8_t {
    attribute,     // the attribute `argument`, as AttributeKind says
    labels,        // the elements of the array attribute `argument`, or its only value, as labels of tensor(value{}),
                   // each with the number of its occurrences
    structs,       // of each struct of the array `argument` the last of `members` under the labels that the others are
    host,          // the feature of that name
    random,        // random_number(seed, document, name)
    first_phase,   // the document's score after the first phase
    second_phase,  // its score after the second phase; of a document that was not reranked: its rescaled score
    normalizer     // GlobalPhase::normalizers[i], whose name it is
};

// A document input of a plan, by its name.
struct ColumnNeed {
    std::string name;
    TensorType type;
    ColumnSource source;
    std::string argument;  // the attribute's name
    std::vector<std::string> members{};
};

// A function of a phase on its own: its value is the only output.
struct FunctionPlan {
    std::string name;
    std::optional<Plan> plan;
    std::vector<ColumnNeed> columns;  // of plan->document_inputs(), in that order
};

// A phase that scores documents. The first output of the plan is the score.
//
// Each phase has a plan of its own, and the features have one. The first phase sees every match, so its plan does no
// more than the score needs; the others see a few hundred documents, for which computing a shared function again costs
// less than keeping its value for every match would. Within a plan everything that is written more than once is
// computed once: the outputs are one graph.
struct RankPhase {
    std::optional<Plan> plan;          // nothing: the profile does not have that phase
    std::size_t rerank_count = 0;      // second and global phase: how many of the best are scored again
    std::optional<double> drop_limit;  // documents with a score up to this are dropped
    std::vector<ColumnNeed> columns;   // of plan->document_inputs(), in that order
    // With ProfileOptions::function_plans: the functions without arguments that it uses, directly or by others.
    std::vector<FunctionPlan> functions;
};

enum class NormalizerKind : std::uint8_t { linear, reciprocal_rank };

// A function of one value of all documents that are reranked (ranking.h computes it).
struct Normalizer {
    std::string name;  // the document input of the phase's plan that takes the result
    NormalizerKind kind = NormalizerKind::linear;
    double k = 60;           // of reciprocal_rank
    std::size_t output = 0;  // which output of GlobalPhase::normalized it is a function of
};

// The phase over the best hits of all threads and nodes. First `normalized` is evaluated for the hits, then each
// normalizer over its output, then `plan`.
struct GlobalPhase : RankPhase {
    RankPhase normalized;  // no plan: there are no normalizers
    std::vector<Normalizer> normalizers;
};

// What is shown of a hit beside its score.
struct FeatureOutputs {
    std::optional<Plan> plan;          // an output for each name; nothing: there are none
    std::vector<ColumnNeed> columns;   // of plan->document_inputs(), in that order
    std::vector<std::string> match;    // names of outputs: match-features
    std::vector<std::string> summary;  // summary-features
};

// A compiled profile. Immutable; copies share what they hold, and so may threads.
class TENREX_EXPORT RankProfile {
public:
    const std::string &name() const noexcept;
    const std::vector<ProfileInput> &inputs() const noexcept;
    // There is always a first phase; without an expression it is `nativeRank` if the engine has it, else 0.
    const RankPhase &first_phase() const noexcept;
    const RankPhase &second_phase() const noexcept;
    const GlobalPhase &global_phase() const noexcept;
    const FeatureOutputs &features() const noexcept;
    // All that any plan needs of a document, once each; without scores of phases and normalizers.
    const std::vector<ColumnNeed> &columns() const noexcept;
    // The attributes of the schema block and the options.
    const std::vector<Attribute> &attributes() const noexcept;
    // What stands in rank-properties for the features of the engine. Those of bm25 are numbers: k1 and b from 0 on,
    // averageFieldLength above 0.
    const std::vector<FeatureProperty> &feature_properties() const noexcept;
    const std::shared_ptr<LabelTable> &labels() const noexcept;
    // Warnings of the profile's expressions; those of the file are the set's.
    const std::vector<Issue> &warnings() const noexcept;

    // Values for bind() of every plan: those given, defaults for the rest, and `now` in seconds since 1970. Numbers
    // without a default are 0, tensors without one empty, or zeros. Errors: a name that is no input, another type.
    Result<std::vector<NamedTensor>> query_values(const std::vector<NamedTensor> &given, double now) const;

    struct Content;
    explicit RankProfile(std::shared_ptr<const Content> content) : content_(std::move(content)) {}

private:
    std::shared_ptr<const Content> content_;
};

// Errors: every issue of the profile: no such profile; a function, feature, input or constant that is not there; a
// recursion; types that do not fit.
TENREX_EXPORT Result<RankProfile> compile_profile(const ProfileSet &set, std::string_view name,
                                                  const ProfileOptions &options = {});

// The features of an engine that the profile uses and that the options do not give, each once, by name.
TENREX_EXPORT std::vector<HostFeature> needed_features(const ProfileSet &set, std::string_view name,
                                                       const ProfileOptions &options = {});

}  // namespace tenrex
