// Packed forests and their kernels against a plain walk: the same bits on every instruction set, for any number of
// documents, wherever their numbers lie.
#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <limits>
#include <memory>
#include <vector>

#include "lib/forest/walk.h"
#include "lib/kernels/isa.h"
#include "lib/program/forest/forest_steps.h"
#include "tests/program/random_forest.h"

namespace tenrex::program {
namespace {

using kernels::Isa;

// The instruction sets that this CPU has and that make a difference.
std::vector<Isa> instruction_sets() {
    std::vector<Isa> found;
    for (const kernels::ForestKernel &kernel : kernels::forest_kernels()) {
        const Isa isa = kernels::target_isa(kernel.target);
        if (kernel.type == CellType::f64 && kernels::detected_isa().contains(isa)) {
            found.push_back(isa);
        }
    }
    return found;
}

// Where the numbers of documents lie.
enum class Columns { scalars, vectors, floats };

// A program of one step, or of two: then some features come before the documents.
class Evaluation {
public:
    Evaluation(std::shared_ptr<const forest::Forest> forest, Columns columns, Isa isa, std::vector<bool> is_known = {})
        : forest_(std::move(forest)), columns_(columns), is_known_(std::move(is_known)) {
        const std::size_t features = forest_->feature_names.size();
        const bool in_float = columns == Columns::floats;
        const std::size_t bytes = in_float ? sizeof(float) : sizeof(double);
        const std::size_t operands = columns == Columns::scalars ? features : 1;
        for (std::uint32_t i = 0; i < operands; ++i) {
            const bool is_early = !is_known_.empty() && is_known_[i];
            operands_.uses.push_back(
                {{is_early ? Stage::query : Stage::document, i}, BlockAccess::dense, {}, bytes * features / operands});
        }
        for (std::uint32_t i = 0; i < features; ++i) {
            operands_.sources.push_back({columns == Columns::scalars ? i : 0,
                                         columns == Columns::scalars ? 0 : static_cast<std::uint32_t>(i * bytes),
                                         in_float ? CellType::f32 : CellType::f64});
        }
        operands_.forest = std::make_shared<PackedForest>(forest_, operands_.sources, isa);
        target_ = {{}, {Stage::document, static_cast<std::uint32_t>(operands)}, forest_->outputs * sizeof(double)};
        for (Store &store : stores_) {
            store.cells.resize(operands + 1);
            store.tiles.resize(1);
        }
        if (is_known_.empty()) {
            step_ = std::make_unique<ForestStep>(operands_, target_);
        } else {
            step_ = std::make_unique<ForestStep>(operands_, target_, TilesSlot{Stage::query, 0});
        }
    }

    const PackedForest &packed() const { return *operands_.forest; }

