// Puts a model together tree by tree. Features are numbered as in the file until the model is finished.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include <tenrex/result.h>

#include "lib/forest/model.h"

namespace tenrex::forest {

// The most splits and the most leaf values of a model.
inline constexpr std::size_t most_parts = std::size_t{1} << 28;

class ModelBuilder {
public:
    // What is not built tree by tree.
    Model model;

    // Numbers of splits and leaves of the forest for those of a tree, beginning with 0.
    std::int32_t first_split() const noexcept { return static_cast<std::int32_t>(model.forest.splits.size()); }
    std::int32_t first_leaf() const noexcept { return static_cast<std::int32_t>(leaf_count()); }
    std::size_t leaf_count() const noexcept {
        return model.forest.vector_leaves ? model.forest.leaves.size() / model.forest.outputs
                                          : model.forest.leaves.size();
    }

    std::uint32_t add_set(NumberSet set);

    // Leaves out the features that nothing uses, and checks the forest. Errors: what check_forest.h says.
    Result<Model> finish() &&;
};

}  // namespace tenrex::forest
