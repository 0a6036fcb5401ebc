#include "lib/runtime/explain_when.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "lib/support/format.h"

namespace tenrex {

namespace {

using ir::NodeId;

// By node, the latest stage at which its value is used; nothing reaches the others.
struct Use {
    bool is_used = false;
    Stage latest = Stage::constant;
};

std::vector<Use> uses_of(const ir::Graph &graph) {
    std::vector<Use> uses(graph.size());
    const auto use = [&](NodeId id, Stage stage) {
        uses[id].is_used = true;
        uses[id].latest = std::max(uses[id].latest, stage);
    };
    for (const ir::GraphOutput &output : graph.outputs()) {
        use(output.node, Stage::document);
    }
    // Operands come before those who use them.
    for (auto id = static_cast<NodeId>(graph.size()); id-- > 0;) {
        for (const NodeId operand : uses[id].is_used ? graph[id].operands : std::span<const NodeId>()) {
            use(operand, graph[id].stage);
        }
    }
    return uses;
}

}  // namespace

std::string when_text(const ir::Graph &graph, const SourcePlaces &places) {
    const std::vector<Use> uses = uses_of(graph);
    std::array<std::vector<Span>, 3> parts;
    for (NodeId id = 0; id < graph.size(); ++id) {
        const ir::Node &node = graph[id];
        const bool is_computed = node.op != ir::Op::input && node.op != ir::Op::constant;
        const bool is_last = node.stage < uses[id].latest || node.stage == Stage::document;
        if (uses[id].is_used && is_computed && is_last && places.has(node.span)) {
            parts[static_cast<std::size_t>(node.stage)].push_back(node.span);
        }
    }
    struct Line {
        std::string_view when;
        std::string place, text;
    };
    constexpr std::array<std::string_view, 3> titles = {"when compiling", "once per query", "for each document"};
    constexpr std::size_t excerpt_columns = 70;
    std::vector<Line> lines;
    std::size_t width = 0;
    for (std::size_t stage = 0; stage < parts.size(); ++stage) {
        std::vector<Span> &spans = parts[stage];
        // Of parts within each other the largest tells all.
        std::sort(spans.begin(), spans.end(),
                  [](Span a, Span b) { return a.begin != b.begin ? a.begin < b.begin : a.end > b.end; });
        std::uint32_t told = 0;
        for (const Span span : spans) {
            if (span.end > told) {
                told = span.end;
                lines.push_back({titles[stage], places.place(span), places.excerpt(span, excerpt_columns)});
                width = std::max(width, lines.back().place.size());
            }
        }
    }
    std::string text = lines.empty() ? "" : "what is computed when:\n";
    for (const Line &line : lines) {
        text += fmt::format("  {:<17}  {:<{}}  {}\n", line.when, line.place, width, line.text);
    }
    return text;
}

}  // namespace tenrex
