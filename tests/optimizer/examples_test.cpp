// The examples of docs/optimizations.md. A fenced block `graph <pass>` declares inputs, gives an expression, and behind
// "=>" the graph after that pass and those before it.
#include <fstream>
#include <sstream>

#include <tenrex/formats.h>

#include "tests/optimizer/graph_of.h"

namespace tenrex::optimizer::examples_test {
namespace {

void declare(Schema &schema, const std::string &line) {
    std::istringstream words(line);
    std::string stage, name, rest;
    words >> stage >> name;
    std::getline(words >> std::ws, rest);
    if (stage == "constant") {
        const auto value = from_literal(rest);
        ASSERT_TRUE(value) << line;
        schema.constant(name, *value);
    } else if (stage == "query") {
        schema.query(name, rest);
    } else {
        schema.document(name, rest);
    }
}

TEST(Examples, OfThePage) {
    std::ifstream page("docs/optimizations.md");
    ASSERT_TRUE(page.is_open());
    std::size_t examples = 0;
    for (std::string line; std::getline(page, line);) {
        if (!line.starts_with("```graph ")) {
            continue;
        }
        const std::string pass = line.substr(9);
        Schema schema;
        std::string expression, graph = "\n";
        while (std::getline(page, line) && line != "=>") {
            if (line.starts_with("constant ") || line.starts_with("query ") || line.starts_with("document ")) {
                declare(schema, line);
            } else {
                expression += line;
            }
        }
        while (std::getline(page, line) && line != "```") {
            graph += line + "\n";
        }
        EXPECT_EQ(after(pass, expression, schema), graph) << expression;
        EXPECT_TRUE(changes(pass, expression, schema)) << expression;
        ++examples;
    }
    EXPECT_GE(examples, pipeline().size() - 1);  // hoist_renames runs twice
}

}  // namespace
}  // namespace tenrex::optimizer::examples_test
