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
    : options_(options),
      source_(seed),
      sizes_(random_sizes(source_, options.sizes, options.most_dimensions)),
      scope_{{}, true} {}

Piece PieceMaker::root() {
    const TensorType wanted = type();
    const std::size_t depth = std::min(options_.depth, sizes_.most_depth);
    if (!wide()) {
        return piece(wanted, depth);
    }
    // Many are aggregates of something; none is just an input.
    const std::size_t choice = source_.below(10);
    if (choice < 3) {
        return reduce(decayed(wanted), depth);
    }
    if (choice < 5) {
        return contraction(decayed(wanted), depth);
    }
    Piece whole = choice < 6 ? formula(decayed(wanted), depth) : piece(wanted, depth);
    return whole.parts.empty() ? formula(decayed(wanted), depth) : whole;
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
    if (any() && wide() && source_.chance(15)) {
        const double special = special_number(source_);
        return std::isfinite(special) ? special : 1e39;
    }
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
        const Stage chosen_stage =
            stage ? *stage : (wide() && source_.chance(50) ? Stage::document : source_.pick(stages));
        constexpr const char *forms[] = {"{0}{1}", "{0}(i{1})", "{0}(i{1}).out"};
        const std::string name =
            fmt::format(fmt::runtime(source_.pick(forms)), tenrex::name(chosen_stage), inputs_.size());
        inputs_.push_back({name, chosen_stage, input_value(type), {}});
        if (chosen_stage == Stage::document && options_.documents > 1) {
            add_others(inputs_.back());
        }
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

// An input of its own may have the values of another: two columns can then be one.
Tensor PieceMaker::input_value(const TensorType &type) {
    if (options_.sizes == Sizes::small) {
        return tensor(source_, type, options_.numbers);
    }
    return value_of_plan(source_, type, options_.numbers, sizes_);
}

void PieceMaker::add_others(RandomInput &input) {
    if (source_.chance(10)) {
        return;  // all documents have the same
    }
    for (const RandomInput &known : inputs_) {
        if (&known != &input && known.value.type() == input.value.type() && known.stage == Stage::document &&
            source_.chance(30)) {
            input.value = known.value;
            input.others = known.others;
            return;
        }
    }
    for (std::size_t i = 1; i < options_.documents; ++i) {
        input.others.push_back(source_.chance(20) ? input.value : input_value(input.value.type()));
    }
}

const Piece *PieceMaker::shared(const TensorType &type) {
    if (options_.sharing == 0 || !source_.chance(options_.sharing)) {
        return nullptr;
    }
    std::vector<const Piece *> fitting;
    for (const auto &[made, repeated] : scope_.made) {
        if (made.type == type && repeated * 16 >= repeated_) {
            fitting.push_back(&made);
        }
    }
    return fitting.empty() ? nullptr : source_.pick(fitting);
}

// A part of parts stays small, or texts would double with each.
void PieceMaker::may_be_shared(const Piece &piece) {
    constexpr std::size_t most_bytes = 160;
    if (options_.sharing != 0 && !scalar_only_ && !piece.parts.empty() && piece.to_string().size() <= most_bytes) {
        scope_.made.emplace_back(piece, repeated_);
    }
}

Piece PieceMaker::repeated(std::size_t times, const std::function<Piece()> &make) {
    const std::size_t outer = std::exchange(repeated_, repeated_ * std::max<std::size_t>(times, 1));
    Piece made = make();
    repeated_ = outer;
    return made;
}

Piece PieceMaker::piece(const TensorType &type, std::size_t depth) {
    if (const Piece *known = shared(type)) {
        return *known;
    }
    Piece made = new_piece(type, depth);
    may_be_shared(made);
    return made;
}

int PieceMaker::weight(const Rule &rule, const TensorType &type) const {
    return (this->*rule.applies)(type) ? (wide() ? rule.weight_of_wide : rule.weight_of_small) : 0;
}

Piece PieceMaker::new_piece(const TensorType &type, std::size_t depth) {
    if (depth == 0 || source_.chance(wide() && depth > 1 ? 2 : 10)) {
        return leaf(type);
    }
    int total = 0;
    for (const Rule &rule : rules()) {
        total += weight(rule, type);
    }
    if (total == 0) {
        return leaf(type);
    }
    int chosen = static_cast<int>(source_.below(static_cast<std::size_t>(total)));
    for (const Rule &rule : rules()) {
        chosen -= weight(rule, type);
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

Piece PieceMaker::below(Piece piece, double most) {
    if (!exact() || piece.bound <= most) {
        return piece;
    }
    const TensorType type = type_of(decay(piece.type.cell_type()), piece.type.dimensions());
    return make(type, 60.0, "fmod($,61)", {std::move(piece)});
}

double PieceMaker::extent(const Dimensions &dimensions) const {
    double cells = 1.0;
    for (const Dimension &dimension : dimensions) {
        cells *= static_cast<double>(sizes_.extent(dimension));
    }
    return cells;
}

Piece PieceMaker::narrowed(Piece piece, CellType cell) {
    if (!exact() || cell == decay(cell) || piece.bound <= most_whole_number(cell)) {
        return piece;
    }
    const TensorType type = type_of(decay(piece.type.cell_type()), piece.type.dimensions());
    return make(type, 60.0, "fmod($,61)", {std::move(piece)});
}

}  // namespace tenrex::random
