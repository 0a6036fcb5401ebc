#include "lib/onnx/bert_heads.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>

#include <fmt/format.h>

#include "lib/forest/document.h"
#include "lib/onnx/bert.h"
#include "lib/onnx/tensor_cut.h"

namespace tenrex::onnx {

Result<BertHeads> BertHeads::read(std::string_view bytes, std::string_view config) {
    // What has a graph has all its tensors, of the shapes that config.json says.
    if (const auto model = bert_model(bytes, config); !model) {
        return model.error();
    }
    auto weights = read_safetensors(bytes);
    auto said = read_bert_config(config);
    return said && weights ? BertHeads(bytes, config, *std::move(weights), *std::move(said))
                           : Result<BertHeads>(said ? weights.error() : said.error());
}

std::string BertHeads::attention(std::size_t layer) const {
    return bert_prefix(weights_) + bert_attention(static_cast<std::int64_t>(layer));
}

std::vector<AttentionHeads::Layer> BertHeads::layers() const {
    std::vector<AttentionHeads::Layer> result;
    for (std::int64_t layer = 0; layer < said_.layers; ++layer) {
        result.push_back({attention(static_cast<std::size_t>(layer)) + "output.dense.weight",
                          static_cast<std::size_t>(said_.heads_of(layer)), static_cast<std::size_t>(said_.cells())});
    }
    return result;
}

Result<AttentionHeads::Files> BertHeads::without(const AttentionHeads::Choice &heads, bool is_silenced) const {
    std::map<std::string, ChangedTensor, std::less<>> changes;
    PrunedHeads pruned = said_.pruned;
    for (std::size_t layer = 0; layer < heads.size(); ++layer) {
        std::vector<std::size_t> left;  // by the numbers that they had in the whole model
        for (std::size_t head = 0; head < static_cast<std::size_t>(said_.heads); ++head) {
            const std::vector<std::size_t> &gone = said_.pruned[layer];
            if (!std::binary_search(gone.begin(), gone.end(), head)) {
                left.push_back(head);
            }
        }
        const auto size = static_cast<std::size_t>(said_.cells());
        std::vector<std::size_t> cells;
        for (const std::size_t head : heads[layer]) {
            pruned[layer].push_back(left[head]);
            for (std::size_t cell = 0; cell < size; ++cell) {
                cells.push_back(head * size + cell);
            }
        }
        std::sort(pruned[layer].begin(), pruned[layer].end());
        const std::string attention_name = attention(layer);
        const auto cut = [&](const std::string &name, std::size_t axis) -> Status {
            const TensorData &data = weights_.find(attention_name + name)->second;
            const auto raw = raw_floats(data, {});
            if (!raw) {
                return raw.error();
            }
            const ElementBytes elements{*raw, data.dimensions, info(data.type).bytes};
            ChangedTensor changed{data.dimensions, is_silenced ? with_zeros_at(elements, axis, cells)
                                                               : without_indexes(elements, axis, cells)};
            changed.dimensions[axis] -= is_silenced ? 0 : static_cast<std::int64_t>(cells.size());
            changes.emplace(attention_name + name, std::move(changed));
            return {};
        };
        if (cells.empty()) {
            continue;
        }
        Status status = cut("output.dense.weight", 1);
        for (const char *const name : {"query", "key", "value"}) {
            for (const char *const kind : {"weight", "bias"}) {
                status = status && !is_silenced ? cut(fmt::format("self.{}.{}", name, kind), 0) : status;
            }
        }
        if (!status) {
            return status.error();
        }
    }
    auto model = with_changed_tensors(bytes_, changes);
    if (!model) {
        return std::move(model).error();
    }
    if (is_silenced) {
        return AttentionHeads::Files{*std::move(model), std::string(config_)};
    }
    const auto document = forest::Document::from_json(config_);
    return document ? AttentionHeads::Files{*std::move(model), with_pruned_heads(*document, pruned)}
                    : Result<AttentionHeads::Files>(document.error());
}

}  // namespace tenrex::onnx
