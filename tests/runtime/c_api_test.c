// The interface for C, used from C.
#include "c_api_test.h"

#include <stdio.h>
#include <string.h>

#include <tenrex/c_api.h>

static int failures = 0;

void expect(int ok, const char *what, const char *file, int line) {
    if (!ok) {
        printf("%s:%d: %s\n", file, line, what);
        ++failures;
    }
}

void expect_error(char *error, const char *text, const char *file, int line) {
    if (error == NULL || strstr(error, text) == NULL) {
        printf("%s:%d: \"%s\" lacks \"%s\"\n", file, line, error == NULL ? "(none)" : error, text);
        ++failures;
    }
    tenrex_string_free(error);
}

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
    test_columns();
    forests();
    null_has_no_inputs();
    nulls();
    each_declaration_tells_its_own_mistake();
    strings();
    errors();
    return failures == 0 ? 0 : 1;
}
