#include "tools/rank/hit_printer.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include <fmt/format.h>

#include <tenrex/formats.h>

#include "tools/json_object.h"
#include "tools/table_grid.h"
#include "tools/table_printer.h"

namespace tenrex::tool {

namespace {

// JSON has no NaN and no infinities.
std::string json_number(double value) {
    return std::isnan(value)   ? "\"nan\""
           : std::isinf(value) ? (value < 0 ? "\"-inf\"" : "\"inf\"")
                               : fmt::format("{}", value);
}

std::string json_value(const Tensor &tensor) {
    return tensor.type().is_scalar() ? json_number(tensor.as_double()) : to_json(tensor);
}

// The fields of a line of a run are separated by spaces.
std::string without_space(std::string_view text) {
    std::string result(text);
    std::replace_if(
        result.begin(), result.end(), [](char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }, '_');
    return result.empty() ? "_" : result;
}

// Control characters would disturb the table, or the terminal.
std::string printable(std::string_view text) {
    std::string result(text);
    std::replace_if(
        result.begin(), result.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }, ' ');
    return result;
}

// Where the outputs of that name are.
std::size_t output_of(const Plan &plan, std::string_view name) {
    const auto &outputs = plan.outputs();
    const auto found = std::find_if(outputs.begin(), outputs.end(), [&](const auto &o) { return o.name == name; });
    return static_cast<std::size_t>(found - outputs.begin());
}

void append_cell(std::string &line, std::string_view text, std::size_t width, bool to_the_right) {
    const std::string padding(width - std::min(width, display_width(text)), ' ');
    line += line.empty() ? "" : "  ";
    line += to_the_right ? padding + std::string(text) : std::string(text) + padding;
}

}  // namespace

std::string_view HitPrinter::id(const Hit &hit) const {
    const DocumentStore::Place place = store_.place(hit.document);
    return place.segment->id(place.document);
}

std::string HitPrinter::table(std::string_view query, const RankedList &list) const {
    std::vector<std::vector<std::string>> columns{{"rank"}, {"id"}, {"score"}};
    for (std::size_t hit = 0; hit < list.hits.size(); ++hit) {
        columns[0].push_back(std::to_string(hit + 1));
        columns[1].push_back(printable(id(list.hits[hit])));
        columns[2].push_back(format_cell(list.hits[hit].score));
    }
    if (!list.features.empty()) {
        const Plan &plan = *profile_.features().plan;
        for (std::size_t output = 0; output < plan.outputs().size(); ++output) {
            columns.push_back({plan.outputs()[output].name});
            for (std::size_t hit = 0; hit < list.hits.size(); ++hit) {
                const Tensor &value = list.features[output * list.hits.size() + hit];
                columns.back().push_back(value.type().is_scalar() ? format_cell(value.as_double()) : to_literal(value));
            }
        }
    }
    std::string text = many_queries_ ? fmt::format("query {}\n", printable(query)) : std::string();
    std::vector<std::size_t> widths;
    for (const auto &column : columns) {
        const auto width = [](std::size_t most, const std::string &cell) {
            return std::max(most, display_width(cell));
        };
        widths.push_back(std::accumulate(column.begin(), column.end(), std::size_t{0}, width));
    }
    for (std::size_t row = 0; row <= list.hits.size(); ++row) {
        std::string line;
        for (std::size_t column = 0; column < columns.size(); ++column) {
            append_cell(line, columns[column][row], widths[column], column != 1);
        }
        text += line.substr(0, line.find_last_not_of(' ') + 1) + '\n';
    }
    return text;
}

std::string HitPrinter::jsonl(std::string_view query, const RankedList &list) const {
    const FeatureOutputs &features = profile_.features();
    std::string text;
    for (std::size_t hit = 0; hit < list.hits.size(); ++hit) {
        text += fmt::format("{{\"query\":{},\"rank\":{},\"id\":{},\"score\":{}", json_string(query), hit + 1,
                            json_string(id(list.hits[hit])), json_number(list.hits[hit].score));
        const auto append = [&](std::string_view member, const std::vector<std::string> &names) {
            if (names.empty() || list.features.empty()) {
                return;
            }
            text += fmt::format(",\"{}\":{{", member);
            for (std::size_t i = 0; i < names.size(); ++i) {
                const std::size_t output = output_of(*features.plan, names[i]);
                text += fmt::format("{}{}:{}", i == 0 ? "" : ",", json_string(names[i]),
                                    json_value(list.features[output * list.hits.size() + hit]));
            }
            text += '}';
        };
        append("matchfeatures", features.match);
        append("summaryfeatures", features.summary);
        text += "}\n";
    }
    return text;
}

std::string HitPrinter::trec(std::string_view query, const RankedList &list) const {
    std::string text;
    for (std::size_t hit = 0; hit < list.hits.size(); ++hit) {
        text += fmt::format("{} Q0 {} {} {} {}\n", without_space(query), without_space(id(list.hits[hit])), hit + 1,
                            list.hits[hit].score, without_space(profile_.name()));
    }
    return text;
}

std::string HitPrinter::print(std::string_view query, const RankedList &list) const {
    switch (format_) {
        case HitFormat::table:
            return table(query, list);
        case HitFormat::jsonl:
            return jsonl(query, list);
        case HitFormat::trec:
            break;
    }
    return trec(query, list);
}

}  // namespace tenrex::tool
