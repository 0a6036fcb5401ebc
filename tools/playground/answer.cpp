#include "tools/playground/answer.h"

#include <algorithm>
#include <chrono>
#include <new>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include <tenrex/formats.h>

#include "tools/command_inputs.h"
#include "tools/evaluation.h"
#include "tools/json_object.h"
#include "tools/playground/plan_picture.h"
#include "tools/playground/table_json.h"
#include "tools/value_argument.h"
#include "tools/value_format.h"

namespace tenrex::tool {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t most_literal_bytes = 100'000;  // more is no use on a page

double microseconds_since(Clock::time_point start) {
    return std::chrono::duration<double, std::micro>(Clock::now() - start).count();
}

struct Request {
    std::string expression;
    std::vector<std::pair<std::string, std::string>> inputs;  // names and values as they are written
    EvaluationOptions options;
};

// Error: what is no request.
Result<Request> read_request(std::string_view json) {
    const auto object = read_json_object(json, {"inputs"});
    if (!object) {
        return object.error();
    }
    Request request;
    const JsonValue *expression = object->find("expression");
    if (expression == nullptr || !expression->is_string()) {
        return Error("a request has a string \"expression\"");
    }
    request.expression = expression->text;
    if (const JsonValue *inputs = object->find("inputs")) {
        for (const auto &[name, value] : inputs->members) {
            if (!value.is_string()) {
                return Error("\"inputs\" has a string for each name");
            }
            request.inputs.emplace_back(name, value.text);
        }
        if (inputs->kind != JsonValue::Kind::object) {
            return Error("\"inputs\" is an object");
        }
    }
    if (const JsonValue *dialect = object->find("dialect")) {
        const auto found = dialect_from_name(dialect->text);
        if (!found) {
            return Error("\"dialect\" is \"core\" or \"java\"");
        }
        request.options.dialect = *found;
    }
    return request;
}

// The members of an answer, one after the other.
class Answer {
public:
    void add(std::string_view name, std::string_view json) {
        text_ += fmt::format("{}\"{}\":{}", text_.empty() ? "" : ",", name, json);
    }
    void add_text(std::string_view name, std::string_view text) { add(name, json_string(text)); }

    // source: the name of the input whose value the issues speak of, empty for the expression.
    void add_issues(const std::vector<Issue> &issues, std::string_view source) {
        for (const Issue &issue : issues) {
            issues_ += fmt::format(
                R"({}{{"severity":"{}","message":{},"hint":{},"source":{},"line":{},"column":{},"begin":{},"end":{}}})",
                issues_.empty() ? "" : ",", issue.severity == Severity::error ? "error" : "warning",
                json_string(issue.message), json_string(issue.hint), json_string(source), issue.line, issue.column,
                issue.span.begin, issue.span.end);
        }
    }
    void add_error(const Error &error, std::string_view source = {}) { add_issues(error.issues(), source); }
    void add_warning(std::string message, std::string_view source) {
        Issue issue;
        issue.severity = Severity::warning;
        issue.message = std::move(message);
        add_issues({issue}, source);
    }

