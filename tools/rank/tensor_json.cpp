#include "tools/rank/tensor_json.h"

#include <cstring>

#include <tenrex/formats.h>

namespace tenrex::tool {

namespace {

using Kind = JsonCursor::Kind;

template <class T>
bool read_list(JsonCursor &json, std::size_t count, std::byte *cells) {
    std::size_t index = 0;
    for (bool more = json.kind() == Kind::array && json.enter_array(); more; more = json.next_element(), ++index) {
        double value = 0;
        if (index == count || json.kind() != Kind::number || !json.number(value)) {
            return false;
        }
        const T cell = to_cell<T>(value);
        std::memcpy(cells + index * sizeof(T), &cell, sizeof(T));
    }
    return index == count && !json.failed();
}

}  // namespace

bool read_flat_cells(JsonCursor &json, const TensorType &type, std::byte *cells) {
    const auto list = [&](JsonCursor &at) {
        return visit_cell_type(type.cell_type(),
                               [&](auto cell) { return read_list<decltype(cell)>(at, type.block_cells(), cells); });
    };
    // A copy goes ahead: what it cannot read is read again by other means.
    JsonCursor ahead = json;
    std::string_view name;
    const bool wrapped = ahead.kind() == Kind::object;
    if (wrapped && (!ahead.enter_object(name) || name != "values")) {
        return false;
    }
    if (!list(ahead) || (wrapped && (ahead.next_member(name) || ahead.failed()))) {
        return false;
    }
    json.rewind(ahead.position());
    return true;
}

std::optional<Tensor> read_tensor(JsonCursor &json, std::size_t begin, const TensorType &type, ValueProblem &problem) {
    json.rewind(begin);
    std::string_view text;
    if (!json.skip(text)) {
        problem = {json.problem(), json.position()};
        return std::nullopt;
    }
    auto tensor = from_json(text, type);
    if (!tensor) {
        const Issue &issue = tensor.error().issues().front();
        problem = {issue.hint.empty() ? issue.message : issue.message + " (" + issue.hint + ")",
                   begin + issue.span.begin};
        return std::nullopt;
    }
    return *std::move(tensor);
}

}  // namespace tenrex::tool
