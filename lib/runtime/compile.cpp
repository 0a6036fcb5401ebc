#include <algorithm>
#include <limits>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "lib/ir/build.h"
#include "lib/ir/text.h"
#include "lib/lower/lower.h"
#include "lib/lower/matmul_cost.h"
#include "lib/runtime/compile_typed.h"
#include "lib/runtime/expression_content.h"
#include "lib/runtime/guarded.h"
#include "lib/runtime/plan_content.h"
#include "lib/support/format.h"

namespace tenrex {

namespace {

Status check_options(const CompileOptions &options) {
    const std::span<const optimizer::Pass> passes = optimizer::pipeline();
    for (const std::string &disabled : options.disabled_passes) {
        if (std::none_of(passes.begin(), passes.end(), [&](const auto &pass) { return pass.name == disabled; })) {
            return Error(fmt::format("there is no optimization '{}'", disabled),
                         fmt::format("there are: {}", fmt::join(optimization_names(), ", ")));
        }
    }
    if (!options.max_isa.empty() && !kernels::isa_level(options.max_isa)) {
        return Error(fmt::format("there is no instruction set '{}'", options.max_isa),
                     "use baseline, avx2, avx512 or native");
    }
    return {};
}

void find_placed_ports(Plan::Content &content) {
    const program::Plan &plan = *content.plan;
    const std::size_t cells = plan.shapes[static_cast<int>(Stage::document)].cells;
    std::vector<std::size_t> column_of(cells);
    for (const DensePort &port : content.dense_ports) {
        column_of[port.cells] = port.column;
    }
    std::vector<bool> is_only_placed(cells);
    content.placed_ports.reserve(plan.placements.size());
    for (const CellType type : {CellType::f64, CellType::f32}) {
        for (const program::Placement &placement : plan.placements) {
            if (placement.type == type) {
                content.placed_ports.push_back({column_of[placement.cells] * sizeof(Column), placement});
                is_only_placed[placement.cells] = !placement.has_other_readers;
            }
        }
        content.placed_doubles = type == CellType::f64 ? content.placed_ports.size() : content.placed_doubles;
    }
    const auto unplaced = std::stable_partition(content.dense_ports.begin(), content.dense_ports.end(),
                                                [&](const DensePort &port) { return !is_only_placed[port.cells]; });
    content.unplaced_ports = static_cast<std::size_t>(unplaced - content.dense_ports.begin());
}

void find_output_places(Plan::Content &content) {
    const std::vector<program::Port> &outputs = content.plan->outputs;
    content.output_places.resize(outputs.size());
    const program::StoreShape &shape = content.plan->shapes[static_cast<int>(Stage::document)];
    std::vector<const program::PlannedCells *> planned(shape.cells);
    for (const program::PlannedCells &cells : shape.planned) {
        planned[cells.number] = &cells;
    }
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        if (outputs[i].cells.stage == Stage::document) {
            const program::PlannedCells *&cells = planned[outputs[i].cells.number];
            if (cells != nullptr) {
                content.output_places[i] = {true, std::exchange(cells, nullptr)->offset};
            }
        }
    }
}

using Names = std::unordered_set<std::string_view>;

// The inputs that are declared as strings.
Names string_inputs(const std::vector<NamedTyped> &outputs) {
    Names names;
    for (const NamedTyped &output : outputs) {
        for (const sema::InputUse &use : output.typed->inputs()) {
            if (use.is_string) {
                names.insert(use.name);
            }
        }
    }
    return names;
}

// The texts of several expressions, each a part of its own; null if they are too long together.
std::shared_ptr<const SourceText> joined_texts(const std::vector<NamedExpression> &expressions,
                                               std::vector<NamedTyped> &outputs) {
    const auto source = std::make_shared<SourceText>();
    std::string text;
    for (std::size_t i = 0; i < expressions.size(); ++i) {
        const NamedExpression &expression = expressions[i];
        if (text.size() + expression.text.size() > std::numeric_limits<std::uint32_t>::max()) {
            return nullptr;
        }
        const auto begin = static_cast<std::uint32_t>(text.size());
        text += expression.text;
        outputs[i].text_begin = begin;
        source->files.push_back({begin, ""});
        source->parts.push_back({{begin, static_cast<std::uint32_t>(text.size())}, expression.name});
    }
    source->text = std::make_shared<const std::string>(std::move(text));
    return source;
}

Result<Plan> compile_graph(ir::Graph graph, std::shared_ptr<const SourceText> source, const Names &strings,
                           std::vector<Issue> warnings, const Limits &limits, const CompileOptions &options) {
    const auto content = std::make_shared<Plan::Content>();
    content->source = std::move(source);
    content->warnings = std::move(warnings);
    content->isa = options.max_isa.empty() ? kernels::allowed_isa()
                                           : kernels::detected_isa() & *kernels::isa_level(options.max_isa);
    const lower::KernelCosts costs(content->isa);
    auto optimized = optimizer::optimize(std::move(graph), {options.disabled_passes, &costs}, &content->passes);
    if (!optimized) {
        return std::move(optimized).error();
    }
    content->graph = *std::move(optimized);
    auto lowered = lower::lower(
        content->graph,
        {content->isa, options.labels ? options.labels : std::make_shared<LabelTable>(), limits, options.weights},
        &content->step_spans);
    if (!lowered) {
        return std::move(lowered).error();
    }
    content->plan = *std::move(lowered);
    content->document_inputs.reserve(content->plan->inputs.size());
    content->document_ports.reserve(content->plan->inputs.size());
    content->dense_ports.reserve(content->plan->inputs.size());
    for (std::size_t i = 0; i < content->plan->inputs.size(); ++i) {
        const program::Port &port = content->plan->inputs[i];
        const bool of_query = port.stage == Stage::query;
        (of_query ? content->query_inputs : content->document_inputs)
            .push_back({port.name, port.type, port.stage, std::nullopt, strings.contains(port.name)});
        if (of_query) {
            content->query_ports.push_back(i);
            continue;
        }
        const auto column = static_cast<std::uint32_t>(content->document_ports.size());
        const bool has_rows = port.type.has_open();
        const auto labels = static_cast<std::uint32_t>(has_rows ? port.type.open_count() : port.type.mapped_count());
        content->document_ports.push_back(
            {static_cast<std::uint32_t>(i), port.cells.number, port.index.number, labels, has_rows, port.block_bytes});
        if (labels == 0) {
            content->dense_ports.push_back({column, port.cells.number});
        } else {
            content->sparse_columns.push_back(column);
        }
    }
    content->document_columns = content->document_ports.size();
    find_placed_ports(*content);
    find_output_places(*content);
    const program::Port &first = content->plan->outputs.front();
    if (first.type.is_scalar()) {
        content->score = first.cells;
    }
    content->outputs.reserve(content->plan->outputs.size());
    for (const program::Port &port : content->plan->outputs) {
        content->outputs.push_back({port.name, port.type});
    }
    return Plan(content);
}

// The reference evaluator makes each value of the expression, and no other: if one of them is too large, nothing but
// another limit helps.
Error with_hint(const Error &error, const std::vector<NamedTyped> &outputs, const Limits &limits) {
    const auto is_too_large = [&](const auto &type) { return type->block_cells() > limits.evaluation_cells; };
    const auto has_too_large = [&](const NamedTyped &output) {
        const auto &types = output.typed->types();
        return std::any_of(types.begin(), types.end(), is_too_large);
    };
    if (std::none_of(outputs.begin(), outputs.end(), has_too_large)) {
        return error;
    }
    std::vector<Issue> issues = error.issues();
    for (Issue &issue : issues) {
        if (issue.hint.empty()) {
            issue.hint = "make the tensors smaller, or raise the limit evaluation_cells";
        }
    }
    return Error(std::move(issues), error.source_name());
}

}  // namespace

