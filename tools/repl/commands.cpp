#include "tools/repl/commands.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <tenrex/formats.h>

#include "tools/command_inputs.h"
#include "tools/function_help.h"
#include "tools/output.h"
#include "tools/repl/bench.h"

namespace tenrex::tool {

namespace {

using Clock = std::chrono::steady_clock;

std::string_view argument(std::string_view text, std::size_t begin) {
    const std::size_t end = text.find_last_not_of(" \t\r\n");
    return end == std::string_view::npos || end < begin ? std::string_view() : text.substr(begin, end + 1 - begin);
}

Reply missing(std::string_view command, std::string_view what) {
    return Reply::failure(
        Error(fmt::format(":{} needs {}", command, what), fmt::format("as in :{} {}", command, what)));
}

// A value in one short line.
std::string preview(const Tensor &value) {
    constexpr std::size_t most_cells = 20;
    constexpr std::size_t most_bytes = 60;
    if (value.cell_count() > most_cells) {
        return fmt::format("{} cells", value.cell_count());
    }
    std::string text = to_literal(value);
    if (!value.type().is_scalar() && text.starts_with("tensor")) {
        text.erase(0, text.find("):") + 2);  // the type stands beside it
    }
    if (text.size() > most_bytes) {
        return fmt::format("{} cells", value.cell_count());
    }
    return text;
}

double seconds(Clock::duration duration) {
    return std::chrono::duration<double>(duration).count();
}

std::string duration_text(double seconds) {
    return seconds < 1e-3 ? fmt::format("{:.1f} us", seconds * 1e6)
           : seconds < 1  ? fmt::format("{:.2f} ms", seconds * 1e3)
                          : fmt::format("{:.2f} s", seconds);
}

Reply show_type(Session &session, std::string_view text, std::size_t begin) {
    if (argument(text, begin).empty()) {
        return missing("type", "EXPRESSION");
    }
    const auto checked = session.check(text, begin);
    if (!checked) {
        return Reply::problem(checked.error());
    }
    Reply reply = Reply::info(checked->expression.type().to_string() + '\n');
    reply.warnings = checked->expression.warnings();
    return reply;
}

Reply show_ast(Session &session, std::string_view text, std::size_t begin) {
    if (argument(text, begin).empty()) {
        return missing("ast", "EXPRESSION");
    }
    const auto checked = session.check(text, begin);
    if (!checked) {
        return Reply::problem(checked.error());
    }
    // Places in the tree are those in the expression.
    const auto alone = session.check(text.substr(begin), 0);
    std::string dump = (alone ? *alone : *checked).expression.dump();
    if (!dump.ends_with('\n')) {
        dump += '\n';
    }
    return Reply::info(std::move(dump));
}

Reply measure(Session &session, std::string_view text, std::size_t begin) {
    if (argument(text, begin).empty()) {
        return missing("time", "EXPRESSION");
    }
    const auto start = Clock::now();
    const auto checked = session.check(text, begin);
    const auto checked_at = Clock::now();
    if (!checked) {
        return Reply::problem(checked.error());
    }
    std::optional<Plan> plan;
    if (session.engine == Engine::compiled && checked->without_value.empty()) {
        auto compiled = compile(*checked);
        if (!compiled) {
            return Reply::failure(compiled.error());
        }
        plan = *std::move(compiled);
    }
    const auto compiled_at = Clock::now();
    constexpr auto long_enough = std::chrono::milliseconds(300);
    constexpr std::size_t most_runs = 1001;
    std::vector<double> runs;
    const auto first = Clock::now();
    do {
        const auto run_start = Clock::now();
        const auto value = plan ? evaluate(*plan, *checked) : evaluate(*checked, session.engine);
        const auto run_end = Clock::now();
        if (!value) {
            return Reply::failure(value.error());
        }
        runs.push_back(seconds(run_end - run_start));
    } while (runs.size() < most_runs && Clock::now() - first < long_enough);
    std::nth_element(runs.begin(), runs.begin() + static_cast<std::ptrdiff_t>(runs.size() / 2), runs.end());
    std::string steps = "parsed and checked in " + duration_text(seconds(checked_at - start));
    if (plan) {
        steps += ", compiled in " + duration_text(seconds(compiled_at - checked_at));
    }
    return Reply::info(fmt::format("{}, evaluated in {} (median of {} {})\n", steps,
                                   duration_text(runs[runs.size() / 2]), runs.size(),
                                   runs.size() == 1 ? "run" : "runs"));
}

Reply list_inputs(Session &session, std::string_view, std::size_t) {
    std::size_t name_width = 0;
    std::size_t type_width = 0;
    for (const auto &[name, value] : session.inputs()) {
        name_width = std::max(name_width, name.size());
        type_width = std::max(type_width, type_text(value).size());
    }
    std::string text;
    for (const auto &[name, value] : session.inputs()) {
        text += fmt::format("{:<{}}  {:<{}}  {}\n", name, name_width, type_text(value), type_width, preview(value));
    }
    return Reply::info(text.empty() ? "no inputs; assign one with NAME = VALUE\n" : std::move(text));
}

Reply delete_input(Session &session, std::string_view text, std::size_t begin) {
    const std::string name(argument(text, begin));
    if (name.empty()) {
        return missing("delete", "NAME");
    }
    const auto canonical = canonical_name(name);
    if (!session.remove(canonical ? *canonical : name)) {
        return Reply::failure(Error(fmt::format("there is no input {}", name), ":inputs lists them"));
    }
    return Reply::info({});
}

Reply load_script(Session &session, std::string_view text, std::size_t begin) {
    const std::string path(argument(text, begin));
    return path.empty() ? missing("load", "FILE") : session.load(path);
}

// The commands that choose what the session has chosen; what it has from the beginning is not said.
std::string settings(const Session &session) {
    const Session plain;
    std::string text;
    if (session.options.dialect != plain.options.dialect) {
        text += fmt::format(":dialect {}\n", name(session.options.dialect));
    }
    if (session.format) {
        text += fmt::format(":format {}\n", name(*session.format));
    }
    if (session.engine != plain.engine) {
        text += ":reference on\n";
    }
    return text;
}

Reply save_session(Session &session, std::string_view text, std::size_t begin) {
    const std::string path(argument(text, begin));
    if (path.empty()) {
        return missing("save", "FILE");
    }
    const int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    int error = descriptor < 0 ? errno : 0;
    if (descriptor >= 0) {
        Output out(descriptor);
        out.write("# A session of a tenrex REPL; `:load` reads it.\n");
        out.write(settings(session));
        for (const auto &[name, value] : session.inputs()) {
            out.write(fmt::format("{} = {}\n", name, to_literal(value)));
        }
        out.flush();
        error = out.error();
        if (::close(descriptor) != 0 && error == 0) {
            error = errno;
        }
    }
    if (error != 0) {
        return Reply::failure(Error(fmt::format("cannot write {}: {}", path, std::strerror(error))));
    }
    const std::size_t count = session.inputs().size();
    return Reply::info(fmt::format("{} {} saved\n", count, count == 1 ? "input" : "inputs"));
}

Reply choose_dialect(Session &session, std::string_view text, std::size_t begin) {
    const std::string_view chosen = argument(text, begin);
    if (!chosen.empty()) {
        const auto dialect = dialect_from_name(chosen);
        if (!dialect) {
            return Reply::failure(Error(fmt::format("there is no dialect {}", chosen), "core or java"));
        }
        session.options.dialect = *dialect;
    }
    return Reply::info(fmt::format("dialect {}\n", name(session.options.dialect)));
}

Reply choose_format(Session &session, std::string_view text, std::size_t begin) {
    const std::string_view chosen = argument(text, begin);
    if (chosen == "default") {
        session.format.reset();
    } else if (!chosen.empty()) {
        const auto format = value_format_from_name(chosen);
        if (!format || *format == ValueFormat::binary) {
            return Reply::failure(
                Error(fmt::format("there is no format {}", chosen), "literal, verbose, json, hex, table or default"));
        }
        session.format = *format;
    }
    return Reply::info(fmt::format("format {}\n", session.format ? name(*session.format) : "default"));
}

Reply choose_engine(Session &session, std::string_view text, std::size_t begin) {
    const std::string_view chosen = argument(text, begin);
    if (chosen == "on" || chosen == "off") {
        session.engine = chosen == "on" ? Engine::reference : Engine::compiled;
    } else if (!chosen.empty()) {
        return Reply::failure(Error(fmt::format(":reference is on or off, not {}", chosen)));
    }
    return Reply::info(fmt::format("reference {}\n", session.engine == Engine::reference ? "on" : "off"));
}

// What the plan of an expression does; of the latest one if none is given.
Reply show_plan(Session &session, std::string_view text, std::size_t begin) {
    const bool latest = argument(text, begin).empty();
    if (latest && session.last_expression().empty()) {
        return missing("plan", "EXPRESSION");
    }
    const auto plan = latest ? session.plan(session.last_expression(), 0) : session.plan(text, begin);
    return plan ? Reply::info(plan->explain()) : Reply::problem(plan.error());
}

Reply bench(Session &session, std::string_view text, std::size_t begin) {
    const bool latest = argument(text, begin).empty();
    if (latest && session.last_expression().empty()) {
        return missing("bench", "EXPRESSION");
    }
    return latest ? bench_expression(session, session.last_expression(), 0) : bench_expression(session, text, begin);
}

// What is typed and what it does, in lines that fit every terminal.
std::string help_line(std::string_view typed, std::string_view summary) {
    constexpr std::size_t indent = 22;
    constexpr std::size_t width = 80;
    std::string text = fmt::format("{:<{}}", typed, indent - 1);
    std::size_t column = indent - 1;
    while (!summary.empty()) {
        const std::size_t end = std::min(summary.find(' '), summary.size());
        if (column + 1 + end > width) {
            text += fmt::format("\n{:{}}", "", indent - 1);
            column = indent - 1;
        }
        text += fmt::format(" {}", summary.substr(0, end));
        column += 1 + end;
        summary.remove_prefix(std::min(end + 1, summary.size()));
    }
    return text + '\n';
}

Reply help(Session &, std::string_view text, std::size_t begin) {
    const std::string_view topic = argument(text, begin);
    if (topic.starts_with(':')) {
        if (const ReplCommand *command = find_repl_command(topic.substr(1))) {
            return Reply::info(fmt::format(":{} {}\n  {}\n", command->name, command->arguments, command->summary));
        }
        return Reply::failure(Error(fmt::format("there is no command {}", topic), ":help lists them"));
    }
    if (topic == "functions") {
        return Reply::info(list_functions());
    }
    if (!topic.empty()) {
        auto explanation = explain_function(topic);
        explanation = explanation ? std::move(explanation) : search_functions(topic);
        return explanation
                   ? Reply::info(*std::move(explanation))
                   : Reply::failure(Error(fmt::format("there is no function {}{}", topic, suggest_function(topic)),
                                          ":help functions lists them"));
    }
    std::string lines = help_line("EXPRESSION", "its value; `it` and `_` are the latest value") +
                        help_line("NAME = EXPRESSION", "gives an input a value; NAME = @FILE reads it from a file");
    for (const ReplCommand &command : repl_commands()) {
        lines += help_line(fmt::format(":{} {}", command.name, command.arguments), command.summary);
    }
    return Reply::info(std::move(lines));
}

Reply quit(Session &, std::string_view, std::size_t) {
    Reply reply;
    reply.kind = Reply::Kind::quit;
    return reply;
}

constexpr ReplCommand commands[] = {
    {"ast", "EXPRESSION", "the syntax tree, one node a line", ArgumentKind::expression, show_ast},
    {"bench", "[EXPRESSION]", "how fast an expression scores documents, or the latest one", ArgumentKind::expression,
     bench},
    {"delete", "NAME", "forget an input", ArgumentKind::input, delete_input},
    {"dialect", "[core|java]", "show or choose the meaning of the language", ArgumentKind::dialect, choose_dialect},
    {"format", "[FORMAT]", "show or choose how values are printed: literal, verbose, json, hex, table, default",
     ArgumentKind::format, choose_format},
    {"help", "[NAME]", "explain a function, an operator or a :command; `:help functions` lists all functions",
     ArgumentKind::function, help},
    {"inputs", "", "list the inputs with their types", ArgumentKind::none, list_inputs},
    {"load", "FILE", "carry out the lines of a file", ArgumentKind::file, load_script},
    {"plan", "[EXPRESSION]", "what the compiler makes of an expression, or of the latest one", ArgumentKind::expression,
     show_plan},
    {"quit", "", "leave; so does Ctrl-D", ArgumentKind::none, quit},
    {"reference", "[on|off]", "show or choose whether the naive evaluator computes instead of a compiled plan",
     ArgumentKind::on_off, choose_engine},
    {"save", "FILE", "write inputs and settings to a file that :load reads", ArgumentKind::file, save_session},
    {"time", "EXPRESSION", "how long checking and evaluating take", ArgumentKind::expression, measure},
    {"type", "EXPRESSION", "the type, without evaluating", ArgumentKind::expression, show_type},
};

}  // namespace

std::span<const ReplCommand> repl_commands() {
    return commands;
}

const ReplCommand *find_repl_command(std::string_view name) {
    const ReplCommand *found = nullptr;
    for (const ReplCommand &command : commands) {
        if (command.name == name) {
            return &command;
        }
        if (!name.empty() && command.name.starts_with(name)) {
            if (found != nullptr) {
                return nullptr;
            }
            found = &command;
        }
    }
    return found;
}

Reply run_command(Session &session, std::string_view text, std::size_t colon) {
    const std::size_t end = std::min(text.find_first_of(" \t\r\n", colon), text.size());
    const std::string_view name = text.substr(colon + 1, end - colon - 1);
    const ReplCommand *command = find_repl_command(name);
    if (command == nullptr) {
        std::string similar;
        for (const ReplCommand &each : commands) {
            if (!name.empty() && each.name.starts_with(name)) {
                similar += fmt::format("{}:{}", similar.empty() ? "" : ", ", each.name);
            }
        }
        return Reply::failure(similar.empty() ? Error(fmt::format("there is no command :{}", name), ":help lists them")
                                              : Error(fmt::format(":{} may be {}", name, similar)));
    }
    const std::size_t begin = std::min(text.find_first_not_of(" \t\r\n", end), text.size());
    if (command->kind == ArgumentKind::none && begin != text.size()) {
        return Reply::failure(Error(fmt::format(":{} takes no argument", command->name)));
    }
    return command->run(session, text, begin);
}

}  // namespace tenrex::tool
