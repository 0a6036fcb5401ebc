#include "tests/differential/wide_case.h"

#include <algorithm>
#include <memory>
#include <span>
#include <thread>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <tenrex/plan.h>

#include "tests/conformance/comparison.h"
#include "tests/differential/case.h"
#include "tests/differential/columns.h"
#include "tests/differential/compiled_outputs.h"
#include "tests/differential/expected.h"

namespace tenrex::differential {

using random::Numbers;
using random::Piece;
using random::RandomExpression;
using random::Source;

RandomExpression wide_expression(std::uint64_t seed, Numbers numbers) {
    Source source(seed ^ 0x57A6E);
    constexpr std::size_t sharing[] = {0, 15, 30, 50};
    random::RandomOptions options;
    options.numbers = numbers;
    options.depth = 2 + source.below(4);
    options.surface = source.chance(80);
    options.sizes = random::Sizes::wide;
    options.documents = source.chance(20) ? 1 : 2 + source.below(3);
    options.sharing = source.pick(sharing);
    options.functions = source.chance(15);
    RandomExpression expression = random_expression(seed, options);
    if (source.chance(40)) {
        reassign_stages(expression, source);
    }
    return expression;
}

namespace {

// Parts of the expression that can stand alone, as outputs beside it.
void collect_parts(const Piece &piece, std::vector<const Piece *> &parts) {
    for (const Piece &part : piece.parts) {
        if (part.free.empty() && !part.parts.empty()) {
            parts.push_back(&part);
        }
        collect_parts(part, parts);
    }
}

std::vector<NamedExpression> outputs_of(const RandomExpression &expression, const Arrangement &arrangement) {
    std::vector<NamedExpression> outputs = {{"", expression.text()}};
    if (arrangement.outputs == 1) {
        return outputs;
    }
    outputs.front().name = "all";
    std::vector<const Piece *> parts;
    collect_parts(expression.root, parts);
    Source source(arrangement.seed ^ 0x0DD);
    const Schema schema = expression.schema();
    for (std::size_t left = parts.empty() ? 0 : 2 * arrangement.outputs; left > 0; --left) {
        const std::string text = source.pick(parts)->to_string();
        if (outputs.size() < arrangement.outputs && Expression::parse(text, schema)) {  // not the body of a lambda
            outputs.push_back({fmt::format("part{}", outputs.size()), text});
        }
    }
    return outputs;
}

ExpressionOptions limits_of(const Arrangement &arrangement) {
    ExpressionOptions options;
    if (arrangement.raised_limits) {
        options.limits.block_cells <<= 8;
        options.limits.tensor_cells <<= 8;
        options.limits.evaluation_cells <<= 8;
    }
    return options;
}

std::string wrong_values(const std::vector<std::vector<Tensor>> &found,
                         const std::vector<std::vector<Expected>> &expected) {
    for (std::size_t document = 0; document < expected.size(); ++document) {
        for (std::size_t output = 0; output < expected[document].size(); ++output) {
            const std::string wrong = expected[document][output].difference(found[document][output]);
            if (!wrong.empty()) {
                return fmt::format("output {} of document {}: {}", output, document, wrong);
            }
        }
    }
    return {};
}

// Documents of the block: all that there are, again and again, unless they are too large for that.
std::vector<std::size_t> order_of(const CompiledOutputs &compiled, const Arrangement &arrangement,
                                  std::size_t documents, std::size_t cells_of_values) {
    std::size_t bytes = cells_of_values * sizeof(double);
    for (const InputValues &input : compiled.inputs) {
        for (std::size_t document = 0; document < documents; ++document) {
            bytes += input.bytes(document);
        }
    }
    constexpr std::size_t most_bytes = 1 << 18;
    Source source(arrangement.seed ^ 0x0DE5);
    const std::size_t fitting =
        std::max<std::size_t>(source.chance(2) ? arrangement.block : most_bytes * documents / (bytes + 1), 3);
    std::vector<std::size_t> order(std::min(arrangement.block, fitting));
    for (std::size_t &document : order) {
        document = source.below(documents);
    }
    return order;
}

class Check {
public:
    Check(const RandomExpression &expression, Numbers numbers, const Arrangement &arrangement, Counts *counts)
        : expression_(expression),
          numbers_(numbers),
          arrangement_(arrangement),
          counts_(counts),
          documents_(expression.documents()) {}

    std::string run() {
        const std::vector<NamedExpression> outputs = outputs_of(expression_, arrangement_);
        if (const Status status = expect(outputs); !status) {
            return std::string(no_value) + status.error().message();
        }
        CompileOptions plain;
        plain.max_isa = "baseline";
        for (const std::string_view pass : optimization_names()) {
            plain.disabled_passes.emplace_back(pass);
        }
        if (std::string wrong = against_expected(outputs, plain); !wrong.empty()) {
            return "without any optimization: " + wrong;
        }
        CompileOptions options;
        options.expression = limits_of(arrangement_);
        options.max_isa = arrangement_.isa;
        options.disabled_passes = arrangement_.disabled_passes;
        if (arrangement_.shared_labels) {
            options.labels = std::make_shared<LabelTable>();
            options.labels->intern("of another column");
        }
        return against_expected(outputs, options, true);
    }

private:
    static void count(Counts *counts, const std::string &what) {
        if (counts != nullptr) {
            ++(*counts)[what];
        }
    }

