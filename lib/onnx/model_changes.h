// Writes a model again with some of its constants, and the nodes that read them, changed. All else is copied as it is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tenrex/result.h>

#include "lib/onnx/attention_layers.h"
#include "lib/onnx/model_bytes.h"
#include "lib/onnx/model_file.h"

namespace tenrex::onnx {

class ModelChanges {
public:
    ModelChanges(std::string_view bytes, const Model &model, ModelFiles &files);

    // What is read there is another constant from now on; a node between is copied, since others may read what it
    // makes. The name of the constant: that of one that was added, or like that of the one before.
    void read(const ConstantUse &use, const std::string &constant);
    // Adds a constant. Its name, which is like the other one's.
    std::string add(std::string_view like, ElementType type, const std::vector<std::int64_t> &dimensions,
                    std::string_view raw);
    void set(std::size_t node, std::string_view attribute, std::int64_t value) {
        attributes_[{node, attribute}] = value;
    }
    // What the file says of the shapes of this node's values does not hold any more.
    void forget_shapes(std::size_t node);

    // The bytes of the model. What nobody reads any more is left out, and what stands in other files is put in here.
    // Error: more bytes than a message may have.
    Result<std::string> write();

private:
    struct Copy {
        NodeInput input;    // of the node that is copied
        std::string value;  // that it reads there
        std::string made;   // what it makes
    };

    std::string new_name(std::string_view like);
    void leave_out_unused();
    bool is_unused(const Node &node) const;
    Status append_graph(std::string &graph, std::string_view before);
    std::string changed_node(std::size_t node, std::string_view message) const;
    static std::string copied_node(const Copy &copy, std::string_view message);
    Result<std::string> with_elements(const TensorData &data, std::string_view message) const;

    std::string_view bytes_;
    const Model &model_;
    ModelFiles &files_;
    std::set<std::string, std::less<>> names_;
    std::map<NodeInput, std::string> inputs_;
    std::map<std::size_t, std::vector<Copy>> copies_;  // before which nodes
    std::map<std::pair<std::size_t, std::string_view>, std::int64_t> attributes_;
    // New ones: messages, and those of inputs, which constants of old files are as well.
    std::vector<std::pair<std::string, std::string>> tensors_;
    std::set<std::string_view> shapes_;    // of values, that are forgotten
    std::set<std::string_view> replaced_;  // values that somebody does not read any more
    std::set<std::string_view> unused_;
    std::int64_t version_ = 0;  // of the format
};

}  // namespace tenrex::onnx
