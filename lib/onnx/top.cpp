// The largest or smallest elements along an axis, in order.
#include <fmt/format.h>

#include "lib/onnx/operators.h"

namespace tenrex::onnx {

// An element's place is the number of those that come before it; the result takes the element of each place. Where
// there are fewer, it is 0, and its index -1.
bool import_top_k(NodeContext &context) {
    const Value &x = context.input(0);
    std::optional<std::vector<std::int64_t>> list;
    if (const std::int64_t k = context.integer("k", 0); context.version() < 10) {
        list = std::vector<std::int64_t>{k};
    } else if (context.has_input(1)) {
        list = context.known_integers(1);
    } else {
        return context.fail("it needs how many elements it takes");
    }
    const auto axis = list ? context.axis(context.integer("axis", -1), x.rank()) : std::nullopt;
    if (!axis) {
        return false;
    }
    const std::int64_t size = x.shape[*axis];
    constexpr std::int64_t most = 4096;
    const std::int64_t least = is_open(size) ? most : size;
    if (list->size() != 1 || list->front() <= 0 || list->front() > least || least > most) {
        return context.fail(fmt::format("it takes {} of {} elements", list->empty() ? 0 : list->front(),
                                        context.open_sizes().text(size)),
                            fmt::format("from 1 to all of an axis of at most {} elements are supported", most));
    }
    const std::string name = dimension_name(*axis);
    const OpenSizes &sizes = context.open_sizes();
    const std::string from = renamed(indexes_along(x.shape, *axis, sizes), {name}, {"from"});
    const std::string is_earlier = fmt::format("join({},{},f(a,b)(a<b))", from, indexes_along(x.shape, *axis, sizes));
    const char before = context.integer("largest", 1) != 0 ? '>' : '<';
    // Of equal ones the first.
    const auto earlier = context.part(
        ElementType::i64, x.shape,
        fmt::format("reduce(join(rename({0},{1},from),{0},f(a,b)(a{2}b))+join(rename({0},{1},from),{0},f(a,b)(a==b))*"
                    "{3},sum,from)",
                    x.text, name, before, is_earlier));
    if (!earlier) {
        return false;
    }
    Shape shape = x.shape;
    shape[*axis] = list->front();
    const auto indexes = context.part(
        ElementType::i64, shape,
        fmt::format("reduce(join(rename({0},{1},from),tensor({1}[{2}])({1}),f(a,b)(a==b))*({3}+1),sum,from)-1",
                    earlier->text, name, list->front(), from));
    return indexes &&
           context.output(x.type, shape,
                          fmt::format("rename({0},{1},from){{from:({2})}}", x.text, name, indexes->text)) &&
           context.output_value(*indexes);
}

}  // namespace tenrex::onnx
