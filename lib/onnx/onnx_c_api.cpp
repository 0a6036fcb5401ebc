#include <tenrex/onnx_c_api.h>

#include <optional>
#include <string>
#include <string_view>

#include <tenrex/onnx.h>

#include "lib/runtime/c_calls.h"

int tenrex_schema_onnx(tenrex_schema *schema, const char *name, const char *path, char **error) {
    return tenrex_schema_onnx_at(schema, name, path, "f32", error);
}

int tenrex_schema_onnx_at(tenrex_schema *schema, const char *name, const char *path, const char *precision,
                          char **error) {
    return tenrex::c::call(error, 1, {schema, name, path, precision}, [&] {
        const auto named = tenrex::precision_from_name(precision);
        if (!named) {
            return tenrex::c::fail(
                error, tenrex::Error(std::string("there is no precision '") + precision + "'", "f32, bf16 or int8"), 1);
        }
        tenrex::OnnxOptions options;
        options.precision = *named;
        options.name = name;
        options.type_of = [&](std::string_view input) {
            const tenrex::InputDeclaration *declared = schema->content.find_input(input);
            return declared == nullptr ? std::nullopt : std::optional(declared->type);
        };
        const auto model = tenrex::OnnxModel::load(path, options);
        if (!model) {
            return tenrex::c::fail(error, model.error(), 1);
        }
        return tenrex::c::declared(error, schema->content, [&](tenrex::Schema &content) { model->add_to(content); });
    });
}
