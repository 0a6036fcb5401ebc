#include <tenrex/c_api.h>

#include <cstdlib>
#include <cstring>
#include <exception>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <tenrex/formats.h>
#include <tenrex/plan.h>
#include <tenrex/version.h>

#include "lib/runtime/c_calls.h"
#include "lib/storage/dense_value.h"
#include "lib/support/format.h"

using tenrex::Block;
using tenrex::byte_size;
using tenrex::Column;
using tenrex::compile;
using tenrex::CompileOptions;
using tenrex::Context;
using tenrex::Dialect;
using tenrex::Error;
using tenrex::from_literal;
using tenrex::InputDeclaration;
using tenrex::Issue;
using tenrex::Label;
using tenrex::NamedTensor;
using tenrex::OutputColumn;
using tenrex::Plan;
using tenrex::Query;
using tenrex::Result;
using tenrex::Schema;
using tenrex::Status;
using tenrex::Tensor;
using tenrex::TensorBuilder;
using tenrex::TensorType;
using tenrex::to_literal;
using tenrex::c::call;
using tenrex::c::copy_text;
using tenrex::c::declared;
using tenrex::c::fail;

struct tenrex_tensor {
    Tensor content;
};

struct tenrex_plan {
    Plan content;
    std::vector<std::string> document_types, query_types;
};

struct tenrex_query {
    Query content;
};

struct tenrex_context {
    Context content;
};

namespace {

int status(char **error, const Status &result) {
    return result ? 0 : fail(error, result.error(), 1);
}

template <class Handle, class T>
Handle *handle(char **error, Result<T> result) {
    return result ? new Handle{*std::move(result)} : fail<Handle *>(error, result.error(), nullptr);
}

// For call(): an array may be null if nothing is in it.
const void *elements(const void *array, std::size_t count) noexcept {
    static constexpr char nothing = 0;
    return count == 0 ? &nothing : array;
}

// The columns of a block, with the functions that fill them.
class Columns {
public:
    Columns(const tenrex_column *columns, std::size_t count) : fills_(count) {
        for (std::size_t i = 0; i < count; ++i) {
            const tenrex_column &column = columns[i];
            if (column.fill != nullptr) {
                fills_[i] = [fill = column.fill, user = column.user](std::size_t first, std::size_t documents,
                                                                     void *cells) {
                    fill(first, documents, cells, user);
                };
                columns_.push_back(Column::computed(fills_[i]));
            } else if (column.offsets != nullptr && column.sizes != nullptr) {
                columns_.push_back(Column::ragged(column.offsets, column.cells, column.sizes));
            } else if (column.offsets != nullptr) {
                columns_.push_back(Column::sparse(column.offsets, reinterpret_cast<const Label *>(column.labels),
                                                  column.cells, column.sorted != 0));
            } else {
                columns_.push_back(Column::dense(column.cells, column.stride));
            }
        }
    }
    Columns(const Columns &) = delete;
    Columns &operator=(const Columns &) = delete;

    Block block(std::size_t documents) const { return {documents, columns_}; }

private:
    std::vector<Column::Fill> fills_;
    std::vector<Column> columns_;
};

std::vector<std::string> type_texts(const std::vector<InputDeclaration> &inputs) {
    std::vector<std::string> texts;
    texts.reserve(inputs.size());
    for (const InputDeclaration &input : inputs) {
        texts.push_back(input.type_text());
    }
    return texts;
}

const char *name_of(const std::vector<InputDeclaration> &inputs, std::size_t number) {
    return number < inputs.size() ? inputs[number].name.c_str() : nullptr;
}

const char *type_of(const std::vector<std::string> &types, std::size_t number) {
    return number < types.size() ? types[number].c_str() : nullptr;
}

}  // namespace

const char *tenrex_version() {
    return tenrex::version().data();  // a literal, which ends with a zero
}

void tenrex_string_free(char *text) {
    std::free(text);
}

tenrex_schema *tenrex_schema_new() {
    return call<tenrex_schema *>(nullptr, nullptr, {}, [] { return new tenrex_schema; });
}

void tenrex_schema_free(tenrex_schema *schema) {
    delete schema;
}

int tenrex_schema_query(tenrex_schema *schema, const char *name, const char *type, char **error) {
    return call(error, 1, {schema, name, type},
                [&] { return declared(error, schema->content, [&](Schema &content) { content.query(name, type); }); });
}

