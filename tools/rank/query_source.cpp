#include "tools/rank/query_source.h"

#include <algorithm>
#include <cstring>
#include <unordered_set>

#include <fmt/format.h>

#include "tools/command_inputs.h"
#include "tools/exit_code.h"
#include "tools/input.h"
#include "tools/json_object.h"
#include "tools/terminal.h"
#include "tools/value_argument.h"

namespace tenrex::tool {

namespace {

constexpr std::size_t query_bytes = std::size_t{256} << 20;

bool has(const std::vector<NamedTensor> &values, const std::string &name) {
    return std::any_of(values.begin(), values.end(), [&](const NamedTensor &value) { return value.first == name; });
}

Error unknown(const std::string &name, const RankProfile &profile) {
    std::vector<std::string> inputs;
    for (const ProfileInput &input : profile.inputs()) {
        inputs.push_back(input.name);
    }
    const std::string own = inputs.empty() ? "it has none" : fmt::format("it has {}", fmt::join(inputs, ", "));
    return Error(fmt::format("the profile has no input \"{}\"", name),
                 name == "query" ? own + "; the words of a query are its member \"text\"" : own);
}

}  // namespace

const ProfileInput *QueryReader::find(const std::string &name) const {
    const auto canonical = canonical_name(name);
    const std::string full = canonical ? *canonical : name;
    for (const ProfileInput &input : profile_.inputs()) {
        if (input.name == full || input.name == "query(" + full + ")") {
            return &input;
        }
    }
    return nullptr;
}

std::optional<int> QueryReader::add_argument(const std::string &argument) {
    const auto parts = split_argument(argument);
    if (!parts) {
        print_failure(fmt::format("--input: expected NAME=VALUE, found \"{}\"", argument));
        return usage;
    }
    const ProfileInput *const input = find(parts->name);
    if (input == nullptr) {
        print_error(unknown(parts->name, profile_));
        return rejected;
    }
    if (has(arguments_, input->name)) {
        print_failure(fmt::format("--input: {} is given twice", input->name));
        return usage;
    }
    auto value = read_value_argument(parts->text, input->name, InputType{input->type, input->is_string});
    if (const auto *failure = std::get_if<ValueFailure>(&value)) {
        print_error(failure->error);
        return failure->unreadable ? io_failure : rejected;
    }
    arguments_.emplace_back(input->name, std::get<Tensor>(std::move(value)));
    return std::nullopt;
}

Result<RankQuery> QueryReader::read(std::string_view json, std::string id) const {
    const auto object = read_json_object(json, {"inputs"});
    if (!object) {
        return object.error();
    }
    RankQuery query{std::move(id), {}, text_};
    const JsonValue *const text = find("text") == nullptr ? object->find("text") : nullptr;
    if (text != nullptr) {
        if (!text->is_string()) {
            return Error(fmt::format("the text of the query is no string: {}", text->text));
        }
        query.text = text->text;
    }
    if (const JsonValue *member = object->find("id")) {
        query.id = member->text;
    }
    const JsonValue *inputs = object->find("inputs");
    for (const auto &[name, value] : inputs != nullptr ? inputs->members : object->members) {
        if (inputs == nullptr && (name == "id" || (name == "text" && text != nullptr))) {
            continue;
        }
        const ProfileInput *const input = find(name);
        if (input == nullptr) {
            return unknown(name, profile_);
        }
        if (has(query.values, input->name)) {
            return Error(fmt::format("{} is given twice", input->name));
        }
        if (value.kind == JsonValue::Kind::null || value.kind == JsonValue::Kind::boolean) {
            return named(Error(fmt::format("a number, a tensor or a literal is expected, found {}", value.text)),
                         input->name);
        }
        const bool literal = value.kind == JsonValue::Kind::string || value.kind == JsonValue::Kind::number;
        auto tensor = read_value(value.text, literal ? ValueForm::literal : ValueForm::json,
                                 InputType{input->type, input->is_string});
        if (!tensor) {
            return named(tensor.error(), input->name);
        }
        query.values.emplace_back(input->name, *std::move(tensor));
    }
    for (const NamedTensor &value : arguments_) {
        if (!has(query.values, value.first)) {
            query.values.push_back(value);
        }
    }
    return query;
}

int answer_query(const QueryReader &reader, const std::string &path,
                 const std::function<int(const RankQuery &)> &answer) {
    std::string text = "{}";
    if (!path.empty()) {
        auto read = read_all(path, query_bytes);
        if (!read) {
            print_failure(read.error().message());
            return io_failure;
        }
        text = *std::move(read);
        text.erase(0, text.starts_with(byte_order_mark) ? byte_order_mark.size() : 0);
    }
    const auto query = reader.read(text, "1");
    if (!query) {
        print_failure(fmt::format("{}: {}", path, query.error().message()));
        return rejected;
    }
    return answer(*query);
}

int answer_queries(const QueryReader &reader, const std::string &path,
                   const std::function<int(const RankQuery &)> &answer) {
    const auto file = File::open(path);
    if (!file) {
        print_failure(file.error().message());
        return io_failure;
    }
    LineReader lines(file->descriptor(), query_bytes);
    std::unordered_set<std::string> ids;
    for (;;) {
        const auto event = lines.next();
        const std::string place = fmt::format("{}:{}", file->name(), lines.line_number());
        if (event == LineReader::Event::end) {
            return success;
        }
        if (event == LineReader::Event::failure) {
            print_failure(fmt::format("cannot read {}: {}", file->name(), std::strerror(lines.error())));
            return io_failure;
        }
        if (event == LineReader::Event::too_long) {
            print_failure(fmt::format("{}: longer than the limit of {} bytes", place, query_bytes));
            return rejected;
        }
        if (lines.line().find_first_not_of(" \t\r") == std::string_view::npos) {
            continue;
        }
        const auto query = reader.read(lines.line(), std::to_string(lines.line_number()));
        if (!query) {
            print_failure(fmt::format("{}: {}", place, query.error().message()));
            return rejected;
        }
        if (!ids.insert(query->id).second) {
            print_warning(fmt::format("{}: the id {} was there before", place, query->id));
        }
        if (const int status = answer(*query); status != success) {
            return status;
        }
    }
}

}  // namespace tenrex::tool
