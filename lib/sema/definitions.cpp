#include "lib/sema/definitions.h"

#include <cstddef>
#include <map>

#include "lib/sema/symbol_name.h"
#include "lib/sema/symbols.h"
#include "lib/support/format.h"

namespace tenrex::sema {

std::vector<std::string> needed_symbols(const syntax::Ast &expression, const Schema &schema) {
    std::vector<std::string> needed;
    for (FreeSymbol &symbol : free_symbols(expression)) {
        NameParts parts;
        if (!schema.forests().empty() && split_name(symbol.name, parts).message.empty() && parts.base == "forest") {
            if (const ForestDeclaration *forest = schema.find_forest(parts.arguments)) {
                needed.insert(needed.end(), forest->inputs.begin(), forest->inputs.end());
            }
        }
        needed.push_back(std::move(symbol.name));
    }
    return needed;
}

Result<NeededDefinitions> needed_definitions(const syntax::Ast &expression, const Schema &schema,
                                             const syntax::ParseOptions &options) {
    NeededDefinitions needed;
    if (schema.definitions().empty()) {
        return needed;
    }
    std::map<std::size_t, const syntax::Ast *> found;  // by their place in the schema
    std::vector<std::size_t> open;
    const auto add_used = [&](const syntax::Ast &tree, std::size_t before, std::string_view user) -> Status {
        for (const std::string &symbol : needed_symbols(tree, schema)) {
            const auto used = schema.find_definition(symbol);
            if (used && *used >= before) {
                return Error(fmt::format("the definition '{}' uses '{}', which is not defined before it", user, symbol),
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
        const syntax::Ast &kept = needed.trees.emplace_back(*std::move(tree));
        found[next] = &kept;
        if (Status status = add_used(kept, next, definition.name); !status) {
            return status.error();
        }
    }
    for (const auto &[place, tree] : found) {
        needed.definitions.push_back({schema.definitions()[place].name, &tree->root(), &tree->source()});
    }
    return needed;
}

}  // namespace tenrex::sema
