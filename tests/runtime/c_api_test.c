// The interface for C, used from C.
#include <stdio.h>
#include <string.h>

#include <tenrex/c_api.h>

static int failures = 0;

static void expect(int ok, const char *what, int line) {
    if (!ok) {
        printf("line %d: %s\n", line, what);
        ++failures;
    }
}
#define EXPECT(condition) expect((condition) != 0, #condition, __LINE__)

// The error must contain the text; it is freed.
static void expect_error(char *error, const char *text, int line) {
    if (error == NULL || strstr(error, text) == NULL) {
        printf("line %d: \"%s\" lacks \"%s\"\n", line, error == NULL ? "(none)" : error, text);
        ++failures;
    }
    tenrex_string_free(error);
}
#define EXPECT_ERROR(error, text)           \
    do {                                    \
        expect_error(error, text, __LINE__); \
        error = NULL;                       \
    } while (0)

static void scores_of_a_block(void) {
    char *error = NULL;
    tenrex_schema *schema = tenrex_schema_new();
    EXPECT(tenrex_schema_query(schema, "query(q)", "tensor<float>(x[3])", &error) == 0);
    EXPECT(tenrex_schema_document(schema, "d", "tensor<float>(x[3])", &error) == 0);
    EXPECT(tenrex_schema_document(schema, "boost", "double", &error) == 0);
    tenrex_tensor *half = tenrex_tensor_literal("0.5", &error);
    EXPECT(tenrex_schema_constant(schema, "half", half, &error) == 0);
    tenrex_plan *plan = tenrex_compile("half * sum(query(q) * d) + boost", schema, NULL, &error);
    EXPECT(plan != NULL && error == NULL);
    tenrex_tensor_free(half);
    tenrex_schema_free(schema);

    EXPECT(tenrex_plan_document_inputs(plan) == 2);
    EXPECT(strcmp(tenrex_plan_document_input_name(plan, 0), "d") == 0);
    EXPECT(strcmp(tenrex_plan_document_input_type(plan, 0), "tensor<float>(x[3])") == 0);
    EXPECT(tenrex_plan_document_input_name(plan, 2) == NULL && tenrex_plan_document_input_type(plan, 2) == NULL);
    EXPECT(tenrex_plan_query_inputs(plan) == 1);
    EXPECT(strcmp(tenrex_plan_query_input_name(plan, 0), "query(q)") == 0);
    EXPECT(strcmp(tenrex_plan_query_input_type(plan, 0), "tensor<float>(x[3])") == 0);
    char *text = tenrex_plan_explain(plan, &error);
    EXPECT(text != NULL && strstr(text, "per document") != NULL);
    tenrex_string_free(text);

    const float q[3] = {1, 2, 3};
    const char *names[] = {"query(q)"};
    const tenrex_tensor *values[] = {tenrex_tensor_dense("tensor<float>(x[3])", q, sizeof(q), &error)};
    tenrex_query *query = tenrex_bind(plan, names, values, 1, &error);
    tenrex_context *context = tenrex_context_new(plan, &error);
    EXPECT(query != NULL && context != NULL);
    const struct {
        float cells[3];
        double boost;
    } documents[2] = {{{1, 1, 1}, 10}, {{2, 0, 4}, 20}};
    const tenrex_column columns[] = {tenrex_column_dense(documents[0].cells, sizeof(documents[0])),
                                     tenrex_column_dense(&documents[0].boost, sizeof(documents[0]))};
    double scores[2] = {0, 0};
    EXPECT(tenrex_evaluate(query, 2, columns, 2, context, scores, &error) == 0);
    EXPECT(scores[0] == 13 && scores[1] == 27);
    EXPECT(tenrex_evaluate(query, 0, columns, 2, context, NULL, &error) == 0);

    EXPECT(tenrex_evaluate(query, 2, columns, 1, context, scores, &error) != 0);
    EXPECT_ERROR(error, "the block has 1 columns");
    EXPECT(tenrex_evaluate(query, 2, columns, 2, NULL, scores, &error) != 0);
    EXPECT_ERROR(error, "NULL");
    EXPECT(tenrex_evaluate(query, 2, NULL, 2, context, scores, &error) != 0);
    EXPECT_ERROR(error, "NULL");
    EXPECT(tenrex_evaluate(query, 0, NULL, 2, context, scores, &error) != 0);
    EXPECT_ERROR(error, "NULL");
    EXPECT(tenrex_evaluate(query, 2, NULL, 0, context, scores, &error) != 0);
    EXPECT_ERROR(error, "the block has 0 columns");
    EXPECT(tenrex_evaluate(query, 2, columns, 2, context, NULL, &error) != 0);
    EXPECT_ERROR(error, "NULL");
    tenrex_tensor *tensors[2];
    EXPECT(tenrex_evaluate_tensors(query, 2, NULL, 2, context, tensors, &error) != 0);
    EXPECT_ERROR(error, "NULL");
    EXPECT(tenrex_evaluate_tensors(query, 0, NULL, 2, context, NULL, &error) != 0);
    EXPECT_ERROR(error, "NULL");
    EXPECT(tenrex_evaluate_tensors(query, 2, columns, 2, context, NULL, &error) != 0);
    EXPECT_ERROR(error, "NULL");
    const tenrex_column without_cells[] = {tenrex_column_dense(NULL, 12), columns[1]};
    EXPECT(tenrex_evaluate(query, 2, without_cells, 2, context, scores, &error) != 0);
    EXPECT_ERROR(error, "the column for 'd' has no cells");
    EXPECT(tenrex_bind(plan, NULL, NULL, 0, &error) == NULL);
    EXPECT_ERROR(error, "query(q)");
    EXPECT(tenrex_bind(plan, names, NULL, 1, &error) == NULL);
    EXPECT_ERROR(error, "NULL");

    tenrex_context_free(context);
    tenrex_query_free(query);
    tenrex_tensor_free((tenrex_tensor *)values[0]);
    tenrex_plan_free(plan);
}

