// A plan as text: docs/explain.md shows and explains an example.
#include <algorithm>
#include <array>
#include <set>
#include <string_view>
#include <unordered_set>

#include "lib/program/weight_store_content.h"
#include "lib/runtime/explain_when.h"
#include "lib/runtime/plan_content.h"
#include "lib/support/format.h"

namespace tenrex {

namespace {

using Row = std::array<std::string, 7>;
constexpr std::array<std::string_view, 7> step_titles = {"step",  "what", "kernel", "result",
                                                         "flops", "read", "written"};
constexpr std::size_t first_number = 4;  // columns from here on are numbers

// 1234567 as "1.23M".
std::string amount(double number) {
    constexpr std::string_view units[] = {"", "K", "M", "G", "T", "P"};
    std::size_t unit = 0;
    for (; number >= 1000 && unit + 1 < std::size(units); ++unit) {
        number /= 1000;
    }
    return fmt::format("{:.3g}{}", number, units[unit]);
}

std::string when(Stage stage) {
    return stage == Stage::constant ? "once, when compiling"
           : stage == Stage::query  ? "once per query"
                                    : "per document";
}

// The types of what steps make, with the cell types that their cells have while the plan runs.
class ResultTypes {
public:
    explicit ResultTypes(const program::Plan &plan) {
        for (std::size_t stage = 0; stage < std::size(plan.shapes); ++stage) {
            infos_[stage].resize(plan.shapes[stage].cells);
            for (const program::CellsInfo &info : plan.shapes[stage].infos) {
                infos_[stage][info.number] = &info;
            }
        }
    }
    std::string text(const program::Step &step) const {
        const program::CellsSlot slot = step.result();
        if (!slot) {
            return "addresses";
        }
        const program::CellsInfo *const info = infos_[static_cast<std::size_t>(slot.stage)][slot.number];
        if (info == nullptr) {
            return "";
        }
        if (const auto type = TensorType::make(info->cell_type, info->type.dimensions())) {
            return type->to_string();
        }
        return std::string(name(info->cell_type));
    }

private:
    std::array<std::vector<const program::CellsInfo *>, 3> infos_;  // by stage and number
};

// What a step does, with what the constants of its plan spare.
struct StepText {
    StepText(const program::Plan &plan, const program::Step &step) : text(step.describe()), work(step.work()) {
        if (const double share = step.left_out(plan.constant_store); share > 0) {
            text += fmt::format(", {:.0f} % of its blocks are zeros", 100 * share);
            work.flops -= share * work.products;
        }
    }
    std::string text;
    program::Work work;
};

Row step_row(const ResultTypes &types, const program::Step &step, const StepText &own, std::size_t number) {
    const program::Work &work = own.work;
    const std::string times = std::string(work.per_block ? "*" : "") + (work.per_shared_block ? "+" : "");
    return {std::to_string(number),
            own.text,
            step.kernel(),
            types.text(step),
            amount(work.flops) + times,
            amount(work.bytes_read) + times,
            amount(work.bytes_written) + times};
}

template <class Text>
std::string aligned(const std::array<Text, 7> &row, const std::array<std::size_t, 7> &widths) {
    std::string line = "  ";
    for (std::size_t i = 0; i < row.size(); ++i) {
        const bool is_number = i >= first_number;
        line += is_number ? fmt::format("{:>{}}", row[i], widths[i]) : fmt::format("{:<{}}", row[i], widths[i]);
        line += i + 1 < row.size() ? "  " : "\n";
    }
    return line;
}

struct Total {
    double flops = 0, bytes_read = 0, bytes_written = 0;

