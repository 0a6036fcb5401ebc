// tenrex functions: what the language offers.
#include <fmt/format.h>
#include <unistd.h>

#include "tools/command.h"
#include "tools/exit_code.h"
#include "tools/function_help.h"
#include "tools/output.h"
#include "tools/terminal.h"

namespace tenrex::tool {

namespace {

constexpr std::string_view details =
    "Without NAME, lists the functions, operators and aggregators. With names, prints\n"
    "for each the signature, what it does, and an example with its result. A word that\n"
    "is no name is looked for in names and descriptions.";

constexpr std::string_view examples =
    "Examples:\n"
    "  tenrex functions\n"
    "  tenrex functions softmax '~='\n"
    "  tenrex functions distance\n";

}  // namespace

int run_functions(const Command &command, const Arguments &arguments) {
    ArgumentParser parser(command, details, examples);
    if (const auto status = parser.parse(arguments)) {
        return *status;
    }
    Output out(STDOUT_FILENO);
    if (parser.positional().empty()) {
        out.write(list_functions());
    }
    bool first = true;
    for (const std::string &name : parser.positional()) {
        auto text = explain_function(name);
        if (!text) {
            text = search_functions(name);
        }
        if (!text) {
            out.flush();
            print_failure(fmt::format("there is no function \"{}\"{}", name, suggest_function(name)));
            return rejected;
        }
        out.write(first ? "" : "\n");
        out.write(*text);
        first = false;
    }
    return finish(out, success);
}

}  // namespace tenrex::tool