    bool has_issues() const noexcept { return !issues_.empty(); }
    std::string finish() && {
        add("issues", '[' + issues_ + ']');
        return '{' + text_ + '}';
    }

private:
    std::string text_;
    std::string issues_;
};

// The inputs; what is wrong with one is an issue of the answer.
std::vector<Input> read_inputs(const Request &request, Answer &answer) {
    std::vector<Input> inputs;
    for (const auto &[written, text] : request.inputs) {
        const auto name = canonical_name(written);
        if (!name) {
            answer.add_error(name.error(), written);
            continue;
        }
        if (const auto type = parse_input_type(text)) {
            inputs.emplace_back(*name, *type);
            continue;
        }
        auto value = read_value(text, sniff(text), std::nullopt);
        if (!value) {
            answer.add_error(value.error(), written);
            continue;
        }
        inputs.emplace_back(*name, *std::move(value));
    }
    return inputs;
}

void add_value(Answer &answer, const CheckedExpression &checked, Tensor value) {
    value = with_text(checked, std::move(value));
    std::string literal = to_literal(value);
    if (literal.size() > most_literal_bytes) {
        answer.add_text("left_out", fmt::format("{} cells, {} bytes as a literal", value.cell_count(), literal.size()));
        literal.clear();
    }
    answer.add_text("value", literal);
    answer.add("tables", tables_json(value));
}

struct Times {
    double median = 0;  // microseconds
    std::size_t runs = 0;
};

// Does it a few times, since the first takes longer than the others.
template <class Work>
Times time_of(Work &&work) {
    constexpr double long_enough = 10'000;
    constexpr std::size_t most_runs = 101;
    std::vector<double> runs;
    runs.reserve(most_runs);
    const auto begin = Clock::now();
    do {
        const auto start = Clock::now();
        work();
        runs.push_back(microseconds_since(start));
    } while (runs.size() < most_runs && microseconds_since(begin) < long_enough);
    const auto middle = runs.begin() + static_cast<std::ptrdiff_t>(runs.size() / 2);
    std::nth_element(runs.begin(), middle, runs.end());
    return {*middle, runs.size()};
}

void add_times(Answer &answer, std::string_view name, const Times &times) {
    answer.add(name, fmt::format(R"({{"us":{:.3g},"runs":{}}})", times.median, times.runs));
}

// The plan for documents: query(...) comes with the query, what else there is with the document.
void add_plan(Answer &answer, const Request &request, const std::vector<Input> &inputs) {
    const auto plan = plan_for_documents(request.expression, inputs, request.options);
    if (!plan) {
        answer.add_error(plan.error());
        return;
    }
    answer.add_text("explain", plan->explain());
    answer.add_text("plan", plan_picture(*plan));
    answer.add_text("graph", graph_picture(graph_nodes(plan->graph())));
}

void answer_expression(Answer &answer, const Request &request) {
    const std::vector<Input> inputs = read_inputs(request, answer);
    if (answer.has_issues()) {
        return;
    }
    const auto checked = check(request.expression, inputs, request.options);
    if (!checked) {
        answer.add_error(checked.error());
        return;
    }
    answer.add_issues(checked->expression.warnings(), {});
    for (const std::string &name : checked->unused) {
        answer.add_warning("the expression does not use this input", name);
    }
    answer.add_text("type", checked->expression.is_string() ? "string" : checked->expression.type().to_string());
    add_times(answer, "checked",
              time_of([&] { static_cast<void>(check(request.expression, inputs, request.options)); }));
    const auto plan = tenrex::compile(checked->expression);
    if (!plan) {
        answer.add_error(plan.error());
        return;
    }
    add_times(answer, "compiled", time_of([&] { static_cast<void>(tenrex::compile(checked->expression)); }));
    add_plan(answer, request, inputs);
    if (!checked->without_value.empty()) {
        return;  // the type and the plan are what can be told
    }
    auto value = evaluate(*plan, *checked);
    if (!value) {
        answer.add_error(value.error());
        return;
    }
    add_times(answer, "evaluated", time_of([&] { static_cast<void>(evaluate(*plan, *checked)); }));
    add_value(answer, *checked, *std::move(value));
}

}  // namespace

std::string failure_json(std::string_view message) {
    return fmt::format(R"({{"error":{}}})", json_string(message));
}

std::string answer_request(std::string_view request_text) {
    const auto request = read_request(request_text);
    if (!request) {
        return failure_json(request.error().message());
    }
    try {
        Answer answer;
        answer_expression(answer, *request);
        return std::move(answer).finish();
    } catch (const std::bad_alloc &) {
        return failure_json("this takes more memory than a request may have");
    }
}

}  // namespace tenrex::tool
