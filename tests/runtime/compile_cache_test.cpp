#include <tenrex/compile_cache.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace tenrex {
namespace {

double score(const Plan &plan, double a) {
    const auto query = plan.bind({});
    Context context(plan);
    const Column column = Column::dense(&a, 0);
    double score = 0;
    EXPECT_TRUE(query && query->evaluate({1, {&column, 1}}, context, {&score, 1}));
    return score;
}

// Whether two handles are of one plan: the table of labels is the plan's own.
bool same(const Result<Plan> &a, const Result<Plan> &b) {
    return a && b && a->labels() == b->labels();
}

TEST(CompileCache, GivesThePlanAgain) {
    CompileCache cache(10);
    const Schema schema = Schema().document("a");
    const auto first = cache.get("a + 1", schema);
    EXPECT_TRUE(same(first, cache.get("a + 1", Schema().document("a"))));
    EXPECT_EQ(score(*first, 2), 3);
    EXPECT_EQ(cache.statistics().hits, 1u);
    EXPECT_EQ(cache.statistics().misses, 1u);
    EXPECT_EQ(cache.statistics().plans, 1u);
    cache.clear();
    EXPECT_FALSE(same(first, cache.get("a + 1", schema)));
    EXPECT_EQ(score(*first, 3), 4);
}

TEST(CompileCache, EverythingThatMattersDistinguishesPlans) {
    CompileCache cache(100);
    const auto tensor = [](double value) {
        TensorBuilder builder(*TensorType::parse("tensor(x[1])"));
        builder.set(0, 0, value);
        return std::move(builder).build();
    };
    const auto base = [] { return Schema().document("a"); };
    std::vector<Schema> schemas = {base(),
                                   Schema().query("a"),
                                   Schema().document("a", "tensor(x[1])"),
                                   Schema().document("a", "tensor(x[2])"),
                                   Schema().document("a", "tensor<float>(x[2])"),
                                   Schema().document("a", "tensor(y[2])"),
                                   Schema().document("a", "tensor(y{})"),
                                   base().document("b"),
                                   base().define("d", "a"),
                                   base().define("d", "a + 1"),
                                   base().define("e", "a"),
                                   base().constant("c", Tensor(1)),
                                   base().constant("c", Tensor(2)),
                                   base().constant("c", tensor(1)),
                                   base().constant("c", tensor(1)),
                                   base().function("f", 1, [](std::span<const double> x) { return x[0]; }),
                                   base().function("f", 1, [](std::span<const double> x) { return -x[0]; }),
                                   base().function("f", 2, [](std::span<const double> x) { return -x[0]; })};
    std::vector<CompileOptions> options(5);
    options[1].expression.dialect = Dialect::java;
    options[2].expression.seed = 1;
    options[3].max_isa = "baseline";
    options[4].expression.limits.nesting = 10;
    std::vector<Plan> plans;
    for (const Schema &schema : schemas) {
        for (const CompileOptions &option : options) {
            plans.push_back(*cache.get("a", schema, option));
        }
    }
    plans.push_back(*cache.get("a ", schemas[0]));
    EXPECT_EQ(cache.statistics().misses, schemas.size() * options.size() + 1);
    EXPECT_EQ(cache.statistics().hits, 0u);
    for (const Schema &schema : schemas) {
        static_cast<void>(cache.get("a", Schema(schema)));
    }
    EXPECT_EQ(cache.statistics().hits, schemas.size());
}

TEST(CompileCache, LabelTablesAreKept) {
    CompileCache cache(10);
    const Schema schema = Schema().document("a", "tensor(k{})");
    CompileOptions options;
    options.labels = std::make_shared<LabelTable>();
    const auto own = cache.get("a", schema, options);
    EXPECT_EQ(own->labels(), options.labels);
    EXPECT_NE(cache.get("a", schema)->labels(), options.labels);
    EXPECT_EQ(cache.get("a", schema, options)->labels(), options.labels);
}

TEST(CompileCache, ForgetsWhatWasNotUsedTheLongest) {
    CompileCache cache(2);
    const Schema schema = Schema().document("a");
    const auto one = cache.get("a + 1", schema);
    const auto two = cache.get("a + 2", schema);
    EXPECT_TRUE(same(one, cache.get("a + 1", schema)));
    const auto three = cache.get("a + 3", schema);  // in the place of the second
    EXPECT_EQ(cache.statistics().plans, 2u);
    EXPECT_TRUE(same(one, cache.get("a + 1", schema)));
    EXPECT_TRUE(same(three, cache.get("a + 3", schema)));
    EXPECT_FALSE(same(two, cache.get("a + 2", schema)));
    EXPECT_EQ(score(*two, 1), 3);

    CompileCache smallest(0);
    EXPECT_TRUE(same(smallest.get("a", schema), smallest.get("a", schema)));
}

TEST(CompileCache, ErrorsAreNotKept) {
    CompileCache cache(2);
    EXPECT_FALSE(cache.get("a +", Schema().document("a")));
    EXPECT_FALSE(cache.get("1", Schema().document("a", "tensor(")));
    EXPECT_EQ(cache.statistics().plans, 0u);
}

TEST(CompileCache, ThreadsShareIt) {
    CompileCache cache(8);
    const Schema schema = Schema().document("a");
    std::atomic<int> wrong = 0;
    std::vector<std::thread> threads;
    for (int thread = 0; thread < 4; ++thread) {
        threads.emplace_back([&, thread] {
            for (int i = 0; i < 200; ++i) {
                const int n = (i * 7 + thread) % 12;
                const auto plan = cache.get("a + " + std::to_string(n), schema);
                wrong += !plan || score(*plan, 1) != n + 1;
            }
        });
    }
    for (std::thread &thread : threads) {
        thread.join();
    }
    EXPECT_EQ(wrong, 0);
    EXPECT_LE(cache.statistics().plans, 8u);
    EXPECT_EQ(cache.statistics().hits + cache.statistics().misses, 800u);
}

}  // namespace
}  // namespace tenrex
