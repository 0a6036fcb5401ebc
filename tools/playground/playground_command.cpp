// tenrex playground: a page to try expressions on.
#include <unistd.h>
#include <cctype>
#include <cstdio>
#include <string>

#include <fmt/format.h>

#include "tools/command.h"
#include "tools/exit_code.h"
#include "tools/input.h"
#include "tools/output.h"
#include "tools/playground/answer.h"
#include "tools/playground/server.h"
#include "tools/terminal.h"
#include "tools/value_argument.h"

namespace tenrex::tool {

namespace {

constexpr std::string_view details =
    "Serves a page on this machine: an editor for expressions with their errors, values,\n"
    "plans and times. It prints the link of the page, which has EXPRESSION and the inputs\n"
    "in it if there are some, and ends with Ctrl-C. Each request is computed by a process\n"
    "of its own, which may take so much time and memory and no more.";

constexpr std::string_view examples =
    "Examples:\n"
    "  tenrex playground\n"
    "  tenrex playground 'softmax(v, x)' 'v=tensor(x[3]):[1,2,3]' --port 0\n"
    "  echo '{\"expression\":\"1+1\"}' | tenrex playground --answer\n";

constexpr std::uint64_t default_port = 7367;
constexpr std::uint64_t largest_port = 65535;

// Text in the query of a link.
std::string percent_encoded(std::string_view text) {
    std::string encoded;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        const bool plain = byte < 0x80 && (std::isalnum(byte) != 0 || c == '-' || c == '_' || c == '.');
        encoded += plain ? std::string(1, c) : fmt::format("%{:02X}", byte);
    }
    return encoded;
}

// What stands behind the address: "#e=EXPRESSION&n=NAME&v=VALUE", empty without an expression.
std::optional<int> fragment(const ArgumentParser &parser, std::string &text) {
    const Arguments &given = parser.positional();
    if (given.empty()) {
        return std::nullopt;
    }
    text = "#e=" + percent_encoded(given.front());
    for (std::size_t i = 1; i < given.size(); ++i) {
        const auto parts = split_argument(given[i]);
        if (!parts) {
            return parser.usage_error(fmt::format("expected NAME=VALUE, found \"{}\"", given[i]));
        }
        text += "&n=" + percent_encoded(parts->name) + "&v=" + percent_encoded(parts->text);
    }
    return std::nullopt;
}

int answer_standard_input(const RequestLimits &limits) {
    keep_limits(limits);
    const auto request = read_all("-", most_request_bytes);
    Output out(STDOUT_FILENO);
    out.write((request ? answer_request(*request) : failure_json(request.error().message())) + '\n');
    return finish(out, success);
}

}  // namespace

int run_playground(const Command &command, const Arguments &arguments) {
    ArgumentParser parser(command, details, examples);
    ServerOptions options;
    std::uint64_t port = default_port;
    std::size_t seconds = options.limits.seconds;
    std::size_t megabytes = options.limits.megabytes;
    bool answer = false;
    parser.add_option("--port", port, "N", "The port; 0: one that is free (default: 7367)");
    parser.add_option("--address", options.address, "ADDRESS",
                      "Listen on this address, which others may reach\n(default: 127.0.0.1)");
    parser.add_count("--seconds", seconds, "N", "How long a request may take (default: 5)", 3600);
    parser.add_count("--memory", megabytes, "N", "MiB that a request may take (default: 1024)", 1u << 20);
    parser.add_flag("--answer", answer, "Answer one request on standard input and end");
    if (const auto status = parser.parse(arguments)) {
        return *status;
    }
    if (port > largest_port) {
        return parser.usage_error(fmt::format("--port: {} is no port; the largest is {}", port, largest_port));
    }
    options.port = static_cast<std::uint16_t>(port);
    options.limits = {seconds, megabytes};
    if (answer) {
        return answer_standard_input(options.limits);
    }
    std::string behind;
    if (const auto status = fragment(parser, behind)) {
        return *status;
    }
    if (!is_loopback(options.address)) {
        print_warning(
            fmt::format("everyone who reaches {} can use this machine to evaluate expressions", options.address));
    }
    int status = success;
    const bool served = serve(options, [&](std::uint16_t chosen) {
        const bool is_v6 = options.address.find(':') != std::string::npos;
        Output out(STDOUT_FILENO);
        out.write(
            fmt::format("http://{}{}{}:{}/{}\n", is_v6 ? "[" : "", options.address, is_v6 ? "]" : "", chosen, behind));
        status = finish(out, success);
    });
    if (!served) {
        print_failure(
            fmt::format("playground: nothing can listen on {}, port {}\nIf another program uses the port, --port 0 "
                        "takes one that is free.",
                        options.address, port));
        return io_failure;
    }
    return status;
}

}  // namespace tenrex::tool