    void add(const program::Work &work) {
        flops += work.flops;
        bytes_read += work.bytes_read;
        bytes_written += work.bytes_written;
    }
    std::string text() const {
        return fmt::format("{} flops, {} bytes read, {} bytes written", amount(flops), amount(bytes_read),
                           amount(bytes_written));
    }
};

// A list of many things below a step, in lines of some length.
std::string parts_text(std::string_view parts, std::size_t indent) {
    constexpr std::size_t most = 100;
    std::string text;
    while (!parts.empty()) {
        std::size_t length = parts.size();
        if (length > most) {
            const std::size_t gap = parts.rfind(", ", most);
            length = gap == std::string_view::npos ? length : gap + 2;
        }
        std::string_view line = parts.substr(0, length);
        parts.remove_prefix(length);
        while (line.ends_with(' ')) {
            line.remove_suffix(1);
        }
        text += fmt::format("  {:{}}    {}\n", "", indent, line);
    }
    return text;
}

constexpr std::size_t columns_of_text = 80;

// What steps compute, in the words of the expression. A text that several steps in a row compute is told once.
std::vector<std::string> words_of(const std::vector<Span> &spans, const SourcePlaces &places) {
    std::vector<std::string> lines(spans.size());
    std::size_t width = 0;
    for (std::size_t i = 0; i < spans.size(); ++i) {
        if (places.has(spans[i])) {
            lines[i] = places.place(spans[i]);
            width = std::max(width, lines[i].size());
        }
    }
    for (std::size_t i = 0; i < spans.size(); ++i) {
        const bool is_told = i > 0 && spans[i] == spans[i - 1];
        if (!lines[i].empty() && !is_told) {
            lines[i] = fmt::format("{:<{}}  {}", lines[i], width, places.excerpt(spans[i], columns_of_text));
        }
    }
    return lines;
}

std::string program_text(const program::Plan &plan, Stage stage, kernels::Isa isa, const SourcePlaces &places,
                         const std::vector<Span> &spans, const ExplainOptions &options) {
    const program::Program &program = plan.programs[static_cast<int>(stage)];
    std::string text = fmt::format("{}: {} {}, {}\n", name(stage), program.size(),
                                   program.size() == 1 ? "step" : "steps", when(stage));
    const ResultTypes types(plan);
    std::vector<Row> rows;
    std::array<std::size_t, 7> widths{};
    // By the marks of a step: none, "*", "+", both.
    std::array<Total, 4> totals;
    for (std::size_t i = 0; i < step_titles.size(); ++i) {
        widths[i] = step_titles[i].size();
    }
    for (const auto &step : program) {
        const StepText own(plan, *step);
        rows.push_back(step_row(types, *step, own, rows.size() + 1));
        for (std::size_t i = 0; i < widths.size(); ++i) {
            widths[i] = std::max(widths[i], rows.back()[i].size());
        }
        const program::Work &work = own.work;
        totals[(work.per_block ? 1U : 0U) + (work.per_shared_block ? 2U : 0U)].add(work);
    }
    if (rows.empty()) {
        return text;
    }
    text += aligned(step_titles, widths);
    const std::vector<std::string> words = words_of(spans, places);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        text += aligned(rows[i], widths);
        if (!words[i].empty()) {
            text += fmt::format("  {:{}}  {}\n", "", widths[0], words[i]);
        }
        text += parts_text(program[i]->parts(), widths[0]);
        if (!options.candidates) {
            continue;
        }
        const std::string reasons = program[i]->reasons(isa);
        for (std::size_t begin = 0; begin < reasons.size();) {
            const std::size_t end = std::min(reasons.find('\n', begin), reasons.size());
            text += fmt::format("  {:{}}  {}\n", "", widths[0], reasons.substr(begin, end - begin));
            begin = end + 1;
        }
    }
    constexpr std::array<std::string_view, 4> meanings = {
        "together", "* and for each block of sparse values", "+ and for each block that the documents share",
        "*+ and for each pair of a block and one that the documents share"};
    for (std::size_t i = 0; i < totals.size(); ++i) {
        if (i == 0 || totals[i].bytes_read + totals[i].bytes_written != 0) {
            text += fmt::format("  {}: {}\n", meanings[i], totals[i].text());
        }
    }
    return text;
}

using Strings = std::unordered_set<std::string_view>;

// Ports that are declared as strings are shown as such.
std::string ports_text(std::string_view title, const std::vector<program::Port> &ports, const Strings &strings) {
    std::string text = fmt::format("{}:{}\n", title, ports.empty() ? " none" : "");
    std::size_t width = 0;
    for (const program::Port &port : ports) {
        width = std::max(width, port.name.size());
    }
    for (const program::Port &port : ports) {
        const std::string type = strings.contains(port.name) ? std::string(string_type) : port.type.to_string();
        text += fmt::format("  {:<8}  {}{:<{}}{}\n", name(port.stage), port.name, "", width - port.name.size(),
                            (width == 0 ? "" : "  ") + type);
    }
    return text;
}

std::string passes_text(const std::vector<optimizer::PassReport> &passes) {
    std::string changed, disabled;
    std::set<std::string_view> listed;  // a pass may run more than once
    for (const optimizer::PassReport &pass : passes) {
        std::string &list = pass.disabled ? disabled : changed;
        if ((pass.disabled || pass.changed) && listed.insert(pass.name).second) {
            list += fmt::format("{}{}", list.empty() ? "" : ", ", pass.name);
        }
    }
    std::string text = fmt::format("optimizations that changed something: {}\n", changed.empty() ? "none" : changed);
    for (const optimizer::PassReport &pass : passes) {
        for (const optimizer::Remark &remark : pass.remarks) {
            text += fmt::format("left alone by {}: {} : {}, because {}\n", pass.name, ir::name(remark.op),
                                remark.type.to_string(), remark.reason);
        }
    }
    if (!disabled.empty()) {
        text += fmt::format("optimizations left out: {}\n", disabled);
    }
    return text;
}

std::string memory_text(const program::Plan &plan) {
    std::size_t constants = plan.constant_store.memory_bytes();
    for (const program::ConstantValue &value : plan.constants) {
        constants += value.tensor->memory_bytes();
    }
    for (const auto &weights : plan.constant_store.weights_held) {
        constants += weights->cells.memory_bytes();
    }
    const auto bytes_of = [&](Stage stage) {
        const program::StoreShape &shape = plan.shapes[static_cast<int>(stage)];
        return shape.planned_bytes + shape.tile_bytes;
    };
    const std::size_t of_documents = bytes_of(Stage::document);
    return fmt::format(
        "memory: {} bytes of constants, {} per query, {} per thread for {} documents at a time ({} each); values with "
        "mapped dimensions come on top\n",
        constants, bytes_of(Stage::query), of_documents, plan.piece, of_documents / plan.piece);
}

}  // namespace

