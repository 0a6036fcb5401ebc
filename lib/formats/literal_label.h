// Labels and strings as they are written in literals.
#pragma once

#include "lib/types/text_reader.h"

namespace tenrex {

// Reads a label, bare or in quotes. False: the reader has the error.
bool read_label(TextReader &in, TextToken &label);
// Reads a text in quotes; the quote stands here. `what` it is, for messages.
bool read_quoted(TextReader &in, std::string_view what, TextToken &text);

}  // namespace tenrex
