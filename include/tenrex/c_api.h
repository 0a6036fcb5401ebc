// The interface for C, and for languages that call C.
//
//   char *error = NULL;
//   tenrex_schema *schema = tenrex_schema_new();
//   tenrex_schema_query(schema, "query(q)", "tensor<float>(x[3])", &error);
//   tenrex_schema_document(schema, "d", "tensor<float>(x[3])", &error);
//   tenrex_plan *plan = tenrex_compile("sum(query(q)*d)", schema, NULL, &error);
//   const char *names[] = {"query(q)"};
//   tenrex_tensor *values[] = {tenrex_tensor_dense("tensor<float>(x[3])", q, sizeof(q), &error)};
//   tenrex_query *query = tenrex_bind(plan, names, (const tenrex_tensor *const *)values, 1, &error);
//   tenrex_context *context = tenrex_context_new(plan, &error);
//   const tenrex_column columns[] = {tenrex_column_dense(cells, 3 * sizeof(float))};
//   if (tenrex_evaluate(query, documents, columns, 1, context, scores, &error) != 0) {
//       fputs(error, stderr);
//       tenrex_string_free(error);
//   }
//
// tests/runtime/c_api_test.c is a program that runs. plan.h explains what the parts are; here is what differs:
//
// Handles are opaque; whoever gets one frees it, with the function named after it; freeing NULL does nothing. A plan
// does not need its schema, a query its plan or a context its plan to stay.
// A function that fails returns NULL, or a number other than 0. If `error` is not NULL, it then sets *error to a text
// that says where, why and what to do, which the caller frees with tenrex_string_free(); otherwise *error stays as it
// was. A handle, text or array that is NULL where none is allowed is such a failure; an array of no elements may be
// NULL. Nothing is thrown, and nothing is printed. Threads may share everything but contexts and schemas that are being
// filled.
//
// What only C++ has: several outputs of a plan, limits other than the defaults, a table of labels that plans share,
// blocks that begin within columns, profiles, caches of plans, JSON and binary values.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include <tenrex/version.h>

#ifdef TENREX_SHARED
#define TENREX_C_EXPORT __attribute__((visibility("default")))
#else
#define TENREX_C_EXPORT
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tenrex_schema tenrex_schema;
typedef struct tenrex_tensor tenrex_tensor;
typedef struct tenrex_plan tenrex_plan;
typedef struct tenrex_query tenrex_query;
typedef struct tenrex_context tenrex_context;

// "0.1.0": of the library that the program is linked with; <tenrex/version.h> has that of the headers.
TENREX_C_EXPORT const char *tenrex_version(void);

TENREX_C_EXPORT void tenrex_string_free(char *text);

// ---- Schemas: what an expression may refer to. Types are texts such as "double", "string" or
// "tensor<float>(k{},x[3])". A
// declaration that fails tells its own mistake. The schema keeps all of them, and nothing is compiled with it.

// NULL if there is no memory.
TENREX_C_EXPORT tenrex_schema *tenrex_schema_new(void);
TENREX_C_EXPORT void tenrex_schema_free(tenrex_schema *schema);
TENREX_C_EXPORT int tenrex_schema_query(tenrex_schema *schema, const char *name, const char *type, char **error);
TENREX_C_EXPORT int tenrex_schema_document(tenrex_schema *schema, const char *name, const char *type, char **error);
TENREX_C_EXPORT int tenrex_schema_constant(tenrex_schema *schema, const char *name, const tenrex_tensor *value,
                                           char **error);
// A pure function of 1 to 8 numbers. It may be called from any thread that evaluates.
typedef double (*tenrex_function)(const double *arguments, size_t count, void *user);
TENREX_C_EXPORT int tenrex_schema_function(tenrex_schema *schema, const char *name, size_t arity,
                                           tenrex_function function, void *user, char **error);
// A decision forest, from the bytes of its file; expressions call it as forest(name).
TENREX_C_EXPORT int tenrex_schema_forest(tenrex_schema *schema, const char *name, const void *bytes, size_t size,
                                         char **error);

// ---- Values.

