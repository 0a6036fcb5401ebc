// Models in ONNX files as expressions: what an expression computes with a model is compiled like any other part of it.
// In the library tenrex::onnx.
//
//   auto model = tenrex::OnnxModel::load("ranker.onnx", {.name = "ranker", .inputs = {{"features", "features"}}});
//   if (!model) { std::cerr << model.error().render(); return 1; }
//   schema.document("features", "tensor<float>(d0[1],d1[20])");
//   model->add_to(schema);
//   auto plan = tenrex::compile("sum(onnx(ranker).score) + bm25(title)", schema);
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tenrex/forest.h>
#include <tenrex/limits.h>
#include <tenrex/model_precision.h>
#include <tenrex/model_reader.h>
#include <tenrex/result.h>
#include <tenrex/schema.h>
#include <tenrex/tensor.h>

namespace tenrex {

namespace onnx {
class ModelFiles;
}

struct OnnxOptions {
    std::string name = "model";  // an expression calls its outputs onnx(model).output
    // The symbols that its inputs are in an expression, by their names in the model; others have their own names.
    std::map<std::string, std::string, std::less<>> inputs = {};
    // How many indexes an axis with a name has ("sequence_length"); -1: that comes with the values, as an open
    // dimension. An axis that is not listed has as many as the type of an input says. If that is not told, either, the
    // first axis of an input has one, which is that of a batch, and others are open.
    std::map<std::string, std::int64_t, std::less<>> sizes = {};
    // Inputs that are known now, such as those that decide shapes.
    std::map<std::string, Tensor, std::less<>> constants = {};
    // Of a model in memory: where files with its weights stand. Empty: there are none.
    std::string folder = {};
    // Of a model in memory: the bytes of a file with its weights, which the model names by a path within its folder.
    // Comes before the folder.
    std::function<Result<std::string>(std::string_view location)> beside = {};
    // The types of what the inputs are in an expression. One that does not fit the model is an error.
    ModelInputType type_of = {};
    Limits limits = {};
    // Of the products with weights. Files that are quantized already keep their own arithmetic.
    ModelPrecision precision = ModelPrecision::f32;
};

// Immutable; copies share what they hold.
class OnnxModel {
public:
    // An input or an output. Axis i is dimension d<i>; whole numbers and booleans are doubles.
    struct Port {
        std::string name;          // in the model
        std::string symbol;        // in expressions
        std::string element_type;  // "float", "int64", ...
        TensorType type;
    };

    // Errors: a file that cannot be read; an operator that is not supported, with its node; shapes that do not fit; an
    // input that decides a shape and is not known. The file is mapped as long as the model, or a plan with it, lives:
    // it must not be written to meanwhile, but another may take its place.
    static Result<OnnxModel> load(const std::string &path, const OnnxOptions &options = {});
    // A model in memory.
    static Result<OnnxModel> read(std::string_view bytes, const OnnxOptions &options = {});

    const std::vector<Port> &inputs() const noexcept;
    const std::vector<Port> &outputs() const noexcept;
    // Cells of all weights.
    std::uint64_t parameters() const noexcept;
    // Multiplications and additions of the products of matrices: of a document, and more for each token and for each
    // pair of tokens, where a token is an index of an open dimension.
    struct Flops {
        double per_document = 0;
        double per_token = 0;
        double per_pair = 0;
    };
    Flops flops() const noexcept;
    // The definitions that the model becomes, each over those before it, as they would be written.
    const std::vector<DefinitionDeclaration> &definitions() const noexcept;
    // Declares its weights and definitions. Its inputs are symbols that the schema declares or defines.
    void add_to(Schema &schema) const;

private:
    struct Content;
    static Result<OnnxModel> import(std::string_view bytes, const OnnxOptions &options, onnx::ModelFiles *files);
    explicit OnnxModel(std::shared_ptr<const Content> content) : content_(std::move(content)) {}
    std::shared_ptr<const Content> content_;
};

// A ModelReader, for rank profiles: options.models = tenrex::read_onnx_model.
Result<ModelDefinitions> read_onnx_model(std::string_view bytes, const ModelRequest &request);

// What stands in a file, whether it can be imported or not.
struct OnnxContents {
    struct Port {
        std::string name;
        std::string type;  // "float[n,384]"
    };
    struct Operator {
        std::string name;
        std::string domain;  // "ai.onnx"
        std::int64_t version = 0;
        std::size_t nodes = 0;
        bool is_supported = false;
    };
    std::string producer;
    std::vector<Port> inputs;  // without those that have a default
    std::vector<Port> outputs;
    std::vector<Operator> operators;  // by name
    std::uint64_t parameters = 0;     // elements of all weights
    bool is_forest = false;           // nothing but a node with trees: load_onnx_forest reads the file
    // What the weights take as floats, as bfloat16, and as int8 with a scale for each column of a matrix. Whole numbers
    // take what they take in the file, and vectors stay floats among int8.
    std::uint64_t float_bytes = 0;
    std::uint64_t bfloat16_bytes = 0;
    std::uint64_t int8_bytes = 0;

    // Of a packed model.
    struct Packed {
        ModelPrecision precision = ModelPrecision::f32;
        std::string instruction_set;  // "avx2 avx512"
        std::string source;           // the name of the file that it was made of
        std::size_t matrices = 0;
        std::uint64_t bytes = 0;  // of the matrices
    };
    std::optional<Packed> packed;

    static Result<OnnxContents> load(const std::string &path);
    // folder: where a file of weights without a graph has its config.json; empty: nowhere.
    static Result<OnnxContents> read(std::string_view bytes, const std::string &folder = {});
};

// Packed models: a file with the files of a model as they are, and with the matrices that products read as the kernels
// of this processor read them, at one precision. OnnxModel::load and all others that take a model take such a file,
// which has its precision; plans then round and pack nothing, and matrices are no private memory. It is for processors
// with the same instruction set and for this version of Tenrex: for others loading is an error that says so.
//
// Gives the bytes of such a file, one part after the other. path, options.precision: the model, which must not be
// packed itself; the rest of the options is only what reading it needs.
Status pack_onnx_model(const std::string &path, const OnnxOptions &options,
                       const std::function<void(std::string_view bytes)> &write);
bool is_packed_model(const std::string &path);
// Whether all bytes of a packed model are those that were written. Loading looks at what it parses, not at weights.
Status check_packed_model(const std::string &path);

// The decision forest of a file whose node is TreeEnsembleRegressor, TreeEnsembleClassifier or TreeEnsemble; Cast,
// Identity and ZipMap may stand behind it. Its features are f0, f1, ..., the columns of the node's input; expressions
// use it as any other Forest.
Result<Forest> load_onnx_forest(const std::string &path);
Result<Forest> read_onnx_forest(std::string_view bytes);

}  // namespace tenrex
