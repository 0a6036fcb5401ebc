// Values whose cells stand in a file.
#pragma once

#include <memory>
#include <string_view>

#include <tenrex/export.h>
#include <tenrex/tensor.h>

#include "lib/storage/mapped_file.h"

namespace tenrex {

struct TENREX_EXPORT MappedTensor {
    // A value of a type without mapped dimensions. The cells are those of the file, as many as the type has; they may
    // stand at any address.
    static Tensor make(TensorType type, std::shared_ptr<const MappedFile> file, std::string_view cells);
    static bool is_one(const Tensor &tensor) noexcept;
    // Gives back the memory that its cells take; those that are read again come from the file. Nothing for other
    // values.
    static void let_go(const Tensor &tensor) noexcept;
    // The same for what stands around it in the file: reading a few cells of a file maps as much as the system keeps of
    // it in one piece, which may be megabytes.
    static void let_go_around(const Tensor &tensor) noexcept;
};

}  // namespace tenrex
