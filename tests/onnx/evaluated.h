// Plans with models, and blocks of documents for them.
#pragma once

#include <vector>

#include <tenrex/column_buffer.h>
#include <tenrex/onnx.h>
#include <tenrex/tenrex.h>

namespace tenrex::onnx {

// The inputs of the model come with the document, under their own names.
inline Schema schema_with(const OnnxModel &model) {
    Schema schema;
    for (const OnnxModel::Port &input : model.inputs()) {
        schema.document(input.symbol, input.type);
    }
    model.add_to(schema);
    return schema;
}

// The documents of a block at once.
inline Result<std::vector<Tensor>> evaluated(const Plan &plan, const std::vector<std::vector<NamedTensor>> &documents) {
    std::vector<ColumnBuffer> buffers;
    for (const InputDeclaration &input : plan.document_inputs()) {
        ColumnBuffer &buffer = buffers.emplace_back(input.type, plan.labels());
        for (const std::vector<NamedTensor> &values : documents) {
            for (const auto &[name, value] : values) {
                if (const Status status = name == input.name ? buffer.append(value) : Status(); !status) {
                    return status.error();
                }
            }
        }
    }
    std::vector<Column> columns;
    for (const ColumnBuffer &buffer : buffers) {
        columns.push_back(buffer.column());
    }
    const auto query = plan.bind({});
    Context context(plan);
    return query ? query->evaluate_tensors({documents.size(), columns}, context)
                 : Result<std::vector<Tensor>>(query.error());
}

}  // namespace tenrex::onnx
