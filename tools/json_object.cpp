#include "tools/json_object.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tools/rank/json_cursor.h"

namespace tenrex::tool {

namespace {

using Json = nlohmann::json;
using Kind = JsonCursor::Kind;

JsonValue::Kind value_kind(Kind kind) noexcept {
    switch (kind) {
        case Kind::object:
            return JsonValue::Kind::object;
        case Kind::array:
            return JsonValue::Kind::array;
        case Kind::string:
            return JsonValue::Kind::string;
        case Kind::number:
            return JsonValue::Kind::number;
        case Kind::boolean:
            return JsonValue::Kind::boolean;
        default:
            return JsonValue::Kind::null;
    }
}

class ObjectReader {
public:
    ObjectReader(std::string_view json, std::initializer_list<std::string_view> expand)
        : json_(json), expand_(expand) {}

    Result<JsonValue> read() {
        JsonValue root;
        if (json_.kind() == Kind::object) {
            members(root, 1);
        } else {
            std::string_view text;
            json_.skip(text);
        }
        if (too_deep_) {
            return Error(fmt::format("JSON nested deeper than the limit of {}", json_nesting_limit));
        }
        if (!json_.finish()) {
            return Error(fmt::format("malformed JSON at byte {}: {}", json_.position() + 1, json_.problem()));
        }
        if (root.kind != JsonValue::Kind::object) {
            return Error("a JSON object is expected");
        }
        return root;
    }

private:
    void members(JsonValue &value, std::size_t depth) {
        value.kind = JsonValue::Kind::object;
        std::string_view name;
        for (bool more = json_.enter_object(name); more; more = json_.next_member(name)) {
            JsonValue &member = value.members.emplace_back(std::string(name), JsonValue()).second;
            const bool wanted = depth == 1 && std::find(expand_.begin(), expand_.end(), name) != expand_.end();
            if (wanted && json_.kind() == Kind::object) {
                members(member, depth + 1);
            } else if (!text(member, depth)) {
                return;
            }
        }
    }

    bool text(JsonValue &value, std::size_t depth) {
        value.kind = value_kind(json_.kind());
        if (value.is_string()) {
            std::string_view content;
            const bool read = json_.string(content);
            value.text = content;
            return read;
        }
        return append(value.text, depth);
    }

    // Appends the value without white space.
    bool append(std::string &out, std::size_t depth) {
        std::string open;  // the brackets that are open, each as the one that closes it
        std::string_view text;
        do {
            const Kind kind = json_.kind();
            bool inside = false;  // a value of the innermost bracket stands next
            if (kind == Kind::object || kind == Kind::array) {
                if (depth + open.size() == json_nesting_limit) {
                    too_deep_ = true;
                    return json_.fail("JSON nested too deeply");
                }
                out += kind == Kind::object ? '{' : '[';
                open += kind == Kind::object ? '}' : ']';
                inside = kind == Kind::object ? json_.enter_object(text) : json_.enter_array();
            } else if (kind == Kind::string) {
                json_.string(text);
                out += json_string(text);
            } else {
                json_.skip(text);
                out += text;
            }
            bool entered = kind == Kind::object || kind == Kind::array;
            while (!open.empty() && !json_.failed()) {
                if (!entered) {
                    inside = open.back() == '}' ? json_.next_member(text) : json_.next_element();
                    out += inside ? "," : "";
                }
                entered = false;
                if (inside) {
                    out += open.back() == '}' ? json_string(text) + ':' : std::string();
                    break;
                }
                out += open.back();
                open.pop_back();
            }
        } while (!json_.failed() && !open.empty());
        return !json_.failed();
    }

    JsonCursor json_;
    std::initializer_list<std::string_view> expand_;
    bool too_deep_ = false;
};

}  // namespace

const JsonValue *JsonValue::find(std::string_view name) const {
    const auto found =
        std::find_if(members.rbegin(), members.rend(), [&](const Member &member) { return member.first == name; });
    return found == members.rend() ? nullptr : &found->second;
}

Result<JsonValue> read_json_object(std::string_view json, std::initializer_list<std::string_view> expand) {
    return ObjectReader(json, expand).read();
}

std::string json_string(std::string_view text) {
    return Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace tenrex::tool
