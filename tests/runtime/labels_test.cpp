// Labels come while plans are compiled, bound and evaluated, by other threads too. The thread sanitizer watches
// (scripts/check tsan).
#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tenrex/tenrex.h>

namespace tenrex::labels_test {
namespace {

using ::testing::ElementsAre;

TensorType type_of(const char *text) {
    return *TensorType::parse(text);
}

// Plans over documents m and n and a query s share a table.
class Labels : public testing::Test {
protected:
    Plan compiled(const std::string &text) const {
        Schema schema;
        schema.document("m", type_of("tensor(k{})")).document("n").query("s", type_of("tensor(k{})"));
        CompileOptions options;
        options.labels = labels;
        return *compile(text, schema, options);
    }
    static Query bound(const Plan &plan, const std::string &s) {
        return *plan.bind({{"s", *from_literal("tensor(k{}):" + s)}});
    }
    ColumnBuffer column(const std::vector<std::string> &literals) const {
        ColumnBuffer buffer(type_of("tensor(k{})"), labels);
        for (const std::string &literal : literals) {
            EXPECT_TRUE(buffer.append(*from_literal("tensor(k{}):" + literal)));
        }
        return buffer;
    }
    static std::vector<double> scores(const Plan &plan, const Query &query, const ColumnBuffer &buffer, double n = 0) {
        std::vector<double> found(buffer.documents());
        Context context(plan);
        std::vector<Column> columns;
        for (const InputDeclaration &input : plan.document_inputs()) {
            columns.push_back(input.name == "m" ? buffer.column() : Column::dense(&n, 0));
        }
        const Status status = query.evaluate({buffer.documents(), columns}, context, found);
        EXPECT_TRUE(status) << status.error().message();
        return found;
    }

