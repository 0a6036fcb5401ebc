#include <tenrex/expression.h>

#include <algorithm>
#include <unordered_map>

#include "lib/reference/evaluate.h"
#include "lib/runtime/expression_content.h"
#include "lib/runtime/guarded.h"
#include "lib/sema/check.h"
#include "lib/sema/definitions.h"
#include "lib/sema/symbol_name.h"
#include "lib/sema/symbols.h"
#include "lib/support/diagnostics.h"
#include "lib/support/format.h"
#include "lib/syntax/parser.h"
#include "lib/syntax/printer.h"

namespace tenrex {

namespace {

std::vector<std::string_view> function_names(const Schema &schema) {
    std::vector<std::string_view> functions;
    for (const UserFunction &function : schema.functions()) {
        functions.push_back(function.name);
    }
    std::sort(functions.begin(), functions.end());
    return functions;
}

// Issues of an evaluation know the span that they speak of; this adds line, column and excerpt.
Error located(const Error &error, std::string_view source, const Limits &limits) {
    Diagnostics diagnostics(source, limits);
    for (const Issue &issue : error.issues()) {
        if (issue.span == Span{}) {
            return error;
        }
        diagnostics.error(issue.span, issue.message, issue.hint);
    }
    return diagnostics.take_error();
}

}  // namespace

Result<Expression> Expression::parse(std::string_view text, const Schema &schema, const ExpressionOptions &options) {
    return guarded([&]() -> Result<Expression> {
        if (schema.error()) {
            return *schema.error();
        }
        const std::vector<std::string_view> functions = function_names(schema);
        const syntax::ParseOptions parse_options{options.dialect, functions, options.limits};
        auto ast = syntax::parse(text, parse_options);
        if (!ast) {
            return std::move(ast).error();
        }
        const auto needed = sema::needed_definitions(*ast, schema, parse_options);
        if (!needed) {
            return needed.error();
        }
        auto typed = sema::check(*ast, schema, {options.seed, options.limits, needed->definitions});
        if (!typed) {
            return std::move(typed).error();
        }
        return Expression(std::make_shared<const Content>(Content{*std::move(ast), *std::move(typed), options}));
    });
}

Result<std::vector<SymbolUse>> Expression::symbols(std::string_view text, const ExpressionOptions &options) {
    return guarded([&]() -> Result<std::vector<SymbolUse>> {
        const auto ast = syntax::parse(text, {options.dialect, {}, options.limits});
        if (!ast) {
            return ast.error();
        }
        std::vector<SymbolUse> uses;
        for (sema::FreeSymbol &symbol : sema::free_symbols(*ast)) {
            uses.push_back({std::move(symbol.name), symbol.first_use, symbol.maybe});
        }
        return uses;
    });
}

const TensorType &Expression::type() const noexcept {
    return content_->typed.type();
}

bool Expression::is_string() const noexcept {
    return content_->typed.root().is_string;
}

const std::vector<std::string> &Expression::strings() const noexcept {
    return content_->typed.strings();
}

std::vector<std::string> Expression::input_names() const {
    std::vector<std::string> names;
    for (const sema::InputUse &use : content_->typed.inputs()) {
        names.push_back(use.name);
    }
    return names;
}

const std::vector<Issue> &Expression::warnings() const noexcept {
    return content_->typed.warnings();
}

std::string Expression::to_string() const {
    return syntax::to_string(content_->ast, {content_->options.dialect, false});
}

std::string Expression::dump() const {
    return syntax::dump(content_->ast);
}

namespace {

// evaluate: the function of the oracle.
template <class Value, class Evaluate>
Result<Value> evaluate_by(const Expression::Content &content, const std::vector<NamedTensor> &inputs,
                          const Evaluate &evaluate) {
    return guarded([&]() -> Result<Value> {
        const std::string &source = content.ast.source();
        const Limits &limits = content.options.limits;
        std::unordered_map<std::string, const Tensor *> given;
        for (const auto &[name, value] : inputs) {
            given.emplace(sema::normal_name(name), &value);
        }
        std::vector<Tensor> values;
        Diagnostics missing(source, limits);
        for (const sema::InputUse &use : content.typed.inputs()) {
            const auto found = given.find(use.name);
            if (use.value != nullptr) {
                values.emplace_back();
            } else if (found != given.end()) {
                values.push_back(*found->second);
            } else {
                missing.error(use.first_use, fmt::format("there is no value for the input '{}'", use.name),
                              fmt::format("give a value of type {}", use.type.to_string()));
            }
        }
        if (missing.has_errors()) {
            return missing.take_error();
        }
        auto result = evaluate(content.typed, values, limits);
        if (!result) {
            return located(result.error(), source, limits);
        }
        return result;
    });
}

}  // namespace

Result<Tensor> Expression::evaluate_reference(const std::vector<NamedTensor> &inputs) const {
    return evaluate_by<Tensor>(*content_, inputs, reference::evaluate);
}

Result<BoundedTensor> Expression::evaluate_reference_bounded(const std::vector<NamedTensor> &inputs) const {
    return evaluate_by<BoundedTensor>(*content_, inputs, reference::evaluate_bounded);
}

}  // namespace tenrex