Result<Plan> compile_typed(const std::vector<NamedTyped> &outputs, std::shared_ptr<const SourceText> source,
                           std::vector<Issue> warnings, const CompileOptions &options) {
    if (const Status status = check_options(options); !status) {
        return status.error();
    }
    ir::Graph graph;
    for (const NamedTyped &output : outputs) {
        auto built =
            ir::build(*output.typed, options.expression.limits, std::move(graph), output.name, output.text_begin);
        if (!built) {
            return std::move(built).error();
        }
        graph = *std::move(built);
    }
    auto plan = compile_graph(std::move(graph), std::move(source), string_inputs(outputs), std::move(warnings),
                              options.expression.limits, options);
    return plan ? std::move(plan) : with_hint(std::move(plan).error(), outputs, options.expression.limits);
}

Result<Plan> compile(const std::vector<NamedExpression> &expressions, const Schema &schema,
                     const CompileOptions &options) {
    return guarded([&]() -> Result<Plan> {
        if (expressions.empty()) {
            return Error("there is no expression to compile");
        }
        std::vector<Expression> parsed;
        std::vector<NamedTyped> outputs;
        std::vector<Issue> warnings;
        for (const NamedExpression &expression : expressions) {
            auto one = Expression::parse(expression.text, schema, options.expression);
            if (!one) {
                return std::move(one).error();
            }
            warnings.insert(warnings.end(), one->warnings().begin(), one->warnings().end());
            parsed.push_back(*std::move(one));
        }
        for (std::size_t i = 0; i < expressions.size(); ++i) {
            outputs.push_back({expressions[i].name, &parsed[i].content().typed});
        }
        auto source = joined_texts(expressions, outputs);
        return compile_typed(outputs, std::move(source), std::move(warnings), options);
    });
}

