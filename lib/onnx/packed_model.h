// Packed models: a file with the files of a model as they are, and with its weights once more as the kernels of a
// processor read them. So that a process which starts has nothing to round and to pack.
//
//   a head of 64 bytes: magic, format, bytes of the file and of the table, hashes
//   a table             what else is said: of which program, for which processor, where the parts stand
//   the parts           each file of the model at a multiple of a page, matrices at multiples of 64 bytes
//
// Numbers are little endian. One hash is of what is parsed: head, table and the files of the model without their
// weights. The other one is of all bytes behind the head, and compared when somebody asks for it.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tenrex/model_precision.h>
#include <tenrex/result.h>

#include "lib/onnx/rounded_weights.h"

namespace tenrex::onnx {

// Texts and bytes are views of a file, or of what a file is to be made of.
struct PackedModel {
    struct File {
        std::string name;  // by which the model calls it; that of the model itself is empty and comes first
        std::string_view bytes;
        std::vector<std::string_view> weights;  // parts of it in ascending order, which nothing parses
    };
    struct Matrix {
        std::string order;  // see OrderedCells
        std::string_view bytes;
    };

    std::string version;          // of Tenrex
    std::string instruction_set;  // that kernels were chosen for
    std::string source;           // the name of the model's file
    ModelPrecision precision = ModelPrecision::f32;
    std::vector<File> files;
    std::multimap<std::string, Matrix, std::less<>> matrices;   // by the origin of the weights, see ImportedModel
    std::map<std::string, WeightColumns, std::less<>> columns;  // by the same
};

bool is_packed_model(std::string_view bytes) noexcept;
// Errors, each of which names the command that makes the file again: it was made by another version or for another
// processor, is cut off, was changed, or says what cannot be. The bytes must begin at a multiple of 64.
Result<PackedModel> read_packed_model(std::string_view bytes);
// What the table says of parts that stand behind it; nothing: it says what cannot be.
std::optional<PackedModel> read_packed_table(std::string_view table, std::string_view parts);
// Whether all bytes are those that were written.
Status check_packed_model(std::string_view bytes);
void write_packed_model(const PackedModel &model, const std::function<void(std::string_view bytes)> &write);

}  // namespace tenrex::onnx
