// Columns and outputs by the interface for C.
#include "c_api_test.h"

#include <string.h>

#include <tenrex/c_api.h>

double clamp(const double *arguments, size_t count, void *user) {
    const double *bounds = user;
    const double x = count == 1 ? arguments[0] : 0;
    return x < bounds[0] ? bounds[0] : x > bounds[1] ? bounds[1] : x;
}

static void count_up(size_t first, size_t count, void *cells, void *user) {
    ++*(int *)user;
    for (size_t i = 0; i < count; ++i) {
        ((double *)cells)[i] = (double)(first + i);
    }
}

static void functions_and_computed_columns(void) {
    char *error = NULL;
    double bounds[2] = {1, 2.5};
    int calls = 0;
    tenrex_schema *schema = tenrex_schema_new();
    EXPECT(tenrex_schema_document(schema, "n", "double", &error) == 0);
    EXPECT(tenrex_schema_function(schema, "clamp", 1, clamp, bounds, &error) == 0);
    const tenrex_options options = {"baseline", 7, 0};
    tenrex_plan *plan = tenrex_compile("clamp(n)", schema, &options, &error);
    tenrex_query *query = tenrex_bind(plan, NULL, NULL, 0, &error);
    tenrex_context *context = tenrex_context_new(plan, &error);
    const tenrex_column column = tenrex_column_computed(count_up, &calls);
    double scores[4];
    EXPECT(tenrex_evaluate(query, 4, &column, 1, context, scores, &error) == 0);
    EXPECT(calls > 0 && scores[0] == 1 && scores[1] == 1 && scores[2] == 2 && scores[3] == 2.5);
    tenrex_context_free(context);
    tenrex_query_free(query);
    tenrex_plan_free(plan);
    tenrex_schema_free(schema);
}

static void ragged_columns(void) {
    char *error = NULL;
    tenrex_schema *schema = tenrex_schema_new();
    EXPECT(tenrex_schema_query(schema, "query(q)", "tensor<float>(s[],x[2])", &error) == 0);
    EXPECT(tenrex_schema_document(schema, "d", "tensor<float>(t[],x[2])", &error) == 0);
    tenrex_plan *plan = tenrex_compile("sum(reduce(sum(query(q) * d, x), max, t), s)", schema, NULL, &error);
    const float vectors[] = {1, 0, 0, 1};
    tenrex_tensor *q = tenrex_tensor_dense("tensor<float>(s[],x[2])", vectors, sizeof(vectors), &error);
    const char *names[] = {"query(q)"};
    const tenrex_tensor *values[] = {q};
    tenrex_query *query = tenrex_bind(plan, names, values, 1, &error);
    tenrex_context *context = tenrex_context_new(plan, &error);
    const uint64_t offsets[] = {0, 2, 2, 3};
    const float rows[] = {1, 5, 4, 2, 3, 3};
    const tenrex_column column = tenrex_column_ragged(offsets, rows);
    double scores[3];
    EXPECT(tenrex_evaluate(query, 3, &column, 1, context, scores, &error) == 0);
    EXPECT(scores[0] == 9 && scores[1] == 0 && scores[2] == 6);
    EXPECT(tenrex_tensor_dense("tensor<float>(s[],x[2])", vectors, sizeof(float), &error) == NULL);
    EXPECT_ERROR(error, "a value of type tensor<float>(s[],x[2]) has 8 bytes, not 4");
    tenrex_context_free(context);
    tenrex_query_free(query);
    tenrex_tensor_free(q);
    tenrex_plan_free(plan);
    tenrex_schema_free(schema);
}

static void columns_of_several_sizes(void) {
    char *error = NULL;
    tenrex_schema *schema = tenrex_schema_new();
    EXPECT(tenrex_schema_document(schema, "m", "tensor(s[],t[])", &error) == 0);
    tenrex_plan *plan = tenrex_compile("sum(m{t:1})", schema, NULL, &error);
    tenrex_query *query = tenrex_bind(plan, NULL, NULL, 0, &error);
    tenrex_context *context = tenrex_context_new(plan, &error);
    const uint64_t offsets[] = {0, 6, 6, 8};
    const uint64_t sizes[] = {2, 3, 0, 0, 1, 2};
    const double cells[] = {1, 2, 3, 4, 5, 6, 7, 8};
    const tenrex_column column = tenrex_column_ragged_sizes(offsets, cells, sizes);
    double scores[3];
    EXPECT(tenrex_evaluate(query, 3, &column, 1, context, scores, &error) == 0);
    EXPECT(scores[0] == 7 && scores[1] == 0 && scores[2] == 8);
    const tenrex_column without = tenrex_column_ragged(offsets, cells);
    EXPECT(tenrex_evaluate(query, 3, &without, 1, context, scores, &error) != 0);
    EXPECT_ERROR(error, "the column for 'm' has no sizes");
    tenrex_context_free(context);
    tenrex_query_free(query);
    tenrex_plan_free(plan);

    plan = tenrex_compile("m * 2", schema, NULL, &error);
    query = tenrex_bind(plan, NULL, NULL, 0, &error);
    context = tenrex_context_new(plan, &error);
    uint64_t offsets_of_result[4], sizes_of_result[6];
    double result[8];
    const tenrex_output output = tenrex_output_ragged(offsets_of_result, result, 8, sizes_of_result);
    EXPECT(tenrex_evaluate_into(query, 3, &column, 1, context, &output, &error) == 0);
    EXPECT(memcmp(offsets_of_result, offsets, sizeof(offsets)) == 0);
    EXPECT(memcmp(sizes_of_result, sizes, sizeof(sizes)) == 0);
    EXPECT(result[0] == 2 && result[5] == 12 && result[7] == 16);
    const tenrex_output unsized_output = tenrex_output_ragged(offsets_of_result, result, 8, NULL);
    EXPECT(tenrex_evaluate_into(query, 3, &column, 1, context, &unsized_output, &error) != 0);
    EXPECT_ERROR(error, "it has no sizes");
    tenrex_context_free(context);
    tenrex_query_free(query);
    tenrex_plan_free(plan);
    tenrex_schema_free(schema);
}

