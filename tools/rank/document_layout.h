// Which columns a profile needs of documents, and the fields that they are read from.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tenrex/rank_profile.h>

namespace tenrex::tool {

class DocumentLayout {
public:
    // What is read beside the columns of the plans: fields whose texts are indexed, attributes that are vectors, and
    // attributes that are made of texts, as the schema says, if anything needs them.
    struct Searched {
        std::vector<std::string> texts;
        std::vector<std::string> vectors;
        std::vector<std::string> embedded;
    };
    // features: whether the match features and summary features will be evaluated.
    DocumentLayout(const RankProfile &profile, bool features, Searched searched = {});

    struct Field {
        std::string name;
        std::vector<std::size_t> columns;  // those that are read from it
        bool is_made = false;              // of other fields: what documents have under its name is passed over
    };
    // What is read of documents: all that the plans need of them, once each.
    const std::vector<ColumnNeed> &columns() const noexcept { return columns_; }
    const std::vector<Field> &fields() const noexcept { return fields_; }
    struct Text {
        std::string field;
        std::size_t column;
    };
    const std::vector<Text> &texts() const noexcept { return texts_; }
    // A field that is made of texts.
    struct Embedded {
        std::size_t field;
        TensorType type;
        EmbeddedText text;
        std::vector<std::size_t> columns;  // of the parts of the text that are fields
    };
    const std::vector<Embedded> &embedded() const noexcept { return embedded_; }
    // What a column keeps of its field: a value, the words of a text, the text, or a list of texts.
    enum class Form : std::uint8_t { value, words, text, texts };
    Form form(std::size_t column) const noexcept { return forms_[column]; }
    // The column of an attribute that is a vector.
    std::size_t attribute_column(std::string_view name) const noexcept;
    // The attribute that a column is read from, or null.
    const Attribute *attribute(std::size_t column) const noexcept;
    // The field of that name; `hint` is where it most likely is.
    std::optional<std::size_t> find(std::string_view name, std::size_t hint) const noexcept;

private:
    void add(const ColumnNeed &need);
    void add_column(const std::string &field, const ColumnNeed &need, Form form = Form::value);
    void add_embedded(const Attribute &attribute);
    std::size_t text_column(const std::string &field, Form form);
    const Attribute *attribute(const ColumnNeed &need) const noexcept;

    std::vector<ColumnNeed> columns_;
    std::vector<Field> fields_;
    std::map<std::string, std::size_t, std::less<>> numbers_;  // of the fields, by name
    std::vector<Attribute> attributes_;
    Searched searched_;
    std::vector<Text> texts_;
    std::vector<Form> forms_;  // of the columns
    std::vector<Embedded> embedded_;
};

}  // namespace tenrex::tool
