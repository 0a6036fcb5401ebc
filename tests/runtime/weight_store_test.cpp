// Weights that plans share.
#include <tenrex/weight_store.h>

#include <thread>
#include <vector>

#include <gmock/gmock.h>

#include <tenrex/tenrex.h>

namespace tenrex {
namespace {

using testing::HasSubstr;
using testing::Not;

Tensor weights(std::string_view type, double first) {
    TensorBuilder builder(*TensorType::parse(type));
    for (std::size_t i = 0; i < builder.type().block_cells(); ++i) {
        builder.set(0, i, first + static_cast<double>(i % 13) - 6);
    }
    return std::move(builder).build();
}

class Weights : public testing::Test {
protected:
    Schema schema(double first = 0) {
        Schema schema;
        schema.document("a", "tensor<float>(r[5],x[24])");
        schema.constant("w", weights("tensor<float>(x[24],y[40])", first));
        return schema;
    }
    Plan plan(const std::string &text, const Schema &schema) {
        auto plan = compile(text, schema, options_);
        EXPECT_TRUE(plan) << plan.error().render();
        return *std::move(plan);
    }
    Tensor value(const Plan &plan, double first = 1) {
        ColumnBuffer buffer(plan.document_inputs().front().type, plan.labels());
        EXPECT_TRUE(buffer.append(weights("tensor<float>(r[5],x[24])", first)));
        const std::vector<Column> columns{buffer.column()};
        Context context(plan);
        return plan.bind({})->evaluate_tensors({1, columns}, context)->front();
    }
    WeightStore::Statistics now() const { return options_.weights->statistics(); }

    static Tensor expected(const std::string &text, const Schema &schema) {
        return *Expression::parse(text, schema)->evaluate_reference({{"a", weights("tensor<float>(r[5],x[24])", 1)}});
    }

