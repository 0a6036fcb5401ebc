// Sums of products over labels that are joined.
#pragma once

#include "lib/lower/context.h"

namespace tenrex::lower {

// Of a contraction: the products of the blocks that go together are added to the addresses that are left.
Value sum_of_joined_products(Context &context, const ir::Node &node);

}  // namespace tenrex::lower
