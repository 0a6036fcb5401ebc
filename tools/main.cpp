// The program `tenrex`: finds the command that the first argument names and runs it.
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <exception>
#include <new>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <tenrex/version.h>

#include "tools/command.h"
#include "tools/exit_code.h"
#include "tools/function_help.h"
#include "tools/output.h"
#include "tools/terminal.h"

namespace tenrex::tool {

namespace {

constexpr Command commands[] = {
    {"eval", "[OPTIONS] EXPRESSION [NAME=VALUE]...\n[OPTIONS] --file FILE [NAME=VALUE]...\n[OPTIONS] --jsonl [FILE]",
     "Evaluate an expression, or a stream of them", run_eval},
    {"type", "[OPTIONS] EXPRESSION [NAME=TYPE|NAME=VALUE]...", "Print the type of an expression's result", run_type},
    {"explain", "[OPTIONS] EXPRESSION", "Print what the compiler makes of an expression", run_explain},
    {"bench", "[OPTIONS] EXPRESSION", "Measure how long an expression takes", run_bench},
    {"repl", "[OPTIONS] [NAME=VALUE]...", "Evaluate expressions interactively", run_repl},
    {"playground", "[OPTIONS] [EXPRESSION [NAME=VALUE]...]", "Serve a page to try expressions on", run_playground},
    {"rank", "[OPTIONS] PROFILE [DOCUMENTS]...", "Rank documents with a rank profile", run_rank},
    {"check", "[OPTIONS] PROFILE", "Check rank profiles", run_check},
    {"predict", "[OPTIONS] MODEL [ROWS]", "Predict with a forest of LightGBM or XGBoost", run_predict},
    {"model", "[OPTIONS] FILE", "Print what a forest or a network consists of", run_model},
    {"metrics", "[OPTIONS] RUN QRELS", "Measure how good rankings are", run_metrics},
    {"tokenize", "[OPTIONS] --tokenizer FILE [TEXTS]", "Print the tokens of texts", run_tokenize},
    {"embed", "[OPTIONS] --model DIR [TEXTS]", "Compute vectors of texts", run_embed},
    {"functions", "[OPTIONS] [NAME]...", "List the functions of the language, or explain some", run_functions},
};

std::string help() {
    std::string text =
        "Compile and evaluate tensor ranking expressions.\n\n"
        "Usage: tenrex COMMAND [ARGUMENTS]\n"
        "       tenrex --help | --version\n\n"
        "Commands:\n";
    for (const Command &command : commands) {
        text += fmt::format("  {:<12}{}\n", command.name, command.summary);
    }
    text +=
        "\nOptions:\n"
        "  -h,--help                   Print this help and exit\n"
        "  --version                   Print the version and exit\n"
        "\nExamples:\n"
        "  tenrex eval '2*a+1' a=20\n"
        "  tenrex eval 'sum(q*d)' q='tensor<float>(x[3]):[1,2,3]' d=@document.json\n"
        "  tenrex eval --jsonl <requests.jsonl >results.jsonl\n"
        "  tenrex type 'a*b' a='tensor<float>(x[3])' b='tensor<int8>(y{})'\n"
        "  tenrex explain 'a*b' --query a --document 'b:tensor<float>(x[8])'\n"
        "  tenrex bench 'sum(q*d)' --query 'q:tensor(x[768])' --document 'd:tensor(x[768])'\n"
        "  tenrex functions softmax\n"
        "  tenrex repl\n"
        "  tenrex playground\n"
        "  tenrex rank music.profile songs.jsonl --input 'query(mood)=[0.1,0.9]'\n"
        "  tenrex model clicks.txt\n"
        "\n'tenrex COMMAND --help' explains a command. The exit status is 0 if all is well, 1 if an expression or a "
        "value\n"
        "is wrong, 2 if the command line is, and 3 if something cannot be read or written.\n";
    return text;
}

int print(const std::string &text) {
    Output out(STDOUT_FILENO);
    out.write(text);
    return finish(out, success);
}

int unknown(const std::string &first) {
    std::string hint;
    for (const Command &command : commands) {
        if (first.size() > 2 && edit_distance(first, command.name) <= 2) {
            hint = fmt::format("Did you mean '{}'? ", command.name);
        }
    }
    print_failure(fmt::format("there is no {} \"{}\"\n{}Try 'tenrex --help'.",
                              first.starts_with('-') ? "option" : "command", first, hint));
    return usage;
}

int run(Arguments arguments) {
    if (arguments.empty()) {
        print_failure("no command is given\nTry 'tenrex --help'.");
        return usage;
    }
    if (arguments.front() == "help") {  // of a command, or of the program
        arguments.front() = "--help";
        if (arguments.size() > 1) {
            std::swap(arguments[0], arguments[1]);
            arguments.resize(2);
        }
    }
    const std::string &first = arguments.front();
    if (first == "--help" || first == "-h") {
        return print(help());
    }
    if (first == "--version") {
        return print(fmt::format("tenrex {}\n", version()));
    }
    for (const Command &command : commands) {
        if (command.name == first) {
            return command.run(command, Arguments(arguments.begin() + 1, arguments.end()));
        }
    }
    return unknown(first);
}

// A standard stream that is closed would be the next file that is opened: a profile would be read as documents, a
// message written into a result. Something stands in its place that can be neither read nor written, as can a closed
// one.
void keep_standard_streams() {
    for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        if (::fcntl(descriptor, F_GETFD) < 0 && errno == EBADF) {
            ::open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY);  // takes the lowest that is free
        }
    }
}

}  // namespace

}  // namespace tenrex::tool

int main(int argc, char **argv) {
    std::signal(SIGPIPE, SIG_IGN);  // a write to a closed pipe fails instead
    tenrex::tool::keep_standard_streams();
    try {
        return tenrex::tool::run(tenrex::tool::Arguments(argv + std::min(argc, 1), argv + argc));
    } catch (const std::bad_alloc &) {
        tenrex::tool::print_failure("out of memory");
    } catch (const std::exception &error) {
        tenrex::tool::print_failure(error.what());
    }
    return tenrex::tool::io_failure;
}
