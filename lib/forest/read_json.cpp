// JSON as a document. Lists without brackets and quotes inside are lists of numbers.
#include <algorithm>
#include <array>
#include <tuple>

#include "lib/forest/document.h"
#include "lib/formats/json_scanner.h"
#include "lib/support/format.h"

namespace tenrex::forest {

class JsonDocumentReader {
public:
    explicit JsonDocumentReader(std::string_view source)
        : scanner_(source, Limits{}), document_(source, FileKind::text) {}

    Result<Document> run() {
        bool good = value({});
        while (good && !open_.empty()) {
            good = next_part();
        }
        if (!good || !scanner_.expect_end("the value")) {
            return scanner_.take_error();
        }
        return std::move(document_);
    }

private:
    using Kind = Document::Kind;
    struct Open {
        Document::Id id;
        Document::Id last = Document::none;  // of its values
    };

    std::string_view kept(TextToken &token) {
        if (token.text.data() == token.unescaped.data() && !token.text.empty()) {
            return document_.unescaped_.emplace_back(token.text);
        }
        return token.text;
    }

    bool value(std::string_view key) {
        const char c = scanner_.next();
        const auto id = static_cast<Document::Id>(document_.nodes_.size());
        Document::Node &node = document_.nodes_.emplace_back();
        node.key = key;
        node.begin = scanner_.position();
        if (!open_.empty()) {
            Open &parent = open_.back();
            (parent.last == Document::none ? document_.nodes_[parent.id].first : document_.nodes_[parent.last].next) =
                id;
            parent.last = id;
        }
        if (c == '{' || c == '[') {
            return begin_list(id, c);
        }
        if (!scalar(node, c)) {
            return false;
        }
        node.end = scanner_.position();
        return true;
    }

    bool begin_list(Document::Id id, char c) {
        Document::Node &node = document_.nodes_[id];
        node.end = node.begin + 1;
        scanner_.advance(1);
        if (c == '[') {
            const std::size_t begin = scanner_.position();
            const std::size_t end = next(Mark::end, begin);
            if (end != std::string_view::npos && next(Mark::list, begin) > end && next(Mark::object, begin) > end &&
                next(Mark::text, begin) > end) {
                node.kind = Kind::numbers;
                node.text = document_.source_.substr(begin, end - begin);
                scanner_.advance(end + 1 - begin);
                return true;
            }
        }
        if (open_.size() == most_nesting) {
            return scanner_.fail(node.begin, node.end, fmt::format("values nest more than {} deep", most_nesting));
        }
        node.kind = c == '{' ? Kind::object : Kind::list;
        open_.push_back({id});
        return true;
    }

    // Where the character comes next. It is looked for from where the last search for it has ended, so that all
    // searches together read the text once.
    enum class Mark : std::uint8_t { end, list, object, text };
    std::size_t next(Mark mark, std::size_t from) {
        std::size_t &found = next_[static_cast<std::size_t>(mark)];
        if (found == 0 || found < from) {
            constexpr std::string_view marks = "][{\"";
            found = document_.source_.find(marks[static_cast<std::size_t>(mark)], from);
        }
        return found;
    }

    bool scalar(Document::Node &node, char c) {
        if (c == '"') {
            node.kind = Kind::text;
            TextToken token;
            if (!scanner_.read_string(token)) {
                return false;
            }
            node.text = kept(token);
            return true;
        }
        for (const auto &[word, kind, number] :
             {std::tuple{"true", Kind::number, 1.0}, {"false", Kind::number, 0.0}, {"null", Kind::null, 0.0}}) {
            if (scanner_.token() == word) {
                node.kind = kind;
                node.number = number;
                scanner_.advance(scanner_.token().size());
                return true;
            }
        }
        node.kind = Kind::number;
        return scanner_.read_number(node.number);
    }

    // The next value of the innermost list or object that is open, or its end.
    bool next_part() {
        const Open &open = open_.back();
        const bool is_object = document_.nodes_[open.id].kind == Kind::object;
        if (open.last == Document::none) {
            if (scanner_.accept(is_object ? '}' : ']')) {
                open_.pop_back();
                return true;
            }
        } else {
            bool done = false;
            if (!scanner_.read_separator(is_object ? '}' : ']', done)) {
                return false;
            }
            if (done) {
                open_.pop_back();
                return true;
            }
        }
        if (!is_object) {
            return value({});
        }
        TextToken key;
        return scanner_.read_key(key) && value(kept(key));
    }

    JsonScanner scanner_;
    Document document_;
    std::vector<Open> open_;
    std::array<std::size_t, 4> next_{};  // by mark; 0: not looked for yet
};

Result<Document> Document::from_json(std::string_view source) {
    return JsonDocumentReader(source).run();
}

}  // namespace tenrex::forest
