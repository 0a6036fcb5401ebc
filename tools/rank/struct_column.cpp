// Columns of what structs hold: a member of each, or two members as label and cell. What is wanted of the JSON is
// written anew, as a column of that type reads it.
#include <algorithm>
#include <utility>

#include "tools/rank/feature_column.h"

namespace tenrex::tool {

namespace {

using Kind = JsonCursor::Kind;

// The text of a member of an object that stands next; false: it is no object, or is broken. Empty: it has no such
// member.
bool member_of(JsonCursor &json, std::string_view path, std::string &text) {
    text.clear();
    if (json.kind() != Kind::object) {
        return json.fail("a struct is expected: an object with the members");
    }
    const std::size_t dot = path.find('.');
    std::string_view name;
    for (bool more = json.enter_object(name); more; more = json.next_member(name)) {
        std::string_view value;
        const bool wanted = name == path.substr(0, dot);
        if (wanted && dot != std::string_view::npos) {
            if (!member_of(json, path.substr(dot + 1), text)) {
                return false;
            }
        } else if (!json.skip(value)) {
            return false;
        } else if (wanted) {
            text = value;
        }
    }
    return !json.failed();
}

void add_element(std::string &list, std::string_view element) {
    list += list.size() > 1 ? "," : "";
    list += element;
}

// "[1,2]" of [{"member":1},{"member":2}], or of a map {"a":1,"b":2} the keys or the values.
bool members_of_array(JsonCursor &json, const std::vector<std::string> &members, std::string &text) {
    const std::string &member = members.front();
    std::string value;
    text = "[";
    if (json.kind() == Kind::object) {
        std::string_view name;
        for (bool more = json.enter_object(name); more; more = json.next_member(name)) {
            const std::string key = '"' + std::string(name) + '"';
            std::string_view element;
            if (member.starts_with("value.") ? !member_of(json, std::string_view(member).substr(6), value)
                                             : !json.skip(element)) {
                return false;
            }
            add_element(text, member == "key" ? key : member == "value" ? element : std::string_view(value));
        }
    } else {
        for (bool more = json.enter_array(); more; more = json.next_element()) {
            if (!member_of(json, member, value)) {
                return false;
            }
            add_element(text, value.empty() ? std::string_view("null") : value);
        }
    }
    text += ']';
    return !json.failed();
}

bool member_of_struct(JsonCursor &json, const std::vector<std::string> &members, std::string &text) {
    return member_of(json, members.front(), text);
}

// The members of the struct that stands next; one that is missing is an empty text.
bool members_of(JsonCursor &json, const std::vector<std::string> &members, std::vector<std::string> &texts) {
    const std::size_t begin = (json.kind(), json.position());
    texts.resize(members.size());
    std::size_t end = begin;
    for (std::size_t i = 0; i < members.size(); ++i) {
        json.rewind(begin);
        if (!member_of(json, members[i], texts[i])) {
            return false;
        }
        end = json.position();
    }
    json.rewind(end);
    return true;
}

std::string as_label(const std::string &text) {
    return text.front() == '"' ? text : '"' + text + '"';
}

// The cell as a member of an object, or of several keys as an element of a list of cells.
std::string cell_text(const std::vector<std::string> &members, const std::vector<std::string> &texts) {
    const std::string &value = texts.back();
    if (members.size() == 2) {
        return as_label(texts.front()) + ':' + value;
    }
    std::string address;
    for (std::size_t i = 0; i + 1 < members.size(); ++i) {
        address += (i == 0 ? "\"" : ",\"") + members[i] + "\":" + as_label(texts[i]);
    }
    return R"({"address":{)" + address + R"(},"value":)" + value + '}';
}

// {"a":1,"b":2} of [{"key":"a","value":1},{"key":"b","value":2}], or {"cells":[...]} of structs with several keys.
bool tensor_of_array(JsonCursor &json, const std::vector<std::string> &members, std::string &text) {
    std::vector<std::string> texts;
    std::string cells;
    for (bool more = json.enter_array(); more; more = json.next_element()) {
        if (!members_of(json, members, texts)) {
            return false;
        }
        const auto is_missing = [](const std::string &each) { return each.empty() || each == "null"; };
        if (std::none_of(texts.begin(), texts.end(), is_missing)) {
            cells += (cells.empty() ? "" : ",") + cell_text(members, texts);
        }
    }
    text = members.size() == 2 ? '{' + cells + '}' : R"({"cells":[)" + cells + "]}";
    return !json.failed();
}

class StructColumn : public FeatureColumn {
public:
    using Rewrite = bool (*)(JsonCursor &json, const std::vector<std::string> &members, std::string &text);

    StructColumn(Rewrite rewrite, std::vector<std::string> members, std::unique_ptr<FeatureColumn> column)
        : rewrite_(rewrite), members_(std::move(members)), column_(std::move(column)) {}

    bool read(JsonCursor &json, SegmentLabels &labels, ValueProblem &problem) override {
        const std::size_t begin = (json.kind(), json.position());
        if (!rewrite_(json, members_, text_)) {
            return problem.refuse(json, {}, begin);
        }
        if (text_.empty() || text_ == "null") {
            column_->add_missing();
            return true;
        }
        JsonCursor rewritten(text_);
        if (!column_->read(rewritten, labels, problem)) {
            problem.position = begin;
            return false;
        }
        return true;
    }
    void add_missing() override { column_->add_missing(); }
    void truncate(std::size_t documents) override { column_->truncate(documents); }
    void finish(const SegmentLabels &labels) override { column_->finish(labels); }
    Column column(std::size_t first, std::deque<Column::Fill> &fills) const override {
        return column_->column(first, fills);
    }
    void gather(std::size_t document, GatheredColumn &into) const override { column_->gather(document, into); }
    std::size_t memory_bytes() const noexcept override { return column_->memory_bytes(); }

private:
    Rewrite rewrite_;
    std::vector<std::string> members_;
    std::unique_ptr<FeatureColumn> column_;
    std::string text_;
};

}  // namespace

std::unique_ptr<FeatureColumn> make_member_column(const Attribute &attribute, std::unique_ptr<FeatureColumn> column) {
    const std::string member = attribute.name.substr(attribute.name.find('.') + 1);
    const bool of_array = attribute.kind == AttributeKind::array;
    return std::make_unique<StructColumn>(of_array ? members_of_array : member_of_struct,
                                          std::vector<std::string>{member}, std::move(column));
}

std::unique_ptr<FeatureColumn> make_struct_tensor_column(const ColumnNeed &need, std::size_t documents) {
    return std::make_unique<StructColumn>(tensor_of_array, need.members,
                                          make_sparse_column(need.type, SparseForm::tensor, documents));
}

}  // namespace tenrex::tool
