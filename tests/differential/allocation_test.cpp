// Evaluating scores allocates nothing once the context has seen the documents.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <tenrex/formats.h>

#include "perf/expressions/allocations.h"
#include "tests/differential/case.h"
#include "tests/differential/executors.h"
#include "tests/differential/vector_case.h"

namespace tenrex::differential {
namespace {

constexpr std::size_t documents = 3;

TEST(Allocation, IsCounted) {
    const auto counts = [](const auto &allocate) {
        const std::size_t before = perf::allocations().count;
        allocate();
        return perf::allocations().count != before;
    };
    struct alignas(64) Wide {
        double cells[8];
    };
    EXPECT_TRUE(counts([] { EXPECT_EQ(std::vector<char>(100).size(), 100u); }));
    EXPECT_TRUE(counts([] { EXPECT_EQ(std::vector<Wide>(2).size(), 2u); }));
    EXPECT_TRUE(counts([] { delete new (std::nothrow) std::string; }));
    EXPECT_FALSE(counts([] {}));
#ifdef __GLIBC__
    EXPECT_TRUE(counts([] {
        void *volatile memory = std::malloc(10);
        std::free(memory);
    }));
#endif
}

// The allocations of a second and third evaluation of some documents, or what went wrong.
std::string allocates(const Case &described, const Settings &settings = {}, std::size_t count_of_documents = 7,
                      Executor *executor = nullptr) {
    const auto compiled = Compiled::make(described, settings);
    if (!compiled) {
        return compiled.error().message();
    }
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < count_of_documents; ++i) {
        order.push_back(i % described.documents.size());
    }
    const auto buffers = compiled->columns(described, order);
    const std::vector<Column> columns = describe(*buffers);
    Context context = executor == nullptr ? Context(compiled->plan()) : Context(compiled->plan(), *executor);
    std::vector<double> scores(order.size());
    const Block block{order.size(), columns};
    if (const Status status = compiled->query().evaluate(block, context, scores); !status) {
        return status.error().message();
    }
    const std::size_t before = perf::allocations().count;
    const bool succeeded = compiled->query().evaluate(block, context, scores).has_value() &&
                           compiled->query().evaluate({1, columns}, context, scores).has_value();
    const std::size_t count = perf::allocations().count - before;
    return count == 0 && succeeded ? "" : std::to_string(count) + " allocations\n" + compiled->plan().explain();
}

// The allocations of writing the values of documents a second time, of any type, or what went wrong.
std::string writing_allocates(const Case &described) {
    const auto compiled = Compiled::make(described, {});
    if (!compiled) {
        return compiled.error().message();
    }
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < 7; ++i) {
        order.push_back(i % described.documents.size());
    }
    const auto buffers = compiled->columns(described, order);
    const std::vector<Column> columns = describe(*buffers);
    Context context(compiled->plan());
    const Block block{order.size(), columns};
    const auto tensors = compiled->query().evaluate_tensors(block, context);
    if (!tensors) {
        return tensors.error().message();
    }
    const TensorType &type = compiled->plan().outputs().front().type;
    const std::size_t bytes = type.block_cells() * byte_size(type.cell_type());
    std::size_t blocks = 0;
    for (const Tensor &tensor : *tensors) {
        blocks += tensor.blocks();
    }
    std::vector<std::byte> cells(std::max<std::size_t>(blocks * bytes, 1));
    std::vector<Label> labels(std::max<std::size_t>(blocks * type.mapped_count(), 1));
    std::vector<std::uint64_t> offsets(order.size() + 1);
    const OutputColumn column = type.has_mapped()
                                    ? OutputColumn::sparse(offsets.data(), labels.data(), cells.data(), blocks)
                                    : OutputColumn::dense(cells.data(), bytes, cells.size());
    const std::size_t before = perf::allocations().count;
    const bool succeeded = compiled->query().evaluate(block, context, {&column, 1}).has_value();
    const std::size_t count = perf::allocations().count - before;
    return count == 0 && succeeded ? "" : std::to_string(count) + " allocations\n" + compiled->plan().explain();
}

// The same expression with a scalar result.
Case scored(Case described) {
    const auto expression = Expression::parse(described.text, described.schema);
    if (expression && !expression->type().is_scalar()) {
        described.text = "reduce(" + described.text + ",sum)";
    }
    return described;
}

