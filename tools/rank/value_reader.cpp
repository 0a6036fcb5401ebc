#include "tools/rank/value_reader.h"

#include <limits>

#include <tenrex/rank_profile.h>

namespace tenrex::tool {

namespace {
using Kind = JsonCursor::Kind;
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();
}  // namespace

bool ValueProblem::refuse(const JsonCursor &json, std::string_view why, std::size_t where) {
    reason = json.failed() ? json.problem() : why;
    position = json.failed() ? json.position() : where;
    return false;
}

bool read_number(JsonCursor &json, double &value, ValueProblem &problem) {
    const Kind kind = json.kind();
    const std::size_t begin = json.position();
    std::string_view text;
    bool truth = false;
    switch (kind) {
        case Kind::number:
            json.number(value);
            break;
        case Kind::boolean:
            json.boolean(truth);
            value = truth ? 1 : 0;
            break;
        case Kind::null:
            json.skip(text);
            value = nan;
            break;
        case Kind::string:
            json.string(text);
            value = text == "nan" || text == "NaN" ? nan : text == "-inf" ? -infinity : infinity;
            if (value == infinity && text != "inf" && text != "+inf") {
                return problem.refuse(json, "a number is expected, found a string", begin);
            }
            break;
        case Kind::array:
            return problem.refuse(
                json, "a number is expected, found an array; a schema or --attribute declares another type", begin);
        case Kind::object:
            return problem.refuse(
                json, "a number is expected, found an object; a schema or --attribute declares another type", begin);
        default:
            return problem.refuse(json, "a number is expected", begin);
    }
    return !json.failed() || problem.refuse(json, {}, begin);
}

bool read_text(JsonCursor &json, double &value, ValueProblem &problem) {
    const Kind kind = json.kind();
    const std::size_t begin = json.position();
    std::string_view text;
    if (kind == Kind::null) {
        value = nan;
        return json.skip(text) || problem.refuse(json, {}, begin);
    }
    if (kind != Kind::string || !json.string(text)) {
        return problem.refuse(json, "a string is expected", begin);
    }
    value = string_number(text);
    return true;
}

bool SetReader::next() {
    const bool first = form_ == Form::unknown;
    std::string_view name;
    bool more = false;
    if (first) {
        const Kind kind = json_.kind();
        form_ = kind == Kind::object ? Form::object : kind == Kind::array ? Form::array : Form::single;
    }
    switch (form_) {
        case Form::object:
            more = first ? json_.enter_object(name) : json_.next_member(name);
            break;
        case Form::array:
            more = first ? json_.enter_array() : json_.next_element();
            break;
        default:
            more = first;
    }
    if (!more) {
        return false;
    }
    const Kind kind = json_.kind();
    begin_ = json_.position();
    if (form_ == Form::object) {
        key_ = name;
        wrong_ = key_.empty()           ? "a key must not be empty"
                 : kind != Kind::number ? "a weight must be a number"
                                        : nullptr;
        return wrong_ == nullptr && json_.number(weight_);
    }
    std::string_view text;
    if (kind != Kind::string && kind != Kind::number) {
        wrong_ = "a string or a number is expected";
        return false;
    }
    const bool read = kind == Kind::string ? json_.string(text) : json_.skip(text);
    key_ = text;
    if (read && key_.empty() && form_ == Form::single) {
        return false;  // an empty text is no label
    }
    wrong_ = read && key_.empty() ? "an element must not be empty" : nullptr;
    return read && wrong_ == nullptr;
}

bool SetReader::succeeded(ValueProblem &problem) const {
    return (wrong_ == nullptr && !json_.failed()) || problem.refuse(json_, wrong_ != nullptr ? wrong_ : "", begin_);
}

}  // namespace tenrex::tool
