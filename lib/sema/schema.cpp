#include <tenrex/schema.h>

#include <algorithm>
#include <utility>

#include "lib/sema/symbol_name.h"
#include "lib/support/format.h"
#include "lib/support/scalar_function.h"
#include "lib/syntax/tensor_function.h"

namespace tenrex {

namespace {

bool is_built_in(std::string_view name) {
    return scalar_function_from_name(name) || tensor_function_from_name(name) || name == "if" || name == "switch" ||
           name == "tensor";
}

bool is_identifier(std::string_view name) {
    sema::NameParts parts;
    return sema::split_name(name, parts).message.empty() && parts.base == name && name.find_first_of("$@") == name.npos;
}

}  // namespace

std::string_view name(Stage stage) noexcept {
    switch (stage) {
        case Stage::constant:
            return "constant";
        case Stage::query:
            return "query";
        case Stage::document:
            return "document";
    }
    return {};
}

Schema &Schema::query(std::string_view name, std::string_view type) {
    return declare(name, type, Stage::query);
}
Schema &Schema::query(std::string_view name, TensorType type) {
    return declare(name, std::move(type), Stage::query, std::nullopt);
}
Schema &Schema::document(std::string_view name, std::string_view type) {
    return declare(name, type, Stage::document);
}
Schema &Schema::document(std::string_view name, TensorType type) {
    return declare(name, std::move(type), Stage::document, std::nullopt);
}
Schema &Schema::constant(std::string_view name, Tensor value) {
    TensorType type = value.type();
    const bool is_string = value.is_string();
    return declare(name, std::move(type), Stage::constant, std::move(value), is_string);
}

Schema &Schema::declare(std::string_view name, std::string_view type, Stage stage) {
    if (type == string_type) {
        return declare(name, TensorType(), stage, std::nullopt, true);
    }
    return declare(name, TensorType::parse(type), stage, std::nullopt);
}

bool Schema::may_be_declared(std::string_view what, std::string_view name, const std::string &normal) {
    sema::NameParts parts;
    const sema::NameProblem problem = sema::split_name(normal, parts);
    if (!problem.message.empty()) {
        fail(fmt::format("{} '{}': {}", what, name, problem.message), problem.hint);
    } else if (parts.is_call && is_built_in(parts.base)) {
        fail(fmt::format("{} '{}': an expression would read a call of the function '{}'", what, name, parts.base),
             fmt::format("give the {} another name", what));
    } else if (normal == "true" || normal == "false") {
        fail(fmt::format("{} '{}': an expression would read the number {}", what, name, normal == "true" ? 1 : 0),
             fmt::format("give the {} another name", what));
    } else if (input_index_.contains(normal) || definition_index_.contains(normal)) {
        fail(fmt::format("{} '{}' is declared twice", what, normal));
    } else {
        return true;
    }
    return false;
}

Schema &Schema::declare(std::string_view name, Result<TensorType> type, Stage stage, std::optional<Tensor> value,
                        bool is_string) {
    std::string normal = sema::normal_name(name);
    if (!may_be_declared("input", name, normal)) {
        return *this;
    }
    if (!type) {
        for (Issue issue : type.error().issues()) {
            issue.message = fmt::format("type of input '{}': {}", normal, issue.message);
            fail(std::move(issue));
        }
        return *this;
    }
    if (type->has_empty()) {
        fail(fmt::format("type of input '{}': {} has a dimension of size 0", normal, type->to_string()),
             "an indexed dimension of an input has at least one index; one whose size comes with each value is written "
             "x[]");
        return *this;
    }
    input_index_.emplace(normal, inputs_.size());
    inputs_.push_back({std::move(normal), *std::move(type), stage, std::move(value), is_string});
    return *this;
}

Schema &Schema::function(std::string_view name, std::size_t arity,
                         std::function<double(std::span<const double>)> call) {
    if (!is_identifier(name)) {
        fail(fmt::format("function '{}': the name must be letters, digits and '_', and not begin with a digit", name));
    } else if (is_built_in(name)) {
        fail(fmt::format("function '{}': there is a built-in function of that name", name),
             "give the function another name");
    } else if (function_index_.contains(name)) {
        fail(fmt::format("function '{}' is declared twice", name));
    } else if (arity < 1 || arity > UserFunction::most_arguments) {
        fail(fmt::format("function '{}' has {} arguments; a function has 1 to {}", name, arity,
                         UserFunction::most_arguments));
    } else if (!call) {
        fail(fmt::format("function '{}' has nothing to call", name));
    } else {
        function_index_.emplace(name, functions_.size());
        functions_.push_back({std::string(name), arity, std::move(call)});
    }
    return *this;
}

Schema &Schema::forest(std::string_view name, Forest forest) {
    std::vector<std::string> inputs = forest.used_features();
    return this->forest(name, std::move(forest), std::move(inputs));
}

Schema &Schema::forest(std::string_view name, Forest forest, std::vector<std::string> inputs) {
    std::string normal = sema::normal_name(fmt::format("forest({})", name));
    sema::NameParts parts;
    const sema::NameProblem problem = sema::split_name(normal, parts);
    if (!problem.message.empty() || parts.arguments.empty() || !parts.output.empty()) {
        fail(fmt::format("forest '{}': the name cannot be called", name), "give it a name of letters and digits");
    } else if (find_forest(parts.arguments) != nullptr || find_input(normal) != nullptr) {
        fail(fmt::format("'{}' is declared twice", normal));
    } else if (inputs.size() != forest.used_features().size()) {
        fail(fmt::format("forest '{}' uses {} features, but {} names of inputs are given", name,
                         forest.used_features().size(), inputs.size()));
    } else {
        forests_.push_back({std::string(parts.arguments), std::move(forest), std::move(inputs)});
    }
    return *this;
}

Schema &Schema::define(std::string_view name, std::string text) {
    std::string normal = sema::normal_name(name);
    if (may_be_declared("definition", name, normal)) {
        definition_index_.emplace(normal, definitions_.size());
        definitions_.push_back({std::move(normal), std::move(text)});
    }
    return *this;
}

const ForestDeclaration *Schema::find_forest(std::string_view name) const {
    const auto found = std::find_if(forests_.begin(), forests_.end(),
                                    [&](const ForestDeclaration &declared) { return declared.name == name; });
    return found == forests_.end() ? nullptr : &*found;
}

const InputDeclaration *Schema::find_input(std::string_view name) const {
    const auto found =
        sema::is_normal_name(name) ? input_index_.find(name) : input_index_.find(sema::normal_name(name));
    return found == input_index_.end() ? nullptr : &inputs_[found->second];
}

const UserFunction *Schema::find_function(std::string_view name) const {
    const auto found = function_index_.find(name);
    return found == function_index_.end() ? nullptr : &functions_[found->second];
}

std::optional<std::size_t> Schema::find_definition(std::string_view name) const {
    const auto found = definition_index_.find(sema::normal_name(name));
    return found == definition_index_.end() ? std::nullopt : std::optional(found->second);
}

void Schema::fail(std::string message, std::string hint) {
    Issue issue;
    issue.message = std::move(message);
    issue.hint = std::move(hint);
    fail(std::move(issue));
}

void Schema::fail(Issue issue) {
    if (error_) {
        error_->add(std::move(issue));
    } else {
        error_ = Error(std::vector<Issue>{std::move(issue)});
    }
}

}  // namespace tenrex
