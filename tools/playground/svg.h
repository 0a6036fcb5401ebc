// Parts of pictures as SVG text. Sizes are in pixels.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tenrex::tool {

// A text between tags or within quotes; characters that XML has no place for become U+FFFD.
std::string xml_text(std::string_view text);

// The text in lines of so many bytes at most, broken at spaces where there are some; what does not fit into that many
// lines becomes "...".
std::vector<std::string> wrapped(std::string_view text, std::size_t width, std::size_t lines);

inline constexpr double svg_line_height = 15;
inline constexpr double svg_character_width = 6.7;  // of the fixed font of the pictures

struct SvgBox {
    double x = 0;
    double y = 0;
    double width = 0;
    double height = 0;
};

// A box with lines of text, in a CSS class; what a pointer over it shows is `tip`.
std::string svg_box(const SvgBox &box, std::string_view css_class, const std::vector<std::string> &lines,
                    std::string_view tip);
std::string svg_line_of_text(double x, double y, std::string_view css_class, std::string_view text);
std::string svg_picture(double width, double height, std::string_view title, std::string_view parts);

}  // namespace tenrex::tool
