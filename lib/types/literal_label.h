// Labels as they are written in literals.
#pragma once

#include "lib/types/text_reader.h"

namespace tenrex {

// Reads a label, bare or in quotes. False: the reader has the error.
bool read_label(TextReader &in, TextToken &label);

}  // namespace tenrex
