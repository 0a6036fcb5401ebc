// Rotations of queries and keys by their places: pairs of cells of a head are turned together.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "lib/onnx/attended.h"
#include "lib/onnx/operators.h"

namespace tenrex::onnx {

namespace {

class Rotation {
public:
    explicit Rotation(NodeContext &context) : context_(context) {}
    bool import();

private:
    // Cosines or sines of each row and cell. Nothing: told.
    std::optional<std::string> turns(std::size_t input, double beyond);

    NodeContext &context_;
    Value x_;  // [batch, heads, rows, cells]
    std::int64_t turned_ = 0;
    bool alternates_ = false;
};

std::optional<std::string> Rotation::turns(std::size_t input, double beyond) {
    constexpr std::size_t places = 3;
    const Value &table = context_.input(input);
    const bool has_places = context_.has_input(places);
    const Shape expected = has_places ? Shape{table.rank() == 2 ? table.shape[0] : 0, turned_ / 2}
                                      : Shape{x_.shape[0], x_.shape[2], turned_ / 2};
    if (table.shape != expected || (has_places && context_.input(places).shape != Shape{x_.shape[0], x_.shape[2]})) {
        context_.fail(fmt::format("input {} of shape {} does not fit {}", input, context_.text_of(table.shape),
                                  context_.text_of(x_.shape)));
        return std::nullopt;
    }
    const std::string columns = fmt::format("tensor(d3[{0}])(if(d3<{1},{2},0))", x_.shape[3], turned_,
                                            alternates_ ? "floor(d3/2)" : fmt::format("fmod(d3,{})", turned_ / 2));
    const std::string cells =
        has_places ? taken(table, {{0, moved(context_.input(places).text, {0, 2})}, {1, columns}}, {0, 0})
                   : taken(table, {{2, columns}}, {0, 2, 0});
    return turned_ == x_.shape[3] ? cells
                                  : fmt::format("join({},tensor<float>(d3[{}])(d3<{}),f(x,turns)(if(turns,x,{})))",
                                                cells, x_.shape[3], turned_, beyond);
}

bool Rotation::import() {
    const Value &given = context_.input(0);
    auto heads = with_heads(context_, 0, "num_heads");
    if (!heads) {
        return false;
    }
    x_ = *std::move(heads);
    const std::int64_t cells = x_.shape[3];
    turned_ = context_.integer("rotary_embedding_dim", 0);
    turned_ = turned_ == 0 ? cells : turned_;
    alternates_ = context_.integer("interleaved", 0) != 0;
    if (turned_ <= 0 || turned_ > cells || turned_ % 2 != 0) {
        return context_.fail(fmt::format("{} of {} cells cannot be turned in pairs", turned_, cells));
    }
    const auto cosines = turns(1, 1);
    const auto sines = cosines ? turns(2, 0) : std::nullopt;
    if (!sines) {
        return false;
    }
    const std::string is_first = alternates_ ? "fmod(d3,2)==0" : fmt::format("d3<{}", turned_ / 2);
    const std::int64_t step = alternates_ ? 1 : turned_ / 2;
    const std::string others = taken(
        x_,
        {{3, fmt::format("tensor(d3[{}])(if(d3>={},d3,if({},d3+{},d3-{})))", cells, turned_, is_first, step, step)}},
        {0, 1, 2, 3});
    const auto turned = context_.part(x_.type, x_.shape,
                                      fmt::format("{}*{}+{}*{}*tensor<float>(d3[{}])(if({},-1,1))", x_.text, *cosines,
                                                  others, *sines, cells, is_first));
    return turned && (given.rank() == 4 ? context_.output_value(*turned)
                                        : context_.output(turned->type, given.shape, joined_heads(*turned)));
}

}  // namespace

bool import_rotary_embedding(NodeContext &context) {
    return Rotation(context).import();
}

}  // namespace tenrex::onnx
