#include "lib/sema/definitions.h"

#include <cstddef>
#include <map>

#include "lib/sema/symbols.h"
#include "lib/support/format.h"

namespace tenrex::sema {

Result<NeededDefinitions> needed_definitions(const syntax::Ast &expression, const Schema &schema,
                                             const syntax::ParseOptions &options) {
    NeededDefinitions needed;
    if (schema.definitions().empty()) {
        return needed;
    }
    std::map<std::size_t, const syntax::Ast *> found;  // by their place in the schema
    std::vector<std::size_t> open;
    const auto add_used = [&](const syntax::Ast &tree, std::size_t before, std::string_view user) -> Status {
        for (const FreeSymbol &symbol : free_symbols(tree)) {
            const auto used = schema.find_definition(symbol.name);
            if (used && *used >= before) {
                return Error(
                    fmt::format("the definition '{}' uses '{}', which is not defined before it", user, symbol.name),
                    "a definition may use those before it");
            }
            if (used && found.emplace(*used, nullptr).second) {
                open.push_back(*used);
            }
        }
        return {};
    };
    if (Status status = add_used(expression, schema.definitions().size(), {}); !status) {
        return status.error();
    }
    while (!open.empty()) {
        const std::size_t next = open.back();
        open.pop_back();
        const DefinitionDeclaration &definition = schema.definitions()[next];
        auto tree = syntax::parse(definition.text, options);
        if (!tree) {
            return Error(tree.error().issues(), definition.name);
        }
        needed.trees.push_back(*std::move(tree));
        found[next] = &needed.trees.back();
        if (Status status = add_used(needed.trees.back(), next, definition.name); !status) {
            return status.error();
        }
    }
    for (const auto &[place, tree] : found) {
        needed.definitions.push_back({schema.definitions()[place].name, &tree->root(), &tree->source()});
    }
    return needed;
}

}  // namespace tenrex::sema