int tenrex_schema_document(tenrex_schema *schema, const char *name, const char *type, char **error) {
    return call(error, 1, {schema, name, type}, [&] {
        return declared(error, schema->content, [&](Schema &content) { content.document(name, type); });
    });
}

int tenrex_schema_constant(tenrex_schema *schema, const char *name, const tenrex_tensor *value, char **error) {
    return call(error, 1, {schema, name, value}, [&] {
        return declared(error, schema->content, [&](Schema &content) { content.constant(name, value->content); });
    });
}

int tenrex_schema_function(tenrex_schema *schema, const char *name, size_t arity, tenrex_function function, void *user,
                           char **error) {
    return call(error, 1, {schema, name}, [&] {
        if (function == nullptr) {
            return fail(error, Error("the function is NULL"), 1);
        }
        return declared(error, schema->content, [&](Schema &content) {
            content.function(name, arity, [function, user](std::span<const double> arguments) {
                return function(arguments.data(), arguments.size(), user);
            });
        });
    });
}

int tenrex_schema_forest(tenrex_schema *schema, const char *name, const void *bytes, size_t size, char **error) {
    return call(error, 1, {schema, name, bytes}, [&] {
        const auto forest = tenrex::Forest::read({static_cast<const char *>(bytes), size});
        if (!forest) {
            return fail(error, forest.error(), 1);
        }
        return declared(error, schema->content, [&](Schema &content) { content.forest(name, *forest); });
    });
}

tenrex_tensor *tenrex_tensor_literal(const char *text, char **error) {
    return call<tenrex_tensor *>(error, nullptr, {text},
                                 [&] { return handle<tenrex_tensor>(error, from_literal(text)); });
}

tenrex_tensor *tenrex_tensor_dense(const char *type, const void *cells, size_t bytes, char **error) {
    return call<tenrex_tensor *>(error, nullptr, {type, cells},
                                 [&] { return handle<tenrex_tensor>(error, tenrex::from_cells(type, cells, bytes)); });
}

tenrex_tensor *tenrex_tensor_string(const char *text, size_t length, char **error) {
    return call<tenrex_tensor *>(error, nullptr, {elements(text, length)}, [&] {
        return new tenrex_tensor{Tensor::string(length == 0 ? std::string() : std::string(text, length))};
    });
}

double tenrex_string_number(const char *text, size_t length) {
    return text == nullptr ? 0 : tenrex::string_number({text, length});
}

char *tenrex_tensor_text(const tenrex_tensor *tensor, char **error) {
    return call<char *>(error, nullptr, {tensor}, [&] { return copy_text(to_literal(tensor->content)); });
}

void tenrex_tensor_free(tenrex_tensor *tensor) {
    delete tensor;
}

tenrex_plan *tenrex_compile(const char *expression, const tenrex_schema *schema, const tenrex_options *options,
                            char **error) {
    return call<tenrex_plan *>(error, nullptr, {expression, schema}, [&] {
        CompileOptions compile_options;
        if (options != nullptr) {
            compile_options.max_isa = options->max_isa == nullptr ? "" : options->max_isa;
            compile_options.expression.seed = options->seed;
            compile_options.expression.dialect = options->java_dialect != 0 ? Dialect::java : Dialect::core;
        }
        compile_options.weights = schema->weights;
        auto plan = compile(expression, schema->content, compile_options);
        if (!plan) {
            return fail<tenrex_plan *>(error, plan.error(), nullptr);
        }
        return new tenrex_plan{*plan, type_texts(plan->document_inputs()), type_texts(plan->query_inputs())};
    });
}

void tenrex_plan_free(tenrex_plan *plan) {
    delete plan;
}

size_t tenrex_plan_document_inputs(const tenrex_plan *plan) {
    return plan == nullptr ? 0 : plan->document_types.size();
}

const char *tenrex_plan_document_input_name(const tenrex_plan *plan, size_t number) {
    return plan == nullptr ? nullptr : name_of(plan->content.document_inputs(), number);
}

const char *tenrex_plan_document_input_type(const tenrex_plan *plan, size_t number) {
    return plan == nullptr ? nullptr : type_of(plan->document_types, number);
}

