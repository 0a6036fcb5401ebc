#include "tests/reference/random_pieces.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <tenrex/formats.h>

namespace tenrex::random {

namespace {

// Beyond these bounds a result is brought back: an exact product of two numbers stays below 2^24, a smooth result keeps
// its rounding errors small.
constexpr double most_exact = 1024.0;
constexpr double most_smooth = 8.0;

}  // namespace

PieceMaker::PieceMaker(std::uint64_t seed, const RandomOptions &options)
    : options_(options), source_(seed), scope_{{}, true} {
    constexpr std::size_t sizes[] = {1, 2, 3, 4, 5, 7};
    for (const char *name : {"a", "K", "k2"}) {
        pool_.push_back({name, 0});
    }
    for (const char *name : {"x", "Y", "z10", "z9"}) {
        pool_.push_back({name, source_.pick(sizes)});
    }
}

TensorType PieceMaker::type_of(CellType cell_type, Dimensions dimensions) {
    return dimensions.empty() ? TensorType() : *TensorType::make(cell_type, std::move(dimensions));
}

TensorType PieceMaker::type() {
    Dimensions dimensions = extra_dimensions(TensorType(), source_.below(options_.most_dimensions + 1));
    return type_of(any_cell_type(), std::move(dimensions));
}

PieceMaker::Dimensions PieceMaker::dimensions(const TensorType &type, bool mapped, bool indexed) {
    Dimensions chosen;
    for (const Dimension &dimension : type.dimensions()) {
        if (dimension.is_mapped() ? mapped : indexed) {
            chosen.push_back(dimension);
        }
    }
    return chosen;
}

PieceMaker::Dimensions PieceMaker::extra_dimensions(const TensorType &type, std::size_t most) {
    Dimensions pool = pool_;
    source_.shuffle(pool);
    Dimensions chosen;
    std::size_t cells = type.block_cells();
    std::size_t mapped = type.mapped_count();
    for (const Dimension &dimension : pool) {
        if (chosen.size() == most || type.dimensions().size() + chosen.size() == options_.most_dimensions) {
            break;
        }
        const bool fits = dimension.is_mapped() ? mapped < 3 : cells * dimension.size <= options_.most_block_cells;
        if (fits && !type.find(dimension.name)) {
            mapped += dimension.is_mapped();
            cells *= std::max<std::size_t>(dimension.size, 1);
            chosen.push_back(dimension);
        }
    }
    return chosen;
}

CellType PieceMaker::cell_type_decaying_to(const TensorType &type) {
    constexpr CellType to_float[] = {CellType::f32, CellType::bf16, CellType::i8};
    return type.is_scalar() ? any_cell_type()
                            : (type.cell_type() == CellType::f64 ? CellType::f64 : source_.pick(to_float));
}

// Types of two operands whose join has the type.
std::pair<TensorType, TensorType> PieceMaker::operand_types(const TensorType &type) {
    Dimensions a, b;
    for (const Dimension &dimension : type.dimensions()) {
        const std::size_t where = source_.below(4);
        if (where != 0) {
            a.push_back(dimension);
        }
        if (where != 1) {
            b.push_back(dimension);
        }
    }
    CellType first = cell_type_decaying_to(type);
    CellType second = cell_type_decaying_to(type);
    if (type.cell_type() == CellType::f64 && !a.empty() && !b.empty()) {
        (source_.chance(50) ? first : second) = any_cell_type();  // one double is enough
    }
    return {type_of(first, std::move(a)), type_of(second, std::move(b))};
}

std::string PieceMaker::spec(const TensorType &type) {
    Dimensions dimensions = type.dimensions();
    source_.shuffle(dimensions);
    std::string text;
    for (const Dimension &dimension : dimensions) {
        text += fmt::format("{}{}{}", text.empty() ? "" : ",", dimension.name,
                            dimension.is_mapped() ? "{}" : fmt::format("[{}]", dimension.size));
    }
    const bool plain = type.cell_type() == CellType::f64 && source_.chance(50);
    return fmt::format("tensor{}({})", plain ? "" : fmt::format("<{}>", name(type.cell_type())), text);
}

Piece PieceMaker::make(const TensorType &type, double bound, std::string_view pattern, std::vector<Piece> parts) const {
    Piece piece;
    piece.type = type;
    piece.bound = bound;
    for (std::size_t begin = 0;;) {
        const std::size_t end = pattern.find('$', begin);
        piece.text.emplace_back(pattern.substr(begin, end - begin));
        if (end == pattern.npos) {
            break;
        }
        begin = end + 1;
    }
    for (Piece &part : parts) {
        piece.free.merge(part.free);
        part.free.insert(piece.free.begin(), piece.free.end());
    }
    piece.parts = std::move(parts);
    return piece;
}

Piece PieceMaker::bind(Piece piece, std::initializer_list<std::string_view> names) {
    for (const std::string_view name : names) {
        piece.free.erase(std::string(name));
    }
    return piece;
}

double PieceMaker::number_value() {
    constexpr double odd[] = {0.001, 100.0, 1e20, 16777217.0, 255.0};
    return any() && source_.chance(10) ? source_.pick(odd)
                                       : number(source_, exact() ? Numbers::exact : Numbers::smooth, CellType::f64);
}

Piece PieceMaker::constant(double value) {
    return make(TensorType(), std::fabs(value),
                std::signbit(value) ? fmt::format("({})", value) : fmt::to_string(value), {});
}

Piece PieceMaker::parameter(const Parameter &parameter) const {
    Piece piece = make(parameter.type, parameter.bound, parameter.name, {});
    piece.free.insert(parameter.name);
    return piece;
}

Piece PieceMaker::input(const TensorType &type, std::optional<Stage> stage) {
    const RandomInput *chosen = nullptr;
    for (const RandomInput &known : inputs_) {
        if (known.value.type() == type && (!stage || known.stage == *stage) && source_.chance(60)) {
            chosen = &known;
        }
    }
    if (chosen == nullptr) {
        constexpr Stage stages[] = {Stage::constant, Stage::query, Stage::document, Stage::document};
        const Stage chosen_stage = stage ? *stage : source_.pick(stages);
        constexpr const char *forms[] = {"{0}{1}", "{0}(i{1})", "{0}(i{1}).out"};
        const std::string name =
            fmt::format(fmt::runtime(source_.pick(forms)), tenrex::name(chosen_stage), inputs_.size());
        inputs_.push_back({name, chosen_stage, tensor(source_, type, options_.numbers)});
        chosen = &inputs_.back();
    }
    // Of all values that the input may have, not of this one.
    const double bound = exact() || type.cell_type() == CellType::i8 ? 4.0 : 2.0;
    return make(type, bound, chosen->name, {});
}

Piece PieceMaker::leaf(const TensorType &type) {
    for (std::size_t i = scope_.parameters.size(); i-- > 0;) {
        if (scope_.parameters[i].type == type && source_.chance(70)) {
            return parameter(scope_.parameters[i]);
        }
    }
    if (type.is_scalar() && (scalar_only_ || !scope_.sees_inputs || source_.chance(40))) {
        return constant(number_value());
    }
    if (scope_.sees_inputs && !scalar_only_) {
        return input(type);
    }
    return literal(type, 0);
}

Piece PieceMaker::piece(const TensorType &type, std::size_t depth) {
    if (depth == 0 || source_.chance(10)) {
        return leaf(type);
    }
    int total = 0;
    for (const Rule &rule : rules()) {
        total += (this->*rule.applies)(type) ? rule.weight : 0;
    }
    if (total == 0) {
        return leaf(type);
    }
    int chosen = static_cast<int>(source_.below(static_cast<std::size_t>(total)));
    for (const Rule &rule : rules()) {
        chosen -= (this->*rule.applies)(type) ? rule.weight : 0;
        if (chosen < 0) {
            return (this->*rule.make)(type, depth - 1);
        }
    }
    return leaf(type);
}

Piece PieceMaker::bounded(Piece piece) {
    if (any() || piece.bound <= (exact() ? most_exact : most_smooth)) {
        return piece;
    }
    const TensorType type = piece.type;
    return exact() ? make(type, 60.0, "fmod($,61)", {std::move(piece)})
                   : make(type, 1.0, "tanh($)", {std::move(piece)});
}

Piece PieceMaker::narrowed(Piece piece, CellType cell) {
    const double most = cell == CellType::i8 ? 127.0 : 256.0;
    if (!exact() || piece.bound <= most || (cell != CellType::i8 && cell != CellType::bf16)) {
        return piece;
    }
    const TensorType type = type_of(decay(piece.type.cell_type()), piece.type.dimensions());
    return make(type, 60.0, "fmod($,61)", {std::move(piece)});
}

}  // namespace tenrex::random
