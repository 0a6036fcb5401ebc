// Fields of documents, and structs: what of them are attributes.
#include <algorithm>
#include <iterator>

#include "lib/profile/reader.h"
#include "lib/sema/symbol_name.h"
#include "lib/support/format.h"
#include "lib/types/characters.h"
#include "lib/types/quoted_text.h"

namespace tenrex::profile {

namespace {

// What stands between "name<" and ">"; empty if the type is another.
std::string_view element_type(std::string_view type, std::string_view name) {
    if (!type.starts_with(name) || !type.ends_with('>') || type.substr(name.size(), 1) != "<") {
        return {};
    }
    return type.substr(name.size() + 1, type.size() - name.size() - 2);
}

constexpr std::pair<std::string_view, DistanceMetric> metrics[] = {
    {"euclidean", DistanceMetric::euclidean},
    {"angular", DistanceMetric::angular},
    {"prenormalized-angular", DistanceMetric::prenormalized_angular},
    {"dotproduct", DistanceMetric::dotproduct},
    {"innerproduct", DistanceMetric::prenormalized_angular},
    {"hamming", DistanceMetric::hamming},
    {"geodegrees", DistanceMetric::geodegrees}};

void read_metric(Reader &in, const Word &setting, FieldText &field) {
    Word value;
    if (!in.setting_value(setting, value) || !field.attribute) {
        return;
    }
    const auto is_same = [](char a, char b) { return (is_letter(a) ? a | 0x20 : a) == b; };  // however it is written
    for (const auto &[name, metric] : metrics) {
        if (std::equal(value.text.begin(), value.text.end(), name.begin(), name.end(), is_same)) {
            field.attribute->metric = metric;
            return;
        }
    }
    in.findings().warning(value.span, fmt::format("distance-metric {} is not known here; it is taken for euclidean",
                                                  clipped(value.text)));
}

// A type other than that of a tensor, with what stands between '<' and '>', without white space.
bool read_type_name(Reader &in, std::string &name) {
    Word type;
    if (!in.expect_word("a type", type)) {
        return false;
    }
    if (in.next_on_line() == '<') {
        std::size_t depth = 0;
        std::uint32_t at = in.position();
        do {
            depth += in.text()[at] == '<';
            depth -= in.text()[at] == '>';
            ++at;
        } while (depth > 0 && at < in.text().size() && in.text()[at] != '{');
        in.move_to(at);
        type.span.end = at;
    }
    name = sema::normal_name(in.text(type.span));
    if (in.next_on_line() == '[') {  // int[], as array<int> was written once
        in.take('[');
        name = fmt::format("array<{}>", name);
        return in.expect(']', "after '['");
    }
    return true;
}

bool is_text(std::string_view type) {
    return type == "string" || type == "array<string>";
}

void read_statement(Reader &in, FieldText &field) {
    const std::uint32_t begin = in.position();
    do {
        in.skip_setting();
    } while (in.next_on_line() == '|');  // behind the block of a for_each
    const Span span{begin, in.position()};
    const std::string_view statement = in.text(span);
    field.is_attribute = has_word(statement, "attribute") || field.is_attribute;
    // What other fields are put together to is no text of the documents.
    field.is_indexed_text = is_text(field.type) && has_word(statement, "index") && !has_word(statement, "input");
    if (!field.attribute || field.attribute->kind != AttributeKind::tensor || !has_word(statement, "embed")) {
        return;
    }
    field.attribute->embedded = embedded_text(statement);
    if (!field.attribute->embedded) {
        in.findings().warning(span, fmt::format("how {} is embedded is not known here", field.name.text),
                              "documents bring it along; what is known looks like input title | embed e5 | attribute");
    }
}

// "struct-field name { indexing: attribute }", behind the word, up to a position.
void read_member(Reader &in, std::uint32_t end, FieldText &field) {
    Word member = in.word();
    while (in.next_on_line() == '.') {
        in.take('.');
        member.text += '.' + in.word().text;
    }
    if (in.next() != '{') {
        return;
    }
    const auto close = in.block_end(in.position());
    if (!close || *close > end) {
        return;
    }
    const std::string_view block = in.text({in.position(), *close});
    const std::size_t indexing = block.find("indexing");
    if (indexing != std::string_view::npos && has_word(block.substr(indexing), "attribute")) {
        field.members.push_back(std::move(member));
    }
    in.move_to(*close + 1);
}

// The settings of a field, which end with the block.
void read_settings(Reader &in, std::uint32_t end, FieldText &field) {
    in.move_to(in.position() + 1);
    // Words anywhere in the block will do: "indexing: attribute | summary", "attribute { distance-metric: x }".
    while (in.next() != '\0' && in.position() < end) {
        const Word setting = in.word();
        if (setting.text == "distance-metric") {
            read_metric(in, setting, field);
        } else if (setting.text == "indexing") {
            read_statement(in, field);
        } else if (setting.text == "struct-field") {
            read_member(in, end, field);
        } else if (setting.text.empty()) {
            in.move_to(in.position() + 1);
        }
    }
    in.move_to(end + 1);
}

// The type of the elements of an array, or of the values of a map; the type itself of others.
std::string_view element_of(std::string_view type) {
    const std::string_view element = element_type(type, "array");
    return element.empty() ? type : element;
}

// A member of a struct, or of one that it inherits.
const FieldText *find_own_member(const FileText &file, std::string_view type, std::string_view name) {
    std::vector<std::string_view> types{type};
    for (std::size_t i = 0; i < types.size(); ++i) {
        const auto of_type = std::find_if(file.structs.begin(), file.structs.end(),
                                          [&](const StructText &one) { return one.name.text == types[i]; });
        if (of_type == file.structs.end()) {
            continue;
        }
        const auto found = std::find_if(of_type->fields.begin(), of_type->fields.end(),
                                        [&](const FieldText &one) { return one.name.text == name; });
        if (found != of_type->fields.end()) {
            return &*found;
        }
        for (const std::string &parent : of_type->parents) {
            if (std::find(types.begin(), types.end(), parent) == types.end()) {
                types.emplace_back(parent);
            }
        }
    }
    return nullptr;
}

// The same, or "member.member of that".
const FieldText *find_member(const FileText &file, std::string_view type, std::string_view name) {
    const std::size_t dot = name.find('.');
    const FieldText *const found = find_own_member(file, type, name.substr(0, dot));
    return found == nullptr || dot == std::string_view::npos ? found
                                                             : find_member(file, found->type, name.substr(dot + 1));
}

// The type of a member of a field: of a struct, of an array of structs, or key and value of a map.
std::string member_type(const FileText &file, std::string_view type, std::string_view name) {
    const std::string_view of_map = element_type(type, "map");
    if (const std::size_t comma = of_map.find(','); comma != std::string_view::npos) {
        if (name == "key") {
            return std::string(of_map.substr(0, comma));
        }
        const std::string_view value = of_map.substr(comma + 1);
        if (name == "value") {
            return std::string(value);
        }
        const FieldText *member = name.starts_with("value.") ? find_member(file, value, name.substr(6)) : nullptr;
        return member == nullptr ? std::string() : member->type;
    }
    const FieldText *member = find_member(file, element_of(type), name);
    return member == nullptr ? std::string() : member->type;
}

}  // namespace

bool is_number_type(std::string_view type) {
    constexpr std::string_view number_types[] = {"bool", "byte", "double", "float", "float16", "int", "long"};
    return std::find(std::begin(number_types), std::end(number_types), type) != std::end(number_types);
}

std::optional<Attribute> attribute_of(const std::string &name, std::string_view type) {
    Attribute attribute;
    attribute.name = name;
    attribute.is_bool = type == "bool";
    if (is_number_type(type)) {
        return attribute;
    }
    if (type == "string") {
        attribute.kind = AttributeKind::string;
        return attribute;
    }
    const std::string_view of_array = element_type(type, "array");
    const std::string_view element = of_array.empty() ? element_type(type, "weightedset") : of_array;
    attribute.kind = of_array.empty() ? AttributeKind::weighted_set : AttributeKind::array;
    attribute.of_strings = element == "string";
    return attribute.of_strings || is_number_type(element) ? std::optional(attribute) : std::nullopt;
}

// Only what makes an attribute of it matters.
bool read_field(Reader &in, std::vector<FieldText> &fields) {
    FieldText field;
    Word word;
    if (!in.expect_word("the name of a field", field.name) || !in.expect_word("the word type", word)) {
        return false;
    }
    if (word.text != "type") {
        in.move_to(word.span.begin);
        return in.unexpected("the word type");
    }
    std::optional<TensorType> tensor;
    if (!in.type(tensor)) {
        return false;
    }
    if (tensor) {
        field.type = tensor->to_string();
        field.attribute.emplace();
        field.attribute->name = field.name.text;
        field.attribute->kind = tensor->is_scalar() ? AttributeKind::number : AttributeKind::tensor;
        field.attribute->type = *std::move(tensor);
    } else {
        if (!read_type_name(in, field.type)) {
            return false;
        }
        field.attribute = attribute_of(field.name.text, field.type);
    }
    if (in.next() == '{') {
        const auto end = in.block_end(in.position());
        if (!end) {
            return true;
        }
        read_settings(in, *end, field);
    }
    fields.push_back(std::move(field));
    return true;
}

bool read_struct(Reader &in, FileText &file) {
    StructText structure;
    if (!in.expect_word("the name of a struct", structure.name)) {
        return false;
    }
    for (Word word; in.next() != '{' && !(word = in.word()).text.empty();) {
        if (word.text != "inherits") {
            structure.parents.push_back(std::move(word.text));
        }
        in.take(',');
    }
    if (in.next() != '{') {
        return in.unexpected("'{' and the fields of the struct");
    }
    const auto end = in.block_end(in.position());
    if (!end) {
        return true;
    }
    in.move_to(in.position() + 1);
    while (in.next() != '\0' && in.position() < *end) {
        const Word word = in.word();
        if (word.text == "field") {
            if (!read_field(in, structure.fields)) {
                in.skip_setting();
            }
        } else if (word.text.empty()) {
            in.move_to(in.position() + 1);
        }
    }
    in.move_to(*end + 1);
    file.structs.push_back(std::move(structure));
    return true;
}

void add_members(FileText &file) {
    std::vector<FieldText> members;
    for (const FieldText &field : file.fields) {
        const bool of_array = !element_type(field.type, "array").empty() || !element_type(field.type, "map").empty();
        for (const Word &member : field.members) {
            FieldText added;
            added.name = {fmt::format("{}.{}", field.name.text, member.text), member.span};
            const std::string type = member_type(file, field.type, member.text);
            added.type = of_array ? fmt::format("array<{}>", type) : type;
            added.is_attribute = true;
            added.attribute = attribute_of(added.name.text, added.type);
            if (added.attribute) {
                added.attribute->of_struct = true;
            }
            members.push_back(std::move(added));
        }
    }
    file.fields.insert(file.fields.end(), std::make_move_iterator(members.begin()),
                       std::make_move_iterator(members.end()));
}

}  // namespace tenrex::profile
