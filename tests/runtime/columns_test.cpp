// Columns as callers have them: misaligned, strided, shared, backwards, computed, empty.
#include <cstring>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <tenrex/column_buffer.h>
#include <tenrex/formats.h>
#include <tenrex/plan.h>

namespace tenrex::columns_test {
namespace {

TensorType type_of(const char *text) {
    return *TensorType::parse(text);
}

// What fills a column must stay: a function of the caller's, not one that is made for the call.
template <class Function>
concept FillsColumns = requires(Function &&fill) {
    Column::computed(std::forward<Function>(fill));
};
using Lambda = decltype([](std::size_t, std::size_t, void *) {});
static_assert(FillsColumns<Column::Fill &> && FillsColumns<const Column::Fill &>);
static_assert(!FillsColumns<Column::Fill> && !FillsColumns<const Column::Fill>);
static_assert(!FillsColumns<Lambda> && !FillsColumns<Lambda &>);

// The scores of an expression over document inputs a and b.
class Columns : public testing::Test {
protected:
    void compile(const char *text, const char *a, const char *b = nullptr) {
        Schema schema;
        schema.document("a", type_of(a));
        if (b != nullptr) {
            schema.document("b", type_of(b));
        }
        auto plan = tenrex::compile(text, schema);
        ASSERT_TRUE(plan) << plan.error().message();
        plan_ = std::make_unique<Plan>(*std::move(plan));
        query_ = std::make_unique<Query>(*plan_->bind({}));
        context_ = std::make_unique<Context>(*plan_);
    }
    std::vector<double> scores(std::size_t documents, std::span<const Column> columns) {
        std::vector<double> scores(documents, -1000.0);
        const Status status = query_->evaluate({documents, columns}, *context_, scores);
        EXPECT_TRUE(status) << status.error().message();
        return scores;
    }

