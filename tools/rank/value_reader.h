// Reads numbers and elements of arrays and weighted sets from fields of documents.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "tools/rank/json_cursor.h"

namespace tenrex::tool {

// Why a value is refused, and the byte of the line that it is about.
struct ValueProblem {
    std::string reason;
    std::size_t position = 0;

    // Sets the problem of the cursor if it has one, else the reason. Returns false.
    bool refuse(const JsonCursor &json, std::string_view why, std::size_t where);
};

// A number, true, false, null for NaN, or one of the texts for NaN and the infinities.
bool read_number(JsonCursor &json, double &value, ValueProblem &problem);
// The string_number() of a text; null is NaN.
bool read_text(JsonCursor &json, double &value, ValueProblem &problem);

// The keys and weights of a weighted set, {"a": 3}, or the elements of an array, each with the weight 1. Anything that
// is no array or object is its own only element; an empty text has none.
class SetReader {
public:
    explicit SetReader(JsonCursor &json) noexcept : json_(json) {}

    // False at the end, and if something is wrong.
    bool next();
    // A text, or a number as it is written. Valid until the next element.
    std::string_view key() const noexcept { return key_; }
    double weight() const noexcept { return weight_; }
    // Whether all was right when next() said that there is no more.
    bool succeeded(ValueProblem &problem) const;

private:
    enum class Form { unknown, object, array, single };

    JsonCursor &json_;
    Form form_ = Form::unknown;
    std::size_t begin_ = 0;
    const char *wrong_ = nullptr;
    std::string key_;
    double weight_ = 1;
};

}  // namespace tenrex::tool
