// The graph in layers: every node below all of its operands.
#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "tools/playground/plan_picture.h"
#include "tools/playground/svg.h"

namespace tenrex::tool {

namespace {

constexpr std::size_t most_nodes = 300;
constexpr std::size_t graph_line_bytes = 34;
constexpr std::size_t most_lines = 5;
constexpr double graph_margin = 10;
constexpr double gap_between_boxes = 18;
constexpr double gap_between_layers = 34;

struct Placed {
    SvgBox box;
    std::vector<std::string> lines;
    std::size_t layer = 0;
    double wanted = 0;  // where the middle would be, by those above
};

// "%12" as 12, if the node is one of those before.
std::optional<std::size_t> reference(std::string_view word, std::size_t count) {
    std::size_t number = 0;
    if (!word.starts_with('%')) {
        return std::nullopt;
    }
    const auto [end, problem] = std::from_chars(word.data() + 1, word.data() + word.size(), number);
    const bool all = problem == std::errc() && end == word.data() + word.size();
    return all && number < count ? std::optional(number) : std::nullopt;
}

// "%3 = contract * sum (x) %0 %1 : double document"
std::optional<GraphNode> read_node(std::string_view line, std::size_t number) {
    const std::string begin = fmt::format("%{} = ", number);
    const std::size_t colon = line.rfind(" : ");
    if (!line.starts_with(begin) || colon == std::string_view::npos) {
        return std::nullopt;
    }
    GraphNode node;
    const std::string_view behind = line.substr(colon + 3);
    const std::size_t space = std::min(behind.rfind(' '), behind.size());
    node.type = behind.substr(0, space);
    node.stage = behind.substr(std::min(space + 1, behind.size()));
    std::string_view what = line.substr(begin.size(), colon - begin.size());
    for (;;) {
        const std::size_t last = what.rfind(' ');
        const auto operand = last == std::string_view::npos ? std::nullopt : reference(what.substr(last + 1), number);
        if (!operand) {
            break;
        }
        node.operands.insert(node.operands.begin(), *operand);
        what = what.substr(0, last);
    }
    node.what = what;
    return node;
}

std::vector<Placed> boxes_of(const std::vector<GraphNode> &nodes) {
    std::vector<Placed> placed(nodes.size());
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        Placed &each = placed[i];
        each.lines = wrapped(nodes[i].what, graph_line_bytes, most_lines);
        for (std::string &line : wrapped(nodes[i].type, graph_line_bytes, 2)) {
            each.lines.push_back(std::move(line));
        }
        std::size_t widest = 0;
        for (const std::string &line : each.lines) {
            widest = std::max(widest, line.size());
        }
        each.box.width = static_cast<double>(widest) * svg_character_width + 16;
        each.box.height = static_cast<double>(each.lines.size()) * svg_line_height + 8;
        for (const std::size_t operand : nodes[i].operands) {
            each.layer = std::max(each.layer, placed[operand].layer + 1);
        }
    }
    // What has no operands stands right above the first that uses it.
    std::vector<std::size_t> first_use(nodes.size(), nodes.size());
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        for (const std::size_t operand : nodes[i].operands) {
            first_use[operand] = std::min(first_use[operand], placed[i].layer);
        }
    }
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        if (nodes[i].operands.empty() && first_use[i] < nodes.size()) {
            placed[i].layer = first_use[i] - 1;
        }
    }
    return placed;
}

double middle(const Placed &placed) {
    return placed.box.x + placed.box.width / 2;
}

// Places the boxes of all layers; the size of the picture.
std::pair<double, double> place(const std::vector<GraphNode> &nodes, std::vector<Placed> &placed) {
    std::vector<std::vector<std::size_t>> layers;
    for (std::size_t i = 0; i < placed.size(); ++i) {
        layers.resize(std::max(layers.size(), placed[i].layer + 1));
        layers[placed[i].layer].push_back(i);
    }
    const auto width_of = [&](const std::vector<std::size_t> &layer) {
        double width = 0;
        for (const std::size_t i : layer) {
            width += placed[i].box.width + gap_between_boxes;
        }
        return width - gap_between_boxes;
    };
    double widest = 0;
    for (const auto &layer : layers) {
        widest = std::max(widest, width_of(layer));
    }
    double y = graph_margin;
    for (auto &layer : layers) {
        for (const std::size_t i : layer) {
            double sum = 0;
            for (const std::size_t operand : nodes[i].operands) {
                sum += middle(placed[operand]);
            }
            const auto count = static_cast<double>(nodes[i].operands.size());
            placed[i].wanted = nodes[i].operands.empty() ? static_cast<double>(i) : sum / count;
        }
        std::stable_sort(layer.begin(), layer.end(),
                         [&](std::size_t a, std::size_t b) { return placed[a].wanted < placed[b].wanted; });
        double x = graph_margin + (widest - width_of(layer)) / 2;
        double highest = 0;
        for (const std::size_t i : layer) {
            placed[i].box.x = x;
            placed[i].box.y = y;
            x += placed[i].box.width + gap_between_boxes;
            highest = std::max(highest, placed[i].box.height);
        }
        y += highest + gap_between_layers;
    }
    return {widest + 2 * graph_margin, y - gap_between_layers + graph_margin};
}

std::string arrow(const SvgBox &from, const SvgBox &to) {
    const double x1 = from.x + from.width / 2;
    const double y1 = from.y + from.height;
    const double x2 = to.x + to.width / 2;
    const double bend = (to.y - y1) / 2;
    return fmt::format(R"(<path class="edge" d="M{:.1f} {:.1f} C{:.1f} {:.1f} {:.1f} {:.1f} {:.1f} {:.1f}"/>)", x1, y1,
                       x1, y1 + bend, x2, to.y - bend, x2, to.y);
}

}  // namespace

std::vector<GraphNode> graph_nodes(std::string_view text) {
    std::vector<GraphNode> nodes;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        if (auto node = read_node(text.substr(0, end), nodes.size())) {
            nodes.push_back(*std::move(node));
        }
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return nodes;
}

std::string graph_picture(const std::vector<GraphNode> &nodes) {
    if (nodes.empty() || nodes.size() > most_nodes) {
        return {};
    }
    std::vector<Placed> placed = boxes_of(nodes);
    const auto [width, height] = place(nodes, placed);
    std::string parts;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        for (const std::size_t operand : nodes[i].operands) {
            parts += arrow(placed[operand].box, placed[i].box);
        }
    }
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const std::string tip = fmt::format("{} : {} ({})", nodes[i].what, nodes[i].type, nodes[i].stage);
        parts += svg_box(placed[i].box, nodes[i].stage, placed[i].lines, tip);
    }
    return svg_picture(width, height, "the optimized graph", parts);
}

}  // namespace tenrex::tool