    const std::shared_ptr<LabelTable> labels = std::make_shared<LabelTable>();
};

TEST_F(Labels, MayBelongToSeveralPlans) {
    const ColumnBuffer buffer = column({"{a:3,z:4}"});
    for (const auto &[text, expected] : {std::pair("sum(s*m)", 3.0), std::pair("m{k:z}", 4.0)}) {
        const Plan plan = compiled(text);
        EXPECT_EQ(plan.labels(), labels);
        EXPECT_THAT(scores(plan, bound(plan, "{a:1}"), buffer), ElementsAre(expected)) << text;
    }
}

TEST_F(Labels, OfDocumentsMayComeAfterTheQuery) {
    const Plan plan = compiled("sum(s*m)");
    const Query query = bound(plan, "{a:1,b:2,100:3}");
    EXPECT_EQ(labels->find("never"), std::nullopt);
    const ColumnBuffer first = column({"{c:1,7:1}", "{}"});
    EXPECT_THAT(scores(plan, query, first), ElementsAre(0, 0));
    const ColumnBuffer second = column({"{b:5}", "{a:1,b:1,c:1,100:1}"});
    EXPECT_THAT(scores(plan, query, second), ElementsAre(10, 6));
    EXPECT_THAT(scores(plan, query, first), ElementsAre(0, 0));
}

TEST_F(Labels, OfConstantsMayComeAfterTheQuery) {
    const Plan plan = compiled("sum(s*m)");
    const Query query = bound(plan, "{foo:2,bar:1}");
    const Plan other = compiled("sum(tensor(k{}):{foo:10,bar:20}*m)+m{k:bar}");
    const ColumnBuffer buffer = column({"{foo:3}", "{bar:1,foo:1}"});
    EXPECT_THAT(scores(plan, query, buffer), ElementsAre(6, 3));
    EXPECT_THAT(scores(other, bound(other, "{}"), buffer), ElementsAre(30, 31));
}

TEST_F(Labels, OfTheQueryComeOutWithTheirTexts) {
    const Plan plan = compiled("s+merge(m,s,f(a,b)(a+b))");
    const Query query = bound(plan, "{only:1,both:2,-3:4}");
    const ColumnBuffer buffer = column({"{both:5,late:6}"});
    Context context(plan);
    const Column columns[] = {buffer.column()};
    const auto found = query.evaluate_tensors({1, columns}, context);
    ASSERT_TRUE(found);
    EXPECT_EQ((*found)[0], *from_literal("tensor(k{}):{only:2,both:9,-3:8}"));
}

TEST_F(Labels, OfNegativeNumbersAreFoundByWhoeverBringsThem) {
    const Plan of_document = compiled("m{k:(n)}");
    const Query query = bound(of_document, "{}");
    EXPECT_THAT(scores(of_document, query, column({"{-5:1}"}), -5), ElementsAre(1));
    const Plan of_query = compiled("s{k:(n)}+0*sum(m)");
    EXPECT_THAT(scores(of_query, bound(of_query, "{-6:2}"), column({"{x:1}"}), -6), ElementsAre(2));
    const Plan of_constant = compiled("(tensor(k{}):{-7:3,y:1}){k:(n)}+0*sum(m)");
    EXPECT_THAT(scores(of_constant, bound(of_constant, "{}"), column({"{x:1}"}), -7), ElementsAre(3));
    EXPECT_THAT(scores(of_constant, bound(of_constant, "{}"), column({"{x:1}"}), -8), ElementsAre(0));
}

// What a query or a plan brings along leaves the table with it.
TEST_F(Labels, OfQueriesAndPlansDoNotStay) {
    const Plan plan = compiled("sum(s*m)");
    const ColumnBuffer buffer = column({"{a:1}"});
    for (int i = 0; i < 100; ++i) {
        static_cast<void>(bound(plan, "{a:1,q" + std::to_string(i) + ":1}"));
    }
    const std::size_t before = labels->memory_bytes();
    for (int i = 0; i < 10000; ++i) {
        const std::string own = std::to_string(i);
        const Query query = bound(plan, "{a:1,q" + own + ":1}");
        if (i % 100 == 0) {
            const Plan other = compiled("m{k:p" + own + "}");
            EXPECT_THAT(scores(other, bound(other, "{}"), column({"{a:1}"})), ElementsAre(0));
            EXPECT_THAT(scores(plan, query, buffer), ElementsAre(1));
        }
    }
    EXPECT_EQ(labels->size(), 1U);
    EXPECT_LE(labels->memory_bytes(), before + 100);
    EXPECT_EQ(labels->find("q9999"), std::nullopt);
}

TEST_F(Labels, OfDocumentsThatComeAndGoDoNotStay) {
    const Plan plan = compiled("sum(s*m)+m{k:(n)}");
    const Query query = bound(plan, "{a:1,b:2}");
    const auto score = [&](const std::string &literal) {
        ColumnBuffer buffer(type_of("tensor(k{})"), std::make_shared<HeldLabels>(labels));
        EXPECT_TRUE(buffer.append(*from_literal("tensor(k{}):" + literal)));
        return scores(plan, query, buffer, -5)[0];
    };
    EXPECT_EQ(score("{a:3,c:1}"), 3);
    const std::size_t before = labels->memory_bytes();
    for (int i = 0; i < 10000; ++i) {
        EXPECT_EQ(score("{d" + std::to_string(i) + ":1,b:5}"), 10);
    }
    EXPECT_EQ(score("{b:1,-5:40}"), 42);
    EXPECT_EQ(score("{b:1,-4:40}"), 2);
    EXPECT_LE(labels->memory_bytes(), before + 100);
    EXPECT_EQ(labels->size(), 0U);
}

// The labels of other queries and documents of the same table change nothing, down to what a context has room for.
TEST_F(Labels, OfOthersChangeNothing) {
    const Plan plan = compiled("sum(s*m)+sum(merge(s,m,f(a,b)(a-b)))");
    const Query query = bound(plan, "{a:0.1,b:0.7,nowhere:3}");
    const ColumnBuffer buffer = column({"{a:0.3,b:0.9,c:1}", "{x:0.1,b:5}", "{}"});
    const std::vector<double> before = scores(plan, query, buffer);
    const std::size_t bytes = query.memory_bytes();
    for (int i = 0; i < 1000; ++i) {
        labels->intern("more" + std::to_string(i));
    }
    labels->intern("nowhere");
    EXPECT_EQ(scores(plan, query, buffer), before);
    EXPECT_EQ(query.memory_bytes(), bytes);
    EXPECT_EQ(scores(plan, bound(plan, "{a:0.1,b:0.7,nowhere:3}"), buffer), before);
}

TEST_F(Labels, MayComeWhileOthersCompileBindAndEvaluate) {
    const Plan plan = compiled("sum(s*m)+m{k:(n)}");
    std::atomic<bool> done = false;
    std::vector<std::thread> threads;
    const auto rounds = [](int thread, const auto &round) {
        for (int i = 0; i < 60; ++i) {
            round(std::to_string(thread) + "_" + std::to_string(i));
        }
    };
    // Labels that the others have too, and some of one's own.
    threads.emplace_back([&] {
        for (std::size_t seen = 0; !done;) {
            for (int i = 0; i < 60; ++i) {
                labels->intern("l0_" + std::to_string(i));
                labels->intern("new" + std::to_string(seen++));
                std::this_thread::yield();
            }
        }
    });
    const Query shared = bound(plan, "{common:1,l0_3:1,rare:2}");
    for (int t = 0; t < 3; ++t) {
        threads.emplace_back([&, t] {
            rounds(t, [&](const std::string &own) {
                const Query query = bound(plan, "{common:2,l" + own + ":3,own" + own + ":5}");
                const ColumnBuffer buffer =
                    column({"{common:1,-5:7}", "{l" + own + ":1,own" + own + ":1}", "{rare:1}"});
                EXPECT_THAT(scores(plan, query, buffer, -5), ElementsAre(9, 8, 0));
                const double rare = own == "0_3" ? 1 : 0;
                EXPECT_THAT(scores(plan, shared, buffer, -6), ElementsAre(1, rare, 2));
            });
        });
    }
    threads.emplace_back([&] {
        rounds(9, [&](const std::string &own) {
            const Plan other = compiled("sum(tensor(k{}):{common:1,own" + own + ":2,l0_3:4}*m)+m{k:l" + own + "}");
            const ColumnBuffer buffer = column({"{common:1,l0_3:1}", "{own" + own + ":1,l" + own + ":10}"});
            EXPECT_THAT(scores(other, bound(other, "{}"), buffer), ElementsAre(5, 12));
        });
    });
    for (std::size_t t = 1; t < threads.size(); ++t) {
        threads[t].join();
    }
    done = true;
    threads[0].join();
}

}  // namespace
}  // namespace tenrex::labels_test
