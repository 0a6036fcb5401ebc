#include <tenrex/compile_cache.h>

#include <algorithm>
#include <bit>
#include <list>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "lib/runtime/guarded.h"
#include "lib/storage/derived_tensor.h"

namespace tenrex {

namespace {

// What a plan depends on, as bytes: two keys are equal only if all parts are.
class Key {
public:
    void add(std::string_view text) {
        add(text.size());
        bytes_ += text;
    }
    void add(std::uint64_t number) {
        for (int byte = 0; byte < 8; ++byte) {
            bytes_ += static_cast<char>(number >> (8 * byte));
        }
    }
    void add(const void *address) { add(reinterpret_cast<std::uintptr_t>(address)); }
    void add(const Limits &limits) {
        const auto &[expression_bytes, nesting, nodes, dimensions, block_cells, tensor_cells, value_bytes,
                     evaluation_cells, evaluation_steps, issues] = limits;
        for (std::uint64_t limit :
             {expression_bytes, std::uint64_t{nesting}, nodes, std::uint64_t{dimensions}, block_cells, tensor_cells,
              value_bytes, evaluation_cells, evaluation_steps, std::uint64_t{issues}}) {
            add(limit);
        }
    }
    void add(const TensorType &type) {
        add(static_cast<std::uint64_t>(type.cell_type()));
        add(type.dimensions().size());
        for (const Dimension &dimension : type.dimensions()) {
            add(dimension.name);
            add(dimension.size);
        }
    }
    std::string take() && { return std::move(bytes_); }

private:
    std::string bytes_;
};

std::string key_of(std::string_view text, const Schema &schema, const CompileOptions &options) {
    Key key;
    key.add(text);
    key.add(schema.inputs().size());
    for (const InputDeclaration &input : schema.inputs()) {
        key.add(input.name);
        key.add(input.type);
        key.add(static_cast<std::uint64_t>(input.stage));
        key.add(static_cast<std::uint64_t>(input.is_string));
        if (input.value) {
            // The entry keeps the tensor, so nothing else can have its address.
            key.add(input.type.is_scalar() ? std::bit_cast<std::uint64_t>(input.value->as_double())
                                           : reinterpret_cast<std::uintptr_t>(DerivedTensor::identity(*input.value)));
        }
    }
    key.add(schema.functions().size());
    for (const UserFunction &function : schema.functions()) {
        key.add(function.name);
        key.add(function.arity);
        key.add(function.call.target_type().hash_code());
    }
    key.add(schema.forests().size());
    for (const ForestDeclaration &forest : schema.forests()) {
        key.add(forest.name);
        key.add(static_cast<const void *>(forest.forest.model().get()));
        key.add(forest.inputs.size());
        for (const std::string &input : forest.inputs) {
            key.add(input);
        }
    }
    key.add(schema.definitions().size());
    for (const DefinitionDeclaration &definition : schema.definitions()) {
        key.add(definition.name);
        key.add(definition.text);
    }
    key.add(static_cast<std::uint64_t>(options.expression.dialect));
    key.add(options.expression.seed);
    key.add(options.expression.limits);
    key.add(options.max_isa);
    key.add(options.disabled_passes.size());
    for (const std::string &pass : options.disabled_passes) {
        key.add(pass);
    }
    key.add(static_cast<const void *>(options.labels.get()));
    key.add(static_cast<const void *>(options.weights.get()));
    return std::move(key).take();
}

}  // namespace

struct CompileCache::Content {
    struct Entry {
        std::string key;
        Plan plan;
        std::vector<Tensor> constants;         // whose addresses are in the key
        std::shared_ptr<LabelTable> labels;    // likewise
        std::shared_ptr<WeightStore> weights;  // likewise
    };

    explicit Content(std::size_t most) : capacity(most) {}

    const std::size_t capacity;
    std::mutex mutex;
    std::list<Entry> entries;  // the latest first
    std::unordered_map<std::string_view, std::list<Entry>::iterator> by_key;
    Statistics statistics;
    const std::shared_ptr<WeightStore> weights = std::make_shared<WeightStore>();  // of plans that are given none

    // Null if there is none.
    const Plan *find(const std::string &key) {
        const auto found = by_key.find(key);
        if (found == by_key.end()) {
            return nullptr;
        }
        entries.splice(entries.begin(), entries, found->second);
        return &found->second->plan;
    }

    void add(Entry entry) {
        entries.push_front(std::move(entry));
        by_key.emplace(entries.front().key, entries.begin());
        if (entries.size() > capacity) {
            by_key.erase(entries.back().key);
            entries.pop_back();
        }
    }
};

CompileCache::CompileCache(std::size_t capacity)
    : content_(std::make_unique<Content>(std::max<std::size_t>(1, capacity))) {}
CompileCache::~CompileCache() = default;

Result<Plan> CompileCache::get(std::string_view text, const Schema &schema, const CompileOptions &options) {
    return guarded([&]() -> Result<Plan> {
        if (schema.error()) {
            return *schema.error();
        }
        std::string key = key_of(text, schema, options);
        {
            const std::scoped_lock lock(content_->mutex);
            if (const Plan *known = content_->find(key)) {
                ++content_->statistics.hits;
                return *known;
            }
        }
        // Without the lock: others need not wait. If two compile the same, the first that is done counts.
        CompileOptions with_weights = options;
        if (!options.weights) {
            with_weights.weights = content_->weights;
        }
        auto plan = compile(text, schema, with_weights);
        const std::scoped_lock lock(content_->mutex);
        ++content_->statistics.misses;
        if (!plan) {
            return plan;
        }
        if (const Plan *known = content_->find(key)) {
            return *known;
        }
        Content::Entry entry{std::move(key), *plan, {}, options.labels, options.weights};
        for (const InputDeclaration &input : schema.inputs()) {
            if (input.value) {
                entry.constants.push_back(*input.value);
            }
        }
        content_->add(std::move(entry));
        return plan;
    });
}

CompileCache::Statistics CompileCache::statistics() const {
    const std::scoped_lock lock(content_->mutex);
    Statistics now = content_->statistics;
    now.plans = content_->entries.size();
    return now;
}

void CompileCache::clear() {
    const std::scoped_lock lock(content_->mutex);
    content_->by_key.clear();
    content_->entries.clear();
}

}  // namespace tenrex
