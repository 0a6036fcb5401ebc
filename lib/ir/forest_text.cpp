#include "lib/ir/forest_text.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <iterator>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/ranges.h>

#include "lib/forest/check_forest.h"
#include "lib/ir/hash_mix.h"
#include "lib/ir/read_words.h"
#include "lib/support/format.h"
#include "lib/types/quoted_text.h"

namespace tenrex::ir {

namespace {

constexpr std::string_view tests[] = {"<", "<=", "==", "in"};  // by forest::Test

// Calls visit(part) for all that a forest consists of: numbers, names, and lists of structs as the numbers in them.
template <class Visit>
void visit_numbers(const forest::Forest &forest, const Visit &visit) {
    visit(static_cast<double>(forest.float_features));
    visit(static_cast<double>(forest.sum));
    visit(static_cast<double>(forest.vector_leaves));
    visit(static_cast<double>(forest.outputs));
    visit(forest.divisor);
    const auto visit_all = [&](const std::vector<double> &numbers) {
        visit(static_cast<double>(numbers.size()));
        for (const double number : numbers) {
            visit(number);
        }
    };
    visit_all(forest.initial);
    for (const forest::Tree &tree : forest.trees) {
        visit(static_cast<double>(tree.root));
        visit(static_cast<double>(tree.output));
    }
    for (const forest::Split &split : forest.splits) {
        visit(static_cast<double>(split.feature));
        visit(static_cast<double>(static_cast<int>(split.test) * 4 + (split.missing_passes ? 2 : 0) +
                                  (split.zero_is_missing ? 1 : 0)));
        visit(static_cast<double>(split.set));
        visit(split.threshold);
        visit(static_cast<double>(split.when_true));
        visit(static_cast<double>(split.when_false));
    }
    visit_all(forest.leaves);
    for (const forest::NumberSet &set : forest.sets) {
        visit(static_cast<double>((set.truncates ? 2 : 0) + (set.only_from_zero ? 1 : 0)));
        visit_all(set.members);
    }
    for (const forest::LinearLeaf &leaf : forest.linear_leaves) {
        visit(static_cast<double>(leaf.leaf));
        visit(leaf.constant);
        visit(static_cast<double>(leaf.terms.size()));
        for (const forest::LinearTerm &term : leaf.terms) {
            visit(static_cast<double>(term.feature));
            visit(term.coefficient);
        }
    }
}

std::vector<std::uint64_t> bits_of(const forest::Forest &forest) {
    std::vector<std::uint64_t> bits;
    visit_numbers(forest, [&](double number) { bits.push_back(std::bit_cast<std::uint64_t>(number)); });
    return bits;
}

// The elements with commas between them.
template <class Item, class Write>
void append_list(std::string &text, const std::vector<Item> &items, const Write &write) {
    text += "[";
    for (const Item &item : items) {
        text += &item == items.data() ? "" : ",";
        write(item);
    }
    text += "]";
}

void append_numbers(std::string &text, const std::vector<double> &numbers) {
    append_list(text, numbers, [&](double number) { fmt::format_to(std::back_inserter(text), "{}", number); });
}

class ForestReader {
public:
    ForestReader(TextReader &in, forest::Forest &forest) : in_(in), forest_(forest) {}

    bool run() {
        return head() && list("names", [&] { return read_text(in_, forest_.feature_names.emplace_back()); }) &&
               list("trees", [&] { return tree(forest_.trees.emplace_back()); }) &&
               list("splits", [&] { return split(forest_.splits.emplace_back()); }) &&
               list("leaves", [&] { return read_double(in_, forest_.leaves.emplace_back()); }) &&
               list("sets", [&] { return set(forest_.sets.emplace_back()); }) &&
               list("linear", [&] { return linear(forest_.linear_leaves.emplace_back()); });
    }

private:
    template <class Each>
    bool list(std::string_view what, const Each &each) {
        return accept_word(in_, what) && read_list(in_, '[', ']', each);
    }
    bool head() {
        const bool in_float = accept_word(in_, "float");
        if (!in_float && !accept_word(in_, "double")) {
            return false;
        }
        forest_.sum = in_float ? forest::SumType::in_float : forest::SumType::in_double;
        forest_.float_features = accept_word(in_, "float_features");
        forest_.vector_leaves = accept_word(in_, "vector_leaves");
        return accept_word(in_, "outputs") && read_integer(in_, forest_.outputs) && accept_word(in_, "divisor") &&
               read_double(in_, forest_.divisor) &&
               list("initial", [&] { return read_double(in_, forest_.initial.emplace_back()); });
    }
    bool flag(bool &value) {
        std::uint32_t number = 0;
        if (!read_integer(in_, number) || number > 1) {
            return false;
        }
        value = number == 1;
        return true;
    }
    // A split, or ~leaf.
    bool child(std::int32_t &value) {
        double number = 0;
        if (!read_double(in_, number) || !(number >= -2147483648.0 && number <= 2147483647.0)) {
            return false;
        }
        value = static_cast<std::int32_t>(number);
        return static_cast<double>(value) == number;
    }
    bool comma() { return in_.accept(','); }