Result<Plan> compile(std::string_view text, const Schema &schema, const CompileOptions &options) {
    return guarded([&] { return compile({NamedExpression{"", std::string(text)}}, schema, options); });
}

Result<Plan> compile(const Expression &expression, const CompileOptions &options) {
    return guarded([&]() -> Result<Plan> {
        CompileOptions with_its_own = options;
        with_its_own.expression = expression.content().options;
        std::vector<NamedTyped> outputs = {{"", &expression.content().typed}};
        auto source = joined_texts({{"", expression.content().ast.source()}}, outputs);
        return compile_typed(outputs, std::move(source), expression.warnings(), with_its_own);
    });
}

std::vector<std::string_view> optimization_names() {
    std::vector<std::string_view> names;
    for (const optimizer::Pass &pass : optimizer::pipeline()) {
        // A pass may run more than once.
        if (std::find(names.begin(), names.end(), pass.name) == names.end()) {
            names.push_back(pass.name);
        }
    }
    return names;
}

const std::vector<Plan::Output> &Plan::outputs() const noexcept {
    return content_->outputs;
}

const std::vector<InputDeclaration> &Plan::document_inputs() const noexcept {
    return content_->document_inputs;
}

const std::vector<InputDeclaration> &Plan::query_inputs() const noexcept {
    return content_->query_inputs;
}

const std::shared_ptr<LabelTable> &Plan::labels() const noexcept {
    return content_->plan->labels;
}

const std::vector<Issue> &Plan::warnings() const noexcept {
    return content_->warnings;
}

std::string Plan::graph() const {
    return ir::to_string(content_->graph);
}

std::string Plan::graph_dot() const {
    return ir::to_dot(content_->graph);
}

std::size_t Plan::document_steps() const noexcept {
    return content_->plan->programs[static_cast<int>(Stage::document)].size();
}

std::size_t Plan::piece() const noexcept {
    return content_->plan->piece;
}

}  // namespace tenrex
