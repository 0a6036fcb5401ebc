#include "lib/onnx/onnx_heads.h"

#include <map>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "lib/onnx/model_changes.h"
#include "lib/onnx/tensor_cut.h"
#include "lib/onnx/tensor_data.h"

namespace tenrex::onnx {

namespace {

// What becomes of the layers of a model, one after the other.
class HeadCutter {
public:
    HeadCutter(const Model &model, ModelFiles &files, ModelChanges &changes)
        : model_(model), files_(files), changes_(changes) {}

    Status cut(const AttentionLayer &layer, const std::vector<std::size_t> &heads) {
        if (Status status = cut(layer.output, layer, heads, false); !status) {
            return status;
        }
        for (const HeadWeights &weights : layer.weights) {
            if (Status status = cut(weights, layer, heads, false); !status) {
                return status;
            }
        }
        const std::size_t left = layer.heads - heads.size();
        count(layer, left);
        for (const auto &[node, attribute] : layer.attributes) {
            changes_.set(node, attribute, static_cast<std::int64_t>(left));
        }
        for (const std::size_t node : layer.nodes) {
            changes_.forget_shapes(node);
        }
        return {};
    }

    Status silence(const AttentionLayer &layer, const std::vector<std::size_t> &heads) {
        return cut(layer.output, layer, heads, true);
    }

private:
    std::string_view name_of(const ConstantUse &use) const {
        const NodeInput at = use.between.value_or(use.reader);
        return model_.nodes[at.node].inputs[at.input];
    }

    Status cut(const HeadWeights &weights, const AttentionLayer &layer, const std::vector<std::size_t> &heads,
               bool is_silenced) {
        std::string &name = cut_[{weights.use.data, weights.axis, layer.heads, heads}];
        if (name.empty()) {
            const TensorData &data = *weights.use.data;
            const auto external = external_bytes(data, &files_);
            const auto raw = external ? raw_floats(data, *external) : Result<std::string>(external.error());
            if (!raw) {
                return raw.error();
            }
            const ElementBytes elements{*raw, data.dimensions, info(data.type).bytes};
            std::vector<std::size_t> cells;
            const std::size_t width = layer.heads * layer.cells;
            const auto size = static_cast<std::size_t>(data.dimensions[weights.axis]);
            for (std::size_t part = 0; part < size; part += width) {
                for (const std::size_t head : heads) {
                    for (std::size_t cell = 0; cell < layer.cells; ++cell) {
                        cells.push_back(part + head * layer.cells + cell);
                    }
                }
            }
            std::vector<std::int64_t> dimensions = data.dimensions;
            dimensions[weights.axis] -= is_silenced ? 0 : static_cast<std::int64_t>(cells.size());
            name = changes_.add(name_of(weights.use), data.type, dimensions,
                                is_silenced ? with_zeros_at(elements, weights.axis, cells)
                                            : without_indexes(elements, weights.axis, cells));
        }
        changes_.read(weights.use, name);
        return {};
    }

    // The numbers of heads and of their cells, of which one list may have several.
    void count(const AttentionLayer &layer, std::size_t left) {
        std::map<NodeInput, std::pair<ConstantUse, std::vector<std::int64_t>>> lists;
        for (const HeadCount &count : layer.counts) {
            auto &[use, numbers] = lists[count.use.reader];
            if (numbers.empty()) {
                use = count.use;
                const auto before = numbers_of(*use.data);
                numbers.assign(before->begin(), before->end());
            }
            numbers[count.place] = static_cast<std::int64_t>(count.is_width ? left * layer.cells : left);
        }
        for (const auto &[reader, list] : lists) {
            const auto &[use, numbers] = list;
            std::string &name = lists_[{use.data, numbers}];
            if (name.empty()) {
                name =
                    changes_.add(name_of(use), ElementType::i64, use.data->dimensions,
                                 {reinterpret_cast<const char *>(numbers.data()), numbers.size() * sizeof(numbers[0])});
            }
            changes_.read(use, name);
        }
    }

    const Model &model_;
    ModelFiles &files_;
    ModelChanges &changes_;
    // The names of what was made already, by what it was made of: several layers may read one constant.
    std::map<std::tuple<const TensorData *, std::size_t, std::size_t, std::vector<std::size_t>>, std::string> cut_;
    std::map<std::pair<const TensorData *, std::vector<std::int64_t>>, std::string> lists_;
};

}  // namespace

Result<std::unique_ptr<const OnnxHeads>> OnnxHeads::read(std::string_view bytes) {
    auto model = read_model(bytes);
    if (!model) {
        return std::move(model).error();
    }
    std::unique_ptr<OnnxHeads> heads(new OnnxHeads(bytes, *std::move(model)));
    auto layers = find_attention(heads->model_, heads->values_);
    if (!layers) {
        return std::move(layers).error();
    }
    heads->layers_ = *std::move(layers);
    return std::unique_ptr<const OnnxHeads>(std::move(heads));
}

std::vector<AttentionHeads::Layer> OnnxHeads::layers() const {
    std::vector<AttentionHeads::Layer> result;
    for (const AttentionLayer &layer : layers_) {
        result.push_back({std::string(layer.name), layer.heads, layer.cells});
    }
    return result;
}

Result<std::string> OnnxHeads::without(const AttentionHeads::Choice &heads, bool is_silenced, ModelFiles &files) const {
    ModelChanges changes(bytes_, model_, files);
    HeadCutter cutter(model_, files, changes);
    for (std::size_t i = 0; i < heads.size(); ++i) {
        if (heads[i].empty()) {
            continue;
        }
        const Status status = is_silenced ? cutter.silence(layers_[i], heads[i]) : cutter.cut(layers_[i], heads[i]);
        if (!status) {
            return status.error();
        }
    }
    return changes.write();
}

}  // namespace tenrex::onnx
