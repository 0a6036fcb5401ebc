#include "tests/reference/shrink_values.h"

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace tenrex::random {

namespace {

// Calls visit(tensor) for each value of each document.
template <class Visit>
void for_each_value(RandomExpression &expression, const Visit &visit) {
    for (RandomInput &input : expression.inputs) {
        visit(input.value);
        for (Tensor &other : input.others) {
            visit(other);
        }
    }
}

// A tensor of that type with the cells of another: `keep` says which blocks, `cell` what becomes of a cell.
template <class Keep, class Cell>
Tensor copied(const Tensor &tensor, const TensorType &type, const Keep &keep, const Cell &cell) {
    TensorBuilder builder(type);
    const std::size_t mapped = type.mapped_count();
    std::vector<std::string> labels(mapped);
    for (std::size_t block = 0; block < tensor.blocks(); ++block) {
        for (std::size_t i = 0; i < mapped; ++i) {
            labels[i] = tensor.label(block, i);
        }
        if (mapped != 0 && !keep(block, labels)) {
            continue;
        }
        const std::vector<std::string_view> address(labels.begin(), labels.end());
        const std::size_t to = mapped == 0 ? 0 : builder.block(address);
        for (std::size_t i = 0; i < type.block_cells(); ++i) {
            builder.set(to, i, cell(block, i));
        }
    }
    return std::move(builder).build();
}

Tensor without_blocks(const Tensor &tensor,
                      const std::function<bool(std::size_t, const std::vector<std::string> &)> &keep) {
    const std::size_t cells = tensor.type().block_cells();
    return copied(tensor, tensor.type(), keep,
                  [&](std::size_t block, std::size_t i) { return tensor.cell(block * cells + i); });
}

constexpr auto every_block = [](std::size_t, const std::vector<std::string> &) { return true; };

bool has(const TensorType &type, const Dimension &dimension) {
    return std::find(type.dimensions().begin(), type.dimensions().end(), dimension) != type.dimensions().end();
}

TensorType resized(const TensorType &type, const Dimension &dimension, std::uint64_t size) {
    std::vector<Dimension> all = type.dimensions();
    std::replace(all.begin(), all.end(), dimension, Dimension{dimension.name, size});
    return all.empty() ? type : *TensorType::make(type.cell_type(), all);
}

// The first cells along a dimension.
Tensor resized(const Tensor &tensor, const Dimension &dimension, std::uint64_t size) {
    const TensorType &old = tensor.type();
    if (!has(old, dimension)) {
        return tensor;
    }
    std::size_t inner = 1;  // cells of one index of the dimension
    for (std::size_t i = old.dimensions().size(); old.dimensions()[i - 1] != dimension; --i) {
        inner *= std::max<std::size_t>(old.dimensions()[i - 1].size, 1);
    }
    return copied(tensor, resized(old, dimension, size), every_block, [&](std::size_t block, std::size_t i) {
        const std::size_t outer = i / (inner * size);
        return tensor.cell(block * old.block_cells() + outer * inner * dimension.size + i % (inner * size));
    });
}

void resize(Piece &piece, const Dimension &dimension, std::uint64_t size) {
    const std::string before = fmt::format("{}[{}]", dimension.name, dimension.size);
    const std::string after = fmt::format("{}[{}]", dimension.name, size);
    for (std::string &text : piece.text) {
        for (std::size_t at = 0; (at = text.find(before, at)) != text.npos; at += after.size()) {
            text.replace(at, before.size(), after);
        }
    }
    piece.type = resized(piece.type, dimension, size);
    for (Piece &part : piece.parts) {
        resize(part, dimension, size);
    }
}

void collect_dimensions(const Piece &piece, std::set<std::pair<std::string, std::uint64_t>> &all) {
    for (const Dimension &dimension : piece.type.dimensions()) {
        if (!dimension.is_mapped()) {
            all.emplace(dimension.name, dimension.size);
        }
    }
    for (const Piece &part : piece.parts) {
        collect_dimensions(part, all);
    }
}

class Shrinker {
public:
    Shrinker(RandomExpression &expression, const Fails &fails) : expression_(expression), fails_(fails) {}

    void run() {
        sizes();
        labels();
        for (std::size_t input = 0; input < expression_.inputs.size(); ++input) {
            for (std::size_t document = 0; document <= expression_.inputs[input].others.size(); ++document) {
                blocks(input, document);
                cells(input, document);
            }
        }
    }

private:
    bool take(RandomExpression &&smaller) {
        if (tries_ == 0 || !fails_(smaller)) {
            tries_ -= tries_ != 0;
            return false;
        }
        --tries_;
        expression_ = std::move(smaller);
        return true;
    }

    void sizes() {
        std::set<std::pair<std::string, std::uint64_t>> all;
        collect_dimensions(expression_.root, all);
        for (const auto &[name, old_size] : all) {
            Dimension dimension{name, old_size};
            for (std::uint64_t size = 1; size < dimension.size;) {
                RandomExpression smaller = expression_;
                resize(smaller.root, dimension, size);
                for_each_value(smaller, [&](Tensor &value) { value = resized(value, dimension, size); });
                if (take(std::move(smaller))) {
                    break;
                }
                size = std::max(size + 1, (size + dimension.size) / 2);
            }
        }
    }

    // Removes runs of `all` that are not needed, long ones first.
    template <class Item, class Without>
    void remove_runs(std::vector<Item> all, const Without &without) {
        for (std::size_t run = all.size(); run > 0; run /= 2) {
            for (std::size_t begin = 0; begin < all.size();) {
                const std::size_t end = std::min(begin + run, all.size());
                const auto at = [&](std::size_t i) { return all.begin() + static_cast<std::ptrdiff_t>(i); };
                const std::set<Item> gone(at(begin), at(end));
                if (tries_ != 0 && take(without(gone))) {
                    all.erase(at(begin), at(end));
                } else {
                    begin = end;
                }
            }
        }
    }

    void labels() {
        std::set<std::string> all;
        for_each_value(expression_, [&](Tensor &value) {
            for (std::size_t block = 0; block < value.blocks(); ++block) {
                for (std::size_t i = 0; i < value.type().mapped_count(); ++i) {
                    all.insert(value.label(block, i));
                }
            }
        });
        remove_runs(std::vector<std::string>(all.begin(), all.end()), [&](const std::set<std::string> &gone) {
            RandomExpression smaller = expression_;
            for_each_value(smaller, [&](Tensor &value) {
                value = without_blocks(value, [&](std::size_t, const std::vector<std::string> &labels) {
                    return std::none_of(labels.begin(), labels.end(),
                                        [&](const std::string &label) { return gone.contains(label); });
                });
            });
            return smaller;
        });
    }

    static Tensor &value(RandomExpression &expression, std::size_t input, std::size_t document) {
        RandomInput &chosen = expression.inputs[input];
        return document == 0 ? chosen.value : chosen.others[document - 1];
    }

    void blocks(std::size_t input, std::size_t document) {
        std::vector<std::vector<std::string>> all;
        without_blocks(value(expression_, input, document), [&](std::size_t, const auto &labels) {
            all.push_back(labels);
            return true;
        });
        remove_runs(all, [&](const std::set<std::vector<std::string>> &gone) {
            RandomExpression smaller = expression_;
            Tensor &changed = value(smaller, input, document);
            changed = without_blocks(changed, [&](std::size_t, const auto &labels) { return !gone.contains(labels); });
            return smaller;
        });
    }

    void cells(std::size_t input, std::size_t document) {
        const Tensor &now = value(expression_, input, document);
        const std::size_t block_cells = now.type().block_cells();
        const std::size_t count = now.cell_count();
        constexpr std::size_t most_cells = 64;
        for (const double number : {0.0, 1.0}) {
            RandomExpression smaller = expression_;
            value(smaller, input, document) =
                copied(now, now.type(), every_block, [&](std::size_t, std::size_t) { return number; });
            if (take(std::move(smaller))) {
                return;
            }
        }
        if (count > most_cells) {
            return;
        }
        for (std::size_t changed = 0; changed < count; ++changed) {
            const Tensor before = value(expression_, input, document);
            if (before.cell(changed) == 0.0) {
                continue;
            }
            RandomExpression smaller = expression_;
            value(smaller, input, document) =
                copied(before, before.type(), every_block, [&](std::size_t block, std::size_t i) {
                    const std::size_t cell = block * block_cells + i;
                    return cell == changed ? 0.0 : before.cell(cell);
                });
            take(std::move(smaller));
        }
    }

    RandomExpression &expression_;
    const Fails &fails_;
    std::size_t tries_ = 1500;
};

}  // namespace

void fewer_documents(RandomExpression &expression, const Fails &fails) {
    for (std::size_t document = 0; expression.documents() > 1 && document < expression.documents(); ++document) {
        RandomExpression alone = expression;
        for (RandomInput &input : alone.inputs) {
            input.value = input.stage == Stage::document ? input.of_document(document) : input.value;
            input.others.clear();
        }
        if (fails(alone)) {
            expression = std::move(alone);
            return;
        }
    }
}

void shrink_values(RandomExpression &expression, const Fails &fails) {
    Shrinker(expression, fails).run();
}

}  // namespace tenrex::random
