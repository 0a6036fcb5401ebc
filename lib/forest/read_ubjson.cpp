// UBJSON (universal binary JSON, draft 12) as a document, with the lists of one type that XGBoost writes.
#include <bit>
#include <cstring>
#include <optional>

#include "lib/forest/document.h"
#include "lib/support/format.h"

namespace tenrex::forest {

std::size_t ubjson_size(char type) noexcept {
    switch (type) {
        case 'i':
        case 'U':
            return 1;
        case 'I':
            return 2;
        case 'l':
        case 'd':
            return 4;
        case 'L':
        case 'D':
            return 8;
        default:
            return 0;
    }
}

double ubjson_number(char type, const char *bytes) noexcept {
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < ubjson_size(type); ++i) {
        bits = bits << 8 | static_cast<unsigned char>(bytes[i]);
    }
    switch (type) {
        case 'i':
            return static_cast<std::int8_t>(bits);
        case 'U':
            return static_cast<double>(bits);
        case 'I':
            return static_cast<std::int16_t>(bits);
        case 'l':
            return static_cast<std::int32_t>(bits);
        case 'L':
            return static_cast<double>(static_cast<std::int64_t>(bits));
        case 'd':
            return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
        default:
            return std::bit_cast<double>(bits);
    }
}

class UbjsonReader {
public:
    explicit UbjsonReader(std::string_view source) : source_(source), document_(source, FileKind::binary) {}

    Result<Document> run() {
        bool good = value({}, marker());
        while (good && !open_.empty()) {
            good = next_part();
        }
        if (good && at_ != source_.size()) {
            good = fail("more bytes follow the value");
        }
        return good ? Result<Document>(std::move(document_)) : Result<Document>(*std::move(error_));
    }

private:
    using Kind = Document::Kind;
    struct Open {
        Document::Id id;
        Document::Id last = Document::none;
        std::optional<std::uint64_t> left = std::nullopt;  // how many values follow, if the file says so
    };

    bool fail(std::string message, std::string hint = {}) {
        if (!error_) {
            error_ = error_at(source_, FileKind::binary, at_, at_ + 1, std::move(message), std::move(hint));
        }
        return false;
    }

    // The next byte that is no "no operation"; 0 at the end.
    char marker() {
        while (at_ < source_.size() && source_[at_] == 'N') {
            ++at_;
        }
        return at_ < source_.size() ? source_[at_++] : '\0';
    }

    bool number(char type, double &value) {
        const std::size_t size = ubjson_size(type);
        if (size == 0) {
            --at_;
            return fail("a number is expected here", "the file may be cut off");
        }
        if (source_.size() - at_ < size) {
            return fail("the file ends within a number", "the file is cut off: copy it again");
        }
        value = ubjson_number(type, source_.data() + at_);
        at_ += size;
        return true;
    }

    bool count(std::uint64_t &value) {
        double read = 0;
        if (at_ == source_.size()) {
            return fail("the file ends before a length", "the file is cut off: copy it again");
        }
        const std::size_t begin = at_;
        if (!number(marker(), read)) {
            return false;
        }
        if (!(read >= 0 && read <= static_cast<double>(source_.size()))) {
            at_ = begin;
            return fail("the length is larger than the file", "the file is damaged or cut off");
        }
        value = static_cast<std::uint64_t>(read);
        return true;
    }

    bool text(std::string_view &value) {
        std::uint64_t length = 0;
        if (!count(length)) {
            return false;
        }
        if (length > source_.size() - at_) {
            return fail("the file ends within a string", "the file is cut off: copy it again");
        }
        value = source_.substr(at_, length);
        at_ += length;
        return true;
    }

    bool value(std::string_view key, char type) {
        const auto id = static_cast<Document::Id>(document_.nodes_.size());
        Document::Node &node = document_.nodes_.emplace_back();
        node.key = key;
        node.begin = at_ == 0 ? 0 : at_ - 1;
        node.end = node.begin + 1;
        if (!open_.empty()) {
            Open &parent = open_.back();
            (parent.last == Document::none ? document_.nodes_[parent.id].first : document_.nodes_[parent.last].next) =
                id;
            parent.last = id;
        }
        switch (type) {
            case 'Z':
                return true;
            case 'T':
            case 'F':
                node.kind = Kind::number;
                node.number = type == 'T' ? 1 : 0;
                return true;
            case 'S':
                node.kind = Kind::text;
                return text(node.text);
            case '{':
                return begin_list(id, Kind::object);
            case '[':
                return begin_list(id, Kind::list);
            default:
                node.kind = Kind::number;
                return number(type, node.number);
        }
    }

    bool begin_list(Document::Id id, Kind kind) {
        document_.nodes_[id].kind = kind;
        Open open{id};
        char type = 0;
        if (at_ < source_.size() && source_[at_] == '$') {
            ++at_;
            type = marker();
            if (kind == Kind::object || ubjson_size(type) == 0 || at_ == source_.size() || source_[at_] != '#') {
                return fail("a list of one type holds numbers, and its length follows", "the file is damaged");
            }
        }
        if (at_ < source_.size() && source_[at_] == '#') {
            ++at_;
            std::uint64_t length = 0;
            if (!count(length)) {
                return false;
            }
            open.left = length;
        }
        if (type != 0) {
            Document::Node &node = document_.nodes_[id];
            node.kind = Kind::numbers;
            node.type = type;
            const std::uint64_t bytes = *open.left * ubjson_size(type);
            if (bytes > source_.size() - at_) {
                return fail("the file ends within a list", "the file is cut off: copy it again");
            }
            node.text = source_.substr(at_, bytes);
            at_ += bytes;
            return true;
        }
        if (open_.size() == most_nesting) {
            return fail(fmt::format("values nest more than {} deep", most_nesting));
        }
        open_.push_back(open);
        return true;
    }

    bool next_part() {
        Open &open = open_.back();
        const bool is_object = document_.nodes_[open.id].kind == Kind::object;
        if (open.left) {
            if ((*open.left)-- == 0) {
                open_.pop_back();
                return true;
            }
        } else if (at_ < source_.size() && source_[at_] == (is_object ? '}' : ']')) {
            ++at_;
            open_.pop_back();
            return true;
        }
        if (at_ >= source_.size()) {
            return fail("the file ends too early", "the file is cut off: copy it again");
        }
        std::string_view key;
        return (!is_object || text(key)) && value(key, marker());
    }

    std::string_view source_;
    std::size_t at_ = 0;
    Document document_;
    std::vector<Open> open_;
    std::optional<Error> error_;
};

Result<Document> Document::from_ubjson(std::string_view source) {
    return UbjsonReader(source).run();
}

}  // namespace tenrex::forest
