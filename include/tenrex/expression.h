// An expression: parsed and checked against a schema.
//
//   auto expression = tenrex::Expression::parse("sum(a*b)", schema);
//   if (!expression) { std::cerr << expression.error().render(); return 1; }
//   expression->type().to_string();                          // "double"
//   auto result = expression->evaluate_reference({{"a", a}, {"b", b}});
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tenrex/bounded_tensor.h>
#include <tenrex/dialect.h>
#include <tenrex/export.h>
#include <tenrex/limits.h>
#include <tenrex/result.h>
#include <tenrex/schema.h>
#include <tenrex/tensor.h>

namespace tenrex {

struct ExpressionOptions {
    Dialect dialect = Dialect::core;
    std::uint64_t seed = 0;  // of random(...)
    Limits limits;
};

// A name and a value for it.
using NamedTensor = std::pair<std::string, Tensor>;

// A symbol that an expression refers to.
struct SymbolUse {
    std::string name;    // as a schema would declare it
    Span span;           // its first use
    bool maybe = false;  // types decide whether it is a symbol: the d of max(t,d) may be a dimension of t
};

// Immutable; copies share what they hold.
class TENREX_EXPORT Expression {
public:
    // Errors: every issue of the text, or of the schema. The schema is not needed any more afterwards.
    static Result<Expression> parse(std::string_view text, const Schema &schema, const ExpressionOptions &options = {});
    // The symbols of a text in the order of first use, without types or schema. Parameters of lambdas and dimensions of
    // generators are not symbols.
    static Result<std::vector<SymbolUse>> symbols(std::string_view text, const ExpressionOptions &options = {});

    const TensorType &type() const noexcept;
    // Whether the result is a string: a double that stands for a text.
    bool is_string() const noexcept;
    // The texts of the strings in it.
    const std::vector<std::string> &strings() const noexcept;
    // The names of the inputs that it uses, in the order of first use.
    std::vector<std::string> input_names() const;
    const std::vector<Issue> &warnings() const noexcept;
    // Canonical text of the syntax tree, as written with surface forms.
    std::string to_string() const;
    // The syntax tree, one node a line.
    std::string dump() const;

    // Evaluates with the naive evaluator in double precision that everything else is tested against. Each input that
    // the expression uses and that is not a constant must be given, with the declared type; others are ignored. Of
    // several values for one name the first counts.
    Result<Tensor> evaluate_reference(const std::vector<NamedTensor> &inputs) const;
    // The same with bounds, which follow from docs/numerics.md. Takes several times as long.
    Result<BoundedTensor> evaluate_reference_bounded(const std::vector<NamedTensor> &inputs) const;

    struct Content;
    const Content &content() const noexcept { return *content_; }

private:
    explicit Expression(std::shared_ptr<const Content> content) : content_(std::move(content)) {}
    std::shared_ptr<const Content> content_;
};

}  // namespace tenrex
