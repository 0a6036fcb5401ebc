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
    sparse_columns_and_tensors();
    errors();
    return failures == 0 ? 0 : 1;
}
