// Compiling an expression once, and evaluating it for many documents.
//
//   auto plan = tenrex::compile("bm25(title) + 3 * sum(query(q) * attribute(embedding))", schema);
//   if (!plan) { std::cerr << plan.error().render(); return 1; }
//   auto query = plan->bind({{"query(q)", q}});              // runs once what depends on the query alone
//   tenrex::Context context(*plan);                          // working memory; one per thread
//   const tenrex::Column columns[] = {                       // in the order of plan->document_inputs()
//       tenrex::Column::dense(bm25, sizeof(double)), tenrex::Column::dense(embeddings, 128 * 2)};
//   query->evaluate({documents, columns}, context, scores);  // scores: one double per document
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <tenrex/executor.h>
#include <tenrex/export.h>
#include <tenrex/expression.h>
#include <tenrex/label.h>
#include <tenrex/result.h>
#include <tenrex/schema.h>
#include <tenrex/tensor.h>
#include <tenrex/weight_store.h>

namespace tenrex {

struct CompileOptions {
    ExpressionOptions expression;
    // The widest instruction set to use: "baseline", "avx2", "avx512" or "native"; empty: what TENREX_MAX_ISA says, or
    // everything that the machine has. Scores may differ in the last bits between instruction sets.
    std::string max_isa;
    // Optimizations to leave out, by the names that optimization_names() gives.
    std::vector<std::string> disabled_passes;
    // The ids of labels: share one table between the columns and all plans that read them. Labels may be added at any
    // time, by any thread. Null: the plan makes its own.
    std::shared_ptr<LabelTable> labels;
    // Where packed weights are: plans with one store share them. Null: the plan has its own.
    std::shared_ptr<WeightStore> weights;
};

struct ExplainOptions {
    bool candidates = false;  // for each kernel that was chosen, the others that would fit and why they were not taken
};

// A step of a plan. What it computes and moves is estimated from what is known when compiling.
struct PlanStep {
    std::string what;    // "sum of 1 rows of 768 cells"
    std::string kernel;  // "avx2::sum_f32", if there is one
    double flops = 0;
    double bytes_read = 0;
    double bytes_written = 0;
    bool per_block = false;  // these are for each block of a sparse value, else for each document (or query, or once)
    bool per_shared_block = false;  // and for each such block that all documents share, of query or constants
    std::string text = {};          // the part of the expression that it computes, if it is one: "sum(q * d)"
    std::string place = {};         // where that is, "1:5" for line and column, or "function boost 2:9"
};

// What a plan reads of a document input. It may be less than all of it: a range, single cells, labels that are looked
// up.
struct DocumentRead {
    std::size_t cells = 0;   // of each block that it reads
    std::size_t blocks = 0;  // so many at most; 0: all
    bool matching = false;   // only blocks whose labels a value of the query or a constant has, too
    bool joined = false;     // its labels must be found among those of such a value, whether all blocks are read or not
};

// An expression and the name of its value.
struct NamedExpression {
    std::string name;
    std::string text;
};

// The values of one input for a block of documents. Describes memory that someone else owns; nothing is copied.
class Column {
public:
    // Cells of documents without mapped dimensions: those of document d begin d * stride bytes after `cells` and need
    // not be aligned. A stride of 0 means that all documents share them.
    static Column dense(const void *cells, std::ptrdiff_t stride) noexcept {
        Column column;
        column.cells_ = cells;
        column.stride_ = stride;
        column.plain_ = cells != nullptr;
        return column;
    }
    // Documents with mapped dimensions: document d has the blocks [offsets[d], offsets[d+1]). Each has one label per
    // mapped dimension, in the order of their names, and a dense block of cells. The addresses of a document differ.
    // sorted: there is one mapped dimension, and within each document the labels ascend by the numbers that they are.
    // Large documents are then searched where few of their labels are wanted. Scores may differ in the last bits.
    static Column sparse(const std::uint64_t *offsets, const Label *labels, const void *cells,
                         bool sorted = false) noexcept {
        Column column;
        column.offsets_ = offsets;
        column.labels_ = labels;
        column.sorted_ = sorted;
        column.cells_ = cells;
        return column;
    }
    // Documents with an open dimension: document d has the rows [offsets[d], offsets[d+1]), one for each index of that
    // dimension, with the cells of all other dimensions side by side.
    // With several open dimensions a row is there for each combination of their indexes, the last dimension innermost.
    // sizes: for each document as many as there are open dimensions, in the order of their names. Their product is the
    // number of its rows; either all of a document are 0, or none is. With one open dimension they are not read.
    static Column ragged(const std::uint64_t *offsets, const void *cells,
                         const std::uint64_t *sizes = nullptr) noexcept {
        Column column;
        column.offsets_ = offsets;
        column.cells_ = cells;
        column.sizes_ = sizes;
        return column;
    }
    // Documents without mapped dimensions whose cells are made when they are needed: fill(first, count, cells) writes
    // the cells of `count` documents from number `first` of the columns on, one after the other. It must outlive the
    // column and not throw.
    using Fill = std::function<void(std::size_t first, std::size_t count, void *cells)>;
    static Column computed(const Fill &fill) noexcept {
        Column column;
        column.fill_ = &fill;
        return column;
    }
    static Column computed(const Fill &&) = delete;  // a temporary would be gone when the cells are made

private:
    friend class Query;
    const void *cells_ = nullptr;
    std::ptrdiff_t stride_ = 0;
    const std::uint64_t *offsets_ = nullptr;
    const Label *labels_ = nullptr;
    const std::uint64_t *sizes_ = nullptr;
    bool sorted_ = false;
    bool plain_ = false;  // cells without addresses that are there
    const Fill *fill_ = nullptr;
};

// Where the values of one output go: memory of the caller, which nothing that is evaluated may lie in.
//
//   float vectors[64][3];                            // of a tensor<float>(x[3])
//   const tenrex::OutputColumn outputs[] = {
//       tenrex::OutputColumn::dense(vectors, sizeof(vectors[0]), sizeof(vectors))};
//   query->evaluate({64, columns}, context, outputs);
class OutputColumn {
public:
    // Values without mapped dimensions: the cells of document d begin d * stride bytes after `cells` and need not be
    // aligned. The stride is the size of a value or more; what lies between two values stays. bytes: of the memory.
    static OutputColumn dense(void *cells, std::size_t stride, std::size_t bytes) noexcept {
        OutputColumn column;
        column.cells_ = cells;
        column.stride_ = stride;
        column.capacity_ = bytes;
        return column;
    }
    // Values with mapped dimensions, as Column::sparse describes them; the order of the blocks of a document is not
    // specified. There is room for an offset more than there are documents, and for so many blocks with a label per
    // mapped dimension each. Labels have a meaning as long as the query.
    //
    //   std::uint64_t offsets[65];
    //   tenrex::Label labels[1000];
    //   double cells[1000];                          // of a tensor(k{})
    //   tenrex::OutputColumn::sparse(offsets, labels, cells, 1000)
    static OutputColumn sparse(std::uint64_t *offsets, Label *labels, void *cells, std::size_t blocks) noexcept {
        OutputColumn column;
        column.cells_ = cells;
        column.offsets_ = offsets;
        column.labels_ = labels;
        column.capacity_ = blocks;
        return column;
    }

