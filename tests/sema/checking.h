// Checks expressions against one schema that all tests of this layer share.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lib/sema/check.h"
#include "lib/sema/typed_printer.h"
#include "lib/syntax/parser.h"

namespace tenrex::sema {

// s, r: numbers; v, w: vectors of unequal size; vf, vb, vi: cell types; d, e: matrices; m, n: sparse; k, ki: mixed;
// ta, tb: tokens.
inline Schema test_schema() {
    Schema schema;
    schema.document("s").document("r").document("i");
    schema.document("v", "tensor(x[3])").document("w", "tensor(x[4])");
    schema.document("vf", "tensor<float>(x[3])").document("vb", "tensor<bfloat16>(x[3])");
    schema.document("vi", "tensor<int8>(x[3])");
    schema.document("d", "tensor(x[2],y[3])").document("e", "tensor<float>(y[3],z[4])");
    schema.document("m", "tensor(x{})").document("n", "tensor(y{})").document("mi", "tensor<int8>(x{})");
    schema.document("k", "tensor<float>(x{},y[3])").document("ki", "tensor<int8>(x{},y[3])");
    schema.document("ta", "tensor<float>(d0[4])").document("tb", "tensor<int8>(d0[3])");
    schema.query("query(q)", "tensor<float>(x[3])").document("attribute(tags,key).weight");
    schema.constant("constant(c)", Tensor(2.5));
    schema.function("twice", 1, [](std::span<const double> a) { return 2 * a[0]; });
    schema.function("mix", 2, [](std::span<const double> a) { return a[0] + 3 * a[1]; });
    schema.function("clamp", 3, [](std::span<const double> a) {
        return a[0] < a[1] ? a[1] : a[0] > a[2] ? a[2] : a[0];
    });
    return schema;
}

inline Result<TypedExpression> check_text(std::string_view text, const Schema &schema, Dialect dialect = Dialect::core,
                                          const CheckOptions &options = {}) {
    std::vector<std::string_view> functions;
    for (const UserFunction &function : schema.functions()) {
        functions.push_back(function.name);
    }
    std::sort(functions.begin(), functions.end());
    syntax::ParseOptions parse_options;
    parse_options.dialect = dialect;
    parse_options.user_functions = functions;
    parse_options.limits = options.limits;
    Result<syntax::Ast> ast = syntax::parse(text, parse_options);
    if (!ast) {
        return ast.error();
    }
    return check(*ast, schema, options);
}

inline Result<TypedExpression> check_text(std::string_view text, Dialect dialect = Dialect::core,
                                          const CheckOptions &options = {}) {
    static const Schema schema = test_schema();
    return check_text(text, schema, dialect, options);
}

// The type of the result, or the first error behind "error: ".
inline std::string type_of(std::string_view text, Dialect dialect = Dialect::core) {
    const Result<TypedExpression> checked = check_text(text, dialect);
    return checked ? checked->type().to_string() : "error: " + checked.error().message();
}

// The core text, or the first error behind "error: ".
inline std::string core_of(std::string_view text, Dialect dialect = Dialect::core) {
    const Result<TypedExpression> checked = check_text(text, dialect);
    return checked ? to_string(*checked) : "error: " + checked.error().message();
}

// Errors and warnings, one line each: "3-7: message (hint)", the bytes that the issue points at in front.
inline std::vector<std::string> issues_of(std::string_view text, Dialect dialect = Dialect::core) {
    const Result<TypedExpression> checked = check_text(text, dialect);
    std::vector<std::string> lines;
    for (const Issue &issue : checked ? checked->warnings() : checked.error().issues()) {
        std::string line = std::to_string(issue.span.begin) + "-" + std::to_string(issue.span.end) + ": ";
        line += issue.severity == Severity::warning ? "warning: " : "";
        line += issue.message;
        line += issue.hint.empty() ? "" : " (" + issue.hint + ")";
        lines.push_back(line);
    }
    return lines;
}

}  // namespace tenrex::sema
