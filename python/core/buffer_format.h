// The formats of Python's buffers (the module `struct` names them) for the cells of tensors.
#pragma once

#include <tenrex/cell_type.h>

namespace tenrex::python {

// Python has no format for bfloat16: its cells are lent as the 16 bits that they are.
constexpr char buffer_format(CellType type) noexcept {
    return visit_cell_type(type, []<class T>(T) {
        return sizeof(T) == 8 ? 'd' : sizeof(T) == 4 ? 'f' : sizeof(T) == 2 ? 'H' : 'b';
    });
}

}  // namespace tenrex::python
