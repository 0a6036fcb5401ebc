// Every exchange format of tensor values, both ways.
#include <cstdint>
#include <random>
#include <string>

#include <benchmark/benchmark.h>

#include <tenrex/formats.h>

#include "perf/components/components.h"
#include "perf/measure/workload.h"

namespace tenrex::perf {

namespace {

struct Value {
    std::string name;
    Tensor tensor;
};

std::vector<Value> values() {
    struct Shape {
        const char *name, *type;
        std::uint64_t labels;
    };
    constexpr Shape shapes[] = {{"float_768", "tensor<float>(x[768])", 0},
                                {"int8_768", "tensor<int8>(x[768])", 0},
                                {"double_64_labels", "tensor(k{})", 64},
                                {"bfloat16_32_labels_x_128", "tensor<bfloat16>(k{},x[128])", 32}};
    std::mt19937_64 random(1);
    std::vector<Value> all;
    for (const Shape &shape : shapes) {
        InputRecipe recipe("value", Stage::document, *TensorType::parse(shape.type));
        if (shape.labels != 0) {
            recipe.labels["k"] = {shape.labels, 0};
        }
        DrawnSizes sizes;
        all.push_back({shape.name, random_value(recipe, random, sizes)});
    }
    return all;
}

// `work` gives whether it succeeded; bytes: of the encoded value.
template <class Work>
void add(const std::string &name, std::size_t bytes, const Work &work) {
    benchmark::RegisterBenchmark(name.c_str(), [=](benchmark::State &state) {
        for (auto _ : state) {
            if (!work()) {
                state.SkipWithError("it fails");
                break;
            }
        }
        state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(bytes));
    });
}

template <class Encode, class Decode>
void add_format(const std::string &format, const Value &value, const Encode &encode, const Decode &decode) {
    const auto encoded = encode(value.tensor);
    add("write_" + format + "/" + value.name, encoded.size(),
        [=, tensor = value.tensor] { return !encode(tensor).empty(); });
    add("read_" + format + "/" + value.name, encoded.size(),
        [=, type = value.tensor.type()] { return decode(encoded, type).has_value(); });
}

}  // namespace

void add_formats() {
    using Text = const std::string &;
    for (const Value &value : values()) {
        add_format(
            "literal", value, [](const Tensor &tensor) { return to_literal(tensor); },
            [](Text text, const TensorType &) { return from_literal(text); });
        add_format(
            "json", value, [](const Tensor &tensor) { return to_json(tensor); },
            [](Text text, const TensorType &) { return from_json(text); });
        if (!value.tensor.type().has_mapped()) {  // hex has no labels
            add_format(
                "hex", value, [](const Tensor &tensor) { return to_hex(tensor.view()); },
                [](Text text, const TensorType &type) { return from_hex(text, type); });
        }
        add_format(
            "binary", value, [](const Tensor &tensor) { return to_binary(tensor.view()); },
            [](const std::vector<std::byte> &bytes, const TensorType &) { return from_binary(bytes); });
    }
}

}  // namespace tenrex::perf
