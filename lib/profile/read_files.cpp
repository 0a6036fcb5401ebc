// A schema with its profiles, with the schemas that it inherits, and with the types of the fields that it imports.
#include <algorithm>
#include <iterator>
#include <map>

#include "lib/profile/reader.h"
#include "lib/support/format.h"
#include "lib/types/quoted_text.h"

namespace tenrex::profile {

namespace {

class FilesReader {
public:
    FilesReader(const FileLoader &loader, Sources &sources, const Limits &limits, Findings &findings)
        : loader_(loader), sources_(sources), limits_(limits), findings_(findings) {}

    FileText run(const std::vector<ProfileFile> &files) {
        FileText all;
        for (const ProfileFile &file : files) {
            if (sources_.add(file.name, file.text, limits_) == nullptr) {
                findings_.error(
                    {}, fmt::format("the file has {} bytes, more than {}", file.text.size(), limits_.expression_bytes),
                    "the limit is called expression_bytes");
                return all;
            }
            FileText text = read_source(findings_);
            if (&file == files.data()) {
                all = std::move(text);
            } else {
                move_to_end(text.profiles, all.profiles);
            }
        }
        for (std::size_t i = 0; i < all.parents.size() && i < limits_.nesting; ++i) {
            inherit(Word(all.parents[i]), all);
        }
        for (const ImportText &import : all.imported) {
            std::vector<FieldText> fields = imported(import, all, 0);
            move_to_end(fields, all.fields);
        }
        add_members(all);
        return all;
    }

private:
    template <class T>
    static void move_to_end(std::vector<T> &from, std::vector<T> &to) {
        to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
    }

    // What the child does not have.
    template <class T>
    static void add_missing(std::vector<T> &from, std::vector<T> &to) {
        const std::size_t own = to.size();
        for (T &item : from) {
            const bool known = std::any_of(to.begin(), to.begin() + static_cast<std::ptrdiff_t>(own),
                                           [&](const T &other) { return other.name.text == item.name.text; });
            if (!known) {
                to.push_back(std::move(item));
            }
        }
    }

    FileText read_source(Findings &findings) const {
        Reader reader(sources_, limits_, findings);
        return read_file(reader);
    }

    // Reads "name.sd"; nothing if it cannot be had, for which `why` then tells the reason.
    std::optional<FileText> schema(const std::string &name, Findings &findings, std::string &why) {
        const std::string path = name + ".sd";
        if (!loader_) {
            why = fmt::format("{} cannot be read: no files are read here", path);
            return std::nullopt;
        }
        const auto text = loader_(path);
        if (!text) {
            why = text.error().message();
            return std::nullopt;
        }
        if (sources_.add(path, *text, limits_) == nullptr) {
            why = fmt::format("{} has {} bytes, which is too long", path, text->size());
            return std::nullopt;
        }
        return read_source(findings);
    }

    void inherit(const Word &parent, FileText &all) {
        std::string why;
        std::optional<FileText> text = schema(parent.text, findings_, why);
        if (!text) {
            findings_.warning(parent.span,
                              fmt::format("what is inherited from '{}' is not known: {}", parent.text, why));
            return;
        }
        for (ProfileText &profile : text->profiles) {
            profile.is_inherited = true;
        }
        add_missing(text->profiles, all.profiles);
        add_missing(text->fields, all.fields);
        add_missing(text->constants, all.constants);
        add_missing(text->networks, all.networks);
        add_missing(text->structs, all.structs);
        add_missing(text->imported, all.imported);
        add_missing_parents(text->parents, all.parents);
    }

    static void add_missing_parents(const std::vector<Word> &from, std::vector<Word> &to) {
        for (const Word &parent : from) {
            const auto same = [&](const Word &other) { return other.text == parent.text; };
            if (std::none_of(to.begin(), to.end(), same)) {
                to.push_back(parent);
            }
        }
    }

    // The field of another document as an attribute of this one, and its members if it has some; nothing if that cannot
    // be read.
    std::vector<FieldText> imported(const ImportText &import, const FileText &file, std::size_t depth) {
        constexpr std::size_t deepest = 8;
        const auto reference = std::find_if(file.fields.begin(), file.fields.end(),
                                            [&](const FieldText &one) { return one.name.text == import.reference; });
        constexpr std::string_view wrapper = "reference<";
        if (reference == file.fields.end() || !reference->type.starts_with(wrapper) || depth == deepest) {
            return {};
        }
        const std::string document =
            reference->type.substr(wrapper.size(), reference->type.size() - wrapper.size() - 1);
        auto known = documents_.find(document);
        if (known == documents_.end()) {
            std::string why;
            Findings others(sources_, limits_);  // what is wrong with it is none of this file's business
            std::optional<FileText> text = schema(document, others, why);
            if (text) {
                add_members(*text);
            }
            known = documents_.emplace(document, std::move(text)).first;
        }
        if (!known->second) {
            return {};
        }
        const FileText &other = *known->second;
        const auto named = [&](const auto &one) { return one.name.text == import.field; };
        std::vector<FieldText> fields;
        if (const auto again = std::find_if(other.imported.begin(), other.imported.end(), named);
            again != other.imported.end()) {
            fields = imported(*again, other, depth + 1);
        } else {
            const std::string members = import.field + '.';
            std::copy_if(other.fields.begin(), other.fields.end(), std::back_inserter(fields),
                         [&](const auto &one) { return named(one) || one.name.text.starts_with(members); });
        }
        for (FieldText &field : fields) {
            field.name = {import.name.text + field.name.text.substr(import.field.size()), import.name.span};
            field.is_attribute = true;
            field.members.clear();  // they are among the fields
            if (field.attribute) {
                field.attribute->name = field.name.text;
                field.attribute->embedded.reset();  // its text is in another document
            }
        }
        return fields;
    }

    const FileLoader &loader_;
    Sources &sources_;
    const Limits &limits_;
    Findings &findings_;
    std::map<std::string, std::optional<FileText>> documents_;  // those that fields are imported from
};

}  // namespace

FileText read_files(const std::vector<ProfileFile> &files, const FileLoader &loader, Sources &sources,
                    const Limits &limits, Findings &findings) {
    return FilesReader(loader, sources, limits, findings).run(files);
}

}  // namespace tenrex::profile
