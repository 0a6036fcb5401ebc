// Blocks of entries.
#pragma once

#include <cstdint>
#include <string_view>

#include "lib/profile/reader.h"
#include "lib/support/format.h"

namespace tenrex::profile {

// Reads entries up to the end of a block; behind a mistake it goes on with the next line.
template <class Entry>
bool read_entries(Reader &in, std::string_view what, Entry &&entry) {
    in.skip();
    const std::uint32_t open = in.position();
    if (!in.expect('{', fmt::format("after {}", what))) {
        return false;
    }
    const auto end = in.block_end(open);
    if (!end) {
        return true;
    }
    while (in.next() != '\0' && in.position() < *end) {
        const std::uint32_t begin = in.position();
        if (!entry()) {
            in.skip_setting();
            if (in.position() == begin) {
                in.move_to(begin + 1);
            }
        }
    }
    in.move_to(*end + 1);
    return true;
}

}  // namespace tenrex::profile
