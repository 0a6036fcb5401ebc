// A step of a program: it computes some values from others, for all documents of a frame at once.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <tenrex/issue.h>

#include "lib/kernels/isa.h"
#include "lib/kernels/tile/tile.h"
#include "lib/program/value.h"

namespace tenrex::program {

// What a step computes and moves, estimated from what is known when compiling.
struct Work {
    double flops = 0;
    double bytes_read = 0;
    double bytes_written = 0;
    bool per_block = false;  // for each block of a sparse value, else for each document (or for the query, or once)
    bool per_shared_block = false;  // and for each block of a sparse value that all documents share
    double products = 0;            // of the flops, those of which zeros among the constants spare some
};

// Where a formula reads a cell of a document input, a float or double, if there is one document. Whoever has the
// document can put the cell there, which saves the formula looking for it.
struct Placement {
    std::uint32_t cells = 0;  // of the document program's store
    std::uint32_t tiles = 0;
    std::size_t offset = 0;  // in the tiles
    CellType type = CellType::f64;
    bool has_other_readers = false;  // of the input
};

// A formula that reads single cells, of documents only such as have places. When those and the earlier ones are where
// they belong, compute_single_cells(operations, cells) computes it.
struct SingleFormula {
    struct EarlierCell {
        CellsSlot from;  // of a query or constant
        std::byte *place = nullptr;
        CellType type = CellType::f64;  // or f32
    };
    const kernels::TileOperation *operations = nullptr;  // null: there is no such formula
    std::byte *cells = nullptr;
    const std::byte *result = nullptr;
    std::vector<EarlierCell> earlier;
};

class Step {
public:
    Step() = default;
    Step(const Step &) = delete;
    Step &operator=(const Step &) = delete;
    virtual ~Step() = default;

    // Throws only std::bad_alloc. A document's values depend on nothing but its own inputs.
    virtual void run(Frame &frame) const = 0;
    // Makes what the step needs in a store that it will write to, before it runs.
    virtual void prepare(Store &) const {}
    // If the step is one, in a store that it writes to.
    virtual SingleFormula single_formula(Store &) const { return {}; }
    // The rest is for explain. What it does: "sum of 1 rows of 768 cells".
    virtual std::string describe() const = 0;
    // The operations that it does one after the other, if they are too many for describe().
    virtual std::string parts() const { return {}; }
    // The kernel, "avx512::sum_f32", if there is one.
    virtual std::string kernel() const { return {}; }
    // The kernels that would fit, the chosen one first, each with its cost or why it cannot be; one a line.
    virtual std::string reasons(kernels::Isa) const { return {}; }
    // The cells that it makes.
    virtual CellsSlot result() const { return {}; }
    virtual Work work() const { return {}; }
    // The share of the products that zeros among the constants spare, which the constant program has made.
    virtual double left_out(const Store &) const { return 0; }
};

using Program = std::vector<std::unique_ptr<const Step>>;

}  // namespace tenrex::program