std::string Plan::explain(const ExplainOptions &options) const {
    const program::Plan &plan = *content_->plan;
    Strings strings;
    for (const std::vector<InputDeclaration> *inputs : {&content_->query_inputs, &content_->document_inputs}) {
        for (const InputDeclaration &input : *inputs) {
            if (input.is_string) {
                strings.insert(input.name);
            }
        }
    }
    const SourcePlaces places(content_->source.get());
    std::string text = ports_text("inputs", plan.inputs, strings) + ports_text("outputs", plan.outputs, {}) +
                       when_text(content_->graph, places);
    for (Stage stage : {Stage::constant, Stage::query, Stage::document}) {
        text += program_text(plan, stage, content_->isa, places, content_->step_spans[static_cast<std::size_t>(stage)],
                             options);
    }
    text += passes_text(content_->passes) + memory_text(plan);
    return text + fmt::format("instruction sets: {}\n", kernels::to_string(content_->isa));
}

std::vector<PlanStep> Plan::steps(Stage stage) const {
    const SourcePlaces places(content_->source.get());
    const std::vector<Span> &spans = content_->step_spans[static_cast<std::size_t>(stage)];
    std::vector<PlanStep> steps;
    for (const auto &step : content_->plan->programs[static_cast<int>(stage)]) {
        const StepText own(*content_->plan, *step);
        const program::Work &work = own.work;
        const Span span = spans[steps.size()];
        const bool has_text = places.has(span);
        steps.push_back({own.text, step->kernel(), work.flops, work.bytes_read, work.bytes_written, work.per_block,
                         work.per_shared_block, has_text ? places.excerpt(span, columns_of_text) : std::string(),
                         has_text ? places.place(span) : std::string()});
    }
    return steps;
}

}  // namespace tenrex
