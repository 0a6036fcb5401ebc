#include "lib/ir/payloads.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <type_traits>
#include <utility>

#include "lib/ir/forest_text.h"
#include "lib/ir/hash_mix.h"
#include "lib/storage/derived_tensor.h"
#include "lib/storage/mapped_tensor.h"

namespace tenrex::ir {

namespace {

std::size_t cell_bytes(const Tensor &value) {
    return value.cell_count() * byte_size(value.type().cell_type());
}

// Of one type. The order of blocks counts: it is that of sums over them.
bool is_same(const Tensor &a, const Tensor &b) {
    const DerivedCells *const derived[] = {DerivedTensor::cells_of(a), DerivedTensor::cells_of(b)};
    if (derived[0] != nullptr || derived[1] != nullptr) {
        // Nothing is made to compare it.
        const auto hash = derived[0] == nullptr ? std::nullopt : derived[0]->known_hash();
        return derived[0] == derived[1] || (hash && derived[1] != nullptr && hash == derived[1]->known_hash());
    }
    const TensorView x = a.view();
    const TensorView y = b.view();
    if (x.blocks() != y.blocks() || x.blocks() == 0) {
        return x.blocks() == y.blocks();
    }
    if (x.cells() == y.cells()) {
        return true;  // copies, which share what they hold
    }
    if (std::memcmp(x.cells(), y.cells(), cell_bytes(a)) != 0) {
        return false;
    }
    for (std::size_t block = 0; block < x.blocks(); ++block) {
        for (std::size_t i = 0; i < a.type().mapped_count(); ++i) {
            if (x.label(block, i) != y.label(block, i)) {
                return false;
            }
        }
    }
    return true;
}

bool is_same(double a, double b) {
    return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

template <std::integral Integer>
void mix_in(std::size_t &hash, Integer value) {
    mix(hash, value);
}
template <class Enum>
requires std::is_enum_v<Enum>
void mix_in(std::size_t &hash, Enum value) {
    mix(hash, static_cast<std::size_t>(value));
}
void mix_in(std::size_t &hash, double value) {
    mix(hash, value);
}
void mix_in(std::size_t &hash, const std::string &text) {
    mix(hash, std::string_view(text));
}
// Of the first cells: constants may be large, and seldom begin alike.
void mix_in(std::size_t &hash, const Tensor &value) {
    constexpr std::size_t most = 1024;
    mix(hash, value.blocks());
    if (DerivedTensor::cells_of(value) != nullptr) {
        return;
    }
    if (const std::size_t bytes = std::min(cell_bytes(value), most); bytes > 0) {
        mix(hash, std::string_view(static_cast<const char *>(value.view().cells()), bytes));
        MappedTensor::let_go_around(value);
    }
}
void mix_in(std::size_t &hash, const UserFunction &function) {
    mix(hash, reinterpret_cast<std::uintptr_t>(&function));
}
void mix_in(std::size_t &hash, const Dimension &dimension) {
    mix_in(hash, dimension.name);
    mix_in(hash, dimension.size);
}
void mix_in(std::size_t &hash, const PeekPart &part) {
    mix_in(hash, part.dimension);
    mix_in(hash, part.label);
    mix_in(hash, part.index);
    mix_in(hash, part.computed);
}
void mix_in(std::size_t &hash, const PackCell &cell) {
    mix_in(hash, cell.block);
    mix_in(hash, cell.index);
}
void mix_in(std::size_t &hash, const Gather::Term &term) {
    mix_in(hash, term.operand);
    mix_in(hash, term.is_subtracted);
}
void mix_in(std::size_t &hash, const Gather::Part &part);
void mix_in(std::size_t &hash, const Gather::Operation &operation);
template <class Item>
void mix_in(std::size_t &hash, const std::vector<Item> &items) {
    for (const Item &item : items) {
        mix_in(hash, item);
    }
}
void mix_in(std::size_t &hash, const Gather::Part &part) {
    mix_in(hash, part.dimension);
    mix_in(hash, part.index);
    mix_in(hash, part.computed.value_or(Gather::Sum()));
}
void mix_in(std::size_t &hash, const Gather::Operation &operation) {
    mix_in(hash, operation.kind);
    mix_in(hash, operation.operand);
    mix_in(hash, operation.parts);
    mix_in(hash, operation.function);
    mix_in(hash, operation.sum);
}

template <class... Parts>
std::size_t hash_of_parts(const Parts &...parts) {
    std::size_t hash = 0;
    (mix_in(hash, parts), ...);
    return hash;
}

template <HasParts Own>
std::size_t hash(const Own &own) {
    return std::apply([](const auto &...parts) { return hash_of_parts(parts...); }, Own::parts(own));
}
std::size_t hash(const NoPayload &) {
    return 0;
}
std::size_t hash(const Constant &constant) {
    return constant.value ? hash_of_parts(*constant.value) : hash_of_parts(constant.number);
}
std::size_t hash(const Input &input) {
    return hash_of_parts(input.index);
}
std::size_t hash(const Apply &apply) {
    return hash_of_parts(apply.function);
}
std::size_t hash(const User &user) {
    return user.function ? hash_of_parts(*user.function) : 0;
}
std::size_t hash(const InSet &set) {
    return hash_of_parts(set.members);
}
std::size_t hash(const Choice &choice) {
    return hash_of_parts(choice.probability);
}
std::size_t hash_of_terms(const ContractionTerms &terms) {
    const auto &[function, after, aggregator] = terms;
    return hash_of_parts(function, after.has_value(), after.value_or(function), aggregator);
}
std::size_t hash(const Contract &contract) {
    return hash_of_parts(hash_of_terms(contract.terms), contract.dimensions, contract.has_bias, contract.activation,
                         contract.is_scaled, contract.is_packed);
}
std::size_t hash(const Concat &concat) {
    return hash_of_parts(concat.dimension);
}
std::size_t hash(const Slice &slice) {
    return hash_of_parts(slice.dimension, slice.begin, slice.size);
}
std::size_t hash(const Reshape &reshape) {
    return hash_of_parts(reshape.dimensions, reshape.becomes);
}
std::size_t hash(const ToIndexed &change) {
    return hash_of_parts(change.dimensions);
}
std::size_t hash(const SameSize &same) {
    return hash_of_parts(same.what, same.first, same.second);
}
std::size_t hash(const Append &append) {
    return hash_of_parts(append.dimension);
}
std::size_t hash(const Peek &peek) {
    return hash_of_parts(peek.parts);
}
std::size_t hash(const Order &order) {
    return hash_of_parts(order.ascending, order.dimensions, order.by_number);
}
std::size_t hash(const Pack &pack) {
    return hash_of_parts(pack.dimensions, pack.addresses, pack.cells);
}
std::size_t hash(const UnpackBits &unpack) {
    return hash_of_parts(unpack.lowest_first, unpack.dimension);
}
std::size_t hash(const Forest &payload) {
    return payload.forest ? hash_of(*payload.forest) : 0;
}
std::size_t hash(const RowExtreme &extreme) {
    return hash_of_parts(hash_of_terms(extreme.terms), extreme.dimensions, extreme.cell_type, extreme.aggregator,
                         extreme.rows, extreme.by_product, extreme.columns_first, extreme.is_packed);
}
std::size_t hash(const Attention &attention) {
    return hash_of_parts(attention.summed, attention.query_rows, attention.key_rows, attention.value_rows,
                         attention.scale, attention.is_stable, attention.is_rounded, attention.masking,
                         attention.otherwise);
}
std::size_t hash(const Normalize &normalize) {
    return hash_of_parts(normalize.kind, normalize.dimensions, normalize.scale, normalize.divisor, normalize.epsilon,
                         normalize.root_epsilon, normalize.has_gain, normalize.has_bias);
}
std::size_t hash(const Gather &gather) {
    return hash_of_parts(gather.is_split, gather.dimensions, gather.operations);
}
std::size_t hash(const Top &top) {
    return hash_of_parts(top.ascending);
}
std::size_t hash(const Region &region) {
    return hash_of_parts(reinterpret_cast<std::uintptr_t>(region.body.get()));
}
std::size_t hash(const RegionResult &result) {
    return hash_of_parts(result.index);
}

std::size_t hash(const JoinReduce &reduce) {
    return hash_of_parts(reduce.function.has_value(), reduce.function.value_or(ScalarFunction{}), reduce.cell_type,
                         reduce.aggregator, reduce.dimensions);
}

// The place of each operation's payload among the alternatives.
template <class Wanted, std::size_t At = 0>
constexpr std::size_t alternative() {
    if constexpr (std::is_same_v<std::variant_alternative_t<At, PayloadVariant>, Wanted>) {
        return At;
    } else {
        return alternative<Wanted, At + 1>();
    }
}
constexpr std::size_t payload_of_op[] = {
#define TENREX_OP(id, name, least, most, payload, traits, summary) alternative<payload>(),
#include "lib/ir/ops.def"
};

}  // namespace

bool operator==(const Constant &a, const Constant &b) {
    if (!a.value || !b.value) {
        return !a.value && !b.value && is_same(a.number, b.number);
    }
    return a.value == b.value || (a.value->type() == b.value->type() && is_same(*a.value, *b.value));
}

bool operator==(const InSet &a, const InSet &b) {
    return std::equal(a.members.begin(), a.members.end(), b.members.begin(), b.members.end(),
                      [](double x, double y) { return is_same(x, y); });
}

bool operator==(const Choice &a, const Choice &b) {
    return is_same(a.probability, b.probability);
}

bool operator==(const Forest &a, const Forest &b) {
    if (a.dimension != b.dimension || a.has_base != b.has_base) {
        return false;
    }
    return a.forest == b.forest || (a.forest && b.forest && is_same(*a.forest, *b.forest));
}

std::string_view name(Activation activation) noexcept {
    switch (activation) {
        case Activation::none:
            return "none";
        case Activation::relu:
            return "relu";
        case Activation::gelu:
            return "gelu";
        case Activation::gelu_tanh:
            return "gelu_tanh";
    }
    return {};
}

std::string_view name(Masking masking) noexcept {
    switch (masking) {
        case Masking::none:
            return "none";
        case Masking::added:
            return "added";
        case Masking::chosen:
            return "chosen";
    }
    return "";
}

std::string_view name(Normalization kind) noexcept {
    switch (kind) {
        case Normalization::softmax:
            return "softmax";
        case Normalization::stable_softmax:
            return "stable_softmax";
        case Normalization::by_length:
            return "by_length";
        case Normalization::standardize:
            return "standardize";
    }
    return "";
}

Payload::Payload() noexcept = default;
Payload::Payload(const Payload &other) = default;
Payload::Payload(Payload &&other) noexcept = default;
Payload &Payload::operator=(const Payload &other) = default;
Payload &Payload::operator=(Payload &&other) noexcept = default;
Payload::~Payload() = default;

template <class Own>
Payload::Payload(Own own) : PayloadVariant(std::move(own)) {}

template Payload::Payload(NoPayload);
template Payload::Payload(Constant);
template Payload::Payload(Input);
template Payload::Payload(Apply);
template Payload::Payload(User);
template Payload::Payload(InSet);
template Payload::Payload(Choice);
template Payload::Payload(Reduce);
template Payload::Payload(Contract);
template Payload::Payload(Rename);
template Payload::Payload(Concat);
template Payload::Payload(Slice);
template Payload::Payload(Reshape);
template Payload::Payload(ToMapped);
template Payload::Payload(ToIndexed);
template Payload::Payload(SameSize);
template Payload::Payload(Append);
template Payload::Payload(Peek);
template Payload::Payload(Order);
template Payload::Payload(Pack);
template Payload::Payload(UnpackBits);
template Payload::Payload(Forest);
template Payload::Payload(RowExtreme);
template Payload::Payload(Attention);
template Payload::Payload(Normalize);
template Payload::Payload(Gather);
template Payload::Payload(Top);
template Payload::Payload(JoinReduce);
template Payload::Payload(PackMatrix);
template Payload::Payload(Region);
template Payload::Payload(RegionResult);

bool operator==(const Payload &a, const Payload &b) {
    return a.variant() == b.variant();
}

std::size_t hash_of(const Payload &payload) {
    return std::visit([](const auto &own) { return hash(own); }, payload.variant());
}

bool is_payload_of(Op op, const Payload &payload) noexcept {
    return payload.index() == payload_of_op[static_cast<std::size_t>(op)];
}

Payload with_names(Payload payload, const std::function<std::string(const std::string &)> &new_name) {
    const auto rename = [&](auto &&self, auto &part) -> void {
        if constexpr (std::is_same_v<decltype(part), std::string &>) {
            part = new_name(part);
        } else if constexpr (requires { part.dimension; }) {
            self(self, part.dimension);
        } else if constexpr (requires { part.name; }) {
            self(self, part.name);
        } else if constexpr (requires { part.dimensions; }) {
            self(self, part.dimensions);
            if constexpr (requires { part.rows; }) {
                self(self, part.rows);
            } else if constexpr (requires { part.operations; }) {
                self(self, part.operations);
            } else if constexpr (requires { part.batch; }) {
                self(self, part.batch);
            } else if constexpr (requires { part.becomes; }) {
                self(self, part.becomes);
            }
        } else if constexpr (requires { part.parts; }) {
            self(self, part.parts);
        } else if constexpr (requires { part.begin(); }) {
            for (auto &item : part) {
                self(self, item);
            }
        }
    };
    std::visit([&](auto &own) { rename(rename, own); }, payload.variant());
    return payload;
}

}  // namespace tenrex::ir
