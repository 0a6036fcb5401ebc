#include "examples/package_search/package_list.h"

#include <array>
#include <cstdlib>
#include <memory>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace tenrex::packages {

namespace {

std::string_view trimmed(std::string_view text) {
    const std::size_t begin = text.find_first_not_of(" \t\r\n");
    return begin == std::string_view::npos ? std::string_view()
                                           : text.substr(begin, text.find_last_not_of(" \t\r\n") - begin + 1);
}

// The names of "a (>= 1.0), b:any | c [amd64]".
void add_names(std::string_view list, std::vector<std::string> &names) {
    while (!list.empty()) {
        const std::size_t end = std::min(list.find_first_of(",|"), list.size());
        const std::string_view item = trimmed(list.substr(0, end));
        if (const std::string_view name = item.substr(0, item.find_first_of(" (:[")); !name.empty()) {
            names.emplace_back(name);
        }
        list.remove_prefix(std::min(end + 1, list.size()));
    }
}

class Reader {
public:
    void line(std::string_view line) {
        if (trimmed(line).empty()) {
            finish();
            return;
        }
        const std::size_t colon = line.find(':');
        if (line.front() == ' ' || line.front() == '\t' || colon == std::string_view::npos) {
            return;  // a longer description, tags
        }
        const std::string_view field = line.substr(0, colon);
        const std::string_view value = trimmed(line.substr(colon + 1));
        if (field == "Package") {
            package_.name = value;
        } else if (field == "Section") {
            package_.section = value;
        } else if (field == "Installed-Size") {
            package_.size = std::strtod(std::string(value).c_str(), nullptr);
        } else if (field == "Depends" || field == "Pre-Depends") {
            add_names(value, package_.dependencies);
        } else if (field == "Description" || (field.starts_with("Description-") && field != "Description-md5")) {
            package_.description = value;
        }
    }

    std::vector<Package> take() {
        finish();
        std::unordered_map<std::string_view, Package *> by_name;
        for (Package &package : packages_) {
            by_name.emplace(package.name, &package);
        }
        for (const Package &package : packages_) {
            const std::unordered_set<std::string_view> names(package.dependencies.begin(), package.dependencies.end());
            for (const std::string_view name : names) {
                if (const auto found = by_name.find(name); found != by_name.end()) {
                    ++found->second->dependents;
                }
            }
        }
        return std::move(packages_);
    }

private:
    void finish() {
        if (!package_.name.empty() && names_.insert(package_.name).second) {
            packages_.push_back(std::move(package_));
        }
        package_ = {};
    }

    std::vector<Package> packages_;
    std::unordered_set<std::string> names_;
    Package package_;
};

}  // namespace

std::vector<Package> read_packages(std::FILE *file) {
    Reader reader;
    std::string line;
    std::array<char, 1 << 16> buffer;
    for (std::size_t size = 1; size > 0;) {
        size = std::fread(buffer.data(), 1, buffer.size(), file);
        std::string_view rest(buffer.data(), size);
        for (std::size_t end = rest.find('\n'); end != std::string_view::npos; end = rest.find('\n')) {
            line += rest.substr(0, end);
            reader.line(line);
            line.clear();
            rest.remove_prefix(end + 1);
        }
        line += rest;
    }
    reader.line(line);
    return reader.take();
}

std::vector<Package> installable_packages() {
    std::FILE *output = ::popen("apt-cache dumpavail 2>/dev/null", "r");
    if (output == nullptr) {
        return {};
    }
    std::vector<Package> packages = read_packages(output);
    ::pclose(output);
    return packages;
}

std::vector<Package> generated_packages() {
    struct Kind {
        const char *name, *section, *description;
        double size;
    };
    constexpr Kind kinds[] = {
        {"editor", "editors", "editor for", 4000},  {"viewer", "graphics", "fast viewer of", 2500},
        {"convert", "utils", "converter for", 600}, {"tools", "utils", "tools for working with", 900},
        {"server", "net", "server of", 8000},       {"doc", "doc", "documentation of the editor for", 12000}};
    constexpr const char *subjects[] = {"text",  "image", "audio", "video", "pdf",      "spreadsheet", "font",
                                        "music", "map",   "mail",  "photo", "calendar", "database",    "archive"};
    std::vector<Package> packages;
    for (const char *subject : subjects) {
        const std::string library = std::string("lib") + subject + "1";
        Package shared{library, std::string("shared library for ") + subject + " files", "libs", 300, {}, 0};
        for (const Kind &kind : kinds) {
            packages.push_back({std::string(subject) + "-" + kind.name,
                                std::string(kind.description) + " " + subject + " files",
                                kind.section,
                                kind.size,
                                {library},
                                kind.name == std::string_view("tools") ? std::size_t{4} : std::size_t{0}});
            ++shared.dependents;
        }
        packages.push_back(std::move(shared));
    }
    return packages;
}

}  // namespace tenrex::packages
