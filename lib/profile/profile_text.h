// What a file of rank profiles says: read and parsed, nothing resolved or inherited yet. Spans are those of Sources.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tenrex/issue.h>
#include <tenrex/model_precision.h>
#include <tenrex/rank_profile.h>
#include <tenrex/tensor.h>
#include <tenrex/tensor_type.h>

#include "lib/profile/sources.h"
#include "lib/syntax/ast.h"

namespace tenrex::profile {

// A name with its place.
struct Word {
    std::string text;
    Span span;
};

struct ExpressionText {
    Span span;                               // of its text, which may be in another file
    Word file;                               // of `expression: file:name`
    std::shared_ptr<const syntax::Ast> ast;  // its spans count from span.begin; null: it has a mistake
};

struct FunctionText {
    Word name;
    std::vector<Word> parameters;
    ExpressionText expression;
};

struct InputText {
    Word name;  // "query(q)"
    TensorType type;
    std::optional<Tensor> value;
    bool is_string = false;
};

struct ConstantText {
    Word name;
    TensorType type;
    std::optional<Tensor> value;
    Word file;  // instead of a value
    Word uri;   // instead of a file
};

// Each setting may be missing; it is then that of a parent.
struct PhaseText {
    std::optional<ExpressionText> expression;
    std::optional<std::uint64_t> rerank_count;
    std::optional<double> drop_limit;
};
enum PhaseNumber : std::uint8_t { first_phase, second_phase, global_phase, phase_count };
inline constexpr std::string_view phase_names[] = {"first-phase", "second-phase", "global-phase"};

struct FeatureText {
    Word name;  // without white space
    ExpressionText expression;
};
struct FeatureList {
    bool given = false;
    std::vector<Word> inherits;  // profiles whose features come first
    std::vector<FeatureText> features;
};

struct PropertyText {
    Word name;  // "freshness(timestamp).maxAge"
    Word value;
};

// An input of a model with what it is given, or an output with its name in expressions.
struct NetworkPortText {
    Word name;
    Word value;
};

// A model in an ONNX file.
struct NetworkText {
    Word name;
    Word file;
    ModelPrecision precision = ModelPrecision::f32;
    std::vector<NetworkPortText> inputs;
    std::vector<NetworkPortText> outputs;
};

struct ProfileText {
    Word name;
    std::vector<Word> parents;
    std::vector<FunctionText> functions;
    std::vector<InputText> inputs;
    std::vector<ConstantText> constants;
    std::vector<PropertyText> properties;
    std::vector<NetworkText> networks;
    PhaseText phases[phase_count];
    FeatureList match_features;
    FeatureList summary_features;
    bool is_inherited = false;  // of a schema that this one inherits
};

struct FieldText {
    Word name;
    std::string type;  // as written
    bool is_attribute = false;
    bool is_indexed_text = false;        // its words are in an index, as documents bring them
    std::optional<Attribute> attribute;  // nothing: expressions know no attributes of that type
    std::vector<Word> members;           // "name" of struct-field name, if it is an attribute
};

struct StructText {
    Word name;
    std::vector<std::string> parents;
    std::vector<FieldText> fields;
};

// "import field reference.field as name".
struct ImportText {
    Word name;
    std::string reference;
    std::string field;
};

// A whole file.
struct FileText {
    std::vector<ProfileText> profiles;
    std::vector<FieldText> fields;
    std::vector<StructText> structs;
    std::vector<ImportText> imported;     // fields that are those of other documents
    std::vector<Word> parents;            // schemas and documents that it inherits
    std::vector<ConstantText> constants;  // of the schema
    std::vector<NetworkText> networks;    // of the schema
    bool has_schema = false;
};

// What expressions of the file may call besides the functions of the language, sorted (profile_set.cpp).
std::vector<std::string_view> called_names(const FileText &file);

}  // namespace tenrex::profile

namespace tenrex {

struct ProfileSet::Content {
    profile::Sources sources;
    profile::FileText file;
    std::vector<Attribute> attributes;
    std::vector<std::string> indexed_texts;
    std::vector<Issue> warnings;
    FileLoader loader;
    ExpressionOptions options;
};

}  // namespace tenrex