    std::unique_ptr<Plan> plan_;
    std::unique_ptr<Query> query_;
    std::unique_ptr<Context> context_;
};

// Rows of `length` cells 0, 1, 2, ... with gaps, the first at an odd address; the gaps hold what must not be read.
template <class T>
struct Rows {
    Rows(std::size_t documents, std::size_t length, std::size_t gap)
        : stride(length * sizeof(T) + gap), bytes(1 + documents * stride, static_cast<char>(0x7F)) {
        for (std::size_t d = 0; d < documents; ++d) {
            for (std::size_t i = 0; i < length; ++i) {
                const T cell = static_cast<T>(d * length + i);
                std::memcpy(bytes.data() + 1 + d * stride + i * sizeof(T), &cell, sizeof(T));
            }
        }
    }
    Column column() const { return Column::dense(bytes.data() + 1, static_cast<std::ptrdiff_t>(stride)); }
    std::size_t stride;
    std::vector<char> bytes;
};

double sum_of_row(std::size_t d, std::size_t length) {
    return static_cast<double>(length * (d * length) + length * (length - 1) / 2);
}

TEST_F(Columns, MayBeMisalignedAndHaveGaps) {
    for (const std::size_t gap : {0, 1, 3, 16}) {
        for (const std::size_t length : {1, 7, 16, 33}) {
            const std::string size = "(x[" + std::to_string(length) + "])";
            const std::size_t documents = 70;
            compile("sum(a)+sum(b*2)", ("tensor" + size).c_str(), ("tensor<float>" + size).c_str());
            const Rows<double> a(documents, length, gap);
            const Rows<float> b(documents, length, gap);
            const Column columns[] = {a.column(), b.column()};
            const std::vector<double> found = scores(documents, columns);
            for (std::size_t d = 0; d < documents; ++d) {
                ASSERT_EQ(found[d], 3 * sum_of_row(d, length)) << length << " cells, gap " << gap << ", document " << d;
            }
        }
    }
}

TEST_F(Columns, OfScalarsMayBeMembersOfRecords) {
    struct [[gnu::packed]] Record {
        char name[3];
        double score;
    };
    compile("a+1", "double");
    std::vector<Record> records(100);
    for (std::size_t d = 0; d < records.size(); ++d) {
        records[d].score = static_cast<double>(d);
    }
    const Column columns[] = {Column::dense(reinterpret_cast<const char *>(records.data()) + 3, sizeof(Record))};
    const std::vector<double> found = scores(records.size(), columns);
    for (std::size_t d = 0; d < records.size(); ++d) {
        EXPECT_EQ(found[d], static_cast<double>(d) + 1);
    }
}

TEST_F(Columns, OfStrideZeroAreSharedByAllDocuments) {
    compile("sum(a*b)", "tensor<float>(x[3])", "tensor<int8>(x[3])");
    const float shared[] = {1, 2, 3};
    const Rows<std::int8_t> own(40, 3, 2);
    const Column columns[] = {Column::dense(shared, 0), own.column()};
    const std::vector<double> found = scores(40, columns);
    for (std::size_t d = 0; d < 40; ++d) {
        EXPECT_EQ(found[d], static_cast<double>(6 * 3 * d + 8)) << d;
    }
}

TEST_F(Columns, MayAllBeShared) {
    compile("sum(a*b)", "tensor<float>(x[3])", "tensor<float>(x[3])");
    const float cells[] = {1, 2, 3};
    const Column columns[] = {Column::dense(cells, 0), Column::dense(cells, 0)};
    EXPECT_EQ(scores(130, columns), std::vector<double>(130, 14.0));
}

TEST_F(Columns, MayRunBackwards) {
    compile("sum(a)", "tensor<float>(x[2])");
    std::vector<float> cells(300);
    std::iota(cells.begin(), cells.end(), 0.0f);
    const Column columns[] = {Column::dense(&cells[298], -2 * static_cast<std::ptrdiff_t>(sizeof(float)))};
    const std::vector<double> found = scores(150, columns);
    for (std::size_t d = 0; d < 150; ++d) {
        EXPECT_EQ(found[d], static_cast<double>(2 * (298 - 2 * d) + 1)) << d;
    }
}

TEST_F(Columns, TwoInputsMayHaveTheSame) {
    compile("sum(a*b)", "tensor<float>(x[4])", "tensor<float>(x[4])");
    const float cells[] = {1, 2, 3, 4, 5, 6, 7, 8};
    const Column same = Column::dense(cells, 4 * sizeof(float));
    const Column columns[] = {same, same};
    EXPECT_EQ(scores(2, columns), (std::vector<double>{30, 174}));
}

TEST_F(Columns, TwoSparseInputsMayHaveTheSame) {
    compile("sum(a*b)+count(a+b)", "tensor(x{})", "tensor(x{})");
    ColumnBuffer buffer(type_of("tensor(x{})"), plan_->labels());
    for (const char *literal : {"tensor(x{}):{a:1,b:2}", "tensor(x{}):{}", "tensor(x{}):{c:3,7:4,a:5}"}) {
        ASSERT_TRUE(buffer.append(*from_literal(literal)));
    }
    const Column columns[] = {buffer.column(), buffer.column()};
    EXPECT_EQ(scores(3, columns), (std::vector<double>{7, 0, 53}));
}

TEST_F(Columns, AreNotWrittenTo) {
    // In the most direct ways to compute in place.
    compile("sum(map(a,f(x)(x*2)))+sum(rename(a,x,y))+sum(cell_cast(a,double))", "tensor<float>(x[5])");
    const std::vector<float> before{1, 2, 3, 4, 5};
    const std::vector<float> cells = before;
    const Column columns[] = {Column::dense(cells.data(), 0)};
    EXPECT_EQ(scores(3, columns), (std::vector<double>{60, 60, 60}));
    EXPECT_EQ(cells, before);
}

TEST_F(Columns, MayBeginInTheMiddle) {
    compile("sum(a)", "tensor<int8>(x{},y[2])");
    ColumnBuffer buffer(type_of("tensor<int8>(x{},y[2])"), plan_->labels());
    for (int i = 0; i < 200; ++i) {
        const std::string literal =
            i % 3 == 0 ? "tensor<int8>(x{},y[2]):{}"
                       : "tensor<int8>(x{},y[2]):{p" + std::to_string(i) + ":[" + std::to_string(i % 100) + ",1]}";
        ASSERT_TRUE(buffer.append(*from_literal(literal)));
    }
    for (const std::size_t first : {0, 1, 64, 199, 200}) {
        const Column columns[] = {buffer.column(first)};
        const std::vector<double> found = scores(200 - first, columns);
        for (std::size_t d = 0; d < found.size(); ++d) {
            const std::size_t i = first + d;
            ASSERT_EQ(found[d], i % 3 == 0 ? 0.0 : static_cast<double>(i % 100 + 1)) << i;
        }
    }
}

TEST_F(Columns, ServeForBlocksThatBeginAnywhere) {
    compile("sum(a)+sum(b)", "tensor<float>(x[3])", "tensor(x{})");
    ColumnBuffer buffer(type_of("tensor(x{})"), plan_->labels());
    for (int d = 0; d < 150; ++d) {
        ASSERT_TRUE(buffer.append(*from_literal(d % 4 == 0 ? "tensor(x{}):{}" : "tensor(x{}):{a:1000,b:0.5}")));
    }
    const Rows<float> rows(150, 3, 1);
    const Column stored[] = {rows.column(), buffer.column()};
    const Column::Fill fill = [&](std::size_t first, std::size_t count, void *cells) {
        for (std::size_t i = 0; i < 3 * count; ++i) {
            static_cast<float *>(cells)[i] = static_cast<float>(3 * first + i);
        }
    };
    const Column computed[] = {Column::computed(fill), buffer.column()};
    for (const std::span<const Column> columns : {std::span<const Column>(stored), std::span<const Column>(computed)}) {
        for (const std::size_t count : {1, 2, 70}) {
            for (const std::size_t first : {0, 1, 65, 80}) {
                const Block block{count, columns, first};
                std::vector<double> found(count);
                ASSERT_TRUE(query_->evaluate(block, *context_, found));
                const auto tensors = query_->evaluate_tensors(block, *context_);
                ASSERT_TRUE(tensors);
                for (std::size_t i = 0; i < count; ++i) {
                    const std::size_t d = first + i;
                    EXPECT_EQ(found[i], sum_of_row(d, 3) + (d % 4 == 0 ? 0 : 1000.5)) << d;
                    EXPECT_EQ((*tensors)[i].as_double(), found[i]);
                }
            }
        }
    }
}

TEST(ColumnBuffers, BeginWithACacheLine) {
    std::vector<std::byte, CacheLineAllocator<std::byte>> cells;
    for (int i = 0; i < 100; ++i) {
        cells.insert(cells.end(), 100, std::byte{1});
        ASSERT_EQ(reinterpret_cast<std::uintptr_t>(cells.data()) % 64, 0u);
    }
}

TEST_F(Columns, AreComputedPieceByPiece) {
    compile("sum(a)", "tensor<float>(x[3])");
    std::vector<bool> asked(1000);
    const Column::Fill fill = [&](std::size_t first, std::size_t count, void *cells) {
        for (std::size_t d = 0; d < count; ++d) {
            EXPECT_FALSE(asked[first + d]);
            asked[first + d] = true;
            const float row[] = {static_cast<float>(first + d), 1, 2};
            std::memcpy(static_cast<char *>(cells) + d * sizeof(row), row, sizeof(row));
        }
    };
    const Column columns[] = {Column::computed(fill)};
    const std::vector<double> found = scores(1000, columns);
    for (std::size_t d = 0; d < 1000; ++d) {
        ASSERT_TRUE(asked[d]);
        ASSERT_EQ(found[d], static_cast<double>(d) + 3);
    }
}

TEST_F(Columns, OfNoDocumentsAreNotRead) {
    compile("sum(a)+sum(b)", "tensor<float>(x[3])", "tensor(x{})");
    const std::uint64_t offsets[] = {0};
    const Column columns[] = {Column::dense(nullptr, 12), Column::sparse(offsets, nullptr, nullptr)};
    EXPECT_EQ(scores(0, columns), std::vector<double>{});
    const auto tensors = query_->evaluate_tensors({0, columns}, *context_);
    ASSERT_TRUE(tensors);
    EXPECT_TRUE(tensors->empty());
}

TEST_F(Columns, OfDocumentsWithoutBlocksHaveNoCells) {
    compile("sum(a)+reduce(a,count)", "tensor<float>(x{},y[4])");
    const std::uint64_t offsets[] = {0, 0, 0, 0};
    const Column columns[] = {Column::sparse(offsets, nullptr, nullptr)};
    EXPECT_EQ(scores(3, columns), (std::vector<double>{0, 0, 0}));
}

TEST_F(Columns, MayGoStraightToTheOutput) {
    compile("a", "double");
    const Rows<double> rows(100, 1, 5);
    const Column columns[] = {rows.column()};
    const std::vector<double> found = scores(100, columns);
    for (std::size_t d = 0; d < 100; ++d) {
        EXPECT_EQ(found[d], static_cast<double>(d));
    }
}

TEST_F(Columns, AContextServesBlocksOfAnySize) {
    compile("sum(a*a)", "tensor(x{})");
    ColumnBuffer buffer(type_of("tensor(x{})"), plan_->labels());
    std::vector<double> expected;
    for (int d = 0; d < 300; ++d) {
        std::string literal = "tensor(x{}):{";
        for (int i = 0; i < d % 11; ++i) {
            literal += (i == 0 ? "" : ",") + std::to_string(i) + ":" + std::to_string(d);
        }
        ASSERT_TRUE(buffer.append(*from_literal(literal + "}")));
        expected.push_back(static_cast<double>(d % 11 * d * d));
    }
    for (const std::size_t size : {1, 300, 2, 65, 64, 1, 257}) {
        const Column columns[] = {buffer.column(300 - size)};
        EXPECT_EQ(scores(size, columns), std::vector<double>(expected.end() - static_cast<long>(size), expected.end()))
            << size;
    }
}

}  // namespace
}  // namespace tenrex::columns_test
