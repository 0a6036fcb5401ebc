// A text encoder in an ONNX file, and texts as columns of its inputs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <tenrex/executor.h>
#include <tenrex/onnx.h>
#include <tenrex/plan.h>
#include <tenrex/result.h>
#include <tenrex/weight_store.h>

namespace tenrex::perf {

struct EncoderOptions {
    ModelPrecision precision = ModelPrecision::f32;
    bool is_fused = true;  // false: without the optimizations whose names begin with "fuse_"
};

// The output "embedding" of a model, compiled once.
class Encoder {
public:
    // Errors: a file that cannot be read, and an output that has other cells than floats of a known number.
    static Result<Encoder> load(const std::string &path, const EncoderOptions &options);

    const Plan &plan() const noexcept { return plan_; }
    const Query &query() const noexcept { return query_; }
    std::size_t width() const noexcept { return width_; }
    OnnxModel::Flops flops() const noexcept { return flops_; }
    // Of the packed matrices, which all contexts share.
    std::size_t weight_bytes() const { return weights_->statistics().bytes; }
    double compile_milliseconds() const noexcept { return compile_milliseconds_; }

private:
    Encoder(Plan plan, Query query) : plan_(std::move(plan)), query_(std::move(query)) {}

    Plan plan_;
    Query query_;
    std::shared_ptr<WeightStore> weights_;
    std::size_t width_ = 0;
    OnnxModel::Flops flops_;
    double compile_milliseconds_ = 0;
};

// Texts side by side, each with as many tokens as it has.
class Texts {
public:
    // padded_to: texts become as long as that; what is added is masked. 0: nothing is added.
    Texts(const std::vector<std::vector<double>> &tokens, std::size_t padded_to);

    std::size_t count() const noexcept { return offsets_.size() - 1; }
    std::size_t longest() const noexcept { return longest_; }  // the number of that text
    // In the order of the plan's inputs. Valid as long as the texts.
    std::vector<Column> columns(const Plan &plan) const;

private:
    std::vector<std::uint64_t> offsets_ = {0};
    std::vector<double> tokens_;
    std::vector<double> mask_;
    std::vector<double> zeros_;
    std::size_t longest_ = 0;
};

// Embeds texts with memory of its own: one per thread.
class Embedding {
public:
    // executor: shares the steps of a text among its threads, and outlives this; null: one thread does all.
    Embedding(const Encoder &encoder, const Texts &texts, Executor *executor = nullptr);

    Status evaluate(std::size_t first, std::size_t count);
    // Adds to what each step took, in seconds.
    Status profile(std::span<double> seconds);
    // Of the texts that were evaluated, one after the other.
    const std::vector<float> &vectors() const noexcept { return vectors_; }
    std::size_t context_bytes() const noexcept { return context_.memory_bytes(); }

private:
    const Encoder *encoder_;
    std::size_t texts_;
    std::vector<Column> columns_;
    std::vector<float> vectors_;
    Context context_;
};

}  // namespace tenrex::perf