// Such as "1.5", "\"a string\"" or "tensor(x{}):{a:1,b:2}".
TENREX_C_EXPORT tenrex_tensor *tenrex_tensor_literal(const char *text, char **error);
// Copies the cells of a type without mapped dimensions; `bytes` must be their size, which tells that of an open
// dimension if the type has one.
TENREX_C_EXPORT tenrex_tensor *tenrex_tensor_dense(const char *type, const void *cells, size_t bytes, char **error);
// A string: bytes, of any number.
TENREX_C_EXPORT tenrex_tensor *tenrex_tensor_string(const char *text, size_t length, char **error);
// The number that a string is in expressions, for columns of inputs of the type "string". 0 if text is NULL.
TENREX_C_EXPORT double tenrex_string_number(const char *text, size_t length);
// The value as a literal.
TENREX_C_EXPORT char *tenrex_tensor_text(const tenrex_tensor *tensor, char **error);
TENREX_C_EXPORT void tenrex_tensor_free(tenrex_tensor *tensor);

// ---- Plans.

typedef struct tenrex_options {
    const char *max_isa;  // "baseline", "avx2", "avx512" or "native"; NULL: what the machine has
    uint64_t seed;        // of random(...)
    int java_dialect;     // the meaning of the language's other evaluator, if not 0
} tenrex_options;

// options may be NULL.
TENREX_C_EXPORT tenrex_plan *tenrex_compile(const char *expression, const tenrex_schema *schema,
                                            const tenrex_options *options, char **error);
TENREX_C_EXPORT void tenrex_plan_free(tenrex_plan *plan);
// The inputs that the expression uses; columns are given in the order of those of documents. Names and types live as
// long as the plan; NULL if there is no input of that number. NULL has no inputs.
TENREX_C_EXPORT size_t tenrex_plan_document_inputs(const tenrex_plan *plan);
TENREX_C_EXPORT const char *tenrex_plan_document_input_name(const tenrex_plan *plan, size_t number);
TENREX_C_EXPORT const char *tenrex_plan_document_input_type(const tenrex_plan *plan, size_t number);
TENREX_C_EXPORT size_t tenrex_plan_query_inputs(const tenrex_plan *plan);
TENREX_C_EXPORT const char *tenrex_plan_query_input_name(const tenrex_plan *plan, size_t number);
TENREX_C_EXPORT const char *tenrex_plan_query_input_type(const tenrex_plan *plan, size_t number);
// What happens when, with which kernels.
TENREX_C_EXPORT char *tenrex_plan_explain(const tenrex_plan *plan, char **error);
// The id of a label, which is not empty, for sparse columns. At any time, by any thread; the label stays as long as the
// plan.
TENREX_C_EXPORT int tenrex_plan_label(const tenrex_plan *plan, const char *text, size_t length, uint64_t *label,
                                      char **error);

// ---- Queries: names[i] has the value values[i].

TENREX_C_EXPORT tenrex_query *tenrex_bind(const tenrex_plan *plan, const char *const *names,
                                          const tenrex_tensor *const *values, size_t count, char **error);
TENREX_C_EXPORT void tenrex_query_free(tenrex_query *query);

// Working memory; one per thread.
TENREX_C_EXPORT tenrex_context *tenrex_context_new(const tenrex_plan *plan, char **error);
TENREX_C_EXPORT void tenrex_context_free(tenrex_context *context);

// ---- Documents.

// Writes the cells of `count` documents, from number `first` of the block on, one after the other.
typedef void (*tenrex_fill)(size_t first, size_t count, void *cells, void *user);

// The values of one input for a block of documents; made by one of the functions below.
typedef struct tenrex_column {
    const void *cells;
    ptrdiff_t stride;
    const uint64_t *offsets;
    const uint64_t *labels;
    tenrex_fill fill;
    void *user;
    int sorted;
    const uint64_t *sizes;
} tenrex_column;

