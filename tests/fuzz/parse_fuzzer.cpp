// Any text: the parser answers with a tree or an error; a tree prints to text that parses to an equal tree.
#include <string>

#include "lib/syntax/parser.h"
#include "lib/syntax/printer.h"
#include "tests/fuzz/fuzz_target.h"

namespace tenrex::fuzz {

namespace {

void check_round_trip(std::string_view text, Dialect dialect) {
    constexpr std::string_view user_functions[] = {"my_function", "other"};
    syntax::ParseOptions options;
    options.dialect = dialect;
    options.user_functions = user_functions;
    options.limits = small_limits();
    const Result<syntax::Ast> ast = syntax::parse(text, options);
    if (!ast) {
        require(!ast.error().issues().empty(), "an error has an issue");
        require(!ast.error().message().empty(), "an error has a message");
        require(!ast.error().render({.color = true}).empty(), "an error renders");
        return;
    }
    require(!syntax::dump(*ast).empty(), "a tree can be dumped");
    // The printed text may be longer than the text was.
    options.limits.expression_bytes = std::uint64_t{1} << 30;
    const std::string printed = syntax::to_string(*ast, {.dialect = dialect, .comments = false});
    const Result<syntax::Ast> again = syntax::parse(printed, options);
    require(again.has_value(), "printed text parses: " + printed);
    require(syntax::equal(ast->root(), again->root()), "printed text parses to an equal tree: " + printed);
}

}  // namespace

void run(std::string_view bytes) {
    check_round_trip(bytes, Dialect::core);
    check_round_trip(bytes, Dialect::java);
}

}  // namespace tenrex::fuzz
