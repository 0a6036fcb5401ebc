#include <tenrex/onnx_c_api.h>

#include <optional>
#include <string_view>

#include <tenrex/onnx.h>

#include "lib/runtime/c_calls.h"

int tenrex_schema_onnx(tenrex_schema *schema, const char *name, const char *path, char **error) {
    return tenrex::c::call(error, 1, {schema, name, path}, [&] {
        tenrex::OnnxOptions options;
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
