#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include <tenrex/rank_profile.h>

#include "lib/profile/profile_text.h"
#include "lib/profile/reader.h"
#include "lib/profile/vocabulary.h"
#include "lib/runtime/guarded.h"
#include "lib/support/diagnostics.h"
#include "lib/support/format.h"
#include "lib/syntax/parser.h"

namespace tenrex {

namespace profile {

std::vector<std::string_view> called_names(const FileText &file) {
    std::unordered_set<std::string_view> names(std::begin(normalizer_names), std::end(normalizer_names));
    for (const ProfileText &profile : file.profiles) {
        for (const FunctionText &function : profile.functions) {
            names.insert(function.name.text);
        }
    }
    std::vector<std::string_view> sorted(names.begin(), names.end());
    std::sort(sorted.begin(), sorted.end());
    return sorted;
}

namespace {

// Parses the expressions of a file that has been read, and reads the files that they stand in.
class ExpressionReader {
public:
    ExpressionReader(ProfileSet::Content &content, Findings &findings)
        : content_(content), findings_(findings), calls_(called_names(content.file)) {}

    void read_all() {
        for (ProfileText &profile : content_.file.profiles) {
            for (FunctionText &function : profile.functions) {
                read(function.expression);
            }
            for (PhaseText &phase : profile.phases) {
                if (phase.expression) {
                    read(*phase.expression);
                }
            }
            for (FeatureList *list : {&profile.match_features, &profile.summary_features}) {
                for (FeatureText &feature : list->features) {
                    read(feature.expression);
                }
            }
        }
    }

private:
    void read(ExpressionText &expression) {
        if (findings_.full() || (!expression.file.text.empty() && !load(expression))) {
            return;
        }
        const std::string &all = content_.sources.joined();
        const std::string_view text = std::string_view(all).substr(expression.span.begin, length(expression.span));
        syntax::ParseOptions options;
        options.user_functions = calls_;
        options.dialect = content_.options.dialect;
        options.limits = content_.options.limits;
        options.flat_lists = true;  // profiles are read by Java before they are anything else
        auto ast = syntax::parse(text, options);
        if (ast) {
            expression.ast = std::make_shared<const syntax::Ast>(*std::move(ast));
            return;
        }
        std::vector<Issue> issues = ast.error().issues();
        // It was cut off at the end of its line.
        const bool one_line = expression.file.text.empty() && all[expression.span.end] == '\n';
        for (Issue &issue : issues) {
            if (issue.at_end && issue.hint.empty() && one_line) {
                issue.hint = "an expression of several lines stands between '{' and '}'";
            }
        }
        findings_.take_over(issues, expression.span.begin, expression.span);
    }

    bool load(ExpressionText &expression) {
        constexpr std::string_view suffix = ".expression";
        std::string path = expression.file.text;
        if (!path.ends_with(suffix)) {
            path += suffix;
        }
        if (!content_.loader) {
            findings_.error(expression.file.span, fmt::format("{} cannot be read: no files are read here", path));
            return false;
        }
        const auto text = content_.loader(path);
        if (!text) {
            findings_.error(expression.file.span, text.error().message());
            return false;
        }
        const Sources::Source *source = content_.sources.add(path, *text, content_.options.limits);
        if (source == nullptr) {
            findings_.error(expression.file.span, fmt::format("{} has {} bytes, which is too long", path, text->size()),
                            "the limit is called expression_bytes");
            return false;
        }
        expression.span = {source->offset, source->offset + static_cast<std::uint32_t>(source->text.size())};
        return true;
    }

    static std::uint32_t length(Span span) noexcept { return span.end - span.begin; }

