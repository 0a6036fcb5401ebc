#include "lib/ir/gather_text.h"

#include <utility>
#include <vector>

#include <fmt/ranges.h>

#include "lib/ir/read_words.h"
#include "lib/support/format.h"

namespace tenrex::ir {

namespace {

constexpr ScalarFunction comparisons[] = {ScalarFunction::less_equal, ScalarFunction::less,
                                          ScalarFunction::greater_equal, ScalarFunction::greater};

std::string text_of(const Gather::Sum &sum, bool is_split) {
    std::string text = is_split ? "index" : "";
    for (const Gather::Term &term : sum) {
        text += is_split ? (term.is_subtracted ? " - " : " + ") : "";
        text += fmt::format("operand {}", term.operand);
    }
    return text;
}

std::string text_of(const Gather::Operation &operation, bool is_split) {
    switch (operation.kind) {
        case Gather::Kind::source:
            return fmt::format("operand {}", operation.operand);
        case Gather::Kind::choice:
            return fmt::format("if (operand {})", operation.operand);
        case Gather::Kind::comparison:
            return fmt::format("if ({} {} operand {})", text_of(operation.sum, is_split), info(operation.function).name,
                               operation.operand);
        case Gather::Kind::peek:
            break;
    }
    std::vector<std::string> parts;
    parts.reserve(operation.parts.size());
    for (const Gather::Part &part : operation.parts) {
        parts.push_back(part.computed ? fmt::format("{}:({})", part.dimension, text_of(*part.computed, is_split))
                                      : fmt::format("{}:{}", part.dimension, part.index));
    }
    return fmt::format("operand {}{{{}}}", operation.operand, fmt::join(parts, ","));
}

class GatherReader {
public:
    GatherReader(TextReader &in, Gather &gather) : in_(in), gather_(gather) {}

    bool operations() {
        std::size_t missing = 1;
        while (missing != 0) {
            const bool is_first = gather_.operations.empty();
            if (!is_first && !accept_word(in_, gather_.operations.back().chooses() ? "then" : "else")) {
                return false;
            }
            if (gather_.operations.size() == Gather::most_operations || !operation(gather_.operations.emplace_back())) {
                return false;
            }
            gather_.operations.back().chooses() ? ++missing : --missing;
        }
        return true;
    }

private:
    bool accept_name(std::string_view wanted) {
        const std::size_t before = in_.position();
        in_.skip_space();
        const bool accepted = in_.name() == wanted;
        if (!accepted) {
            in_.seek(before);
        }
        return accepted;
    }
    bool operand(std::uint32_t &number) { return accept_name("operand") && read_integer(in_, number); }

    bool operation(Gather::Operation &operation) {
        if (accept_name("if")) {
            return in_.accept('(') && condition(operation) && in_.accept(')');
        }
        if (!operand(operation.operand)) {
            return false;
        }
        operation.kind = in_.next() == '{' ? Gather::Kind::peek : Gather::Kind::source;
        return operation.kind == Gather::Kind::source ||
               read_list(in_, '{', '}', [&] { return part(operation.parts.emplace_back()); });
    }

    bool condition(Gather::Operation &operation) {
        operation.kind = accept_name("index") ? Gather::Kind::comparison : Gather::Kind::choice;
        if (operation.kind == Gather::Kind::choice) {
            return operand(operation.operand);
        }
        return terms(operation.sum) && comparison(operation.function) && operand(operation.operand);
    }

    // What is added to the index.
    bool terms(Gather::Sum &sum) {
        while (in_.next() == '+' || in_.next() == '-') {
            Gather::Term &term = sum.emplace_back();
            term.is_subtracted = in_.accept('-');
            if ((!term.is_subtracted && !in_.accept('+')) || !operand(term.operand)) {
                return false;
            }
        }
        return true;
    }

    bool comparison(ScalarFunction &function) {
        in_.skip_space();
        for (const ScalarFunction known : comparisons) {
            if (in_.rest().starts_with(info(known).name)) {
                in_.advance(info(known).name.size());
                function = known;
                return true;
            }
        }
        return false;
    }

    // "y:3", "x:(operand 2)", "x:(index + operand 2)"
    bool part(Gather::Part &part) {
        in_.skip_space();
        part.dimension = in_.name();
        if (part.dimension.empty() || !in_.accept(':')) {
            return false;
        }
        if (!in_.accept('(')) {
            return read_integer(in_, part.index);
        }
        Gather::Sum &sum = part.computed.emplace();
        const bool is_read =
            gather_.is_split ? accept_name("index") && terms(sum) : operand(sum.emplace_back().operand);
        return is_read && in_.accept(')');
    }

    TextReader &in_;
    Gather &gather_;
};

}  // namespace

std::string text_of(const Gather &gather) {
    std::vector<std::string_view> names;
    names.reserve(gather.dimensions.size());
    for (const Dimension &dimension : gather.dimensions) {
        names.push_back(dimension.name);
    }
    std::string text = fmt::format("{}({})", gather.is_split ? "split " : "", fmt::join(names, ","));
    std::string_view before = " ";
    for (const Gather::Operation &operation : gather.operations) {
        text += fmt::format("{}{}", before, text_of(operation, gather.is_split));
        before = operation.chooses() ? " then " : " else ";
    }
    return text;
}

bool read(TextReader &in, const TensorType &type, Gather &gather) {
    gather.is_split = accept_word(in, "split");
    std::vector<std::string> names;
    if (!read_names(in, names)) {
        return false;
    }
    for (std::string &name : names) {
        const auto found = type.find(name);
        gather.dimensions.push_back({std::move(name), found ? type.dimensions()[*found].size : 0});
    }
    return GatherReader(in, gather).operations();
}

}  // namespace tenrex::ir
