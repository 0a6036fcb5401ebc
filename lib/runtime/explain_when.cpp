#include "lib/runtime/explain_when.h"

#include <algorithm>
#include <array>
#include <vector>

#include "lib/support/format.h"
#include "lib/support/utf8.h"
#include "lib/types/characters.h"

namespace tenrex {

namespace {

using ir::NodeId;

// A part of the text on one line and not too long.
std::string excerpt(std::string_view text) {
    constexpr std::size_t most = 90;
    std::string result;
    for (const char c : text) {
        if (!is_space(c)) {
            result += c;
        } else if (!result.empty() && result.back() != ' ') {
            result += ' ';
        }
    }
    if (result.size() > most) {
        std::size_t end = most - 3;
        while (end > 0 && is_continuation_byte(result[end])) {
            --end;
        }
        result.resize(end);
        result += "...";
    }
    return result;
}

std::string line_and_column(std::string_view source, std::uint32_t begin) {
    const std::string_view before = source.substr(0, begin);
    const std::size_t newline = before.rfind('\n');
    const std::string_view line = before.substr(newline == std::string_view::npos ? 0 : newline + 1);
    return fmt::format("{}:{}", 1 + std::count(before.begin(), before.end(), '\n'), 1 + count_code_points(line));
}

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

std::string when_text(const ir::Graph &graph, std::string_view source) {
    if (source.empty()) {
        return {};
    }
    const std::vector<Use> uses = uses_of(graph);
    std::array<std::vector<Span>, 3> parts;
    for (NodeId id = 0; id < graph.size(); ++id) {
        const ir::Node &node = graph[id];
        const bool is_computed = node.op != ir::Op::input && node.op != ir::Op::constant;
        const bool is_last = node.stage < uses[id].latest || node.stage == Stage::document;
        const bool has_text = node.span.end > node.span.begin && node.span.end <= source.size();
        if (uses[id].is_used && is_computed && is_last && has_text) {
            parts[static_cast<std::size_t>(node.stage)].push_back(node.span);
        }
    }
    constexpr std::array<std::string_view, 3> titles = {"when compiling", "once per query", "for each document"};
    std::string text;
    for (std::size_t stage = 0; stage < parts.size(); ++stage) {
        std::vector<Span> &spans = parts[stage];
        // Of parts within each other the largest tells all.
        std::sort(spans.begin(), spans.end(),
                  [](Span a, Span b) { return a.begin != b.begin ? a.begin < b.begin : a.end > b.end; });
        std::uint32_t told = 0;
        for (const Span span : spans) {
            if (span.end <= told) {
                continue;
            }
            told = span.end;
            text += fmt::format("  {:<17}  {:<5}  {}\n", titles[stage], line_and_column(source, span.begin),
                                excerpt(source.substr(span.begin, span.end - span.begin)));
        }
    }
    return text.empty() ? text : "what is computed when:\n" + text;
}

}  // namespace tenrex
