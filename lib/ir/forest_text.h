// The payload of a forest: its text, and what makes two of them equal.
//
//   (class) base double float_features outputs 3 divisor 1 initial [0,0,0] names ["a"] trees [0:0,...]
//       splits [[feature,test,missing_passes,zero_is_missing,set,threshold,when_true,when_false],...] leaves [1,2,...]
//       sets [[truncates,only_from_zero,members...],...] linear [[leaf,constant,feature,coefficient,...],...]
//
// on one line. A split or leaf is a number as in lib/forest/forest.h, a test one of "< <= == in".
#pragma once

#include <cstddef>
#include <string>

#include "lib/forest/forest.h"
#include "lib/ir/payloads.h"
#include "lib/types/text_reader.h"

namespace tenrex::ir {

std::string text_of(const Forest &payload);
// False: something else stands there, or a forest that makes no sense.
bool read(TextReader &in, Forest &payload);

// Numbers are compared bit for bit.
bool is_same(const forest::Forest &a, const forest::Forest &b);
std::size_t hash_of(const forest::Forest &forest);

}  // namespace tenrex::ir
