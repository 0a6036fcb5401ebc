// The line protocol for programs (docs/repl.md): one JSON object in, one out.
#include <algorithm>
#include <cstring>

#include <fmt/format.h>
#include <unistd.h>

#include <tenrex/formats.h>

#include "tools/exit_code.h"
#include "tools/input.h"
#include "tools/json_object.h"
#include "tools/output.h"
#include "tools/repl/completion.h"
#include "tools/repl/console.h"
#include "tools/terminal.h"

namespace tenrex::tool {

namespace {

std::string issues_json(const std::vector<Issue> &issues) {
    std::string text;
    for (const Issue &issue : issues) {
        text += fmt::format(R"({}{{"severity":"{}","message":{},"hint":{},"line":{},"column":{},"begin":{},"end":{}}})",
                            text.empty() ? "" : ",", issue.severity == Severity::error ? "error" : "warning",
                            json_string(issue.message), json_string(issue.hint), issue.line, issue.column,
                            issue.span.begin, issue.span.end);
    }
    return '[' + text + ']';
}

// The members of a reply, without braces and id.
std::string reply_json(const Reply &reply) {
    std::string text;
    switch (reply.kind) {
        case Reply::Kind::value:
        case Reply::Kind::assigned:
            text = reply.kind == Reply::Kind::value
                       ? R"("kind":"value")"
                       : fmt::format(R"("kind":"assigned","name":{})", json_string(reply.name));
            text += fmt::format(R"(,"type":"{}","value":{})", type_text(*reply.value),
                                json_string(to_literal(*reply.value)));
            break;
        case Reply::Kind::error:
        case Reply::Kind::incomplete:
            text = fmt::format(R"("kind":"error","incomplete":{},"error":{},"issues":{},"rendered":{})",
                               reply.kind == Reply::Kind::incomplete, json_string(reply.error->message()),
                               issues_json(reply.error->issues()), json_string(reply.error->render()));
            break;
        case Reply::Kind::nothing:
        case Reply::Kind::info:
        case Reply::Kind::quit:
            text = fmt::format(R"("kind":"info","text":{})", json_string(reply.text));
            break;
    }
    if (!reply.warnings.empty()) {
        text += fmt::format(R"(,"warnings":{})", issues_json(reply.warnings));
    }
    if (!reply.replies.empty()) {
        std::string inner;
        for (const Reply &each : reply.replies) {
            inner += fmt::format("{}{{{}}}", inner.empty() ? "" : ",", reply_json(each));
        }
        text += fmt::format(R"(,"replies":[{}])", inner);
    }
    return text;
}

std::string completion_json(const JsonValue &request, const Session &session) {
    const JsonValue *text = request.find("text");
    const JsonValue *cursor = request.find("cursor");
    std::size_t at = text == nullptr ? 0 : text->text.size();
    const bool good_cursor =
        cursor == nullptr || (cursor->kind == JsonValue::Kind::number && cursor->text.size() < 18 &&
                              cursor->text.find_first_not_of("0123456789") == std::string::npos);
    if (text == nullptr || !text->is_string() || !good_cursor) {
        return reply_json(Reply::failure(
            Error("\"complete\" needs a string \"text\" and, unless it is the end, a byte position \"cursor\"")));
    }
    if (cursor != nullptr) {
        at = std::min<std::size_t>(at, std::stoull(cursor->text));
    }
    const Completion found = complete(text->text, at, session);
    std::string candidates;
    for (const std::string &candidate : found.candidates) {
        candidates += (candidates.empty() ? "" : ",") + json_string(candidate);
    }
    return fmt::format(R"("kind":"completions","start":{},"end":{},"candidates":[{}])", found.start, at, candidates);
}

struct Answer {
    std::string text;
    bool quit = false;
};

Answer answer(std::string_view line, std::size_t number, Session &session) {
    const auto request = read_json_object(line);
    if (!request) {
        const Error error(fmt::format("line {}: {}", number, request.error().message()));
        return {fmt::format(R"({{"id":null,{}}})", reply_json(Reply::failure(error)))};
    }
    const JsonValue *member = request->find("id");
    const std::string id = member == nullptr ? "null" : member->is_string() ? json_string(member->text) : member->text;
    const JsonValue *input = request->find("input");
    const JsonValue *command = request->find("command");
    if (input != nullptr && input->is_string() && command == nullptr) {
        const Reply reply = session.submit(input->text);
        return {fmt::format(R"({{"id":{},{}}})", id, reply_json(reply)), reply.kind == Reply::Kind::quit};
    }
    if (input == nullptr && command != nullptr && command->is_string() && command->text == "complete") {
        return {fmt::format(R"({{"id":{},{}}})", id, completion_json(*request, session))};
    }
    const Error error(
        fmt::format("line {}: a request has either a string \"input\" or the \"command\" \"complete\"", number));
    return {fmt::format(R"({{"id":{},{}}})", id, reply_json(Reply::failure(error)))};
}

}  // namespace

int run_json(Session &session) {
    Output out(STDOUT_FILENO);
    LineReader lines(STDIN_FILENO, longest_line);
    while (!out.failed()) {
        if (out.pending() && !lines.ready()) {
            out.flush();
        }
        switch (lines.next()) {
            case LineReader::Event::end:
                return finish(out, success);
            case LineReader::Event::failure:
                out.flush();
                print_failure(fmt::format("cannot read standard input: {}", std::strerror(lines.error())));
                return io_failure;
            case LineReader::Event::too_long: {
                const Error error(
                    fmt::format("line {}: longer than the limit of {} bytes", lines.line_number(), longest_line));
                out.write(fmt::format("{{\"id\":null,{}}}\n", reply_json(Reply::failure(error))));
                break;
            }
            case LineReader::Event::line: {
                if (lines.line().find_first_not_of(" \t\r") == std::string_view::npos) {
                    break;
                }
                const Answer reply = answer(lines.line(), lines.line_number(), session);
                out.write(reply.text + '\n');
                if (reply.quit) {
                    return finish(out, success);
                }
                break;
            }
        }
    }
    return finish(out, success);
}

}  // namespace tenrex::tool