    // Values with open dimensions, as Column::ragged describes them, for so many rows. A column of another plan may be
    // the same memory.
    // sizes: room for as many of each document as there are open dimensions, if there are several. Where one of them is
    // 0 there are no rows, and the others are what they are; a column must not have such a value.
    static OutputColumn ragged(std::uint64_t *offsets, void *cells, std::size_t rows,
                               std::uint64_t *sizes = nullptr) noexcept {
        OutputColumn column = sparse(offsets, nullptr, cells, rows);
        column.sizes_ = sizes;
        return column;
    }

private:
    friend class Query;
    void *cells_ = nullptr;
    std::size_t stride_ = 0;
    std::size_t capacity_ = 0;  // bytes, or blocks
    std::uint64_t *offsets_ = nullptr;
    Label *labels_ = nullptr;
    std::uint64_t *sizes_ = nullptr;
};

// Documents to evaluate: a column for each of Plan::document_inputs(), in that order. The same columns serve for one
// block after the other: those of `first`, first + 1, ... are evaluated.
struct Block {
    std::size_t documents = 0;
    std::span<const Column> columns;
    std::size_t first = 0;
};

class Query;

// A compiled expression, or several. Immutable; copies share it, and so may threads.
class TENREX_EXPORT Plan {
public:
    struct Output {
        std::string name;  // "" of a single expression
        TensorType type;
    };
    const std::vector<Output> &outputs() const noexcept;
    // What a block must have columns for, and what a query must have values for: those that the expressions use.
    const std::vector<InputDeclaration> &document_inputs() const noexcept;
    // What is read of each of them.
    std::vector<DocumentRead> document_reads() const;
    const std::vector<InputDeclaration> &query_inputs() const noexcept;
    // Where the labels of document columns must come from, before or after the query is bound.
    const std::shared_ptr<LabelTable> &labels() const noexcept;
    // Warnings of all expressions.
    const std::vector<Issue> &warnings() const noexcept;

