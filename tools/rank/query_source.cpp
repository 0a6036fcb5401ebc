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
    constexpr std::string_view prefix = "input.";
    const std::string own = name.starts_with(prefix) ? name.substr(prefix.size()) : name;
    const auto canonical = canonical_name(own);
    const std::string full = canonical ? *canonical : own;
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
    if (std::any_of(arguments_.begin(), arguments_.end(),
                    [&](const Argument &given) { return given.input == input; })) {
        print_failure(fmt::format("--input: {} is given twice", input->name));
        return usage;
    }
    if (!input->is_string && is_embed_call(parts->text)) {
        auto call = parse_embed_call(parts->text);
        if (!call) {
            print_error(named(call.error(), input->name));
            return rejected;
        }
        arguments_.push_back({input, std::nullopt, *std::move(call)});
        return std::nullopt;
    }
    auto value = read_value_argument(parts->text, input->name, InputType{input->type, input->is_string});
    if (const auto *failure = std::get_if<ValueFailure>(&value)) {
        print_error(failure->error);
        return failure->unreadable ? io_failure : rejected;
    }
    arguments_.push_back({input, std::get<Tensor>(std::move(value)), {}});
    return std::nullopt;
}

// text: that of the query, if it has no member of that name.
Result<Tensor> QueryReader::embed(const EmbedCall &call, const ProfileInput &input, const JsonValue &object,
                                  const std::string &text) const {
    std::string content = call.text;
    if (call.is_member) {
        const JsonValue *inputs = object.find("inputs");
        const JsonValue *member = object.find(call.text);
        member = member == nullptr && inputs != nullptr ? inputs->find(call.text) : member;
        if (member != nullptr ? !member->is_string() : (call.text != "text" || text.empty())) {
            return named(
                Error(fmt::format("embed(@{}) needs a member \"{}\" of the query that is a text", call.text, call.text),
                      call.text == "text" ? "or --text" : ""),
                input.name);
        }
        content = member != nullptr ? member->text : text;
    }
    auto value = embedder_ != nullptr ? embedder_->embed(call.embedder, content, input.type)
                                      : Result<Tensor>(Error("there is no embedder"));
    return value ? std::move(value) : named(value.error(), input.name);
}

Result<Tensor> QueryReader::read_value_of(const ProfileInput &input, const JsonValue &value) const {
    if (value.kind == JsonValue::Kind::null || value.kind == JsonValue::Kind::boolean) {
        return named(Error(fmt::format("a number, a tensor or a literal is expected, found {}", value.text)),
                     input.name);
    }
    const bool literal = value.kind == JsonValue::Kind::string || value.kind == JsonValue::Kind::number;
    auto tensor =
        read_value(value.text, literal ? ValueForm::literal : ValueForm::json, InputType{input.type, input.is_string});
    return tensor ? std::move(tensor) : named(tensor.error(), input.name);
}

// Of inputs that the query itself gives no values.
Status QueryReader::add_arguments(const JsonValue &object, RankQuery &query) const {
    for (const Argument &argument : arguments_) {
        if (has(query.values, argument.input->name)) {
            continue;
        }
        auto value = argument.value ? Result<Tensor>(*argument.value)
                                    : embed(argument.call, *argument.input, object, query.text);
        if (!value) {
            return value.error();
        }
        query.values.emplace_back(argument.input->name, *std::move(value));
    }
    return {};
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
    const std::vector<JsonMember> &members = inputs != nullptr ? inputs->members : object->members;
    struct Embedding {
        const ProfileInput *input;
        EmbedCall call;
    };
    std::vector<Embedding> embeddings;
    for (const auto &[name, value] : members) {
        const ProfileInput *const input = find(name);
        if (input != nullptr && !input->is_string && value.is_string() && is_embed_call(value.text)) {
            auto call = parse_embed_call(value.text);
            if (!call) {
                return named(call.error(), input->name);
            }
            embeddings.push_back({input, *std::move(call)});
        }
    }
    // Members that are no inputs may be the texts that inputs are made of.
    const auto is_text = [&](const std::string &name) {
        const auto reads = [&](const EmbedCall &call) { return call.is_member && call.text == name; };
        return std::any_of(embeddings.begin(), embeddings.end(), [&](const auto &each) { return reads(each.call); }) ||
               std::any_of(arguments_.begin(), arguments_.end(), [&](const auto &each) { return reads(each.call); });
    };
    const std::size_t before = embedder_ != nullptr ? embedder_->texts() : 0;
    const double seconds = embedder_ != nullptr ? embedder_->seconds() : 0;
    for (const auto &[name, value] : members) {
        const ProfileInput *const input = find(name);
        const bool is_named = inputs == nullptr && (name == "id" || (name == "text" && text != nullptr));
        if (is_named || (input == nullptr && is_text(name))) {
            continue;
        }
        if (input == nullptr) {
            return unknown(name, profile_);
        }
        if (has(query.values, input->name)) {
            return Error(fmt::format("{} is given twice", input->name));
        }
        const auto call = std::find_if(embeddings.begin(), embeddings.end(),
                                       [&](const Embedding &each) { return each.input == input; });
        auto tensor =
            call != embeddings.end() ? embed(call->call, *input, *object, query.text) : read_value_of(*input, value);
        if (!tensor) {
            return tensor.error();
        }
        query.values.emplace_back(input->name, *std::move(tensor));
    }
    if (const Status status = add_arguments(*object, query); !status) {
        return status.error();
    }
    if (embedder_ != nullptr) {
        query.embedded = embedder_->texts() - before;
        query.seconds = embedder_->seconds() - seconds;
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
