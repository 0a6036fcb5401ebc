#include "perf/measure/workload.h"

#include <algorithm>
#include <random>

#include <fmt/format.h>

namespace tenrex::perf {

namespace {

using Random = std::mt19937_64;

constexpr std::size_t most_bytes = std::size_t{8} << 30;  // of a value, and of all documents

double cell_of(const InputRecipe &recipe, Random &random) {
    if (recipe.whole) {
        return static_cast<double>(std::uniform_int_distribution<int>(static_cast<int>(recipe.lowest),
                                                                      static_cast<int>(recipe.highest))(random));
    }
    return std::uniform_real_distribution<double>(recipe.lowest, recipe.highest)(random);
}

TensorType type_of_value(const InputRecipe &recipe, Random &random, DrawnSizes &sizes) {
    if (!recipe.type.has_open()) {
        return recipe.type;
    }
    std::vector<Dimension> dimensions = recipe.type.dimensions();
    for (Dimension &dimension : dimensions) {
        if (dimension.is_open()) {
            const auto found = recipe.lengths.find(dimension.name);
            const LengthRange range = found == recipe.lengths.end() ? LengthRange() : found->second;
            const auto [size, is_new] = sizes.try_emplace({dimension.name, range.least, range.most}, 0);
            if (is_new) {
                size->second = std::uniform_int_distribution<std::uint64_t>(range.least, range.most)(random);
            }
            dimension = Dimension::indexed(dimension.name, size->second);
        }
    }
    return *TensorType::make(recipe.type.cell_type(), std::move(dimensions));
}

std::string declared_type(const InputRecipe &recipe) {
    return recipe.is_string ? std::string(string_type) : recipe.type.to_string();
}

}  // namespace

Tensor random_value(const InputRecipe &recipe, std::mt19937_64 &random, DrawnSizes &sizes) {
    if (recipe.value) {
        return *recipe.value;
    }
    if (recipe.is_string) {
        constexpr std::uint64_t texts = 16;
        return Tensor::string(std::to_string(random() % texts));
    }
    TensorBuilder builder(type_of_value(recipe, random, sizes));
    builder.reserve(recipe.blocks());
    std::vector<std::vector<std::string>> labels;
    for (const Dimension &dimension : recipe.type.dimensions()) {
        if (dimension.is_mapped()) {
            const LabelRange range = recipe.labels.at(dimension.name);
            std::vector<std::string> &texts = labels.emplace_back();
            for (std::uint64_t i = 0; i < range.count; ++i) {
                texts.push_back(std::to_string(range.first + i));
            }
            std::shuffle(texts.begin(), texts.end(), random);
        }
    }
    std::vector<std::string_view> address(labels.size());
    for (std::size_t block = 0; block < recipe.blocks(); ++block) {
        std::size_t rest = block;
        for (std::size_t i = 0; i < labels.size(); ++i) {
            address[i] = labels[i][rest % labels[i].size()];
            rest /= labels[i].size();
        }
        const std::size_t number = labels.empty() ? 0 : builder.block(address);
        for (std::size_t cell = 0; cell < builder.type().block_cells(); ++cell) {
            builder.set(number, cell, cell_of(recipe, random));
        }
    }
    return std::move(builder).build();
}

Result<Workload> Workload::make(const Case &described, const WorkloadOptions &options) {
    Workload workload;
    workload.case_ = described;
    workload.documents_ = options.documents;
    Random random(options.seed);
    DrawnSizes sizes;
    for (const auto &[name, forest] : described.forests) {
        workload.schema_.forest(name, forest);
    }
    for (const InputRecipe &input : described.inputs) {
        if (!input.value && input.bytes() > most_bytes) {
            return Error(fmt::format("a value of {} has more than {} bytes", input.name, most_bytes),
                         "take a smaller type or fewer labels");
        }
        switch (input.stage) {
            case Stage::constant:
                workload.schema_.constant(input.name, random_value(input, random, sizes));
                break;
            case Stage::query:
                workload.schema_.query(input.name, declared_type(input));
                workload.query_values_.emplace_back(input.name, random_value(input, random, sizes));
                break;
            case Stage::document:
                workload.schema_.document(input.name, declared_type(input));
                break;
        }
    }
    for (const OnnxModel &network : described.networks) {
        network.add_to(workload.schema_);
    }
    Result<Expression> expression =
        Expression::parse(described.expression, workload.schema_, options.compile.expression);
    if (!expression) {
        return std::move(expression).error();
    }
    workload.expression_ = *expression;
    // Scores are the first output; a tensor comes second, so that it is computed in full and not copied.
    std::vector<NamedExpression> outputs;
    if (!expression->type().is_scalar()) {
        outputs.push_back({"score", "0"});
    }
    outputs.push_back({outputs.empty() ? "" : "value", described.expression});
    Result<Plan> plan = compile(outputs, workload.schema_, options.compile);
    if (!plan) {
        return std::move(plan).error();
    }
    workload.plan_ = std::make_shared<const Plan>(*std::move(plan));
    if (Status status = workload.fill(options, random); !status) {
        return std::move(status).error();
    }
    Result<Query> query = workload.plan_->bind(workload.query_values_);
    if (!query) {
        return std::move(query).error();
    }
    workload.query_ = std::make_shared<const Query>(*std::move(query));
    return workload;
}

std::size_t Workload::blocks_of(const InputRecipe &recipe, const DocumentRead &read) const {
    const std::size_t blocks = recipe.blocks() * recipe.rows();
    return read.matching ? std::min(blocks, shared_blocks_) : read.blocks != 0 ? std::min(blocks, read.blocks) : blocks;
}

std::size_t Workload::bytes_of(const InputRecipe &recipe, const DocumentRead &read) const {
    return blocks_of(recipe, read) *
           (read.cells * byte_size(recipe.type.cell_type()) + recipe.type.mapped_count() * sizeof(Label));
}

std::size_t Workload::lookups_of(const InputRecipe &recipe, const DocumentRead &read) const {
    const std::size_t blocks = recipe.blocks() * recipe.rows();
    return read.joined                                    ? std::min(blocks, shared_blocks_)
           : recipe.type.has_mapped() && read.blocks != 0 ? std::min(blocks, read.blocks)
                                                          : 0;
}

Status Workload::fill(const WorkloadOptions &options, std::mt19937_64 &random) {
    const std::vector<InputDeclaration> &read = plan_->document_inputs();
    std::vector<std::size_t> column_of(case_.inputs.size(), read.size());
    const std::vector<DocumentRead> reads = plan_->document_reads();
    for (const InputRecipe &recipe : case_.inputs) {
        if (recipe.stage != Stage::document && (recipe.type.has_mapped() || recipe.type.has_open())) {
            shared_blocks_ = std::max(shared_blocks_, recipe.blocks() * recipe.rows());
        }
    }
    for (std::size_t column = 0; column < read.size(); ++column) {
        buffers_.emplace_back(read[column].type, plan_->labels());
        const auto recipe = std::find_if(case_.inputs.begin(), case_.inputs.end(),
                                         [&](const InputRecipe &other) { return other.name == read[column].name; });
        column_of[static_cast<std::size_t>(recipe - case_.inputs.begin())] = column;
        document_bytes_ += recipe->bytes();
        document_bytes_read_ += bytes_of(*recipe, reads[column]);
        lookups_ += lookups_of(*recipe, reads[column]);
        document_blocks_ +=
            recipe->type.has_mapped() || recipe->type.has_open() ? recipe->blocks() * recipe->rows() : 0;
    }
    // Each has a score, too.
    if (document_bytes_ + sizeof(double) > most_bytes / documents_) {
        return Error(
            fmt::format("{} documents of {} bytes do not fit in {} bytes", documents_, document_bytes_, most_bytes),
            "take fewer or smaller ones");
    }
    for (std::size_t document = 0; document < documents_; ++document) {
        std::vector<NamedTensor> values;
        DrawnSizes sizes;
        for (std::size_t i = 0; i < case_.inputs.size(); ++i) {
            const InputRecipe &recipe = case_.inputs[i];
            const bool is_read = column_of[i] != read.size();
            if (recipe.stage != Stage::document || (!is_read && document >= options.samples)) {
                continue;
            }
            values.emplace_back(recipe.name, random_value(recipe, random, sizes));
            if (!is_read) {
                continue;
            }
            if (Status status = buffers_[column_of[i]].append(values.back().second); !status) {
                return status;
            }
        }
        if (document < options.samples) {
            samples_.push_back(std::move(values));
        }
    }
    return {};
}

std::vector<Column> Workload::columns() const {
    std::vector<Column> columns;
    for (const ColumnBuffer &buffer : buffers_) {
        columns.push_back(buffer.column());
    }
    return columns;
}

Result<std::vector<double>> all_scores(const Workload &workload, std::size_t block_size) {
    std::vector<double> scores(workload.documents());
    Context context(workload.plan());
    const std::vector<Column> columns = workload.columns();
    for (std::size_t first = 0; first < scores.size(); first += block_size) {
        const std::size_t count = std::min(block_size, scores.size() - first);
        const Status status =
            workload.query().evaluate({count, columns, first}, context, std::span(scores).subspan(first, count));
        if (!status) {
            return status.error();
        }
    }
    return scores;
}

}  // namespace tenrex::perf