TEST(Allocation, NoneForTheConformanceVectors) {
    std::size_t failures = 0;
    for (const Stage stage : {Stage::document, Stage::query}) {
        for (const VectorCase &vector : vector_cases(documents, stage, full_run() ? 1 : 2)) {
            const std::string found = allocates(scored(vector.described));
            if (!found.empty() && ++failures <= 10) {
                ADD_FAILURE() << vector.id << ": " << vector.described.text << "\n" << found;
            }
        }
    }
    EXPECT_EQ(failures, 0u);
}

TEST(Allocation, NoneToWriteTheConformanceVectors) {
    std::size_t failures = 0;
    for (const VectorCase &vector : vector_cases(documents, Stage::document, full_run() ? 1 : 2)) {
        const std::string found = writing_allocates(vector.described);
        if (!found.empty() && ++failures <= 10) {
            ADD_FAILURE() << vector.id << ": " << vector.described.text << "\n" << found;
        }
    }
    EXPECT_EQ(failures, 0u);
}

// So many documents at a time would go beyond the limit.
TEST(Allocation, NoneWhereFewerDocumentsAreEvaluatedAtATime) {
    Case described{"sum(exp(a*b))", {}, std::vector<std::vector<NamedTensor>>(2)};
    for (const auto &[name, type] : {std::pair("a", "tensor(k{})"), std::pair("b", "tensor(l{})")}) {
        described.schema.document(name, *TensorType::parse(type));
        for (std::vector<NamedTensor> &values : described.documents) {
            TensorBuilder builder(*TensorType::parse(type));
            for (int label = 0; label < 120; ++label) {
                const std::string text = std::to_string(label);
                const std::string_view address[] = {text};
                builder.set(builder.block(address), 0, 0.01 * label);
            }
            values.emplace_back(name, std::move(builder).build());
        }
    }
    Settings settings;
    settings.evaluation_cells = 200000;
    EXPECT_EQ(allocates(described, settings, 64), "");
}

// One plan for all sizes: no document of a size that was not there before makes it allocate, if a larger one was.
TEST(Allocation, NoneForOpenDimensions) {
    for (const char *text : {"sum(reduce(sum(q*d,x),max,t),s)", "sum(softmax(n,t)*n)", "sum(concat(n,n,t)*2)",
                             "sum(max(d*w,x))", "sum(sum(d,t)*sum(d*n,t))"}) {
        Schema schema;
        schema.query("q", "tensor<float>(s[],x[2])").document("d", "tensor<float>(t[],x[2])");
        schema.document("n", "tensor(t[])").query("w", "tensor<float>(x[2])");
        const auto plan = compile(text, schema);
        ASSERT_TRUE(plan) << plan.error().message();
        const auto query = plan->bind({{"q", *from_literal("tensor<float>(s[2],x[2]):[[1,2],[3,4]]")},
                                       {"w", *from_literal("tensor<float>(x[2]):[1,2]")}});
        ASSERT_TRUE(query) << query.error().message();
        const std::uint64_t offsets[] = {0, 9, 9, 10, 13, 15, 24};
        const std::vector<float> rows(48, 0.5f);
        const std::vector<double> numbers(24, 0.25);
        std::vector<Column> columns;
        for (const InputDeclaration &input : plan->document_inputs()) {
            columns.push_back(input.name == "d" ? Column::ragged(offsets, rows.data())
                                                : Column::ragged(offsets, numbers.data()));
        }
        Context context(*plan);
        double scores[6];
        EXPECT_TRUE(query->evaluate({6, columns}, context, scores));
        const std::size_t before = perf::allocations().count;
        EXPECT_TRUE(query->evaluate({3, columns, 3}, context, scores));
        EXPECT_TRUE(query->evaluate({6, columns}, context, scores));
        EXPECT_TRUE(query->evaluate({1, columns, 1}, context, scores));
        EXPECT_EQ(perf::allocations().count, before) << text << "\n" << plan->explain();
    }
}

TEST(Allocation, NoneForRandomPrograms) {
    PartsInTurn executor(3);
    const std::uint64_t first = first_seed();
    for (std::uint64_t seed = first; seed < first + seed_count(300); ++seed) {
        const random::RandomExpression random = random::random_expression(seed);
        const std::string found = allocates(scored(make_case(random, random::Numbers::any, documents)), {}, 7,
                                            seed % 2 == 0 ? &executor : nullptr);
        ASSERT_EQ(found, "") << random.reproducer();
    }
}

}  // namespace
}  // namespace tenrex::differential
