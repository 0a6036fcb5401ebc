#include "tools/json_object.h"

#include <algorithm>
#include <cstdint>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace tenrex::tool {

namespace {

using Json = nlohmann::json;

// Takes the events of nlohmann's parser.
class Reader {
public:
    explicit Reader(std::initializer_list<std::string_view> expand) : expand_(expand) {}

    bool null() { return scalar(JsonValue::Kind::null, "null"); }
    bool boolean(bool value) { return scalar(JsonValue::Kind::boolean, value ? "true" : "false"); }
    bool number_integer(std::int64_t value) { return scalar(JsonValue::Kind::number, std::to_string(value)); }
    bool number_unsigned(std::uint64_t value) { return scalar(JsonValue::Kind::number, std::to_string(value)); }
    bool number_float(double, const std::string &digits) { return scalar(JsonValue::Kind::number, digits); }
    bool string(std::string &text) {
        if (text_ != nullptr) {
            return scalar(JsonValue::Kind::string, json_string(text));
        }
        return scalar(JsonValue::Kind::string, std::move(text));
    }
    bool binary(Json::binary_t &) { return false; }  // not in JSON text
    bool start_object(std::size_t) { return open(JsonValue::Kind::object, '{'); }
    bool start_array(std::size_t) { return open(JsonValue::Kind::array, '['); }
    bool end_object() { return close('}'); }
    bool end_array() { return close(']'); }
    bool key(std::string &name) {
        if (text_ != nullptr) {
            separate();
            text_->append(json_string(name)) += ':';
        } else {
            expanded_.back()->members.emplace_back(std::move(name), JsonValue());
        }
        return true;
    }
    bool parse_error(std::size_t position, const std::string &, const Json::exception &error) {
        std::string_view what = error.what();
        const std::size_t column = what.find(", column ");
        const std::size_t colon = column == std::string_view::npos ? column : what.find(": ", column);
        if (colon != std::string_view::npos) {
            what.remove_prefix(colon + 2);
        }
        problem_ = fmt::format("malformed JSON at byte {}: {}", position, clipped(what));
        return false;
    }

    const std::string &problem() const noexcept { return problem_; }
    JsonValue take() { return std::move(root_); }

private:
    // The parser quotes what it read last, however long that is.
    static std::string_view clipped(std::string_view text) {
        std::size_t end = std::min<std::size_t>(text.size(), 200);
        while (end > 0 && end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) {
            --end;
        }
        return text.substr(0, end);
    }

    // The value that the next event describes, when it is not part of a text.
    JsonValue &slot() { return expanded_.empty() ? root_ : expanded_.back()->members.back().second; }

    void separate() {
        const char last = text_->empty() ? '{' : text_->back();
        if (last != '{' && last != '[' && last != ':') {
            *text_ += ',';
        }
    }

    bool scalar(JsonValue::Kind kind, std::string text) {
        if (text_ != nullptr) {
            separate();
            *text_ += text;
            return true;
        }
        if (expanded_.empty()) {
            problem_ = "a JSON object is expected";
            return false;
        }
        slot().kind = kind;
        slot().text = std::move(text);
        return true;
    }

    bool open(JsonValue::Kind kind, char bracket) {
        if (++depth_ > json_nesting_limit) {
            problem_ = fmt::format("JSON nested deeper than the limit of {}", json_nesting_limit);
            return false;
        }
        if (text_ != nullptr) {
            separate();
            *text_ += bracket;
            return true;
        }
        JsonValue &value = slot();
        value.kind = kind;
        const bool expand = kind == JsonValue::Kind::object &&
                            (expanded_.empty() || (expanded_.size() == 1 && wanted(root_.members.back().first)));
        if (expand) {
            expanded_.push_back(&value);
            return true;
        }
        if (expanded_.empty()) {
            problem_ = "a JSON object is expected";
            return false;
        }
        text_depth_ = depth_;
        text_ = &value.text;
        *text_ += bracket;
        return true;
    }

    bool close(char bracket) {
        if (text_ != nullptr) {
            *text_ += bracket;
            if (depth_ == text_depth_) {
                text_ = nullptr;
            }
        } else {
            expanded_.pop_back();
        }
        --depth_;
        return true;
    }

    bool wanted(std::string_view name) const {
        return std::find(expand_.begin(), expand_.end(), name) != expand_.end();
    }

    std::initializer_list<std::string_view> expand_;
    JsonValue root_;
    std::vector<JsonValue *> expanded_;  // objects being read member by member, the innermost last
    std::string *text_ = nullptr;        // where JSON text is being collected
    std::size_t text_depth_ = 0;
    std::size_t depth_ = 0;
    std::string problem_;
};

}  // namespace

const JsonValue *JsonValue::find(std::string_view name) const {
    const auto found =
        std::find_if(members.rbegin(), members.rend(), [&](const Member &member) { return member.first == name; });
    return found == members.rend() ? nullptr : &found->second;
}

Result<JsonValue> read_json_object(std::string_view json, std::initializer_list<std::string_view> expand) {
    Reader reader(expand);
    if (!Json::sax_parse(json.begin(), json.end(), &reader)) {
        return Error(reader.problem());
    }
    return reader.take();
}

std::string json_string(std::string_view text) {
    return Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace tenrex::tool
