#include "tools/jsonl.h"

#include <cstring>
#include <unordered_map>

#include <fmt/format.h>

#include <tenrex/formats.h>

#include "tools/json_object.h"
#include "tools/value_argument.h"

namespace tenrex::tool {

namespace {

std::string error_answer(std::string_view id, std::string_view message) {
    return fmt::format("{{\"id\":{},\"error\":{}}}", id, json_string(message));
}

// A value in a request is a literal, a number, or JSON.
Result<Tensor> read_request_value(const JsonValue &value, const std::optional<InputType> &type) {
    switch (value.kind) {
        case JsonValue::Kind::string:
        case JsonValue::Kind::number:
            return read_value(value.text, ValueForm::literal, type);
        case JsonValue::Kind::object:
        case JsonValue::Kind::array:
            return read_value(value.text, ValueForm::json, type);
        case JsonValue::Kind::null:
        case JsonValue::Kind::boolean:
            break;
    }
    return Error(fmt::format("a literal is expected, found {}", value.text), "write values as strings");
}

// The members "inputs" and "types" of a request.
Result<std::vector<Input>> read_inputs(const JsonValue &request) {
    static const JsonValue none{JsonValue::Kind::object, {}, {}};
    const JsonValue *values = request.find("inputs");
    const JsonValue *types = request.find("types");
    values = values != nullptr ? values : &none;
    types = types != nullptr ? types : &none;
    if (values->kind != JsonValue::Kind::object || types->kind != JsonValue::Kind::object) {
        return Error(
            fmt::format("\"{}\" must be an object", values->kind != JsonValue::Kind::object ? "inputs" : "types"));
    }
    std::vector<Input> inputs;
    std::unordered_map<std::string_view, std::size_t> declared;  // where the inputs of "types" are
    for (const auto &[name, text] : types->members) {
        if (!text.is_string()) {
            return named(Error("a type is expected"), name);
        }
        auto type = parse_input_type(text.text);
        if (!type) {
            return named(type.error(), name);
        }
        declared.emplace(name, inputs.size());
        inputs.emplace_back(name, *std::move(type));
    }
    for (const auto &[name, value] : values->members) {
        const auto found = declared.find(name);
        const bool typed = found != declared.end();
        std::optional<InputType> type;
        if (typed) {
            type = {inputs[found->second].type, inputs[found->second].is_string};
        }
        auto tensor = read_request_value(value, type);
        if (!tensor) {
            return named(tensor.error(), name);
        }
        if (typed && !inputs[found->second].value) {
            inputs[found->second].value = *std::move(tensor);
        } else {
            inputs.emplace_back(name, *std::move(tensor));  // a name given twice is refused with the schema
        }
    }
    return inputs;
}

struct ResponseMember {
    std::string_view member;
    std::string text;
};

constexpr std::size_t kept_plans = 256;

Result<ResponseMember> answer(const JsonValue &request, const JsonlOptions &jsonl, CompileCache &plans) {
    EvaluationOptions options = jsonl.expression;
    const JsonValue *expression = request.find("expression");
    if (expression == nullptr || !expression->is_string()) {
        return Error(expression == nullptr ? "the request has no \"expression\"" : "\"expression\" must be a string");
    }
    if (const JsonValue *dialect = request.find("dialect")) {
        const auto known = dialect->is_string() ? dialect_from_name(dialect->text) : std::nullopt;
        if (!known) {
            return Error("\"dialect\" must be \"core\" or \"java\"");
        }
        options.dialect = *known;
    }
    const JsonValue *type_only = request.find("type_only");
    if (type_only != nullptr && type_only->kind != JsonValue::Kind::boolean) {
        return Error("\"type_only\" must be true or false");
    }
    const auto inputs = read_inputs(request);
    if (!inputs) {
        return inputs.error();
    }
    const bool type_is_enough = type_only != nullptr && type_only->text == "true";
    if (jsonl.engine == Engine::compiled && !type_is_enough) {
        const auto value = evaluate(expression->text, *inputs, options, plans);
        return value ? Result<ResponseMember>(ResponseMember{"result", to_literal(*value)}) : value.error();
    }
    const auto checked = check(expression->text, *inputs, options);
    if (!checked) {
        return checked.error();
    }
    if (type_is_enough) {
        return ResponseMember{"type", checked->expression.type().to_string()};
    }
    const auto value = evaluate(*checked, jsonl.engine);
    return value ? Result<ResponseMember>(ResponseMember{"result", to_literal(*value)}) : value.error();
}

bool is_blank(std::string_view line) {
    return line.find_first_not_of(" \t\r") == std::string_view::npos;
}

}  // namespace

std::string answer_request(std::string_view line, std::size_t line_number, const JsonlOptions &options,
                           CompileCache &plans) {
    const auto request = read_json_object(line, {"inputs", "types"});
    if (!request) {
        return error_answer("null", fmt::format("line {}: {}", line_number, request.error().message()));
    }
    const JsonValue *member = request->find("id");
    const std::string id = member == nullptr ? "null" : member->is_string() ? json_string(member->text) : member->text;
    const auto result = answer(*request, options, plans);
    if (!result) {
        return error_answer(id, result.error().message());
    }
    return fmt::format("{{\"id\":{},\"{}\":{}}}", id, result->member, json_string(result->text));
}

Status answer_jsonl(const File &input, Output &out, const JsonlOptions &options) {
    CompileCache plans(kept_plans);
    LineReader lines(input.descriptor(), options.line_limit);
    while (!out.failed()) {
        if (out.pending() && !lines.ready()) {
            out.flush();
        }
        switch (lines.next()) {
            case LineReader::Event::end:
                return {};
            case LineReader::Event::failure:
                return Error(fmt::format("cannot read {}: {}", input.name(), std::strerror(lines.error())));
            case LineReader::Event::too_long:
                out.write(error_answer("null", fmt::format("line {}: longer than the limit of {} bytes",
                                                           lines.line_number(), options.line_limit)));
                out.write("\n");
                break;
            case LineReader::Event::line:
                if (!is_blank(lines.line())) {
                    out.write(answer_request(lines.line(), lines.line_number(), options, plans));
                    out.write("\n");
                }
                break;
        }
    }
    return {};
}

}  // namespace tenrex::tool