static void sparse_columns_and_tensors(void) {
    char *error = NULL;
    tenrex_schema *schema = tenrex_schema_new();
    EXPECT(tenrex_schema_query(schema, "query(w)", "tensor(k{})", &error) == 0);
    EXPECT(tenrex_schema_document(schema, "d", "tensor<float>(k{},x[2])", &error) == 0);
    tenrex_plan *plan = tenrex_compile("reduce(query(w) * d, sum, k)", schema, NULL, &error);
    uint64_t labels[3];
    EXPECT(tenrex_plan_label(plan, "a", 1, &labels[0], &error) == 0);
    EXPECT(tenrex_plan_label(plan, "b", 1, &labels[1], &error) == 0);
    labels[2] = labels[0];
    tenrex_tensor *weights = tenrex_tensor_literal("tensor(k{}):{a:2,b:10}", &error);
    const char *names[] = {"query(w)"};
    const tenrex_tensor *values[] = {weights};
    tenrex_query *query = tenrex_bind(plan, names, values, 1, &error);
    tenrex_context *context = tenrex_context_new(plan, &error);
    const uint64_t offsets[] = {0, 2, 3};
    const float cells[] = {1, 2, 3, 4, 5, 6};
    const tenrex_column column = tenrex_column_sparse(offsets, labels, cells);
    tenrex_tensor *sums[2];
    EXPECT(tenrex_evaluate_tensors(query, 2, &column, 1, context, sums, &error) == 0);
    char *first = tenrex_tensor_text(sums[0], &error);
    char *second = tenrex_tensor_text(sums[1], &error);
    EXPECT(strcmp(first, "tensor(x[2]):[32,44]") == 0);
    EXPECT(strcmp(second, "tensor(x[2]):[10,12]") == 0);
    double scores[2];
    EXPECT(tenrex_evaluate(query, 2, &column, 1, context, scores, &error) != 0);
    EXPECT_ERROR(error, "scores must be scalars");
    EXPECT(tenrex_plan_label(plan, "", 0, &labels[0], &error) != 0);
    EXPECT_ERROR(error, "a label must not be empty");
    // Without cells or labels there may be documents without blocks, but no blocks.
    const uint64_t empty[] = {0, 0, 0};
    const tenrex_column no_blocks = tenrex_column_sparse(empty, NULL, NULL);
    tenrex_tensor *zeros[2];
    EXPECT(tenrex_evaluate_tensors(query, 2, &no_blocks, 1, context, zeros, &error) == 0);
    tenrex_tensor_free(zeros[0]);
    tenrex_tensor_free(zeros[1]);
    const tenrex_column without_labels = tenrex_column_sparse(offsets, NULL, cells);
    EXPECT(tenrex_evaluate_tensors(query, 2, &without_labels, 1, context, zeros, &error) != 0);
    EXPECT_ERROR(error, "the column for 'd' has no labels");
    const tenrex_column without_cells = tenrex_column_sparse(offsets, labels, NULL);
    EXPECT(tenrex_evaluate_tensors(query, 2, &without_cells, 1, context, zeros, &error) != 0);
    EXPECT_ERROR(error, "the column for 'd' has no cells");
    tenrex_string_free(first);
    tenrex_string_free(second);
    tenrex_tensor_free(sums[0]);
    tenrex_tensor_free(sums[1]);
    tenrex_context_free(context);
    tenrex_query_free(query);
    tenrex_tensor_free(weights);
    tenrex_plan_free(plan);
    tenrex_schema_free(schema);
}