size_t tenrex_plan_query_inputs(const tenrex_plan *plan) {
    return plan == nullptr ? 0 : plan->query_types.size();
}

const char *tenrex_plan_query_input_name(const tenrex_plan *plan, size_t number) {
    return plan == nullptr ? nullptr : name_of(plan->content.query_inputs(), number);
}

const char *tenrex_plan_query_input_type(const tenrex_plan *plan, size_t number) {
    return plan == nullptr ? nullptr : type_of(plan->query_types, number);
}

char *tenrex_plan_explain(const tenrex_plan *plan, char **error) {
    return call<char *>(error, nullptr, {plan}, [&] { return copy_text(plan->content.explain()); });
}

int tenrex_plan_label(const tenrex_plan *plan, const char *text, size_t length, uint64_t *label, char **error) {
    return call(error, 1, {plan, text, label}, [&] {
        if (length == 0) {
            return fail(error, Error("a label must not be empty"), 1);
        }
        *label = static_cast<std::uint64_t>(plan->content.labels()->intern({text, length}));
        return 0;
    });
}

tenrex_query *tenrex_bind(const tenrex_plan *plan, const char *const *names, const tenrex_tensor *const *values,
                          size_t count, char **error) {
    return call<tenrex_query *>(error, nullptr, {plan}, [&] {
        std::vector<NamedTensor> inputs;
        for (std::size_t i = 0; i < count; ++i) {
            if (names == nullptr || values == nullptr || names[i] == nullptr || values[i] == nullptr) {
                return fail<tenrex_query *>(error, Error(fmt::format("the name or the value number {} is NULL", i)),
                                            nullptr);
            }
            inputs.emplace_back(names[i], values[i]->content);
        }
        return handle<tenrex_query>(error, plan->content.bind(inputs));
    });
}

void tenrex_query_free(tenrex_query *query) {
    delete query;
}

tenrex_context *tenrex_context_new(const tenrex_plan *plan, char **error) {
    return call<tenrex_context *>(error, nullptr, {plan}, [&] { return new tenrex_context{Context(plan->content)}; });
}

void tenrex_context_free(tenrex_context *context) {
    delete context;
}

int tenrex_evaluate(const tenrex_query *query, size_t documents, const tenrex_column *columns, size_t column_count,
                    tenrex_context *context, double *scores, char **error) {
    return call(error, 1, {query, context, elements(columns, column_count), elements(scores, documents)}, [&] {
        const Columns given(columns, column_count);
        return status(error,
                      query->content.evaluate(given.block(documents), context->content, std::span(scores, documents)));
    });
}

int tenrex_evaluate_tensors(const tenrex_query *query, size_t documents, const tenrex_column *columns,
                            size_t column_count, tenrex_context *context, tenrex_tensor **tensors, char **error) {
    return call(error, 1, {query, context, elements(columns, column_count), elements(tensors, documents)}, [&] {
        const Columns given(columns, column_count);
        auto values = query->content.evaluate_tensors(given.block(documents), context->content);
        if (!values) {
            return fail(error, values.error(), 1);
        }
        std::vector<std::unique_ptr<tenrex_tensor>> handles;
        for (Tensor &value : *values) {
            handles.push_back(std::make_unique<tenrex_tensor>(tenrex_tensor{std::move(value)}));
        }
        for (std::size_t i = 0; i < handles.size(); ++i) {
            tensors[i] = handles[i].release();
        }
        return 0;
    });
}

int tenrex_evaluate_into(const tenrex_query *query, size_t documents, const tenrex_column *columns, size_t column_count,
                         tenrex_context *context, const tenrex_output *output, char **error) {
    return call(error, 1, {query, context, elements(columns, column_count), output}, [&] {
        const Columns given(columns, column_count);
        const auto &[cells, stride, capacity, offsets, labels, sizes] = *output;
        // A label is its id.
        const OutputColumn column =
            offsets == nullptr  ? OutputColumn::dense(cells, stride, capacity)
            : labels == nullptr ? OutputColumn::ragged(offsets, cells, capacity, sizes)
                                : OutputColumn::sparse(offsets, reinterpret_cast<Label *>(labels), cells, capacity);
        return status(error, query->content.evaluate(given.block(documents), context->content, {&column, 1}));
    });
}