    // Computes what depends on the query alone. Errors: an input without a value or of another type, a value beyond the
    // limits. Values for other names are ignored. Labels that the table does not have are in it as long as the query.
    Result<Query> bind(const std::vector<NamedTensor> &inputs) const;

    // What happens when: the steps for constants, a query and documents, with the kernels that do them.
    std::string explain(const ExplainOptions &options = {}) const;
    // The optimized graph: as text, one node a line, or as a drawing for Graphviz.
    std::string graph() const;
    std::string graph_dot() const;
    // What runs once (for constants), once per query, and for each document.
    std::vector<PlanStep> steps(Stage stage) const;
    // Steps for each document, and documents that are worked on at a time.
    std::size_t document_steps() const noexcept;
    std::size_t piece() const noexcept;

    struct Content;
    explicit Plan(std::shared_ptr<const Content> content) : content_(std::move(content)) {}

private:
    friend class Query;
    friend class Context;
    std::shared_ptr<const Content> content_;
};

// Errors: every issue of the text, or of the schema; an option that is not known; a constant part that goes beyond the
// limits.
TENREX_EXPORT Result<Plan> compile(std::string_view text, const Schema &schema, const CompileOptions &options = {});
// Several outputs from one pass over the documents; what they have in common is computed once.
TENREX_EXPORT Result<Plan> compile(const std::vector<NamedExpression> &expressions, const Schema &schema,
                                   const CompileOptions &options = {});
// An expression that has been parsed already. `options.expression` has no meaning here.
TENREX_EXPORT Result<Plan> compile(const Expression &expression, const CompileOptions &options = {});

// The names of all optimizations, in the order in which they run.
TENREX_EXPORT std::vector<std::string_view> optimization_names();

// Working memory of a thread that evaluates documents with one plan. It grows until it has seen the largest documents;
// then evaluating allocates nothing.
class TENREX_EXPORT Context {
public:
    explicit Context(const Plan &plan);
    // Long steps are shared by the threads of an executor, which outlives the context.
    Context(const Plan &plan, Executor &executor);
    Context(Context &&) noexcept;
    Context &operator=(Context &&) noexcept;
    ~Context();

    std::size_t memory_bytes() const noexcept;

private:
    friend class Query;
    struct Content;
    std::unique_ptr<Content> content_;
};

// A plan with the values of one query. Immutable; threads may share it, each with a context of its own.
class TENREX_EXPORT Query {
public:
    // Computes the first output, a scalar, for each document: scores[d] for number block.first + d. A document's score
    // depends on its own columns alone. Errors: a number of columns or scores that does not fit, a first output that is
    // no scalar, a value beyond the limits; then the scores mean nothing.
    Status evaluate(const Block &block, Context &context, std::span<double> scores) const;
    // All outputs, which must be scalars: scores[output][d].
    Status evaluate(const Block &block, Context &context, std::span<const std::span<double>> scores) const;
    // All outputs, of any type, into memory of the caller: outputs[i] is for Plan::outputs()[i]. Values without gaps
    // between them are computed where they are wanted, if they are aligned as their cells are; others are copied there.
    // Errors: also memory that does not fit the type, or is too small for the values; then what it holds means nothing.
    Status evaluate(const Block &block, Context &context, std::span<const OutputColumn> outputs) const;
    // All outputs as tensors, output by output, document by document: tensors[output * documents + d].
    Result<std::vector<Tensor>> evaluate_tensors(const Block &block, Context &context) const;
    // Computes all outputs and adds to seconds[i] what step i of Plan::steps(Stage::document) needed, with one reading
    // of the clock each.
    Status profile(const Block &block, Context &context, std::span<double> seconds) const;

    std::size_t memory_bytes() const noexcept;

private:
    friend class Plan;
    struct Content;
    explicit Query(std::shared_ptr<const Content> content) : content_(std::move(content)) {}
    Status check(const Block &block, const Context &context) const;
    Status evaluate_block(const Block &block, Context &context, std::span<double> scores) const;
    Status evaluate_steps(const Block &block, Context &context, std::span<double> scores) const;
    // Writes the first `count` outputs, the one of number i where column_of(i) says.
    template <class ColumnOf>
    Status write(const Block &block, Context &context, std::size_t count, const ColumnOf &column_of) const;
    template <class ColumnOf>
    class OutputWriter;
    static Status check(const OutputColumn &output, const Plan::Content &plan, std::size_t number,
                        std::size_t documents);
    template <class Work>
    Status run(const Block &block, Context &context, Work &&work) const;
    std::shared_ptr<const Content> content_;
};

}  // namespace tenrex