    Status expect(const std::vector<NamedExpression> &outputs) {
        std::vector<Expression> parsed;
        const Schema schema = expression_.schema();
        for (const NamedExpression &output : outputs) {
            auto one = Expression::parse(output.text, schema);
            if (!one) {
                return one.error();
            }
            parsed.push_back(*std::move(one));
        }
        for (std::size_t document = 0; document < documents_; ++document) {
            std::vector<Expected> &all = expected_.emplace_back();
            const std::vector<NamedTensor> values = expression_.values(document);
            for (const Expression &one : parsed) {
                auto value = Expected::make(one, values, numbers_);
                if (!value) {
                    return value.error();
                }
                count(counts_, value->is_determined() ? "cells determined" : "cells undetermined");
                all.push_back(*std::move(value));
            }
        }
        return {};
    }

    std::string against_expected(const std::vector<NamedExpression> &outputs, const CompileOptions &options,
                                 bool in_blocks = false) const {
        const auto compiled = CompiledOutputs::make(expression_, outputs, options, arrangement_.seed);
        if (!compiled) {
            return compiled.error().message();
        }
        const auto found = compiled->alone(documents_);
        if (!found) {
            return found.error().message();
        }
        std::string wrong = wrong_values(*found, expected_);
        if (wrong.empty() && in_blocks) {
            wrong = of_block(*compiled, *found);
        }
        return wrong.empty() ? wrong : wrong + "\n" + compiled->plan.explain();
    }

    // What differs in a block from the values of each document alone.
    std::string of_block(const CompiledOutputs &compiled, const std::vector<std::vector<Tensor>> &found) const {
        std::size_t cells = 0;
        for (const auto &values : found) {
            for (const Tensor &value : values) {
                cells += value.cell_count();
            }
        }
        const std::vector<std::size_t> order = order_of(compiled, arrangement_, documents_, cells);
        Source source(arrangement_.seed ^ 0x1A7);
        Context context(compiled.plan);
        if (arrangement_.used_context) {
            std::vector<std::size_t> before(1 + source.below(order.size() + 2));
            for (std::size_t &document : before) {
                document = source.below(documents_);
            }
            if (std::string wrong = of_order(compiled, found, before, context, source, counts_); !wrong.empty()) {
                return "in the block before: " + wrong;
            }
        }
        std::string wrong = of_order(compiled, found, order, context, source, counts_);
        if (wrong.empty() && arrangement_.threads) {
            wrong = of_threads(compiled, found, order);
        }
        return wrong;
    }

    std::string of_order(const CompiledOutputs &compiled, const std::vector<std::vector<Tensor>> &found,
                         std::span<const std::size_t> order, Context &context, Source &source, Counts *counts) const {
        const Columns columns(compiled.inputs, order,
                              arrangement_.plain_columns ? Columns::Layout::packed : Columns::Layout::any,
                              Source(source.next()));
        const auto values = compiled.evaluate(columns.block(), context);
        if (!values) {
            return values.error().message();
        }
        for (const std::string &layout : columns.layouts()) {
            count(counts, "columns " + layout);
        }
        for (std::size_t i = 0; i < values->size(); ++i) {
            const std::size_t document = order[i % order.size()];
            const std::size_t output = i / order.size();
            if (!conformance::same_bits((*values)[i], found[document][output])) {
                const std::string wrong = expected_[document][output].difference((*values)[i]);
                return fmt::format(
                    "output {} of place {} in a block of {} (document {}; columns {}) is not what the document is "
                    "alone: {}",
                    output, i % order.size(), order.size(), document, fmt::join(columns.layouts(), ", "),
                    wrong.empty() ? "other bits" : wrong);
            }
        }
        return {};
    }

    std::string of_threads(const CompiledOutputs &compiled, const std::vector<std::vector<Tensor>> &found,
                           std::span<const std::size_t> order) const {
        std::vector<std::string> wrong(2);
        std::vector<std::thread> threads;
        for (std::size_t i = 0; i < wrong.size(); ++i) {
            threads.emplace_back([&, i] {
                Source source(arrangement_.seed + i);
                Context context(compiled.plan);
                wrong[i] = of_order(compiled, found, order.subspan(order.size() / 2 * i), context, source, nullptr);
            });
        }
        for (std::thread &thread : threads) {
            thread.join();
        }
        return wrong[0].empty() ? wrong[1] : wrong[0];
    }

    const RandomExpression &expression_;
    Numbers numbers_;
    const Arrangement &arrangement_;
    Counts *counts_;
    std::size_t documents_;
    std::vector<std::vector<Expected>> expected_;  // of each document, each output
};

}  // namespace

bool is_wrong(std::string_view problem) {
    return !problem.empty() && !problem.starts_with(no_value);
}

std::string problem(const RandomExpression &expression, Numbers numbers, const Arrangement &arrangement,
                    Counts *counts) {
    return Check(expression, numbers, arrangement, counts).run();
}

}  // namespace tenrex::differential
