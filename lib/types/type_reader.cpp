#include "lib/types/type_reader.h"

#include <charconv>
#include <limits>

#include "lib/support/format.h"
#include "lib/types/dimension_check.h"
#include "lib/types/known_cell_types.h"
#include "lib/types/quoted_text.h"

namespace tenrex {

namespace {

constexpr std::string_view kinds_of_dimension =
    "write name{} for a mapped dimension, name[3] for an indexed one, name[] if the size comes with each value";

bool read_cell_type(TextReader &in, CellType &cell_type) {
    in.skip_space();
    const std::size_t begin = in.position();
    const std::string_view word = in.name();
    if (word.empty()) {
        return in.unexpected("a cell type", known_cell_types());
    }
    const auto known = cell_type_from_name(word);
    if (!known) {
        return in.fail(begin, in.position(), fmt::format("unknown cell type '{}'", clipped(word)), known_cell_types());
    }
    cell_type = *known;
    return in.expect('>');
}

// Reads "3]" or "]" behind the bracket.
bool read_size(TextReader &in, TypeOf of, Dimension &dimension) {
    if (in.accept(']')) {
        dimension.kind = Dimension::Kind::open;
        return true;
    }
    dimension.kind = Dimension::Kind::indexed;
    std::uint64_t &size = dimension.size;
    in.skip_space();
    const std::size_t begin = in.position();
    const std::string_view text = in.rest();
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), size);
    in.advance(static_cast<std::size_t>(end - text.data()));
    if (error == std::errc::result_out_of_range) {
        size = std::numeric_limits<std::uint64_t>::max();
    } else if (error != std::errc()) {
        return in.unexpected("the size of the dimension");
    } else if (size == 0 && of == TypeOf::declaration) {
        return in.fail(begin, in.position(), fmt::format("dimension '{}' has size 0", clipped(dimension.name)),
                       "only the dimension of a value may have no index; " + std::string(kinds_of_dimension));
    }
    return in.expect(']');
}

bool read_dimension(TextReader &in, TypeOf of, Dimension &dimension) {
    in.skip_space();
    const std::string_view name = in.name();
    if (name.empty()) {
        return in.unexpected("the name of a dimension",
                             "a name consists of letters, digits and '_' and does not begin with a digit");
    }
    dimension.name = name;
    if (in.accept('{')) {
        return in.expect('}');
    }
    if (in.accept('[')) {
        return read_size(in, of, dimension);
    }
    return in.unexpected(fmt::format("'{{' or '[' after dimension '{}'", clipped(name)),
                         std::string(kinds_of_dimension));
}

// Reads "x{},y[2])".
bool read_dimensions(TextReader &in, const Limits &limits, TypeOf of, std::vector<Dimension> &dimensions,
                     std::vector<Span> &spans) {
    if (in.accept(')')) {
        return true;
    }
    for (;;) {
        in.skip_space();
        const std::size_t begin = in.position();
        if (!read_dimension(in, of, dimensions.emplace_back())) {
            return false;
        }
        spans.push_back(span_of(begin, in.position()));
        if (in.accept(')') || dimensions.size() > limits.dimensions) {
            return true;
        }
        if (!in.accept(',')) {
            return in.unexpected("',' or ')'");
        }
    }
}

}  // namespace

bool begins_with_type(TextReader &in) {
    in.skip_space();
    const std::size_t begin = in.position();
    const std::string_view word = in.name();
    in.seek(begin);
    return word == "tensor" || word == "double";
}

bool read_type(TextReader &in, const Limits &limits, WrittenType &written, TypeOf of) {
    in.skip_space();
    const std::size_t begin = in.position();
    const std::string_view word = in.name();
    if (word.empty()) {
        return in.unexpected("a type", "a type is double or tensor<celltype>(dimensions)");
    }
    std::vector<Dimension> dimensions;
    std::vector<Span> spans;
    CellType cell_type = CellType::f64;
    if (word == "tensor") {
        if (in.accept('<') && !read_cell_type(in, cell_type)) {
            return false;
        }
        if (!in.accept('(')) {
            return in.unexpected(cell_type == CellType::f64 ? "'(' or '<' after tensor" : "'('");
        }
        if (!read_dimensions(in, limits, of, dimensions, spans)) {
            return false;
        }
    } else if (word != "double") {
        return in.fail(begin, in.position(), fmt::format("unknown type '{}'", clipped(word)),
                       "a type is double or tensor<celltype>(dimensions)");
    }
    written.span = span_of(begin, in.position());
    if (auto problem = check_dimensions(cell_type, dimensions, limits)) {
        const Span span = problem->dimension < spans.size() ? spans[problem->dimension] : written.span;
        return in.fail(span.begin, span.end, std::move(problem->message), std::move(problem->hint));
    }
    auto type = TensorType::make(cell_type, dimensions, limits);
    if (!type) {
        return in.fail(begin, in.position(), type.error().message());
    }
    written.type = *std::move(type);
    written.order.clear();
    for (const Dimension &dimension : dimensions) {
        written.order.push_back(*written.type.find(dimension.name));
    }
    return true;
}

}  // namespace tenrex