    // By document, its outputs. The first byte of the documents' numbers lies so far behind a line of the cache.
    std::vector<double> run(const std::vector<std::vector<double>> &documents, std::size_t misaligned = 0) {
        const std::size_t features = forest_->feature_names.size();
        const std::size_t bytes = columns_ == Columns::floats ? sizeof(float) : sizeof(double);
        const std::size_t gap = misaligned;
        const std::size_t stride = features * bytes + gap;
        std::vector<std::byte> rows(documents.size() * stride + misaligned + 1);
        for (std::size_t i = 0; i < documents.size(); ++i) {
            for (std::size_t k = 0; k < features; ++k) {
                std::byte *const cell = rows.data() + misaligned + i * stride + k * bytes;
                const auto as_float = static_cast<float>(documents[i][k]);
                columns_ == Columns::floats ? std::memcpy(cell, &as_float, bytes)
                                            : std::memcpy(cell, &documents[i][k], bytes);
            }
        }
        std::vector<double> scores(documents.size() * forest_->outputs);
        Frame frame{documents.size(), {&stores_[0], &stores_[1], &stores_[2]}, &scratch_};
        for (std::size_t i = 0; i < operands_.uses.size(); ++i) {
            Cells &cells = frame.cells(operands_.uses[i].cells);
            cells.data = rows.data() + misaligned + (columns_ == Columns::scalars ? i * bytes : 0);
            cells.stride = operands_.uses[i].cells.stage == Stage::query ? 0 : static_cast<std::ptrdiff_t>(stride);
        }
        frame.cells(target_.cells).data = reinterpret_cast<std::byte *>(scores.data());
        if (!is_known_.empty()) {
            const ForestPruneStep prune(operands_, is_known_, {Stage::query, 0});
            Frame query{1, {&stores_[0], &stores_[1], nullptr}, &scratch_};
            prune.run(query);
        }
        step_->run(frame);
        return scores;
    }

private:
    std::shared_ptr<const forest::Forest> forest_;
    Columns columns_;
    std::vector<bool> is_known_;
    ForestOperands operands_;
    Target target_;
    Store stores_[3];
    Scratch scratch_;
    std::unique_ptr<ForestStep> step_;
};

std::vector<double> expected(const forest::Forest &forest, const std::vector<std::vector<double>> &documents,
                             Columns columns) {
    std::vector<double> sums(documents.size() * forest.outputs);
    for (std::size_t i = 0; i < documents.size(); ++i) {
        std::vector<double> features = documents[i];
        for (double &feature : features) {
            feature = columns == Columns::floats ? static_cast<double>(static_cast<float>(feature)) : feature;
        }
        forest::walk(forest, features, std::span(sums).subspan(i * forest.outputs, forest.outputs));
    }
    return sums;
}

void expect_same(const std::vector<double> &scores, const std::vector<double> &expected, const char *what) {
    ASSERT_EQ(scores.size(), expected.size());
    for (std::size_t i = 0; i < scores.size(); ++i) {
        ASSERT_EQ(std::bit_cast<std::uint64_t>(scores[i]), std::bit_cast<std::uint64_t>(expected[i]))
            << what << ", score " << i << ": " << scores[i] << ", not " << expected[i];
    }
}

// All ways to evaluate the forest.
void check(forest::Forest forest, RandomForests &random, std::size_t documents) {
    const auto shared = std::make_shared<const forest::Forest>(std::move(forest));
    std::vector<std::vector<double>> rows;
    for (std::size_t i = 0; i < documents; ++i) {
        rows.push_back(random.document(*shared));
    }
    for (const Isa isa : instruction_sets()) {
        for (const Columns columns : {Columns::scalars, Columns::vectors, Columns::floats}) {
            const std::vector<double> wanted = expected(*shared, rows, columns);
            Evaluation evaluation(shared, columns, isa);
            ASSERT_NO_FATAL_FAILURE(expect_same(evaluation.run(rows), wanted, "all"));
            ASSERT_NO_FATAL_FAILURE(expect_same(evaluation.run(rows, random.below(64)), wanted, "elsewhere"));
            for (std::size_t i = 0; i < std::min<std::size_t>(rows.size(), 4); ++i) {
                const auto first = wanted.begin() + static_cast<std::ptrdiff_t>(i * shared->outputs);
                ASSERT_NO_FATAL_FAILURE(
                    expect_same(evaluation.run({rows[i]}), {first, first + shared->outputs}, "one"));
            }
        }
        if (!rows.empty() && !shared->feature_names.empty()) {
            std::vector<bool> is_known(shared->feature_names.size());
            for (std::size_t i = 0; i < is_known.size(); ++i) {
                is_known[i] = random.below(2) == 0;
            }
            std::vector<std::vector<double>> alike = rows;
            for (std::vector<double> &row : alike) {
                for (std::size_t i = 0; i < row.size(); ++i) {
                    row[i] = is_known[i] ? rows[0][i] : row[i];
                }
            }
            Evaluation evaluation(shared, Columns::scalars, isa, is_known);
            ASSERT_NO_FATAL_FAILURE(
                expect_same(evaluation.run(alike), expected(*shared, alike, Columns::scalars), "known before"));
        }
    }
}

TEST(Forest, OfAnySize) {
    RandomForests random(1);
    for (const std::size_t leaves : {1, 2, 3, 16, 31, 32, 33, 64, 65, 128, 129, 255, 256, 257, 600}) {
        ForestShape shape;
        shape.leaves = leaves;
        shape.trees = leaves > 100 ? 5 : 21;
        shape.all_tests = leaves % 2 == 0;
        for (const bool in_float : {false, true}) {
            forest::Forest forest = random.forest(shape);
            forest.float_features = in_float;
            forest.sum = in_float ? forest::SumType::in_float : forest::SumType::in_double;
            SCOPED_TRACE(leaves);
            ASSERT_NO_FATAL_FAILURE(check(std::move(forest), random, 70));
        }
    }
}

TEST(Forest, OfAnyNumberOfDocuments) {
    RandomForests random(2);
    ForestShape shape;
    shape.all_tests = true;
    for (std::size_t documents = 0; documents <= 130; documents += documents < 70 ? 1 : 15) {
        SCOPED_TRACE(documents);
        ASSERT_NO_FATAL_FAILURE(check(random.forest(shape), random, documents));
    }
}

TEST(Forest, AllTests) {
    RandomForests random(3);
    for (int i = 0; i < 60; ++i) {
        ForestShape shape;
        shape.all_tests = true;
        shape.trees = 1 + random.below(12);
        shape.leaves = 1 + random.below(40);
        shape.features = 1 + random.below(4);
        shape.chains = random.below(3) == 0;
        shape.thresholds = 1 + random.below(60);
        forest::Forest forest = random.forest(shape);
        forest.float_features = random.below(2) == 0;
        SCOPED_TRACE(i);
        ASSERT_NO_FATAL_FAILURE(check(std::move(forest), random, 40));
    }
}

TEST(Forest, MoreThresholdsThanBytesNumber) {
    RandomForests random(4);
    ForestShape shape;
    shape.trees = 60;
    shape.leaves = 120;
    shape.features = 2;
    shape.thresholds = 5000;
    ASSERT_NO_FATAL_FAILURE(check(random.forest(shape), random, 64));
    shape.all_tests = true;
    ASSERT_NO_FATAL_FAILURE(check(random.forest(shape), random, 64));
}

// 512 ranks fill a register of 64 bytes.
TEST(Forest, SetsAmongAsManyRanksAsARegisterHolds) {
    RandomForests random(11);
    for (const std::int32_t thresholds : {1, 7, 8, 15, 16, 120, 500, 501, 502, 503, 504, 505, 506, 507, 600}) {
        forest::Forest forest;
        forest.feature_names = {"a"};
        forest.initial = {0};
        const auto add = [&](forest::Test test, double threshold, bool missing_passes) {
            const auto leaf = static_cast<std::int32_t>(forest.leaves.size());
            forest.trees.push_back({static_cast<std::int32_t>(forest.splits.size()), 0});
            const auto set = static_cast<std::uint32_t>(forest.sets.size());
            forest.splits.push_back({0, test, missing_passes, false, set, threshold, ~leaf, ~(leaf + 1)});
            forest.leaves.insert(forest.leaves.end(), {random.number(-1, 1), random.number(-1, 1)});
        };
        for (std::int32_t i = 0; i < thresholds; ++i) {
            add(forest::Test::less, i, i % 2 == 0);
        }
        for (const bool missing_passes : {false, true}) {
            add(forest::Test::in_set, 0, missing_passes);
            forest.sets.push_back({{-1, 0.5, thresholds / 2 + 0.5, thresholds - 0.5, thresholds + 1.0}, false, false});
            add(forest::Test::in_set, 0, missing_passes);
            forest.sets.push_back({{-1, 0, thresholds + 1.0, thresholds + 5.0}, false, false});
        }
        std::vector<std::vector<double>> rows;
        for (const double number : {-1.0, 0.0, 0.5, 5.0, thresholds / 2 + 0.5, thresholds - 0.5, thresholds + 1.0,
                                    std::numeric_limits<double>::quiet_NaN(), 1e30, -1e30, 3.25}) {
            for (int i = 0; i < 9; ++i) {
                rows.push_back({number + (i % 3 == 1 ? 1 : 0)});
            }
        }
        SCOPED_TRACE(thresholds);
        const auto shared = std::make_shared<const forest::Forest>(std::move(forest));
        for (const Isa isa : instruction_sets()) {
            Evaluation evaluation(shared, Columns::scalars, isa);
            ASSERT_NO_FATAL_FAILURE(
                expect_same(evaluation.run(rows), expected(*shared, rows, Columns::scalars), "rows"));
        }
    }
}

TEST(Forest, SeveralOutputs) {
    RandomForests random(5);
    for (const std::uint32_t outputs : {2, 3, 7}) {
        ForestShape shape;
        shape.outputs = outputs;
        forest::Forest forest = random.forest(shape);
        forest.divisor = 3;
        ASSERT_NO_FATAL_FAILURE(check(forest, random, 70));
        forest.sum = forest::SumType::in_float;
        ASSERT_NO_FATAL_FAILURE(check(forest, random, 70));
    }
}

TEST(Forest, LeavesThatAreVectors) {
    RandomForests random(6);
    for (const bool in_float : {false, true}) {
        ForestShape shape;
        shape.outputs = 3;
        forest::Forest forest;
        for (std::size_t tries = 0; tries < 2; ++tries) {
            forest = random.forest(shape);
            forest.vector_leaves = true;
            forest.sum = in_float ? forest::SumType::in_float : forest::SumType::in_double;
            // Each leaf that there is gets two more values.
            const std::vector<double> first = forest.leaves;
            forest.leaves.clear();
            for (const double value : first) {
                forest.leaves.insert(forest.leaves.end(), {value, value / 3, -value});
            }
            ASSERT_NO_FATAL_FAILURE(check(forest, random, 70));
        }
    }
}

TEST(Forest, LeavesThatAreLinear) {
    RandomForests random(7);
    for (const bool in_float : {false, true}) {
        forest::Forest forest = random.forest({});
        forest.float_features = in_float;
        for (std::uint32_t leaf = 0; leaf < forest.leaves.size();
             leaf += 1 + static_cast<std::uint32_t>(random.below(3))) {
            forest.linear_leaves.push_back({leaf, random.number(-1, 1), {{0, 0.1}, {3, -2.5}}});
        }
        ASSERT_NO_FATAL_FAILURE(check(forest, random, 70));
    }
}

TEST(Forest, WithoutTreesOrFeatures) {
    RandomForests random(8);
    forest::Forest forest;
    forest.initial = {0.1};
    ASSERT_NO_FATAL_FAILURE(check(forest, random, 5));
    ForestShape shape;
    shape.leaves = 1;
    shape.features = 0;
    ASSERT_NO_FATAL_FAILURE(check(random.forest(shape), random, 5));
    forest.sum = forest::SumType::in_float;
    ASSERT_NO_FATAL_FAILURE(check(forest, random, 5));
}

TEST(Forest, KnownFeaturesTakeSplitsOut) {
    RandomForests random(9);
    ForestShape shape;
    shape.trees = 50;
    shape.features = 4;
    const auto forest = std::make_shared<const forest::Forest>(random.forest(shape));
    Evaluation all(forest, Columns::scalars, Isa());
    std::vector<std::byte> memory(all.packed().bytes() + 64);
    std::byte *const aligned = memory.data() + 64 - reinterpret_cast<std::uintptr_t>(memory.data()) % 64;
    all.packed().write(aligned, {});
    EXPECT_EQ(all.packed().view(aligned).split_count, forest->splits.size());
    EXPECT_EQ(all.packed().view(aligned).used_count, 4);
    const std::vector<std::uint8_t> bytes(all.packed().ranked().columns.size());
    const std::vector<bool> is_known = {true, false, true, true};
    all.packed().write(aligned, {bytes.data(), &is_known});
    EXPECT_LT(all.packed().view(aligned).split_count, forest->splits.size() / 2);
    EXPECT_EQ(all.packed().view(aligned).used_count, 1);
    EXPECT_EQ(all.packed().view(aligned).used[0], 1);
}

}  // namespace
}  // namespace tenrex::program
