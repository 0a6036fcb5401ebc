// The steps of a plan in lanes.
#include "tools/playground/plan_picture.h"

#include <algorithm>

#include <fmt/format.h>

#include "tools/playground/svg.h"

namespace tenrex::tool {

namespace {

constexpr std::size_t most_steps = 100;
constexpr double plan_margin = 10;
constexpr double lane_width = 290;
constexpr double empty_lane_width = 160;
constexpr double gap_between_lanes = 30;
constexpr double gap_between_steps = 12;
constexpr std::size_t plan_line_bytes = 40;

struct Lane {
    Stage stage;
    std::string_view css_class;
    std::string_view title;
};

constexpr Lane lanes[] = {{Stage::constant, "constant", "once, when compiling"},
                          {Stage::query, "query", "once per query"},
                          {Stage::document, "document", "for each document"}};

// What a step costs, roughly: bytes and operations count alike.
double work(const PlanStep &step) {
    return step.flops + step.bytes_read + step.bytes_written;
}

std::string figures(const PlanStep &step) {
    return fmt::format("{:.0f} flops, {:.0f} bytes{}", step.flops, step.bytes_read + step.bytes_written,
                       step.per_block || step.per_shared_block ? " for each label" : "");
}

// The lane and where it ends.
std::string draw(const Lane &lane, const std::vector<PlanStep> &steps, double x, double &bottom) {
    std::string parts = svg_line_of_text(x, plan_margin + svg_line_height, "title", lane.title);
    double y = plan_margin + 2 * svg_line_height;
    if (steps.empty()) {
        parts += svg_line_of_text(x, y + svg_line_height, "rest", "nothing");
        y += 2 * svg_line_height;
    }
    double most = 1;
    for (const PlanStep &step : steps) {
        most = std::max(most, work(step));
    }
    for (std::size_t i = 0; i < std::min(steps.size(), most_steps); ++i) {
        const PlanStep &step = steps[i];
        std::vector<std::string> lines = wrapped(fmt::format("{}  {}", i + 1, step.what), plan_line_bytes, 3);
        if (!step.kernel.empty()) {
            lines.push_back(wrapped(step.kernel, plan_line_bytes, 1).front());
        }
        lines.push_back(figures(step));
        const SvgBox box{x, y, lane_width, static_cast<double>(lines.size()) * svg_line_height + 14};
        parts += svg_box(box, lane.css_class, lines, fmt::format("{} {}\n{}", step.what, step.kernel, step.text));
        parts += fmt::format(R"(<rect class="bar" x="{:.1f}" y="{:.1f}" width="{:.1f}" height="3"/>)", x + 8,
                             y + box.height - 7, (lane_width - 16) * work(step) / most);
        y += box.height + gap_between_steps;
    }
    if (steps.size() > most_steps) {
        parts +=
            svg_line_of_text(x, y + svg_line_height, "rest", fmt::format("and {} more", steps.size() - most_steps));
        y += 2 * svg_line_height;
    }
    bottom = std::max(bottom, y);
    return parts;
}

}  // namespace

std::string plan_picture(const Plan &plan) {
    std::string parts;
    double x = plan_margin;
    double bottom = 0;
    for (const Lane &lane : lanes) {
        const std::vector<PlanStep> steps = plan.steps(lane.stage);
        parts += draw(lane, steps, x, bottom);
        x += (steps.empty() ? empty_lane_width : lane_width) + gap_between_lanes;
    }
    return svg_picture(x - gap_between_lanes + plan_margin, bottom + plan_margin, "the steps of the plan", parts);
}

}  // namespace tenrex::tool
