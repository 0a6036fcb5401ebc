#include "tools/repl/session.h"

#include <algorithm>
#include <cstring>
#include <iterator>

#include <fmt/format.h>

#include <tenrex/formats.h>

#include "tools/command_inputs.h"
#include "tools/input.h"
#include "tools/repl/commands.h"
#include "tools/value_argument.h"

namespace tenrex::tool {

namespace {

constexpr std::size_t deepest_load = 16;
constexpr std::string_view white_space = " \t\r\n\f\v";

// The position of the '=' if the text is an assignment: a name, then a single '='.
std::optional<std::size_t> find_assignment(std::string_view text) {
    const std::size_t begin = text.find_first_not_of(white_space);
    if (begin == std::string_view::npos) {
        return std::nullopt;
    }
    const std::size_t length = name_length(text.substr(begin));
    const std::size_t equals = text.find_first_not_of(white_space, begin + length);
    if (length == 0 || equals == std::string_view::npos || text[equals] != '=' ||
        (equals + 1 < text.size() && text[equals + 1] == '=')) {
        return std::nullopt;
    }
    return equals;
}

// The text with everything before `begin` blank, so that positions stay what they are.
std::string blanked(std::string_view text, std::size_t begin) {
    std::string copy(text);
    std::replace_if(
        copy.begin(), copy.begin() + static_cast<std::ptrdiff_t>(begin), [](char c) { return c != '\n'; }, ' ');
    return copy;
}

// Puts what blanked() removed back into the excerpts of the first line.
Error with_prefix(const Error &error, std::string_view prefix) {
    std::vector<Issue> issues = error.issues();
    for (Issue &issue : issues) {
        if (issue.line == 1 && issue.excerpt.size() >= prefix.size() &&
            std::all_of(issue.excerpt.begin(), issue.excerpt.begin() + static_cast<std::ptrdiff_t>(prefix.size()),
                        [](char c) { return c == ' '; })) {
            issue.excerpt.replace(0, prefix.size(), prefix);
        }
    }
    return Error(std::move(issues), error.source_name());
}

// The error of an input of a script, with the script's name and the lines counted there.
Error in_script(const Error &error, const std::string &path, std::size_t first_line) {
    if (!error.source_name().empty()) {  // of a value file or an inner script: its lines are its own
        return Error(error.issues(), fmt::format("{}:{}: {}", path, first_line, error.source_name()));
    }
    std::vector<Issue> issues = error.issues();
    for (Issue &issue : issues) {
        issue.line += static_cast<std::uint32_t>(first_line - 1);
    }
    return Error(std::move(issues), path);
}

}  // namespace

Reply Reply::info(std::string text) {
    Reply reply;
    reply.kind = Kind::info;
    reply.text = std::move(text);
    return reply;
}

Reply Reply::failure(Error error) {
    Reply reply;
    reply.kind = Kind::error;
    reply.error = std::move(error);
    return reply;
}

Reply Reply::problem(Error error) {
    const bool incomplete = error.incomplete();
    Reply reply = failure(std::move(error));
    reply.kind = incomplete ? Kind::incomplete : Kind::error;
    return reply;
}

Reply Session::submit(std::string_view text) {
    const std::size_t begin = text.find_first_not_of(white_space);
    if (begin == std::string_view::npos || (text[begin] == '#' && text.find('\n') == std::string_view::npos)) {
        return {};
    }
    if (text[begin] == ':') {
        return run_command(*this, text, begin);
    }
    if (const auto equals = find_assignment(text)) {
        return submit_assignment(text, *equals);
    }
    return submit_expression(text, 0);
}

Status Session::assign(const std::string &name, const Tensor &value) {
    const auto canonical = canonical_name(name);
    if (!canonical) {
        return canonical.error();
    }
    if (std::find(std::begin(last_value_names), std::end(last_value_names), *canonical) != std::end(last_value_names)) {
        return Error(fmt::format("{} is the name of the latest value", *canonical), "choose another name");
    }
    inputs_.insert_or_assign(*canonical, value);
    return {};
}

std::vector<Input> Session::all_inputs() const {
    std::vector<Input> inputs;
    for (const auto &[name, value] : inputs_) {
        inputs.emplace_back(name, value);
    }
    if (last_) {
        for (std::string_view name : last_value_names) {
            inputs.emplace_back(std::string(name), *last_);
        }
    }
    return inputs;
}

Result<CheckedExpression> Session::check(std::string_view text, std::size_t begin) const {
    auto checked = tool::check(begin == 0 ? text : blanked(text, begin), all_inputs(), options);
    if (!checked) {
        return with_prefix(checked.error(), text.substr(0, std::min(begin, text.find('\n'))));
    }
    return checked;
}

Result<Plan> Session::plan(std::string_view text, std::size_t begin) const {
    // Places in a plan are those in the expression, places of mistakes those in the whole input.
    auto plan = plan_for_documents(text.substr(std::min(begin, text.size())), all_inputs(), options);
    if (!plan) {
        plan = plan_for_documents(blanked(text, begin), all_inputs(), options);
    }
    if (!plan) {
        return with_prefix(plan.error(), text.substr(0, std::min(begin, text.find('\n'))));
    }
    return plan;
}

namespace {

// What people type who expect commands without a colon. Null: something else.
const char *meant_command(std::string_view text) {
    const std::size_t begin = std::min(text.find_first_not_of(white_space), text.size());
    const std::string_view word = text.substr(begin, text.find_last_not_of(white_space) + 1 - begin);
    return word == "help" || word == "?" ? ":help" : word == "exit" || word == "quit" ? ":quit" : nullptr;
}

}  // namespace

Reply Session::submit_expression(std::string_view text, std::size_t begin) {
    const auto checked = check(text, begin);
    if (!checked) {
        const char *const command = meant_command(text);
        return command == nullptr
                   ? Reply::problem(checked.error())
                   : Reply::failure(Error("commands begin with a colon", fmt::format("write {}", command)));
    }
    auto value = evaluate(*checked, engine);
    if (!value) {
        return Reply::failure(value.error());
    }
    Reply reply;
    reply.kind = Reply::Kind::value;
    reply.value = last_ = with_text(*checked, *std::move(value));
    reply.warnings = checked->expression.warnings();
    last_expression_ = blanked(text, begin);
    return reply;
}

Result<Tensor> Session::assigned_value(std::string_view text, std::size_t begin, const std::string &name,
                                       std::vector<Issue> &warnings) const {
    const std::string_view value = text.substr(begin, text.find_last_not_of(white_space) + 1 - begin);
    if (value == "@-") {
        return Error("standard input is where the REPL reads its own input from", "name a file");
    }
    if (!value.empty() && std::strchr("@{[", value.front()) != nullptr) {
        auto read = read_value_argument(value, name, std::nullopt);  // no expression begins like this
        if (auto *failure = std::get_if<ValueFailure>(&read)) {
            return std::move(failure->error);
        }
        return std::get<Tensor>(std::move(read));
    }
    const auto checked = check(text, begin);
    if (checked) {
        warnings = checked->expression.warnings();
        auto result = evaluate(*checked, engine);
        return result ? Result<Tensor>(with_text(*checked, *std::move(result))) : result;
    }
    // Literals may hold what expressions cannot: nan and infinities.
    if (!checked.error().incomplete()) {
        if (auto literal = from_literal(value)) {
            return literal;
        }
    }
    return checked.error();
}

Reply Session::submit_assignment(std::string_view text, std::size_t equals) {
    const std::string_view left = text.substr(0, equals);
    const std::string name(left.substr(left.find_first_not_of(white_space),
                                       left.find_last_not_of(white_space) + 1 - left.find_first_not_of(white_space)));
    const std::size_t begin = std::min(text.find_first_not_of(white_space, equals + 1), text.size());
    Reply reply;
    auto value = assigned_value(text, begin, name, reply.warnings);
    if (!value) {
        return Reply::problem(value.error());
    }
    if (const Status status = assign(name, *value); !status) {
        return Reply::failure(status.error());
    }
    reply.kind = Reply::Kind::assigned;
    reply.name = name;
    reply.value = *std::move(value);
    return reply;
}

Reply Session::load(const std::string &path) {
    if (load_depth_ == deepest_load) {
        return Reply::failure(Error(fmt::format("scripts load each other more than {} levels deep", deepest_load)));
    }
    const auto file = path == "-" ? File::open("./-") : File::open(path);  // standard input is being read already
    if (!file) {
        return Reply::failure(file.error());
    }
    LineReader lines(file->descriptor(), longest_line);
    InputAssembler input;
    Reply result = Reply::info({});
    ++load_depth_;
    for (bool more = true; more && result.kind == Reply::Kind::info;) {
        const auto event = lines.next();
        if (event == LineReader::Event::failure || event == LineReader::Event::too_long) {
            result.kind = Reply::Kind::error;
            result.error = Error(event == LineReader::Event::failure
                                     ? fmt::format("cannot read {}: {}", path, std::strerror(lines.error()))
                                     : fmt::format("{}:{}: the line is too long", path, lines.line_number()));
            break;
        }
        more = event == LineReader::Event::line;
        if (more ? !input.add(lines.line()) : input.empty()) {
            continue;
        }
        Reply reply = submit(input.text());
        if (reply.kind == Reply::Kind::incomplete && more) {
            continue;
        }
        if (reply.error) {
            result.kind = Reply::Kind::error;
            result.error = in_script(*reply.error, path, lines.line_number() - input.lines() + 1);
            // What an inner script did before it failed stays to be shown.
            std::move(reply.replies.begin(), reply.replies.end(), std::back_inserter(result.replies));
        } else if (reply.kind == Reply::Kind::quit) {
            more = false;
        } else if (reply.kind != Reply::Kind::nothing) {
            result.replies.push_back(std::move(reply));
        }
        input.clear();
    }
    --load_depth_;
    return result;
}

bool InputAssembler::add(std::string_view line) {
    if (line.ends_with('\r')) {
        line.remove_suffix(1);
    }
    if (lines_ != 0) {
        text_ += '\n';
    }
    text_ += line;
    ++lines_;
    for (const char c : line) {
        open_brackets_ += c == '(' || c == '{' || c == '[' ? 1 : c == ')' || c == '}' || c == ']' ? -1 : 0;
    }
    // Each trial reads the whole text. Mistakes show early in short inputs; long ones wait for their brackets to close.
    return lines_ <= 20 || open_brackets_ <= 0;
}

void InputAssembler::clear() {
    text_.clear();
    lines_ = 0;
    open_brackets_ = 0;
}

}  // namespace tenrex::tool
