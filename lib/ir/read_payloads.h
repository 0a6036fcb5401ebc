// Payloads that are read from their words alone, as text.cpp writes them. Each function is false if something else
// stands there.
#pragma once

#include "lib/ir/payloads.h"
#include "lib/types/text_reader.h"

namespace tenrex::ir {

bool read(TextReader &in, InSet &set);
bool read(TextReader &in, Choice &choice);
bool read(TextReader &in, Reduce &reduce);
bool read(TextReader &in, Contract &contract);
bool read(TextReader &in, Rename &rename);
bool read(TextReader &in, Concat &concat);
bool read(TextReader &in, ToMapped &change);
bool read(TextReader &in, SameSize &same);
bool read(TextReader &in, Append &append);
bool read(TextReader &in, RowExtreme &extreme);
bool read(TextReader &in, Order &order);
bool read(TextReader &in, Normalize &normalize);
bool read(TextReader &in, Top &top);
bool read(TextReader &in, UnpackBits &unpack);
bool read(TextReader &in, JoinReduce &reduce);
bool read(TextReader &in, RegionResult &result);

}  // namespace tenrex::ir
