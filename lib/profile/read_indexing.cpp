// Statements "indexing: input title . " " . (input body || "") | embed e5 | attribute | index": what is embedded. Of an
// array, "input bodies | for_each { "passage: " . _ } | embed e5" puts texts around each element.
#include <algorithm>
#include <utility>

#include "lib/profile/reader.h"
#include "lib/types/characters.h"

namespace tenrex::profile {

namespace {

class StatementReader {
public:
    explicit StatementReader(std::string_view text) : text_(text) {}

    std::optional<EmbeddedText> read() {
        EmbeddedText embedded;
        while (take(":") || take("{")) {
        }
        if (!read_parts(embedded.parts) || !take("|")) {
            return std::nullopt;
        }
        std::string what = word();
        if (what == "for_each") {
            element_ = std::exchange(embedded.parts, {});
            if (!take("{") || !read_parts(embedded.parts) || !take("}") || !take("|")) {
                return std::nullopt;
            }
            what = word();
        }
        if (what != "embed") {
            return std::nullopt;
        }
        embedded.embedder = name();
        const bool ends = at_end() || text_.front() == '|' || text_.front() == ';' || text_.front() == '}';
        return ends ? std::optional(std::move(embedded)) : std::nullopt;
    }

private:
    // Texts with dots between them.
    bool read_parts(std::vector<TextPart> &parts) {
        do {
            if (!read_part(parts)) {
                return false;
            }
        } while (take("."));
        return true;
    }

    // "..." or input FIELD, or (input FIELD || "..."); within for_each _ stands for the element
    bool read_part(std::vector<TextPart> &parts) {
        const bool has_parenthesis = take("(");
        TextPart part;
        part.is_field = at_end() || text_.front() != '"';
        if (part.is_field) {
            const std::string first = word();
            if (first == "_" && !element_.empty() && !has_parenthesis) {
                parts.insert(parts.end(), element_.begin(), element_.end());
                return true;
            }
            part.text = word();
            if (first != "input" || part.text.empty() || !element_.empty()) {
                return false;
            }
        } else if (!quoted(part.text)) {
            return false;
        }
        if (has_parenthesis && part.is_field && take("||") && !quoted(part.otherwise.emplace())) {
            return false;
        }
        parts.push_back(std::move(part));
        return !has_parenthesis || take(")");
    }

    bool quoted(std::string &text) {
        if (!take("\"")) {
            return false;
        }
        for (; !text_.empty() && text_.front() != '"'; text_.remove_prefix(1)) {
            const bool is_escaped = text_.front() == '\\' && text_.size() > 1;
            text_.remove_prefix(is_escaped ? 1 : 0);
            const bool is_line = is_escaped && text_.front() == 'n';
            text += is_line ? '\n' : text_.front();
        }
        return take("\"");
    }

    std::string word() {
        return taken([](char c) { return is_name_char(c); });
    }
    // Of an embedder, which may be called e5-small.
    std::string name() {
        return taken([](char c) { return is_name_char(c) || c == '-' || c == '.' || c == '/'; });
    }
    template <class Belongs>
    std::string taken(const Belongs &belongs) {
        at_end();
        const auto end = std::find_if_not(text_.begin(), text_.end(), belongs);
        std::string found(text_.begin(), end);
        text_.remove_prefix(found.size());
        return found;
    }

    bool at_end() {
        while (!text_.empty() && is_space(text_.front())) {
            text_.remove_prefix(1);
        }
        return text_.empty();
    }
    bool take(std::string_view sign) {
        const bool is_there = !at_end() && text_.starts_with(sign);
        text_.remove_prefix(is_there ? sign.size() : 0);
        return is_there;
    }

    std::string_view text_;
    std::vector<TextPart> element_;  // in a for_each: what it is about
};

}  // namespace

bool has_word(std::string_view text, std::string_view word) {
    for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
        const std::size_t end = at + word.size();
        if ((at == 0 || !is_name_char(text[at - 1])) && (end == text.size() || !is_name_char(text[end]))) {
            return true;
        }
    }
    return false;
}

std::optional<EmbeddedText> embedded_text(std::string_view statement) {
    return StatementReader(statement).read();
}

}  // namespace tenrex::profile
