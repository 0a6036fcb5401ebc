#include "tools/repl/bench.h"

#include "tools/bench_report.h"

namespace tenrex::tool {

Reply bench_expression(const Session &session, std::string_view text, std::size_t begin) {
    const auto checked = session.check(text, begin);
    if (!checked) {
        return Reply::problem(checked.error());
    }
    perf::Case described;
    described.expression = text.substr(begin);
    for (const auto &[name, value] : checked->values) {
        const Stage stage = name.starts_with("query(") ? Stage::query : Stage::document;
        described.inputs.emplace_back(name, stage, value.type());
        described.inputs.back().value = value;
    }
    perf::MeasureOptions options;
    options.compile.expression = static_cast<const ExpressionOptions &>(session.options);
    options.reference = session.engine == Engine::reference;
    options.effort = {5, 0.01};
    const auto figures = perf::measure_case(described, options);
    if (!figures) {
        return Reply::failure(figures.error());
    }
    return Reply::info(bench_summary(*figures, options));
}

}  // namespace tenrex::tool
