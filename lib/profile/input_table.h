// The inputs that the expressions of a profile use, declared as they are met; and what is known of attributes, host
// features and constants before.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include <tenrex/rank_profile.h>
#include <tenrex/schema.h>

#include "lib/profile/inherit.h"
#include "lib/profile/profile_text.h"
#include "lib/profile/sources.h"

namespace tenrex::profile {

class InputTable {
public:
    InputTable(const ProfileSet::Content &set, const WholeProfile &profile, const ProfileOptions &options,
               Findings &findings);

    // The attribute of that name if it is declared, without a report.
    const Attribute *declared_attribute(std::string_view name) const;
    // Whether a tensor of the query is known to compare the attribute with.
    bool has_neighbor(const Attribute &attribute) const;
    // The attribute of that name; null after a report at the span.
    const Attribute *attribute(std::string_view name, Span span);
    const std::vector<Attribute> &attributes() const noexcept { return attributes_; }
    // Whether the attribute is declared, not only taken for a number.
    // The inputs of attributes that nobody declares.
    std::vector<std::string> assumed_numbers() const;
    bool is_declared(const Attribute &attribute) const { return !undeclared_.contains(attribute.name); }
    // The type of the column that an attribute has.
    static TensorType column_type(const Attribute &attribute);
    // The type of a feature of the engine.
    std::optional<TensorType> host_feature(std::string_view name) const;
    // Names that may have been meant.
    std::vector<std::string> host_features() const;
    // Whether attributes that nobody declares are numbers.
    bool takes_undeclared() const noexcept { return options_.undeclared_attributes; }
    bool has_attribute(std::string_view feature) const;  // "attribute(name)"
    // The tensor that closeness and distance compare an attribute with, as "query(q)"; empty after a report.
    std::string neighbor(const Attribute &attribute, Span span);
    const NearestNeighbor *neighbor_label(std::string_view label) const;
    // The value of a constant of the profile or schema; null after a report.
    const Tensor *constant(const ConstantText &constant);
    // The forest of a file; null after a report at the span.
    const Forest *forest(const std::string &file, Span span);
    const ConstantText *find_constant(std::string_view name) const;
    // The model in an ONNX file that expressions call by the name, which may be that of the file where no block
    // declares it; null: there is none.
    const NetworkText *find_network(std::string_view name, Span span);
    bool reads_networks() const noexcept { return options_.models != nullptr; }
    // Its definitions, with its weights declared; null after a report. The types are asked for once for all
    // expressions.
    const ModelDefinitions *network(const NetworkText &text, const ModelInputType &type_of);
    // A value of rank-properties.
    std::optional<double> property(std::string_view name);

    // Declare an input for expressions.
    void document(const std::string &name, const TensorType &type, ColumnSource source, std::string_view argument);
    void document(const Attribute &attribute);  // as "attribute(name)"
    void document(const ColumnNeed &need);
    void query(const InputText &input);
    void query(const std::string &name, const TensorType &type);
    void constant(const std::string &name, const Tensor &value);
    // Declares an input of the query that the profile uses and does not declare: of the type if there is one, else as
    // the options or rank-properties say, else as a number. False after a report: another was meant.
    bool undeclared_query(const std::string &name, const std::optional<TensorType> &type, Span span);
    // Those, with the types that they got.
    const std::vector<ProfileInput> &undeclared_inputs() const noexcept { return undeclared_inputs_; }
    // The name that expressions call the forest of the file by. symbols: of its features.
    std::string declare(const std::string &file, const Forest &forest, std::vector<std::string> symbols);

    const Schema &schema() const noexcept { return schema_; }
    const ColumnNeed &column(std::string_view name) const { return columns_.at(std::string(name)); }

private:
    std::string imported_from(std::string_view reference) const;
    // The inputs that have the indexed dimensions of the attribute.
    std::vector<std::string> fitting_inputs(const Attribute &attribute) const;

    const ProfileSet::Content &set_;
    const WholeProfile &profile_;
    const ProfileOptions &options_;
    Findings &findings_;
    std::vector<Attribute> attributes_;
    std::unordered_map<std::string, std::size_t> attribute_index_;
    std::unordered_set<std::string> undeclared_;
    std::unordered_map<std::string, TensorType> host_features_;
    std::unordered_map<std::string, ColumnNeed> columns_;
    std::vector<ProfileInput> undeclared_inputs_;
    std::unordered_map<std::string, std::optional<Tensor>> constants_;  // those that have been read
    std::unordered_map<std::string, std::optional<Forest>> forests_;    // by file
    std::unordered_map<const NetworkText *, std::optional<ModelDefinitions>> networks_;
    std::map<std::string, NetworkText, std::less<>> files_of_networks_;  // those that no block declares
    Schema schema_;
};

}  // namespace tenrex::profile
