// The attention heads of an encoder, and its file without some of them, which is smaller and faster everywhere. In the
// library tenrex::onnx.
//
//   auto heads = tenrex::AttentionHeads::find("encoder.onnx");
//   if (!heads) { std::cerr << heads.error().render(); return 1; }
//   auto files = heads->without({{3, 7}, {}, {0}});   // two heads of the first layer, and one of the third
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <tenrex/result.h>

namespace tenrex {

// Copies share what they hold. One thread at a time may use it. A graph may use heads in ways that nobody has thought
// of: then what is `without` some heads cannot be loaded, or gives other values than what has them `silenced`, with
// which it is to be compared.
class AttentionHeads {
public:
    struct Layer {
        std::string name;       // of what stands behind attention: a node of the graph, or a tensor of weights
        std::size_t heads = 0;  // that are there
        std::size_t cells = 0;  // of a head
    };
    // For each layer the numbers of heads, among those that are there. A layer that is left out has none.
    using Choice = std::vector<std::vector<std::size_t>>;
    struct Files {
        std::string model;
        std::string config;  // the text of config.json, which stands beside weights without a graph; else empty
    };

    // An ONNX file, or weights without a graph. Errors: a graph in which no attention is found; weights that are no
    // floats, such as those of a quantized file; a packed model. The file is mapped: it must not be written to.
    static Result<AttentionHeads> find(const std::string &path);

    const std::vector<Layer> &layers() const noexcept;
    // Without the heads: weights have no rows and columns for them. What the model has in other files is put into the
    // one. Errors: a head that is not there, or all heads of a layer; more than a file of this format may hold.
    Result<Files> without(const Choice &heads) const;
    // Of the same shapes, with zeros where the product behind attention multiplies with what the heads give.
    Result<Files> silenced(const Choice &heads) const;

private:
    struct Content;
    Result<Files> changed(const Choice &heads, bool is_silenced) const;
    explicit AttentionHeads(std::shared_ptr<const Content> content) : content_(std::move(content)) {}
    std::shared_ptr<const Content> content_;
};

}  // namespace tenrex