static void values_in_memory_of_the_caller(void) {
    char *error = NULL;
    tenrex_schema *schema = tenrex_schema_new();
    EXPECT(tenrex_schema_document(schema, "v", "tensor<float>(x[2])", &error) == 0);
    EXPECT(tenrex_schema_document(schema, "d", "tensor(k{})", &error) == 0);
    const float vectors[] = {1, 2, 3, 4};
    tenrex_plan *plan = tenrex_compile("v * 2", schema, NULL, &error);
    tenrex_query *query = tenrex_bind(plan, NULL, NULL, 0, &error);
    tenrex_context *context = tenrex_context_new(plan, &error);
    const tenrex_column column = tenrex_column_dense(vectors, 2 * sizeof(float));
    struct {
        float cells[2];
        int other;
    } values[2] = {{{0, 0}, 7}, {{0, 0}, 8}};
    tenrex_output output = tenrex_output_dense(values[0].cells, sizeof(values[0]), sizeof(values));
    EXPECT(tenrex_evaluate_into(query, 2, &column, 1, context, &output, &error) == 0);
    EXPECT(values[0].cells[0] == 2 && values[0].cells[1] == 4 && values[0].other == 7);
    EXPECT(values[1].cells[0] == 6 && values[1].cells[1] == 8 && values[1].other == 8);
    output = tenrex_output_dense(values[0].cells, sizeof(values[0]), sizeof(values[0]));
    EXPECT(tenrex_evaluate_into(query, 2, &column, 1, context, &output, &error) != 0);
    EXPECT_ERROR(error, "do not fit in 12 bytes");
    EXPECT(tenrex_evaluate_into(query, 2, &column, 1, context, NULL, &error) != 0);
    EXPECT_ERROR(error, "NULL");
    tenrex_context_free(context);
    tenrex_query_free(query);
    tenrex_plan_free(plan);

    plan = tenrex_compile("d + 1", schema, NULL, &error);
    query = tenrex_bind(plan, NULL, NULL, 0, &error);
    context = tenrex_context_new(plan, &error);
    const uint64_t offsets[] = {0, 2, 3}, labels[] = {7, 8, 9};
    const double cells[] = {10, 20, 30};
    const tenrex_column sparse = tenrex_column_sparse(offsets, labels, cells);
    uint64_t written_offsets[3], written_labels[3];
    double written[3];
    output = tenrex_output_sparse(written_offsets, written_labels, written, 3);
    EXPECT(tenrex_evaluate_into(query, 2, &sparse, 1, context, &output, &error) == 0);
    EXPECT(memcmp(written_offsets, offsets, sizeof(offsets)) == 0);
    EXPECT(memcmp(written_labels, labels, sizeof(labels)) == 0);
    EXPECT(written[0] == 11 && written[1] == 21 && written[2] == 31);
    output = tenrex_output_sparse(written_offsets, written_labels, written, 2);
    EXPECT(tenrex_evaluate_into(query, 2, &sparse, 1, context, &output, &error) != 0);
    EXPECT_ERROR(error, "has more than 2 blocks");
    tenrex_context_free(context);
    tenrex_query_free(query);
    tenrex_plan_free(plan);
    tenrex_schema_free(schema);
}

static void sorted_columns(void) {
    char *error = NULL;
    tenrex_schema *schema = tenrex_schema_new();
    EXPECT(tenrex_schema_query(schema, "query(w)", "tensor(k{})", &error) == 0);
    EXPECT(tenrex_schema_document(schema, "d", "tensor(k{})", &error) == 0);
    tenrex_plan *plan = tenrex_compile("sum(query(w) * d)", schema, NULL, &error);
    tenrex_tensor *weights = tenrex_tensor_literal("tensor(k{}):{7:2,900:10}", &error);
    const char *names[] = {"query(w)"};
    const tenrex_tensor *values[] = {weights};
    tenrex_query *query = tenrex_bind(plan, names, values, 1, &error);
    tenrex_context *context = tenrex_context_new(plan, &error);
    uint64_t labels[1003];
    double cells[1003];
    const uint64_t offsets[] = {0, 1000, 1003};
    for (int i = 0; i < 1003; ++i) {
        labels[i] = (uint64_t)(i < 1000 ? i : i - 1000 + 6);
        cells[i] = i;
    }
    const tenrex_column column = tenrex_column_sorted(offsets, labels, cells);
    double scores[2];
    EXPECT(tenrex_evaluate(query, 2, &column, 1, context, scores, &error) == 0);
    EXPECT(scores[0] == 2 * 7 + 10 * 900 && scores[1] == 2 * 1001);
    tenrex_context_free(context);
    tenrex_query_free(query);
    tenrex_tensor_free(weights);
    tenrex_plan_free(plan);
    tenrex_schema_free(schema);
}

void test_columns(void) {
    functions_and_computed_columns();
    sparse_columns_and_tensors();
    values_in_memory_of_the_caller();
    ragged_columns();
    columns_of_several_sizes();
    sorted_columns();
}
