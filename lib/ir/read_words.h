// The words that payloads are written with. Each function reads one, or is false: something else stands there.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <tenrex/cell_type.h>

#include "lib/ir/payloads.h"
#include "lib/support/scalar_function.h"
#include "lib/syntax/tensor_function.h"
#include "lib/types/text_reader.h"

namespace tenrex::ir {

bool read_word(TextReader &in, std::string_view &found);
// That word: nothing is read if another one stands there.
bool accept_word(TextReader &in, std::string_view wanted);
bool read_double(TextReader &in, double &value);
template <class Integer>
bool read_integer(TextReader &in, Integer &value) {
    double read = 0;
    if (!read_double(in, read) || !(read >= 0 && read < 0x1p53)) {
        return false;
    }
    value = static_cast<Integer>(read);
    return static_cast<double>(value) == read;
}
bool read_text(TextReader &in, std::string &text);
// Elements with commas between two brackets; each(in) reads one.
template <class Each>
bool read_list(TextReader &in, char open, char close, const Each &each) {
    if (!in.accept(open)) {
        return false;
    }
    for (bool first = true; !in.accept(close); first = false) {
        if ((!first && !in.accept(',')) || !each()) {
            return false;
        }
    }
    return true;
}
bool read_names(TextReader &in, std::vector<std::string> &names);
// The only name in parentheses.
bool read_one_name(TextReader &in, std::string &name);
// A word that says which of two ways it is.
bool read_choice(TextReader &in, std::string_view yes, std::string_view no, bool &is_yes);
bool read_function(TextReader &in, std::size_t arity, ScalarFunction &function);
bool read_aggregator(TextReader &in, Aggregator &aggregator);
bool read_terms(TextReader &in, ContractionTerms &terms);
bool read_cell_type(TextReader &in, CellType &cell_type);
// What payloads with parts are put together from.
inline bool read_part(TextReader &in, std::vector<std::string> &names) {
    return read_names(in, names);
}
inline bool read_part(TextReader &in, Aggregator &aggregator) {
    return read_aggregator(in, aggregator);
}
inline bool read_part(TextReader &in, CellType &cell_type) {
    return read_cell_type(in, cell_type);
}

}  // namespace tenrex::ir