    ProfileSet::Content &content_;
    Findings &findings_;
    std::vector<std::string_view> calls_;
};

template <class Text>
void check_twice(const std::vector<Text> &items, std::string_view what, std::string_view done, Findings &findings) {
    std::unordered_set<std::string_view> names;
    for (const Text &item : items) {
        if (!item.name.text.empty() && !names.insert(item.name.text).second) {
            findings.error(item.name.span, fmt::format("{} '{}' is {} twice", what, item.name.text, done));
        }
    }
}

void check_parameters(const FunctionText &function, Findings &findings) {
    constexpr std::size_t most = 256;
    if (function.parameters.size() > most) {
        findings.error(function.parameters[most].span,
                       fmt::format("function '{}' has more than {} arguments", function.name.text, most));
        return;
    }
    std::unordered_set<std::string_view> names;
    for (const Word &parameter : function.parameters) {
        if (!names.insert(parameter.text).second) {
            findings.error(parameter.span, fmt::format("'{}' is an argument twice", parameter.text));
        }
    }
}

// Every engine has these two, and they say nothing; a file may define its own and inherit what was there before.
void drop_built_in_parents(FileText &file) {
    constexpr std::string_view built_in[] = {"default", "unranked"};
    std::unordered_set<std::string_view> names;
    for (const ProfileText &profile : file.profiles) {
        names.insert(profile.name.text);
    }
    for (ProfileText &profile : file.profiles) {
        std::erase_if(profile.parents, [&](const Word &parent) {
            return std::find(std::begin(built_in), std::end(built_in), parent.text) != std::end(built_in) &&
                   (!names.contains(parent.text) || parent.text == profile.name.text);
        });
    }
}

void check_names(const FileText &file, Findings &findings) {
    check_twice(file.profiles, "rank-profile", "defined", findings);
    check_twice(file.fields, "field", "declared", findings);
    check_twice(file.constants, "constant", "declared", findings);
    std::unordered_set<std::string_view> names;
    for (const ProfileText &profile : file.profiles) {
        names.insert(profile.name.text);
        check_twice(profile.functions, "function", "defined", findings);
        check_twice(profile.inputs, "input", "declared", findings);
        check_twice(profile.constants, "constant", "declared", findings);
        for (const FunctionText &function : profile.functions) {
            check_parameters(function, findings);
        }
    }
    const std::vector<std::string_view> candidates(names.begin(), names.end());
    for (const ProfileText &profile : file.profiles) {
        for (const std::vector<Word> *list :
             {&profile.parents, &profile.match_features.inherits, &profile.summary_features.inherits}) {
            for (const Word &parent : *list) {
                if (names.contains(parent.text)) {
                    continue;
                }
                const std::string_view near = nearest(parent.text, candidates);
                findings.error(parent.span, fmt::format("there is no rank-profile '{}' to inherit", parent.text),
                               near.empty() ? std::string() : fmt::format("did you mean '{}'?", near));
            }
        }
    }
}

// Texts are embedded that documents have.
void check_embedded(const FileText &file, Findings &findings) {
    std::vector<std::string_view> names;
    names.reserve(file.fields.size());
    for (const FieldText &field : file.fields) {
        names.push_back(field.name.text);
    }
    for (const FieldText &field : file.fields) {
        if (!field.attribute || !field.attribute->embedded) {
            continue;
        }
        for (const TextPart &part : field.attribute->embedded->parts) {
            if (part.is_field && std::find(names.begin(), names.end(), part.text) == names.end()) {
                const std::string_view near = nearest(part.text, names);
                findings.warning(
                    field.name.span,
                    fmt::format("{} embeds the field '{}', which is not declared", field.name.text, part.text),
                    near.empty() ? std::string() : fmt::format("did you mean '{}'?", near));
            }
        }
    }
}

// A profile that inherits itself, in however many steps.
void check_cycles(const FileText &file, Findings &findings) {
    enum class Mark : std::uint8_t { none, open, done };
    const auto &profiles = file.profiles;
    std::vector<Mark> marks(profiles.size(), Mark::none);
    std::vector<std::pair<std::size_t, std::size_t>> path;  // a profile, and how many of its parents have been seen
    std::unordered_map<std::string_view, std::size_t> numbers;
    for (std::size_t i = 0; i < profiles.size(); ++i) {
        numbers.emplace(profiles[i].name.text, i);
    }
    for (std::size_t first = 0; first < profiles.size(); ++first) {
        if (marks[first] != Mark::none) {
            continue;
        }
        marks[first] = Mark::open;
        path.emplace_back(first, 0);
        while (!path.empty()) {
            const std::size_t at = path.back().first;
            if (path.back().second == profiles[at].parents.size()) {
                marks[at] = Mark::done;
                path.pop_back();
                continue;
            }
            const Word &parent = profiles[at].parents[path.back().second++];
            const auto found = numbers.find(parent.text);
            if (found == numbers.end() || marks[found->second] == Mark::done) {
                continue;
            }
            const std::size_t next = found->second;
            if (marks[next] == Mark::none) {
                marks[next] = Mark::open;
                path.emplace_back(next, 0);
                continue;
            }
            std::string cycle;
            auto step = std::find_if(path.begin(), path.end(), [&](const auto &one) { return one.first == next; });
            for (; step != path.end(); ++step) {
                cycle += profiles[step->first].name.text + " -> ";
            }
            findings.error(parent.span, fmt::format("the profile inherits itself: {}{}", cycle, parent.text));
        }
    }
}

}  // namespace

}  // namespace profile

Result<ProfileSet> ProfileSet::parse(std::string_view text, std::string_view file_name, FileLoader loader,
                                     const ExpressionOptions &options) {
    return parse({ProfileFile{std::string(file_name), std::string(text)}}, std::move(loader), options);
}

Result<ProfileSet> ProfileSet::parse(const std::vector<ProfileFile> &files, FileLoader loader,
                                     const ExpressionOptions &options) {
    return guarded([&]() -> Result<ProfileSet> {
        const auto content = std::make_shared<Content>();
        content->loader = std::move(loader);
        content->options = options;
        const Limits &limits = content->options.limits;
        for (const ProfileFile &file : files) {
            if (file.text.size() > limits.expression_bytes) {
                return Error(
                    fmt::format("the file has {} bytes, more than {}", file.text.size(), limits.expression_bytes),
                    "the limit is called expression_bytes");
            }
        }
        if (files.empty()) {
            return Error("there is no file of rank profiles");
        }
        profile::Findings findings(content->sources, limits);
        content->file = profile::read_files(files, content->loader, content->sources, limits, findings);
        if (content->file.profiles.empty() && !findings.has_errors()) {
            const auto end = static_cast<std::uint32_t>(files.front().text.size());
            findings.error_at_end({end, end}, "the file has no rank-profile",
                                  "a profile looks like rank-profile name { ... }");
        }
        profile::drop_built_in_parents(content->file);
        profile::check_names(content->file, findings);
        profile::check_embedded(content->file, findings);
        profile::check_cycles(content->file, findings);
        profile::ExpressionReader(*content, findings).read_all();
        if (findings.has_errors()) {
            return findings.take_error();
        }
        for (const profile::FieldText &field : content->file.fields) {
            if (field.is_attribute && field.attribute) {
                content->attributes.push_back(*field.attribute);
            }
            if (field.is_indexed_text) {
                content->indexed_texts.push_back(field.name.text);
            }
        }
        content->warnings = findings.take();
        return ProfileSet(content);
    });
}

std::vector<std::string> ProfileSet::names() const {
    std::vector<std::string> names;
    for (const profile::ProfileText &profile : content_->file.profiles) {
        if (!profile.is_inherited) {
            names.push_back(profile.name.text);
        }
    }
    return names;
}

bool ProfileSet::has(std::string_view name) const noexcept {
    const auto &profiles = content_->file.profiles;
    return std::any_of(profiles.begin(), profiles.end(),
                       [&](const profile::ProfileText &profile) { return profile.name.text == name; });
}

const std::vector<Attribute> &ProfileSet::attributes() const noexcept {
    return content_->attributes;
}

const std::vector<std::string> &ProfileSet::indexed_texts() const noexcept {
    return content_->indexed_texts;
}

const std::vector<Issue> &ProfileSet::warnings() const noexcept {
    return content_->warnings;
}

}  // namespace tenrex
