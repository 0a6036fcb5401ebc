// Operators that take elements at indexes that are elements themselves.
#include <algorithm>
#include <map>
#include <numeric>

#include <fmt/format.h>

#include "lib/onnx/operators.h"

namespace tenrex::onnx {

namespace {

// An index that counts from the end if it is negative.
std::string from_begin(const std::string &index, std::int64_t size) {
    return fmt::format("({0})+if(({0})<0,{1},0)", index, size);
}

// The same of a tensor of indexes along an axis, whose size may come with the values.
std::string places_of(NodeContext &context, const Value &index, const std::string &text, std::int64_t size) {
    const bool from_front = index.known != nullptr && std::all_of(index.known->begin(), index.known->end(),
                                                                  [](double number) { return number >= 0; });
    if (from_front) {
        return text;
    }
    return is_open(size) ? fmt::format("join({},reduce({},sum,d0),f(i,n)(i+if(i<0,n,0)))", text,
                                       context.open_sizes().ones(size, "d0"))
                         : fmt::format("map({},f(i)(i+if(i<0,{},0)))", text, size);
}

bool import_open_gather(NodeContext &context, std::size_t axis, const Shape &shape) {
    const Value &x = context.input(0);
    const Value &index = context.input(1);
    Axes to(index.rank());
    std::iota(to.begin(), to.end(), axis);
    Axes places(x.rank());
    for (std::size_t i = 0; i < x.rank(); ++i) {
        places[i] = i < axis ? i : i + index.rank() - 1;
    }
    const std::string at = places_of(context, index, moved(index.text, to), x.shape[axis]);
    return context.output(x.type, shape, taken(x, {{axis, at}}, places));
}

// Along each axis that the indexes name, one of the numbers that stand in their last axis.
bool import_open_gather_nd(NodeContext &context, std::size_t leading, std::size_t depth, const Shape &shape) {
    const Value &x = context.input(0);
    const Value &index = context.input(1);
    const std::size_t last = index.rank() - 1;
    std::map<std::size_t, std::string> at;
    Axes places(x.rank());
    for (std::size_t i = 0; i < x.rank(); ++i) {
        places[i] = i < leading ? i : last + i - leading - depth;
        if (i >= leading && i < leading + depth) {
            at.emplace(
                i, places_of(context, index, fmt::format("{}{{d{}:{}}}", index.text, last, i - leading), x.shape[i]));
        }
    }
    return context.output(x.type, shape, taken(x, at, places));
}

}  // namespace

bool import_gather(NodeContext &context) {
    const Value &x = context.input(0);
    const Value &index = context.input(1);
    const auto axis = context.axis(context.integer("axis", 0), x.rank());
    if (!axis) {
        return false;
    }
    Shape shape(x.shape.begin(), x.shape.begin() + static_cast<std::ptrdiff_t>(*axis));
    shape.insert(shape.end(), index.shape.begin(), index.shape.end());
    shape.insert(shape.end(), x.shape.begin() + static_cast<std::ptrdiff_t>(*axis) + 1, x.shape.end());
    if (elements_of(shape) == 0) {
        return context.output_known(x.type, shape, {});
    }
    if (has_open(shape) || is_open(x.shape[*axis])) {
        return import_open_gather(context, *axis, shape);
    }
    std::vector<std::string> in_index;
    for (std::size_t i = 0; i < index.rank(); ++i) {
        in_index.push_back(dimension_name(*axis + i));
    }
    std::vector<std::string> indexes;
    for (std::size_t i = 0; i < x.rank(); ++i) {
        indexes.push_back(i < *axis    ? dimension_name(i)
                          : i == *axis ? from_begin(cell_at(index.text, in_index), x.shape[*axis])
                                       : dimension_name(i + index.rank() - 1));
    }
    return context.output(x.type, shape, elements_at(x, shape, indexes));
}

bool import_gather_elements(NodeContext &context) {
    const Value &x = context.input(0);
    const Value &index = context.input(1);
    const auto axis = context.axis(context.integer("axis", 0), x.rank());
    if (!axis || index.rank() != x.rank()) {
        return axis && context.fail("its inputs need the same number of axes");
    }
    if (has_open(x.shape) || has_open(index.shape)) {
        Axes axes(x.rank());
        std::iota(axes.begin(), axes.end(), 0);
        for (const std::size_t other : axes) {
            if (other != *axis && index.shape[other] != x.shape[other]) {
                return context.fail(fmt::format("indexes of shape {} leave out some of axis {} of a tensor of shape {}",
                                                context.text_of(index.shape), other, context.text_of(x.shape)),
                                    "where an axis has no known size, the other axes must have the same indexes");
            }
        }
        return context.output(x.type, index.shape,
                              taken(x, {{*axis, places_of(context, index, index.text, x.shape[*axis])}}, axes));
    }
    std::vector<std::string> indexes = own_indexes(x.rank());
    indexes[*axis] = from_begin(cell_at(index.text, own_indexes(x.rank())), x.shape[*axis]);
    return context.output(x.type, index.shape, elements_at(x, index.shape, indexes));
}

bool import_gather_nd(NodeContext &context) {
    const Value &x = context.input(0);
    const Value &index = context.input(1);
    const std::int64_t batch = context.integer("batch_dims", 0);
    if (index.rank() == 0 || batch < 0 || batch >= static_cast<std::int64_t>(std::min(x.rank(), index.rank()))) {
        return context.fail("its indexes need an axis more than the batch has");
    }
    const auto leading = static_cast<std::size_t>(batch);
    if (is_open(index.shape.back())) {
        return context.fail_open("the shape of its second input", index.shape);
    }
    const auto depth = static_cast<std::size_t>(index.shape.back());
    if (depth == 0 || leading + depth > x.rank()) {
        return context.fail(fmt::format("indexes of {} numbers do not fit a tensor with {} axes", depth, x.rank()));
    }
    Shape shape(index.shape.begin(), index.shape.end() - 1);
    const std::size_t taken = shape.size();
    shape.insert(shape.end(), x.shape.begin() + static_cast<std::ptrdiff_t>(leading + depth), x.shape.end());
    if (has_open(x.shape) || has_open(index.shape)) {
        return import_open_gather_nd(context, leading, depth, shape);
    }
    std::vector<std::string> indexes;
    for (std::size_t i = 0; i < x.rank(); ++i) {
        if (i < leading) {
            indexes.push_back(dimension_name(i));
        } else if (i < leading + depth) {
            std::vector<std::string> in_index = own_indexes(taken);
            in_index.push_back(fmt::format("{}", i - leading));
            indexes.push_back(from_begin(cell_at(index.text, in_index), x.shape[i]));
        } else {
            indexes.push_back(dimension_name(taken + i - leading - depth));
        }
    }
    return context.output(x.type, shape, elements_at(x, shape, indexes));
}

}  // namespace tenrex::onnx
