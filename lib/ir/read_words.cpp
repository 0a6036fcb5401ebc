#include "lib/ir/read_words.h"

#include <algorithm>
#include <utility>

#include "lib/formats/literal_label.h"
#include "lib/types/number.h"

namespace tenrex::ir {

bool read_word(TextReader &in, std::string_view &found) {
    in.skip_space();
    const std::size_t end = std::min(in.rest().find(' '), in.rest().size());
    found = in.rest().substr(0, end);
    in.advance(end);
    return !found.empty();
}

bool accept_word(TextReader &in, std::string_view wanted) {
    const std::size_t before = in.position();
    std::string_view found;
    const bool accepted = read_word(in, found) && found == wanted;
    if (!accepted) {
        in.seek(before);
    }
    return accepted;
}

bool read_double(TextReader &in, double &value) {
    in.skip_space();
    const NumberText read = read_number(in.rest());
    in.advance(read.length);
    value = read.value;
    return read.length != 0;
}

bool read_text(TextReader &in, std::string &text) {
    in.skip_space();
    TextToken token;
    if (!read_label(in, token)) {
        return false;
    }
    text = token.text;
    return true;
}

bool read_names(TextReader &in, std::vector<std::string> &names) {
    return read_list(in, '(', ')', [&] {
        in.skip_space();
        names.emplace_back(in.name());
        return !names.back().empty();
    });
}

bool read_one_name(TextReader &in, std::string &name) {
    std::vector<std::string> all;
    if (!read_names(in, all) || all.size() != 1) {
        return false;
    }
    name = std::move(all.front());
    return true;
}

bool read_choice(TextReader &in, std::string_view yes, std::string_view no, bool &is_yes) {
    std::string_view written;
    is_yes = read_word(in, written) && written == yes;
    return is_yes || written == no;
}

bool read_function(TextReader &in, std::size_t arity, ScalarFunction &function) {
    std::string_view written;
    if (!read_word(in, written)) {
        return false;
    }
    for (const ScalarFunctionInfo &entry : scalar_function_table) {
        if (entry.name == written && entry.arity == arity) {
            function = entry.id;
            return true;
        }
    }
    return false;
}

bool read_aggregator(TextReader &in, Aggregator &aggregator) {
    std::string_view written;
    if (!read_word(in, written)) {
        return false;
    }
    const auto found = aggregator_from_name(written);
    aggregator = found.value_or(aggregator);
    return found.has_value();
}

bool read_terms(TextReader &in, ContractionTerms &terms) {
    if (!read_function(in, 2, terms.function)) {
        return false;
    }
    const std::size_t before = in.position();
    ScalarFunction after{};
    if (read_function(in, 1, after)) {
        terms.after = after;
    } else {
        in.seek(before);
    }
    return read_aggregator(in, terms.aggregator);
}

bool read_cell_type(TextReader &in, CellType &cell_type) {
    std::string_view written;
    if (!read_word(in, written)) {
        return false;
    }
    const auto found = cell_type_from_name(written);
    cell_type = found.value_or(cell_type);
    return found.has_value();
}

}  // namespace tenrex::ir