// The cells of document d begin d * stride bytes after `cells`; 0: all documents share them.
static inline tenrex_column tenrex_column_dense(const void *cells, ptrdiff_t stride) {
    tenrex_column column = {cells, stride, NULL, NULL, NULL, NULL, 0, NULL};
    return column;
}
// Document d has the blocks [offsets[d], offsets[d+1]), each with one label per mapped dimension, in the order of their
// names, and a dense block of cells.
static inline tenrex_column tenrex_column_sparse(const uint64_t *offsets, const uint64_t *labels, const void *cells) {
    tenrex_column column = {cells, 0, offsets, labels, NULL, NULL, 0, NULL};
    return column;
}
// Document d has the rows [offsets[d], offsets[d+1]) of an open dimension: one for each of its indexes, with the cells
// of all other dimensions side by side.
static inline tenrex_column tenrex_column_ragged(const uint64_t *offsets, const void *cells) {
    tenrex_column column = {cells, 0, offsets, NULL, NULL, NULL, 0, NULL};
    return column;
}
// The same of several open dimensions: a row for each combination of their indexes, the last dimension innermost.
// sizes: of each document as many as there are open dimensions, in the order of their names; all of them are 0, or
// none.
static inline tenrex_column tenrex_column_ragged_sizes(const uint64_t *offsets, const void *cells,
                                                       const uint64_t *sizes) {
    tenrex_column column = {cells, 0, offsets, NULL, NULL, NULL, 0, sizes};
    return column;
}
// The same as sparse with one mapped dimension, whose labels ascend within each document by the numbers that they are:
// large documents are then searched where few of their labels are wanted. Scores may differ in the last bits.
static inline tenrex_column tenrex_column_sorted(const uint64_t *offsets, const uint64_t *labels, const void *cells) {
    tenrex_column column = {cells, 0, offsets, labels, NULL, NULL, 1, NULL};
    return column;
}
// The cells are made when they are needed.
static inline tenrex_column tenrex_column_computed(tenrex_fill fill, void *user) {
    tenrex_column column = {NULL, 0, NULL, NULL, fill, user, 0, NULL};
    return column;
}

// The scores of a block of documents: scores[d].
TENREX_C_EXPORT int tenrex_evaluate(const tenrex_query *query, size_t documents, const tenrex_column *columns,
                                    size_t column_count, tenrex_context *context, double *scores, char **error);
// The values of the expression, of any type: tensors[d], each freed by the caller.
TENREX_C_EXPORT int tenrex_evaluate_tensors(const tenrex_query *query, size_t documents, const tenrex_column *columns,
                                            size_t column_count, tenrex_context *context, tenrex_tensor **tensors,
                                            char **error);

// Where the values of the expression go: memory of the caller, which no document may lie in; made by one of the
// functions below.
typedef struct tenrex_output {
    void *cells;
    size_t stride;
    size_t capacity;  // bytes, or blocks
    uint64_t *offsets;
    uint64_t *labels;
    uint64_t *sizes;
} tenrex_output;

// Types without mapped dimensions: the cells of document d begin d * stride bytes after `cells`; `bytes` of the memory.
static inline tenrex_output tenrex_output_dense(void *cells, size_t stride, size_t bytes) {
    tenrex_output output = {cells, stride, bytes, NULL, NULL, NULL};
    return output;
}
// Types with mapped dimensions, as tenrex_column_sparse describes them: there is room for an offset more than there are
// documents, and for so many blocks and their labels. Those mean something as long as the query.
static inline tenrex_output tenrex_output_sparse(uint64_t *offsets, uint64_t *labels, void *cells, size_t blocks) {
    tenrex_output output = {cells, 0, blocks, offsets, labels, NULL};
    return output;
}
// Types with open dimensions, as tenrex_column_ragged_sizes describes them: there is room for an offset more than there
// are documents, and for so many rows. sizes: room for those of each document; NULL if one dimension is open.
static inline tenrex_output tenrex_output_ragged(uint64_t *offsets, void *cells, size_t rows, uint64_t *sizes) {
    tenrex_output output = {cells, 0, rows, offsets, NULL, sizes};
    return output;
}

// The values of the expression, of any type, into memory of the caller; nothing is allocated once the context has seen
// the largest documents.
TENREX_C_EXPORT int tenrex_evaluate_into(const tenrex_query *query, size_t documents, const tenrex_column *columns,
                                         size_t column_count, tenrex_context *context, const tenrex_output *output,
                                         char **error);

#ifdef __cplusplus
}
#endif
