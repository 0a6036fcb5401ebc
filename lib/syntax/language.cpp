#include <tenrex/language.h>

#include <algorithm>
#include <deque>
#include <string>
#include <utility>

#include "lib/support/format.h"
#include "lib/support/scalar_function.h"
#include "lib/syntax/same_word.h"
#include "lib/syntax/signatures.h"
#include "lib/syntax/tensor_function.h"

namespace tenrex {

namespace {

struct Vocabulary {
    std::vector<FunctionHelp> entries;
    std::deque<std::string>
        texts;  // what the entries refer to, if it is not in a table; a deque keeps its items in place

    std::string_view keep(std::string text) { return texts.emplace_back(std::move(text)); }
};

bool is_extremum(TensorFunction function) {
    return function == TensorFunction::min || function == TensorFunction::max;
}

Vocabulary make_functions() {
    Vocabulary all;
    for (const ScalarFunctionInfo &entry : scalar_function_table) {
        const auto tensor = tensor_function_from_name(entry.name);
        if (entry.is_operator || (tensor && is_extremum(*tensor))) {
            continue;
        }
        all.entries.push_back({entry.name,
                               all.keep(fmt::format("{}{}", entry.name, syntax::scalar_signature(entry.id))),
                               entry.summary, entry.example});
    }
    for (const TensorFunctionInfo &entry : tensor_function_table) {
        const auto scalar = scalar_function_from_name(entry.name);
        if (scalar && is_extremum(entry.id)) {
            all.entries.push_back({entry.name, syntax::extremum_signature(entry.id),
                                   all.keep(fmt::format("{}, or the {}", info(*scalar).summary, entry.summary)),
                                   entry.example});
        } else {
            all.entries.push_back({entry.name, entry.signature, entry.summary, entry.example});
        }
    }
    all.entries.push_back(
        {"if", syntax::if_signature, "a where the condition is not zero, else b", "if(2 > 1, 10, 20)"});
    all.entries.push_back({"switch", syntax::switch_signature, "the result of the first case that equals the value",
                           "switch(2) { case 1: 10, case 2: 20, default: 30 }"});
    std::sort(all.entries.begin(), all.entries.end(),
              [](const FunctionHelp &a, const FunctionHelp &b) { return a.name < b.name; });
    return all;
}

Vocabulary make_operators() {
    std::vector<const ScalarFunctionInfo *> found;
    for (const ScalarFunctionInfo &entry : scalar_function_table) {
        if (entry.is_operator) {
            found.push_back(&entry);
        }
    }
    std::stable_sort(found.begin(), found.end(), [](const ScalarFunctionInfo *a, const ScalarFunctionInfo *b) {
        return a->precedence > b->precedence;
    });
    Vocabulary all;
    for (std::size_t i = 0; i < found.size(); ++i) {
        const ScalarFunctionInfo &entry = *found[i];
        const auto form = entry.arity == 1 ? fmt::format("{}a", entry.name) : fmt::format("a {} b", entry.name);
        all.entries.push_back({entry.name, all.keep(form), entry.summary, {}});
        // `in` stands behind the comparisons, whose precedence it shares.
        const bool is_last_comparison = entry.precedence == info(ScalarFunction::equal).precedence &&
                                        (i + 1 == found.size() || found[i + 1]->precedence != entry.precedence);
        if (is_last_comparison) {
            all.entries.push_back({"in", "a in [b, c, ...]", "1 if equal to an entry of the set, else 0", {}});
        }
    }
    return all;
}

Vocabulary make_aggregators() {
    Vocabulary all;
    for (const AggregatorInfo &entry : aggregator_table) {
        all.entries.push_back(
            {entry.name, all.keep(fmt::format("reduce(t, {} [, dimension]*)", entry.name)), entry.summary, {}});
    }
    return all;
}

constexpr ForeignName foreign_table[] = {
#define TENREX_FOREIGN(name, instead) {name, instead},
#include "lib/syntax/foreign_names.def"
};

}  // namespace

const std::vector<FunctionHelp> &functions() {
    static const Vocabulary all = make_functions();
    return all.entries;
}

const std::vector<FunctionHelp> &operators() {
    static const Vocabulary all = make_operators();
    return all.entries;
}

const std::vector<FunctionHelp> &aggregators() {
    static const Vocabulary all = make_aggregators();
    return all.entries;
}

std::span<const ForeignName> foreign_names() noexcept {
    return foreign_table;
}

std::string_view instead_of(std::string_view name) noexcept {
    for (const ForeignName &foreign : foreign_table) {
        if (syntax::same_word(name, foreign.name)) {
            return foreign.instead;
        }
    }
    return {};
}

}  // namespace tenrex
