// Models in ONNX files for C: in the library tenrex::onnx, beside <tenrex/c_api.h>.
//
//   tenrex_schema_document(schema, "features", "tensor<float>(d0[1],d1[20])", &error);
//   tenrex_schema_onnx(schema, "ranker", "ranker.onnx", &error);
//   tenrex_plan *plan = tenrex_compile("sum(onnx(ranker).score)", schema, NULL, &error);
#pragma once

#include <tenrex/c_api.h>

#ifdef __cplusplus
extern "C" {
#endif

// Declares the model in the file: expressions call its outputs as onnx(name).output. Its inputs are those of the schema
// with the same names, which must have been declared before: an axis with a name has the size that their types say.
TENREX_C_EXPORT int tenrex_schema_onnx(tenrex_schema *schema, const char *name, const char *path, char **error);

// The same; its products with weights are computed as "f32", "bf16" or "int8".
TENREX_C_EXPORT int tenrex_schema_onnx_at(tenrex_schema *schema, const char *name, const char *path,
                                          const char *precision, char **error);

#ifdef __cplusplus
}
#endif
