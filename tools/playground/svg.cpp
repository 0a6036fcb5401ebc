#include "tools/playground/svg.h"

#include <algorithm>

#include <fmt/format.h>

namespace tenrex::tool {

std::string xml_text(std::string_view text) {
    std::string escaped;
    escaped.reserve(text.size());
    for (const char c : text) {
        switch (c) {
            case '&':
                escaped += "&amp;";
                break;
            case '<':
                escaped += "&lt;";
                break;
            case '>':
                escaped += "&gt;";
                break;
            case '"':
                escaped += "&quot;";
                break;
            default:
                if (static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t') {
                    escaped += "\xEF\xBF\xBD";
                } else {
                    escaped += c;
                }
        }
    }
    return escaped;
}

namespace {

// At most so many bytes of a longer text: up to a space, if there is one, and not within a character.
std::size_t break_at(std::string_view text, std::size_t width) {
    const std::size_t space = text.rfind(' ', width);
    std::size_t end = space == std::string_view::npos || space == 0 ? width : space;
    while (end > 1 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) {
        --end;
    }
    return end;
}

}  // namespace

std::vector<std::string> wrapped(std::string_view text, std::size_t width, std::size_t lines) {
    std::vector<std::string> result;
    while (!text.empty()) {
        if (text.size() <= width) {
            result.emplace_back(text);
            break;
        }
        if (result.size() + 1 == lines) {
            result.push_back(std::string(text.substr(0, break_at(text, width - 4))) + " ...");
            break;
        }
        const std::size_t end = break_at(text, width);
        result.emplace_back(text.substr(0, end));
        text.remove_prefix(text[end] == ' ' ? end + 1 : end);
    }
    return result;
}

std::string svg_line_of_text(double x, double y, std::string_view css_class, std::string_view text) {
    return fmt::format(R"(<text class="{}" x="{:.1f}" y="{:.1f}">{}</text>)", css_class, x, y, xml_text(text));
}

std::string svg_box(const SvgBox &box, std::string_view css_class, const std::vector<std::string> &lines,
                    std::string_view tip) {
    std::string text = fmt::format(
        R"(<g><title>{}</title><rect class="{}" x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}" rx="4"/>)",
        xml_text(tip), css_class, box.x, box.y, box.width, box.height);
    double y = box.y + svg_line_height + 1;
    for (const std::string &line : lines) {
        text += svg_line_of_text(box.x + 8, y, &line == &lines.front() ? "first" : "rest", line);
        y += svg_line_height;
    }
    return text + "</g>";
}

std::string svg_picture(double width, double height, std::string_view title, std::string_view parts) {
    return fmt::format(
        R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {0:.0f} {1:.0f}" width="{0:.0f}" height="{1:.0f}" role="img" aria-label="{2}">{3}</svg>)",
        width, height, xml_text(title), parts);
}

}  // namespace tenrex::tool
