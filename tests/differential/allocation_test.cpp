// Evaluating scores allocates nothing once the context has seen the documents: every call of the allocation functions
// of C++ is counted, and of those of C with the GNU C library.
#include <cstddef>
#include <cstdlib>
#include <new>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/differential/case.h"
#include "tests/differential/vector_case.h"

// The sanitizers have functions of their own in these places.
#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define TENREX_COUNT_MALLOC
#endif

namespace {

std::size_t allocations = 0;

void *allocated(std::size_t bytes, std::size_t alignment) {
    ++allocations;
    void *const memory = alignment <= alignof(std::max_align_t)
                             ? std::malloc(bytes == 0 ? 1 : bytes)
                             : std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
    if (memory == nullptr) {
        throw std::bad_alloc();
    }
    return memory;
}

}  // namespace

#ifdef TENREX_COUNT_MALLOC
extern "C" {
void *__libc_malloc(std::size_t bytes);
void *__libc_calloc(std::size_t count, std::size_t bytes);
void *__libc_realloc(void *memory, std::size_t bytes);
void *__libc_memalign(std::size_t alignment, std::size_t bytes);

void *malloc(std::size_t bytes) {
    ++allocations;
    return __libc_malloc(bytes);
}
void *calloc(std::size_t count, std::size_t bytes) {
    ++allocations;
    return __libc_calloc(count, bytes);
}
void *realloc(void *memory, std::size_t bytes) {
    ++allocations;
    return __libc_realloc(memory, bytes);
}
void *aligned_alloc(std::size_t alignment, std::size_t bytes) {
    ++allocations;
    return __libc_memalign(alignment, bytes);
}
}
#endif

// The forms with std::nothrow and of arrays call these.
void *operator new(std::size_t bytes) {
    return allocated(bytes, 1);
}
void *operator new(std::size_t bytes, std::align_val_t alignment) {
    return allocated(bytes, static_cast<std::size_t>(alignment));
}
void operator delete(void *memory) noexcept {
    std::free(memory);
}
void operator delete(void *memory, std::size_t) noexcept {
    std::free(memory);
}
void operator delete(void *memory, std::align_val_t) noexcept {
    std::free(memory);
}
void operator delete(void *memory, std::size_t, std::align_val_t) noexcept {
    std::free(memory);
}

namespace tenrex::differential {
namespace {

constexpr std::size_t documents = 3;

TEST(Allocation, IsCounted) {
    const auto counts = [](const auto &allocate) {
        const std::size_t before = allocations;
        allocate();
        return allocations != before;
    };
    struct alignas(64) Wide {
        double cells[8];
    };
    EXPECT_TRUE(counts([] { EXPECT_EQ(std::vector<char>(100).size(), 100u); }));
    EXPECT_TRUE(counts([] { EXPECT_EQ(std::vector<Wide>(2).size(), 2u); }));
    EXPECT_TRUE(counts([] { delete new (std::nothrow) std::string; }));
    EXPECT_FALSE(counts([] {}));
#ifdef TENREX_COUNT_MALLOC
    EXPECT_TRUE(counts([] {
        void *volatile memory = std::malloc(10);
        std::free(memory);
    }));
#endif
}

// The allocations of a second and third evaluation, or what went wrong.
std::string allocates(const Case &described) {
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
    std::vector<double> scores(order.size());
    const Block block{order.size(), columns};
    if (const Status status = compiled->query().evaluate(block, context, scores); !status) {
        return status.error().message();
    }
    const std::size_t before = allocations;
    const bool succeeded = compiled->query().evaluate(block, context, scores).has_value() &&
                           compiled->query().evaluate({1, columns}, context, scores).has_value();
    const std::size_t count = allocations - before;
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

TEST(Allocation, NoneForRandomPrograms) {
    const std::uint64_t first = first_seed();
    for (std::uint64_t seed = first; seed < first + seed_count(300); ++seed) {
        const random::RandomExpression random = random::random_expression(seed);
        const std::string found = allocates(scored(make_case(random, random::Numbers::any, documents)));
        ASSERT_EQ(found, "") << random.reproducer();
    }
}

}  // namespace
}  // namespace tenrex::differential
