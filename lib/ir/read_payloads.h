// Payloads that are read from their words alone, as text.cpp writes them. Each function is false if something else
// stands there.
#pragma once

#include <tuple>

#include "lib/ir/payloads.h"
#include "lib/ir/read_words.h"
#include "lib/types/text_reader.h"

namespace tenrex::ir {

template <HasParts Own>
bool read(TextReader &in, Own &own) {
    return std::apply([&](auto &...parts) { return (read_part(in, parts) && ...); }, Own::parts(own));
}
bool read(TextReader &in, InSet &set);
bool read(TextReader &in, Choice &choice);
bool read(TextReader &in, Contract &contract);
bool read(TextReader &in, Concat &concat);
bool read(TextReader &in, SameSize &same);
bool read(TextReader &in, Append &append);
bool read(TextReader &in, RowExtreme &extreme);
bool read(TextReader &in, Order &order);
bool read(TextReader &in, Attention &attention);
bool read(TextReader &in, Normalize &normalize);
bool read(TextReader &in, Top &top);
bool read(TextReader &in, UnpackBits &unpack);
bool read(TextReader &in, JoinReduce &reduce);
bool read(TextReader &in, RegionResult &result);

}  // namespace tenrex::ir