    const std::string product_ = "reduce(a*w,sum,x)";
    CompileOptions options_ = [] {
        CompileOptions options;
        options.weights = std::make_shared<WeightStore>();
        return options;
    }();
};

TEST_F(Weights, ArePackedOnceForAllPlans) {
    const Plan first = plan(product_, schema());
    const Plan second = plan(product_ + "*2+1", schema());  // another tensor with the same cells
    EXPECT_EQ(now().matrices, 1U);
    EXPECT_EQ(now().packed, 1U);
    EXPECT_EQ(now().found, 1U);
    EXPECT_GE(now().bytes, 24U * 40 * sizeof(float));
    EXPECT_EQ(value(first), expected(product_, schema()));
    EXPECT_EQ(value(second), expected(product_ + "*2+1", schema()));
}

// On processors without instructions for their cells, the kernel of floats reads them.
TEST_F(Weights, OfNarrowCellsAreSharedToo) {
    for (const char *type : {"tensor<bfloat16>(x[24],y[40])", "tensor<int8>(x[24],y[40])"}) {
        Schema schema;
        schema.document("a", "tensor<float>(r[5],x[24])");
        schema.constant("w", weights(type, 0));
        const std::uint64_t before = now().packed;
        const Plan first = plan(product_, schema);
        const Plan second = plan(product_ + "*2", schema);
        EXPECT_EQ(now().packed, before + 1) << type;
        EXPECT_EQ(now().matrices, 1U) << type;
        EXPECT_EQ(value(first), expected(product_, schema)) << type;
        EXPECT_EQ(value(second), expected(product_ + "*2", schema)) << type;
    }
}

TEST_F(Weights, OfOtherCellsAreOthers) {
    const Plan first = plan(product_, schema());
    const Plan second = plan(product_, schema(0.5));
    EXPECT_EQ(now().matrices, 2U);
    EXPECT_EQ(value(second), expected(product_, schema(0.5)));
    EXPECT_EQ(value(first), expected(product_, schema()));
}

TEST_F(Weights, ThatNoPlanHasAreFreed) {
    std::vector<Plan> plans;
    plans.push_back(plan(product_, schema()));
    plans.push_back(plan(product_, schema()));
    plans.erase(plans.begin());
    EXPECT_EQ(now().matrices, 1U);
    EXPECT_EQ(value(plans.front()), expected(product_, schema()));
    plans.clear();
    EXPECT_EQ(now().matrices, 0U);
    EXPECT_EQ(now().bytes, 0U);
    plans.push_back(plan(product_, schema()));
    EXPECT_EQ(now().packed, 2U);
    EXPECT_EQ(value(plans.front()), expected(product_, schema()));
}

TEST_F(Weights, AreForgottenWhereVeryManyWereFreed) {
    for (int i = 0; i < 200; ++i) {
        plan(product_, schema(i));
    }
    EXPECT_EQ(now().packed, 200U);
    EXPECT_EQ(now().matrices, 0U);
    const Plan last = plan(product_, schema());
    EXPECT_EQ(value(last), expected(product_, schema()));
}

TEST_F(Weights, StayWithAPlanWhoseStoreIsGone) {
    const Plan first = plan(product_, schema());
    options_.weights = nullptr;
    EXPECT_EQ(value(first), expected(product_, schema()));
}

TEST_F(Weights, UnderOtherNamesAreNotCopied) {
    const std::string text = "reduce(rename(a,x,k)*rename(w,(x,y),(k,b)),sum,k)";
    const Plan renamed = plan(text, schema());
    const std::string explained = renamed.explain();
    const std::string constants = explained.substr(0, explained.find("\nquery:"));
    EXPECT_THAT(constants, HasSubstr("packing of a matrix of 24 x 40"));
    EXPECT_THAT(constants, Not(HasSubstr("copy")));
    EXPECT_EQ(value(renamed), expected(text, schema()));
}

TEST_F(Weights, ThatOthersReadAreThereForThem) {
    for (const std::string &text : {product_ + "*reduce(w,sum,x)", "sum(" + product_ + ")+sum(rename(w,x,z)*2)",
                                    std::string("sum(reduce(a*rename(w,y,u),sum,x),u)*w{x:0,y:1}")}) {
        SCOPED_TRACE(text);
        EXPECT_EQ(value(plan(text, schema())), expected(text, schema()));
    }
}

TEST_F(Weights, ThatTheKernelReadsAsOtherCellsAreConverted) {
    Schema schema;
    schema.document("a", "tensor<float>(r[5],x[24])");
    schema.constant("w", weights("tensor<int8>(x[24],y[40])", 0));
    schema.constant("wide", weights("tensor(x[24],y[40])", 0));
    for (const std::string &text :
         {product_, std::string("reduce(a*rename(w,y,b),sum,x)"), std::string("reduce(a*wide,sum,x)"),
          std::string("reduce(a*wide,sum,x)+sum(wide)")}) {
        SCOPED_TRACE(text);
        EXPECT_EQ(value(plan(text, schema)), expected(text, schema));
    }
}

TEST_F(Weights, OfSeveralDimensionsArePackedFromWhereTheyAre) {
    Schema schema;
    schema.document("a", "tensor<float>(r[5],x[24])");
    schema.constant("w", weights("tensor<float>(p[4],q[6],x[24])", 0));
    schema.constant("v", weights("tensor<float>(b[3],x[24],y[40])", 0));
    for (const std::string &text : {std::string("reduce(a*w,sum,x)"), std::string("reduce(a*rename(w,q,z),sum,x)"),
                                    std::string("reduce(a*rename(w,(p,q),(z,u)),sum,x)"),
                                    std::string("reduce(a*v,sum,x)"), std::string("reduce(a*rename(v,b,z),sum,x)")}) {
        SCOPED_TRACE(text);
        EXPECT_EQ(value(plan(text, schema)), expected(text, schema));
    }
}

TEST_F(Weights, AreSharedByThePlansOfACache) {
    CompileCache cache(10);
    const auto first = cache.get(product_, schema());
    const auto second = cache.get("sum(" + product_ + ")", schema());
    const auto third = cache.get(product_, schema(), options_);
    EXPECT_EQ(now().packed, 1U);  // that of the third, which is told its store
    EXPECT_EQ(value(*first), value(*third));
}

TEST_F(Weights, ArePackedOnceByManyThreads) {
    std::vector<Plan> plans(8, plan("sum(a)", schema()));
    std::vector<std::thread> threads;
    threads.reserve(plans.size());
    for (Plan &each : plans) {
        threads.emplace_back([&] { each = plan(product_, schema()); });
    }
    for (std::thread &thread : threads) {
        thread.join();
    }
    EXPECT_EQ(now().packed, 1U);
    EXPECT_EQ(now().found, 7U);
    for (const Plan &each : plans) {
        EXPECT_EQ(value(each), expected(product_, schema()));
    }
}

}  // namespace
}  // namespace tenrex
