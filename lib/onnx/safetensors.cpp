#include "lib/onnx/safetensors.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "lib/forest/document.h"

namespace tenrex::onnx {

namespace {

using forest::Document;

constexpr std::size_t length_bytes = 8;
constexpr std::string_view metadata = "__metadata__";  // no tensor
constexpr std::string_view damaged = "the file is damaged, or was cut off";

std::uint64_t header_bytes(std::string_view bytes) noexcept {
    std::uint64_t length = 0;
    for (std::size_t i = length_bytes; i-- > 0;) {
        length = length << 8 | static_cast<unsigned char>(bytes[i]);
    }
    return length;
}

struct NamedType {
    std::string_view name;
    ElementType type;
};
constexpr NamedType types[] = {
    {"F64", ElementType::f64}, {"F32", ElementType::f32},      {"F16", ElementType::f16}, {"BF16", ElementType::bf16},
    {"I64", ElementType::i64}, {"I32", ElementType::i32},      {"I16", ElementType::i16}, {"I8", ElementType::i8},
    {"U8", ElementType::u8},   {"BOOL", ElementType::boolean},
};

// Sizes or places: whole numbers that a double holds. Nothing: the list is another one.
std::optional<std::vector<std::int64_t>> sizes_of(const Document &header, Document::Id list) {
    const auto numbers = list == Document::none ? Result<std::vector<double>>(Error("")) : header.numbers(list);
    if (!numbers) {
        return std::nullopt;
    }
    std::vector<std::int64_t> sizes;
    for (const double number : *numbers) {
        constexpr double most = 1LL << 50;
        if (!(number >= 0 && number <= most) || number != std::floor(number)) {
            return std::nullopt;
        }
        sizes.push_back(static_cast<std::int64_t>(number));
    }
    return sizes;
}

// Whether so many bytes are all elements of the tensor.
bool fits(const TensorData &tensor, std::uint64_t bytes) noexcept {
    std::uint64_t expected = info(tensor.type).bytes;
    for (const std::int64_t size : tensor.dimensions) {
        if (size != 0 && expected > bytes / static_cast<std::uint64_t>(size)) {
            return false;
        }
        expected *= static_cast<std::uint64_t>(size);
    }
    return expected == bytes;
}

// Nothing: its elements are of a type that ONNX does not have.
Result<std::optional<TensorData>> tensor_at(const Document &header, Document::Id entry, std::string_view data) {
    const std::string_view name = header.key(entry);
    const Document::Id dtype = header.find(entry, "dtype");
    const auto type_name = dtype == Document::none ? Result<std::string_view>(Error("")) : header.text(dtype);
    const auto shape = sizes_of(header, header.find(entry, "shape"));
    const auto places = sizes_of(header, header.find(entry, "data_offsets"));
    if (!type_name || !shape || !places || places->size() != 2) {
        return Error(fmt::format("tensor '{}' lacks a type, a shape or its place in the file", name),
                     std::string(damaged));
    }
    const auto *const type = std::find_if(std::begin(types), std::end(types),
                                          [&](const NamedType &each) { return each.name == *type_name; });
    if (type == std::end(types)) {
        return std::optional<TensorData>();
    }
    TensorData tensor;
    tensor.type = type->type;
    tensor.dimensions = *shape;
    const auto begin = static_cast<std::uint64_t>((*places)[0]);
    const auto end = static_cast<std::uint64_t>((*places)[1]);
    if (begin > end || end > data.size() || !fits(tensor, end - begin)) {
        return Error(fmt::format("tensor '{}' stands at bytes {} to {} of {}, which does not fit its shape", name,
                                 begin, end, data.size()),
                     std::string(damaged));
    }
    tensor.raw = data.substr(begin, end - begin);
    return std::optional(std::move(tensor));
}

// Where a tensor stands, and its entry in the header.
struct Place {
    Document::Id entry = Document::none;
    std::size_t begin = 0;
    std::size_t end = 0;
};

// By their order in the file, whatever their types are.
Result<std::vector<Place>> places_of(const Document &header, std::size_t data_bytes) {
    std::vector<Place> places;
    for (auto entry = header.first(header.root()); entry != Document::none; entry = header.next(entry)) {
        if (header.key(entry) == metadata) {
            continue;
        }
        const auto ends = sizes_of(header, header.find(entry, "data_offsets"));
        if (!ends || ends->size() != 2 || (*ends)[0] > (*ends)[1] ||
            static_cast<std::size_t>((*ends)[1]) > data_bytes) {
            return Error(fmt::format("tensor '{}' has no place in the file", header.key(entry)), std::string(damaged));
        }
        places.push_back({entry, static_cast<std::size_t>((*ends)[0]), static_cast<std::size_t>((*ends)[1])});
    }
    std::sort(places.begin(), places.end(), [](const Place &a, const Place &b) { return a.begin < b.begin; });
    return places;
}

// Lists in the header that are written anew, by where they begin.
using ChangedLists = std::map<std::size_t, std::string>;

std::string with_lists(std::string_view header, const ChangedLists &lists) {
    std::string result;
    std::size_t at = 0;
    for (const auto &[begin, text] : lists) {
        result += header.substr(at, begin - at);
        result += text;
        at = header.find(']', begin) + 1;
    }
    result += header.substr(at);
    // Readers map the elements, which begin at a place for numbers of 8 bytes.
    result.append((length_bytes - result.size() % length_bytes) % length_bytes, ' ');
    return result;
}

}  // namespace

bool is_safetensors(std::string_view bytes) noexcept {
    return bytes.size() > length_bytes && header_bytes(bytes) <= bytes.size() - length_bytes &&
           bytes[length_bytes] == '{';
}

Result<Weights> read_safetensors(std::string_view bytes) {
    if (!is_safetensors(bytes)) {
        return Error("the file has no header of tensors", std::string(damaged));
    }
    const auto length = static_cast<std::size_t>(header_bytes(bytes));
    const auto header = Document::from_json(bytes.substr(length_bytes, length));
    if (!header) {
        return header.error();
    }
    const std::string_view data = bytes.substr(length_bytes + length);
    Weights weights;
    for (auto entry = header->first(header->root()); entry != Document::none; entry = header->next(entry)) {
        const std::string_view name = header->key(entry);
        if (name == metadata) {
            continue;
        }
        auto tensor = tensor_at(*header, entry, data);
        if (!tensor) {
            return std::move(tensor).error();
        }
        if (tensor->has_value() && !weights.emplace(name, **std::move(tensor)).second) {
            return Error(fmt::format("tensor '{}' stands twice in the header", name), std::string(damaged));
        }
    }
    for (auto &[name, tensor] : weights) {
        tensor.name = name;
    }
    return weights;
}

Result<std::string> with_changed_tensors(std::string_view bytes,
                                         const std::map<std::string, ChangedTensor, std::less<>> &changes) {
    if (!is_safetensors(bytes)) {
        return Error("the file has no header of tensors", std::string(damaged));
    }
    const auto length = static_cast<std::size_t>(header_bytes(bytes));
    const std::string_view before = bytes.substr(length_bytes, length);
    const auto header = Document::from_json(before);
    const std::string_view data = bytes.substr(length_bytes + length);
    const auto places = header ? places_of(*header, data.size()) : Result<std::vector<Place>>(header.error());
    if (!places) {
        return places.error();
    }
    ChangedLists lists;
    std::vector<std::string_view> parts;
    std::size_t end = 0;
    for (const Place &place : *places) {
        const auto change = changes.find(header->key(place.entry));
        parts.push_back(data.substr(place.begin, place.end - place.begin));
        if (change != changes.end()) {
            parts.back() = change->second.raw;
            lists[header->begin(header->find(place.entry, "shape"))] =
                fmt::format("[{}]", fmt::join(change->second.dimensions, ","));
        }
        const std::size_t begin = std::exchange(end, end + parts.back().size());
        lists[header->begin(header->find(place.entry, "data_offsets"))] = fmt::format("[{},{}]", begin, end);
    }
    const std::string after = with_lists(before, lists);
    std::string result;
    result.reserve(length_bytes + after.size() + end);
    for (std::size_t i = 0; i < length_bytes; ++i) {
        result += static_cast<char>(after.size() >> (8 * i) & 0xff);
    }
    result += after;
    for (const std::string_view part : parts) {
        result += part;
    }
    return result;
}

}  // namespace tenrex::onnx
