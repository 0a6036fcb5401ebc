#include "lib/ir/read_payloads.h"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "lib/ir/read_words.h"

namespace tenrex::ir {

bool read(TextReader &in, InSet &set) {
    return read_list(in, '[', ']', [&] { return read_double(in, set.members.emplace_back()); });
}

bool read(TextReader &in, Choice &choice) {
    return read_double(in, choice.probability);
}

bool read(TextReader &in, Contract &contract) {
    if (!read_terms(in, contract.terms) || !read_names(in, contract.dimensions)) {
        return false;
    }
    contract.has_bias = accept_word(in, "bias");
    for (const Activation activation : all_activations) {
        contract.activation = accept_word(in, name(activation)) ? activation : contract.activation;
    }
    contract.is_scaled = accept_word(in, "scaled");
    contract.is_packed = accept_word(in, "packed");
    return true;
}

bool read(TextReader &in, Concat &concat) {
    return read_one_name(in, concat.dimension);
}

bool read(TextReader &in, SameSize &same) {
    return read_text(in, same.what) && read_text(in, same.first) && read_text(in, same.second);
}

bool read(TextReader &in, Append &append) {
    return read_one_name(in, append.dimension);
}

bool read(TextReader &in, RowExtreme &extreme) {
    if (!read_terms(in, extreme.terms) || !read_names(in, extreme.dimensions) ||
        !read_cell_type(in, extreme.cell_type) || !read_aggregator(in, extreme.aggregator) ||
        !read_names(in, extreme.rows)) {
        return false;
    }
    extreme.by_product = accept_word(in, "product");
    extreme.columns_first = accept_word(in, "columns_first");
    extreme.is_packed = accept_word(in, "packed");
    return true;
}

bool read(TextReader &in, Order &order) {
    if (!read_choice(in, "min", "max", order.ascending) || !read_names(in, order.dimensions)) {
        return false;
    }
    order.by_number = accept_word(in, "by_number");
    return true;
}

bool read(TextReader &in, Attention &attention) {
    const auto named = [&](std::string_view what, std::string &name) {
        return accept_word(in, what) && read_one_name(in, name);
    };
    if (!read_one_name(in, attention.summed) || !named("queries", attention.query_rows) ||
        !named("keys", attention.key_rows) || !named("values", attention.value_rows) ||
        (accept_word(in, "scale") && !read_double(in, attention.scale))) {
        return false;
    }
    attention.is_stable = accept_word(in, "stable");
    attention.is_rounded = accept_word(in, "rounded");
    for (const Masking masking : all_maskings) {
        attention.masking = accept_word(in, name(masking)) ? masking : attention.masking;
    }
    return !accept_word(in, "else") || read_double(in, attention.otherwise);
}

bool read(TextReader &in, Normalize &normalize) {
    std::string_view written;
    const auto is_kind = [&](Normalization kind) { return name(kind) == written; };
    const auto may_have = [&](std::string_view what, double &value) {
        return !accept_word(in, what) || read_double(in, value);
    };
    if (!read_word(in, written)) {
        return false;
    }
    const auto *const kind = std::find_if(std::begin(all_normalizations), std::end(all_normalizations), is_kind);
    if (kind == std::end(all_normalizations) || !read_names(in, normalize.dimensions) ||
        !may_have("scale", normalize.scale) || !may_have("divisor", normalize.divisor) ||
        !may_have("epsilon", normalize.epsilon) || !may_have("root_epsilon", normalize.root_epsilon)) {
        return false;
    }
    normalize.kind = *kind;
    normalize.has_gain = accept_word(in, "gain");
    normalize.has_bias = accept_word(in, "bias");
    return true;
}

bool read(TextReader &in, Top &top) {
    return read_choice(in, "min", "max", top.ascending);
}

bool read(TextReader &in, UnpackBits &unpack) {
    return read_choice(in, "little", "big", unpack.lowest_first) && read_one_name(in, unpack.dimension);
}

bool read(TextReader &in, JoinReduce &reduce) {
    const std::size_t before = in.position();
    ScalarFunction function{};
    if (read_function(in, 2, function)) {
        reduce.function = function;
    } else {
        in.seek(before);
    }
    return read_cell_type(in, reduce.cell_type) && read_aggregator(in, reduce.aggregator) &&
           read_names(in, reduce.dimensions);
}

bool read(TextReader &in, RegionResult &result) {
    return read_integer(in, result.index);
}

}  // namespace tenrex::ir
