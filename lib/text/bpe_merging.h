// Puts the symbols of a piece together, two at a time.
#pragma once

#include "lib/text/bpe_merges.h"
#include "lib/text/model.h"

namespace tenrex::text {

// Of the symbols of the scratch, the pair that was learnt first becomes one symbol, again and again; of equal pairs the
// first one. A symbol that has become a part of the one before it is empty then. Few symbols look for the best pair
// each time, many keep the pairs in a heap, so that no input takes time that grows with its square.
void merge_symbols(const BpeMerges &merges, ModelScratch &scratch);

}  // namespace tenrex::text
