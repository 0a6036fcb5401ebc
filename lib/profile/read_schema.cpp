// Files, the blocks of a schema around profiles, and what is declared by name and value: inputs, constants, properties.
#include <algorithm>

#include "lib/profile/read_entries.h"
#include "lib/profile/reader.h"
#include "lib/sema/symbol_name.h"
#include "lib/support/format.h"
#include "lib/types/characters.h"
#include "lib/types/quoted_text.h"

namespace tenrex::profile {

namespace {

// "import field reference.name as name { }", behind the word.
bool read_import(Reader &in, FileText &file) {
    ImportText import;
    Word word = in.word();
    if (word.text == "field") {
        import.reference = in.word().text;
        if (in.take('.')) {
            import.field = in.word().text;
        }
        if (in.next_on_line() != '\n' && in.word().text == "as" && in.next_on_line() != '\n') {
            import.name = in.word();
            file.imported.push_back(std::move(import));
        }
    }
    return false;  // what stands behind it is skipped
}

// Names as they may be written for inputs and constants: the name itself or within query(...) or constant(...).
bool read_wrapped_name(Reader &in, std::string_view wrapper, std::string_view what, Word &name) {
    if (!in.expect_word(what, name)) {
        return false;
    }
    if (name.text == wrapper && in.next_on_line() == '(') {
        in.take('(');
        if (!in.expect_word(what, name) || !in.expect(')', fmt::format("after {}({}", wrapper, name.text))) {
            return false;
        }
    }
    return true;
}

// ": literal" or "{ literal }", behind the word value.
bool read_constant_value(Reader &in, Span &value) {
    if (in.take(':')) {
        value = in.literal_text();
        return true;
    }
    const std::uint32_t open = in.next() == '{' ? in.position() : 0;
    const auto end = in.next() == '{' ? in.block_end(open) : std::nullopt;
    if (!end) {
        return in.unexpected("':' or '{' after value");
    }
    value = {open + 1, *end};
    in.move_to(*end + 1);
    return true;
}

// "{ type: T file: name }", the same with uri or value, or "value { literal }", behind the name.
bool read_constant_block(Reader &in, ConstantText constant, std::vector<ConstantText> &constants) {
    bool typed = false;
    Span value;
    const bool read = read_entries(in, fmt::format("constant {}", constant.name.text), [&] {
        const Word setting = in.word();
        if (setting.text == "file") {
            if (!in.setting_value(setting, constant.file)) {
                return false;
            }
            const std::size_t end = std::min(constant.file.text.find_first_of(" \t"), constant.file.text.size());
            constant.file.text.resize(end);
            constant.file.span.end = constant.file.span.begin + static_cast<std::uint32_t>(end);
            in.move_to(constant.file.span.end);
            return true;
        }
        if (setting.text == "uri") {
            return in.setting_value(setting, constant.uri);
        }
        if (setting.text == "value") {
            return read_constant_value(in, value);
        }
        if (setting.text != "type") {
            in.findings().warning(
                setting.span, fmt::format("'{}' of constant {} is skipped", clipped(setting.text), constant.name.text));
            return false;
        }
        std::optional<TensorType> type;
        if (!in.expect(':', "after type") || !in.type(type)) {
            return false;
        }
        typed = type.has_value();
        constant.type = type ? *std::move(type) : TensorType();
        return typed || in.unexpected("a type");
    });
    const bool has_value = value.begin != value.end;
    if (read && (!typed || (constant.file.text.empty() && constant.uri.text.empty() && !has_value))) {
        in.findings().error(constant.name.span,
                            fmt::format("constant '{}' needs a type, and a file or a value", constant.name.text));
        return true;
    }
    if (has_value) {
        constant.value = in.literal(value, constant.type);
    }
    constants.push_back(std::move(constant));
    return read;
}

// Whether another input follows on the line.
bool begins_input(Reader &in) {
    in.next_on_line();
    return in.text().substr(in.position()).starts_with("query(");
}

// What stands in front of the '{' of a schema or document: its name, and what it inherits.
void read_head(Reader &in, FileText &file) {
    bool inherits = false;
    while (in.next() != '{' && in.next() != '\0') {
        Word word = in.word();
        if (word.text.empty()) {
            in.move_to(in.position() + 1);
            continue;
        }
        const auto same = [&](const Word &parent) { return parent.text == word.text; };
        if (inherits && word.text != "inherits" && std::none_of(file.parents.begin(), file.parents.end(), same)) {
            file.parents.push_back(word);
        }
        inherits = inherits || word.text == "inherits";
    }
}

}  // namespace

bool read_inputs(Reader &in, ProfileText &profile) {
    return read_entries(in, "inputs", [&] {
        InputText input;
        std::optional<TensorType> type;
        if (!read_wrapped_name(in, "query", "the name of an input", input.name) || !in.type(type)) {
            return false;
        }
        input.name.text = fmt::format("query({})", input.name.text);
        if (!type && is_name_start(in.next_on_line()) && !begins_input(in)) {
            const Word scalar = in.word();
            input.is_string = scalar.text == string_type;
            if (!input.is_string && !is_number_type(scalar.text)) {
                in.move_to(scalar.span.begin);
                return in.unexpected("a type", "inputs are numbers, strings or tensors");
            }
        }
        input.type = type ? *std::move(type) : TensorType();
        if (in.next_on_line() == ':') {
            in.take(':');
            const Span value = in.literal_text();
            if (value.begin == value.end) {
                in.findings().error(input.name.span, fmt::format("the default of {} is missing", input.name.text));
                return false;
            }
            input.value = in.literal(value, input.type);
        } else if (in.next_on_line() != '\n' && in.next_on_line() != '}' && in.next_on_line() != '\0' &&
                   !begins_input(in)) {
            return in.unexpected("a type, ':' and a default, or the end of the line",
                                 "inputs look like query(q) tensor<float>(x[3]): [1,2,3]");
        }
        profile.inputs.push_back(std::move(input));
        return true;
    });
}

bool read_constants(Reader &in, std::vector<ConstantText> &constants) {
    return read_entries(in, "constants", [&] {
        ConstantText constant;
        std::optional<TensorType> type;
        if (!read_wrapped_name(in, "constant", "the name of a constant", constant.name) || !in.type(type)) {
            return false;
        }
        if (!type && in.next() == '{') {
            return read_constant_block(in, std::move(constant), constants);
        }
        constant.type = type ? *std::move(type) : TensorType();
        if (in.next_on_line() != ':') {
            return in.unexpected(
                "':' and the value of the constant",
                "constants look like W tensor<float>(x[3]): [1,2,3], pi: 3.14 or W tensor(x[3]): file:w.json");
        }
        in.take(':');
        const Span value = in.literal_text();
        constexpr std::string_view file = "file:";
        if (value.begin == value.end) {
            in.findings().error(constant.name.span, fmt::format("constant '{}' has no value", constant.name.text));
            return false;
        }
        if (in.text(value).starts_with(file)) {
            const std::size_t skipped = in.text(value).find_first_not_of(" \t", file.size());
            if (skipped == std::string_view::npos) {
                in.findings().error(value, "file: names no file");
                return false;
            }
            constant.file.span = {value.begin + static_cast<std::uint32_t>(skipped), value.end};
            constant.file.text = in.text(constant.file.span);
        } else {
            constant.value = in.literal(value, constant.type);
        }
        constants.push_back(std::move(constant));
        return true;
    });
}

bool read_properties(Reader &in, std::vector<PropertyText> &properties) {
    return read_entries(in, "rank-properties", [&] {
        const std::uint32_t begin = in.position();
        const std::string_view line = in.text().substr(begin, in.text().find_first_of("\n}", begin) - begin);
        PropertyText property;
        property.name.span = {begin, begin + static_cast<std::uint32_t>(std::min(line.find(':'), line.size()))};
        property.name.text = sema::normal_name(in.text(property.name.span));
        in.move_to(property.name.span.end);
        if (!in.setting_value(property.name, property.value)) {
            return false;
        }
        std::string &value = property.value.text;
        if (value.size() >= 2 && value.front() == '"' && value.back() == '"') {
            value = value.substr(1, value.size() - 2);
        }
        properties.push_back(std::move(property));
        return true;
    });
}

bool read_constant(Reader &in, std::vector<ConstantText> &constants) {
    ConstantText constant;
    return in.expect_word("the name of a constant", constant.name) &&
           read_constant_block(in, std::move(constant), constants);
}

bool read_schema(Reader &in, FileText &file) {
    file.has_schema = true;
    std::size_t documents = 0;  // blocks that are open: fields may stand within or beside them
    while (in.next() != '\0') {
        if (in.take('}')) {
            if (documents == 0) {
                return true;
            }
            --documents;
            continue;
        }
        const Word word = in.word();
        bool read = false;
        if (word.text == "document") {
            read_head(in, file);
            read = in.take('{');
            documents += read;
        } else if (word.text == "field") {
            read = read_field(in, file.fields);
        } else if (word.text == "struct") {
            read = read_struct(in, file);
        } else if (word.text == "import") {
            read = read_import(in, file);
        } else if (word.text == "constant") {
            read = read_constant(in, file.constants);
        } else if (word.text == "onnx-model") {
            read = read_network(in, file.networks);
        } else if (word.text == "rank-profile" || word.text == "model") {  // what it was called once
            read = read_profile(in, file.profiles);
        } else if (word.text.empty()) {
            in.unexpected("a part of the schema");
            in.move_to(in.position() + 1);
            continue;
        }
        if (!read) {
            in.skip_setting();
        }
    }
    return in.unexpected("'}' at the end of the schema");
}

FileText read_file(Reader &in) {
    FileText file;
    while (in.next() != '\0') {
        const Word word = in.word();
        if (word.text == "rank-profile") {
            if (!read_profile(in, file.profiles)) {
                return file;
            }
        } else if (word.text == "schema" || word.text == "search" || word.text == "document") {
            read_head(in, file);
            if (!in.expect('{', "and the parts of the schema") || !read_schema(in, file)) {
                return file;
            }
        } else {
            in.move_to(word.span.begin);
            in.unexpected("rank-profile or schema");
            return file;
        }
    }
    return file;
}

}  // namespace tenrex::profile