static double clamp(const double *arguments, size_t count, void *user) {
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

static void forests(void) {
    static const char model[] =
        "tree\nnum_tree_per_iteration=1\nfeature_names=a\nobjective=regression\n\nTree=0\nnum_leaves=1\nleaf_value=2.5\n\n\n"
        "end of trees\n";
    char *error = NULL;
    tenrex_schema *schema = tenrex_schema_new();
    EXPECT(tenrex_schema_forest(schema, "m", model, sizeof(model) - 1, &error) == 0);
    EXPECT(tenrex_schema_forest(schema, "n", model, 20, &error) == 1);
    EXPECT_ERROR(error, "the file ends before 'end of trees'");
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

static void null_has_no_inputs(void) {
    EXPECT(tenrex_plan_document_inputs(NULL) == 0 && tenrex_plan_query_inputs(NULL) == 0);
    EXPECT(tenrex_plan_document_input_name(NULL, 0) == NULL && tenrex_plan_document_input_type(NULL, 0) == NULL);
    EXPECT(tenrex_plan_query_input_name(NULL, 0) == NULL && tenrex_plan_query_input_type(NULL, 0) == NULL);
}

// Each handle and text where none may be NULL.
static void nulls(void) {
    char *error = NULL;
    tenrex_schema *schema = tenrex_schema_new();
    tenrex_tensor *one = tenrex_tensor_literal("1", &error);
    tenrex_plan *plan = tenrex_compile("1", schema, NULL, &error);
    uint64_t label;
#define EXPECT_NULL(failed)           \
    do {                              \
        EXPECT(failed);               \
        EXPECT_ERROR(error, "NULL");  \
    } while (0)
    EXPECT_NULL(tenrex_schema_query(NULL, "a", "double", &error) != 0);
    EXPECT_NULL(tenrex_schema_query(schema, NULL, "double", &error) != 0);
    EXPECT_NULL(tenrex_schema_query(schema, "a", NULL, &error) != 0);
    EXPECT_NULL(tenrex_schema_document(NULL, "a", "double", &error) != 0);
    EXPECT_NULL(tenrex_schema_constant(schema, "a", NULL, &error) != 0);
    EXPECT_NULL(tenrex_schema_function(schema, NULL, 1, clamp, NULL, &error) != 0);
    EXPECT_NULL(tenrex_tensor_literal(NULL, &error) == NULL);
    EXPECT_NULL(tenrex_tensor_dense(NULL, "", 0, &error) == NULL);
    EXPECT_NULL(tenrex_tensor_dense("double", NULL, 8, &error) == NULL);
    EXPECT_NULL(tenrex_tensor_text(NULL, &error) == NULL);
    EXPECT_NULL(tenrex_compile("1", NULL, NULL, &error) == NULL);
    EXPECT_NULL(tenrex_plan_explain(NULL, &error) == NULL);
    EXPECT_NULL(tenrex_plan_label(NULL, "a", 1, &label, &error) != 0);
    EXPECT_NULL(tenrex_plan_label(plan, NULL, 1, &label, &error) != 0);
    EXPECT_NULL(tenrex_plan_label(plan, "a", 1, NULL, &error) != 0);
    EXPECT_NULL(tenrex_bind(NULL, NULL, NULL, 0, &error) == NULL);
    EXPECT_NULL(tenrex_context_new(NULL, &error) == NULL);
    EXPECT_NULL(tenrex_evaluate(NULL, 0, NULL, 0, NULL, NULL, &error) != 0);
    EXPECT_NULL(tenrex_evaluate_tensors(NULL, 0, NULL, 0, NULL, NULL, &error) != 0);
    tenrex_plan_free(plan);
    tenrex_tensor_free(one);
    tenrex_schema_free(schema);
}

static void each_declaration_tells_its_own_mistake(void) {
    char *error = NULL;
    tenrex_schema *schema = tenrex_schema_new();
    EXPECT(tenrex_schema_document(schema, "n", "double", &error) == 0);
    EXPECT(tenrex_schema_document(schema, "n", "double", &error) != 0);
    EXPECT_ERROR(error, "input 'n' is declared twice");
    EXPECT(tenrex_schema_function(schema, "clamp", 1, clamp, NULL, &error) == 0);
    EXPECT(tenrex_schema_query(schema, "q", "tensor(", &error) != 0);
    EXPECT(error != NULL && strstr(error, "declared twice") == NULL);
    EXPECT_ERROR(error, "type of input 'q'");
    EXPECT(tenrex_schema_function(schema, "many", 9, clamp, NULL, &error) != 0);
    EXPECT_ERROR(error, "a function has 1 to 8");
    EXPECT(tenrex_compile("n", schema, NULL, &error) == NULL);
    EXPECT(error != NULL && strstr(error, "declared twice") != NULL && strstr(error, "type of input 'q'") != NULL);
    tenrex_string_free(error);
    tenrex_schema_free(schema);
}

static void strings(void) {
    char *error = NULL;
    tenrex_schema *schema = tenrex_schema_new();
    EXPECT(tenrex_schema_query(schema, "query(lang)", "string", &error) == 0);
    EXPECT(tenrex_schema_document(schema, "lang", "string", &error) == 0);
    tenrex_plan *plan = tenrex_compile("(lang == query(lang)) + (lang == \"at\")", schema, NULL, &error);
    EXPECT(plan != NULL);
    EXPECT(strcmp(tenrex_plan_document_input_type(plan, 0), "string") == 0);
    EXPECT(strcmp(tenrex_plan_query_input_type(plan, 0), "string") == 0);
    EXPECT(tenrex_bind(plan, NULL, NULL, 0, &error) == NULL);
    EXPECT_ERROR(error, "give a value of type string");
    const char *names[] = {"query(lang)"};
    tenrex_tensor *de = tenrex_tensor_string("de", 2, &error);
    char *text = tenrex_tensor_text(de, &error);
    EXPECT(strcmp(text, "\"de\"") == 0);
    tenrex_string_free(text);
    const tenrex_tensor *values[] = {de};
    tenrex_query *query = tenrex_bind(plan, names, values, 1, &error);
    const double langs[3] = {tenrex_string_number("de", 2), tenrex_string_number("at", 2), tenrex_string_number("it", 2)};
    const tenrex_column columns[] = {tenrex_column_dense(langs, sizeof(double))};
    double scores[3];
    tenrex_context *context = tenrex_context_new(plan, &error);
    EXPECT(tenrex_evaluate(query, 3, columns, 1, context, scores, &error) == 0);
    EXPECT(scores[0] == 1 && scores[1] == 1 && scores[2] == 0);
    EXPECT(tenrex_string_number(NULL, 0) == 0);
    EXPECT(tenrex_tensor_string(NULL, 1, &error) == NULL);
    EXPECT_ERROR(error, "NULL");
    tenrex_tensor *empty = tenrex_tensor_string(NULL, 0, &error);
    EXPECT(empty != NULL);
    tenrex_tensor_free(empty);
    tenrex_tensor_free(de);
    tenrex_context_free(context);
    tenrex_query_free(query);
    tenrex_plan_free(plan);
    tenrex_schema_free(schema);
}

static void errors(void) {
    char *error = NULL;
    tenrex_schema *schema = tenrex_schema_new();
    EXPECT(tenrex_compile("1 + zz", schema, NULL, &error) == NULL);
    EXPECT_ERROR(error, "unknown symbol 'zz'");
    EXPECT(tenrex_compile("1 +", schema, NULL, NULL) == NULL);  // whoever does not want the text does not get it
    EXPECT(tenrex_compile(NULL, schema, NULL, &error) == NULL);
    EXPECT_ERROR(error, "NULL");
    const tenrex_options options = {"sse9", 0, 0};
    EXPECT(tenrex_compile("1", schema, &options, &error) == NULL);
    EXPECT_ERROR(error, "sse9");
    EXPECT(tenrex_tensor_literal("tensor(x[2]):[1", &error) == NULL);
    EXPECT_ERROR(error, "1:");
    EXPECT(tenrex_tensor_dense("tensor(x[2])", "", 1, &error) == NULL);
    EXPECT_ERROR(error, "16 bytes");
    EXPECT(tenrex_tensor_dense("tensor(x{})", "", 1, &error) == NULL);
    EXPECT_ERROR(error, "mapped");
    EXPECT(tenrex_schema_function(schema, "f", 1, NULL, NULL, &error) != 0);
    EXPECT_ERROR(error, "NULL");
    EXPECT(tenrex_schema_document(schema, "d", "tensor(", &error) != 0);
    EXPECT_ERROR(error, "d");
    EXPECT(tenrex_compile("1", schema, NULL, &error) == NULL);  // a schema keeps its mistake
    tenrex_string_free(error);
    tenrex_schema_free(schema);
    tenrex_schema_free(NULL);
    tenrex_tensor_free(NULL);
    tenrex_plan_free(NULL);
    tenrex_query_free(NULL);
    tenrex_context_free(NULL);
    tenrex_string_free(NULL);
}

int main(void) {
    scores_of_a_block();
    functions_and_computed_columns();
    forests();
    sparse_columns_and_tensors();
    values_in_memory_of_the_caller();
    ragged_columns();
    columns_of_several_sizes();
    sorted_columns();
    null_has_no_inputs();
    nulls();
    each_declaration_tells_its_own_mistake();
    strings();
    errors();
    return failures == 0 ? 0 : 1;
}
