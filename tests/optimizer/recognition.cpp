#include "tests/optimizer/recognition.h"

#include <gmock/gmock.h>

#include "lib/support/format.h"
#include "tests/optimizer/values.h"

namespace tenrex::optimizer {

namespace {

std::vector<std::string> parts(std::string_view text) {
    std::vector<std::string> result;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('|'), text.size());
        result.emplace_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return result;
}

std::string with_cell_types(std::string type, const std::pair<const char *, const char *> &cell_types) {
    for (const auto &[mark, cell_type] : {std::pair('?', cell_types.first), std::pair('!', cell_types.second)}) {
        if (const std::size_t at = type.find(mark); at != type.npos) {
            type.replace(at, 1, cell_type);
        }
    }
    return type;
}

}  // namespace

void expect_recognised(const Row &row) {
    constexpr std::size_t documents = 3;
    for (const auto &cell_types : row.cell_types) {
        std::vector<Values> values;
        for (const Input &input : row.inputs) {
            const std::string type = with_cell_types(input.type, cell_types);
            values.push_back(random_values(input.name, input.stage, type, documents, random::Numbers::smooth,
                                           values.size() * 7 + 3));
        }
        for (const char *text : row.expressions) {
            SCOPED_TRACE(fmt::format("{} with {} and {}", text, cell_types.first, cell_types.second));
            std::string graph, plan;
            EXPECT_EQ(wrong_value(text, values, Agreement::within_bounds, &graph, &plan), "");
            for (const std::string &wanted : parts(row.has)) {
                EXPECT_THAT(graph, testing::HasSubstr(wanted));
            }
            for (const std::string &unwanted : parts(row.lacks)) {
                EXPECT_THAT(graph, testing::Not(testing::HasSubstr(unwanted)));
            }
            for (const std::string &wanted : parts(row.step)) {
                EXPECT_THAT(plan, testing::HasSubstr(wanted));
            }
        }
    }
}

}  // namespace tenrex::optimizer
