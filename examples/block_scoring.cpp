// Two outputs for many documents, whose fields lie in an array of structs; threads share the plan and the query.
#include <cstdio>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <tenrex/tenrex.h>

namespace {

struct Document {
    float embedding[4];
    double price;
};

// The columns of documents, in the order in which the plan wants them.
std::vector<tenrex::Column> columns_of(const tenrex::Plan &plan, const Document *documents) {
    std::vector<tenrex::Column> columns;
    for (const tenrex::InputDeclaration &input : plan.document_inputs()) {
        const void *field = input.name == "price" ? static_cast<const void *>(&documents->price) : documents->embedding;
        columns.push_back(tenrex::Column::dense(field, sizeof(Document)));
    }
    return columns;
}

}  // namespace

int main() {
    tenrex::Schema schema;
    schema.query("query(q)", "tensor<float>(x[4])");
    schema.query("query(budget)");
    schema.document("embedding", "tensor<float>(x[4])");
    schema.document("price");
    // What both have in common is computed once.
    const auto plan = tenrex::compile({{"similarity", "sum(query(q) * embedding)"},
                                       {"score", "if(price > query(budget), 0, sum(query(q) * embedding))"}},
                                      schema);
    const auto q = tenrex::from_literal("tensor<float>(x[4]):[1,2,0,1]");
    if (!plan || !q) {
        std::fputs((plan ? q.error() : plan.error()).render().c_str(), stderr);
        return 1;
    }
    const auto query = plan->bind({{"query(q)", *q}, {"query(budget)", tenrex::Tensor(500)}});
    if (!query) {
        std::fputs(query.error().render().c_str(), stderr);
        return 1;
    }

    std::vector<Document> documents(1000);
    for (std::size_t i = 0; i < documents.size(); ++i) {
        const auto n = static_cast<float>(i);
        documents[i] = {{n, n / 2, 1, -n}, static_cast<double>(i)};
    }

    // Each thread has a context of its own and takes a part of the documents. No score depends on how they are divided.
    std::vector<double> similarity(documents.size()), score(documents.size());
    const auto work = [&](std::size_t first, std::size_t count) {
        tenrex::Context context(*plan);
        const std::vector<tenrex::Column> columns = columns_of(*plan, &documents[first]);
        const std::span<double> outputs[] = {{&similarity[first], count}, {&score[first], count}};
        if (const auto status = query->evaluate({count, columns}, context, outputs); !status) {
            std::fputs(status.error().render().c_str(), stderr);
        }
    };
    std::thread half(work, 0, 500);
    work(500, 500);
    half.join();

    for (std::size_t i : {0u, 10u, 500u, 501u, 999u}) {
        std::printf("document %3zu: similarity %3g, score %3g\n", i, similarity[i], score[i]);
    }
}
