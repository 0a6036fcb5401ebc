#include <tenrex/profile_files.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include "lib/runtime/guarded.h"
#include "lib/storage/mapped_file.h"
#include "lib/support/format.h"

namespace tenrex {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t profile_bytes = std::size_t{64} << 20;
constexpr std::size_t referenced_bytes = std::size_t{4} << 30;

Result<std::string> read_from_system(const std::string &path, std::size_t most) {
    const auto file = MappedFile::open(path);
    if (!file) {
        return file.error();
    }
    const std::string_view bytes = (*file)->bytes();
    if (bytes.size() > most) {
        return Error(fmt::format("'{}' has {} bytes, and at most {} are read", path, bytes.size(), most));
    }
    return std::string(bytes);
}

// The text of a file without the mark that some editors put in front of UTF-8.
Result<std::string> text_of(const FileReader &read, const fs::path &path, std::size_t most) {
    constexpr std::string_view mark = "\xEF\xBB\xBF";
    auto text = read(path.string(), most);
    if (text && text->starts_with(mark)) {
        text->erase(0, mark.size());
    }
    return text;
}

// The root of the application package that a folder of schemas is part of; empty if it is part of none.
fs::path package_of(const fs::path &folder) {
    std::error_code ignored;
    for (fs::path at = (fs::current_path(ignored) / folder).lexically_normal(); at.has_relative_path();
         at = at.parent_path()) {
        if (at.filename() == "schemas" || at.filename() == "searchdefinitions") {
            return at.parent_path();
        }
    }
    return {};
}

// A file that a profile names: beside the profile, else in the application package or its folder of models.
Result<std::string> read_beside(const FileReader &read, const fs::path &folder, std::string_view name) {
    const fs::path beside = folder / name;
    const fs::path package = package_of(folder);
    std::error_code ignored;
    if (package.empty() || fs::exists(beside, ignored)) {
        return text_of(read, beside, referenced_bytes);
    }
    const fs::path others[] = {package / name, package / "models" / name};
    for (const fs::path &other : others) {
        if (fs::exists(other, ignored)) {
            return text_of(read, other, referenced_bytes);
        }
    }
    return Error(fmt::format("cannot read {}: there is no such file, nor {} or {}", beside.string(), others[0].string(),
                             others[1].string()));
}

// The files of a folder with that extension, sorted; none if there is no folder. With a recursive iterator also those
// of the folders within.
template <typename Iterator>
std::vector<fs::path> files_in(const fs::path &folder, std::string_view extension) {
    std::vector<fs::path> found;
    std::error_code ignored;
    for (Iterator at(folder, ignored), end; !ignored && at != end; at.increment(ignored)) {
        if (at->path().extension() == extension) {
            found.push_back(at->path());
        }
    }
    std::sort(found.begin(), found.end());
    return found;
}

// The value of an attribute of an XML element: of name="value".
std::string attribute_of_element(std::string_view element, std::string_view name) {
    for (const char quote : {'"', '\''}) {
        const std::string begin = fmt::format(" {}={}", name, quote);
        const std::size_t at = element.find(begin);
        if (at != std::string_view::npos) {
            const std::size_t value = at + begin.size();
            return std::string(element.substr(value, element.find(quote, value) - value));
        }
    }
    return {};
}

void replace_all(std::string &text, std::string_view from, std::string_view to) {
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
        text.replace(at, from.size(), to);
    }
}

// As types of query profiles call them.
bool is_number_type(std::string_view type) {
    constexpr std::string_view types[] = {"boolean", "double", "float", "integer", "long"};
    return std::find(std::begin(types), std::end(types), type) != std::end(types);
}

// Of a text in XML: <field name="ranking.features.query(q)" type="tensor&lt;float&gt;(x[3])" />.
void add_inputs(std::string_view xml, std::vector<ProfileInput> &inputs) {
    constexpr std::string_view prefix = "ranking.features.";
    for (std::size_t at = xml.find("<field"); at != std::string_view::npos; at = xml.find("<field", at + 1)) {
        const std::string_view element = xml.substr(at, xml.find("/>", at) - at);
        const std::string name = attribute_of_element(element, "name");
        std::string type = attribute_of_element(element, "type");
        replace_all(type, "&lt;", "<");
        replace_all(type, "&gt;", ">");
        auto tensor = TensorType::parse(type);
        const bool is_string = type == "string";
        if (name.starts_with(prefix) && (tensor || is_string || is_number_type(type))) {
            inputs.push_back(
                {name.substr(prefix.size()), tensor ? *std::move(tensor) : TensorType(), std::nullopt, is_string});
        }
    }
}

}  // namespace

Result<ProfileFiles> read_profile_files(const std::string &path, FileReader read) {
    return guarded([&]() -> Result<ProfileFiles> {
        if (!read) {
            read = read_from_system;
        }
        const fs::path file(path);
        const fs::path folder = file.parent_path();
        std::vector<fs::path> paths{file};
        if (file.extension() == ".sd") {
            const fs::path own = fs::path(file).replace_extension();
            const std::vector<fs::path> more = files_in<fs::recursive_directory_iterator>(own, ".profile");
            paths.insert(paths.end(), more.begin(), more.end());
        }
        ProfileFiles found;
        for (const fs::path &each : paths) {
            auto text = text_of(read, each, profile_bytes);
            if (!text) {
                return text.error();
            }
            found.files.push_back({each.string(), *std::move(text)});
        }
        if (const fs::path package = package_of(folder); !package.empty()) {
            const fs::path folder_of_types = package / "search" / "query-profiles" / "types";
            for (const fs::path &types : files_in<fs::directory_iterator>(folder_of_types, ".xml")) {
                const auto xml = text_of(read, types, profile_bytes);
                if (!xml) {
                    return xml.error();
                }
                add_inputs(*xml, found.query_inputs);
            }
        }
        found.loader = [read, folder](std::string_view name) { return read_beside(read, folder, name); };
        return found;
    });
}

}  // namespace tenrex