    bool tree(forest::Tree &tree) { return child(tree.root) && in_.accept(':') && read_integer(in_, tree.output); }
    bool test(forest::Test &test) {
        in_.skip_space();
        const std::string_view written = in_.rest().substr(0, in_.rest().find(','));
        const auto *const known = std::find(std::begin(tests), std::end(tests), written);
        if (known == std::end(tests)) {
            return false;
        }
        in_.advance(written.size());
        test = static_cast<forest::Test>(known - std::begin(tests));
        return true;
    }
    bool split(forest::Split &split) {
        return in_.accept('[') && read_integer(in_, split.feature) && comma() && test(split.test) && comma() &&
               flag(split.missing_passes) && comma() && flag(split.zero_is_missing) && comma() &&
               read_integer(in_, split.set) && comma() && read_double(in_, split.threshold) && comma() &&
               child(split.when_true) && comma() && child(split.when_false) && in_.accept(']');
    }
    bool set(forest::NumberSet &set) {
        if (!in_.accept('[') || !flag(set.truncates) || !comma() || !flag(set.only_from_zero)) {
            return false;
        }
        while (comma()) {
            if (!read_double(in_, set.members.emplace_back())) {
                return false;
            }
        }
        return in_.accept(']');
    }
    bool linear(forest::LinearLeaf &leaf) {
        if (!in_.accept('[') || !read_integer(in_, leaf.leaf) || !comma() || !read_double(in_, leaf.constant)) {
            return false;
        }
        while (comma()) {
            forest::LinearTerm &term = leaf.terms.emplace_back();
            if (!read_integer(in_, term.feature) || !comma() || !read_double(in_, term.coefficient)) {
                return false;
            }
        }
        return in_.accept(']');
    }

    TextReader &in_;
    forest::Forest &forest_;
};

}  // namespace

std::string text_of(const Forest &payload) {
    const forest::Forest &forest = *payload.forest;
    std::string text = fmt::format(
        "({}) {}{}{}{} outputs {} divisor {} initial ", payload.dimension, payload.has_base ? "base " : "",
        forest.sum == forest::SumType::in_float ? "float" : "double", forest.float_features ? " float_features" : "",
        forest.vector_leaves ? " vector_leaves" : "", forest.outputs, forest.divisor);
    const auto out = std::back_inserter(text);
    append_numbers(text, forest.initial);
    text += " names ";
    append_list(text, forest.feature_names, [&](const std::string &name) { append_quoted(text, name); });
    text += " trees ";
    append_list(text, forest.trees,
                [&](const forest::Tree &tree) { fmt::format_to(out, "{}:{}", tree.root, tree.output); });
    text += " splits ";
    append_list(text, forest.splits, [&](const forest::Split &split) {
        fmt::format_to(out, "[{},{},{},{},{},{},{},{}]", split.feature, tests[static_cast<std::size_t>(split.test)],
                       split.missing_passes ? 1 : 0, split.zero_is_missing ? 1 : 0, split.set, split.threshold,
                       split.when_true, split.when_false);
    });
    text += " leaves ";
    append_numbers(text, forest.leaves);
    text += " sets ";
    append_list(text, forest.sets, [&](const forest::NumberSet &set) {
        fmt::format_to(out, "[{},{}{}{}]", set.truncates ? 1 : 0, set.only_from_zero ? 1 : 0,
                       set.members.empty() ? "" : ",", fmt::join(set.members, ","));
    });
    text += " linear ";
    append_list(text, forest.linear_leaves, [&](const forest::LinearLeaf &leaf) {
        fmt::format_to(out, "[{},{}", leaf.leaf, leaf.constant);
        for (const forest::LinearTerm &term : leaf.terms) {
            fmt::format_to(out, ",{},{}", term.feature, term.coefficient);
        }
        text += "]";
    });
    return text;
}

bool read(TextReader &in, Forest &payload) {
    std::vector<std::string> names;
    if (!read_names(in, names) || names.size() > 1) {
        return false;
    }
    if (!names.empty()) {
        payload.dimension = std::move(names.front());
    }
    payload.has_base = accept_word(in, "base");
    forest::Forest forest;
    if (!ForestReader(in, forest).run() || !forest::problem_of(forest).empty()) {
        return false;
    }
    payload.forest = std::make_shared<const forest::Forest>(std::move(forest));
    return true;
}

bool is_same(const forest::Forest &a, const forest::Forest &b) {
    return a.trees.size() == b.trees.size() && a.splits.size() == b.splits.size() &&
           a.feature_names == b.feature_names && bits_of(a) == bits_of(b);
}

std::size_t hash_of(const forest::Forest &forest) {
    std::size_t hash = 0;
    visit_numbers(forest, [&](double number) { mix(hash, number); });
    return hash;
}

}  // namespace tenrex::ir
