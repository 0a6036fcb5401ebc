// Laws that hold for any values, checked on random ones against plain loops or against each other.
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <tenrex/expression.h>
#include <tenrex/formats.h>

#include "lib/support/scalar_functions.h"
#include "tests/reference/random_source.h"

namespace tenrex {
namespace {

using random::Numbers;
using random::Source;

TensorType type(const std::string &text) {
    return *TensorType::parse(text);
}

Tensor value_of(const std::string &text, const std::vector<NamedTensor> &inputs) {
    Schema schema;
    for (const auto &[name, value] : inputs) {
        schema.document(name, value.type());
    }
    const auto expression = Expression::parse(text, schema);
    if (!expression) {
        ADD_FAILURE() << expression.error().render();
        return Tensor();
    }
    const auto value = expression->evaluate_reference(inputs);
    EXPECT_TRUE(value) << value.error().render();
    return value ? *value : Tensor();
}

constexpr int rounds = 50;

// A cell of a tensor by its full address, indexes as text.
using Cells = std::map<std::map<std::string, std::string>, double>;

Cells cells(const Tensor &tensor) {
    Cells result;
    const auto &dimensions = tensor.type().dimensions();
    for (std::size_t block = 0; block < tensor.blocks(); ++block) {
        for (std::size_t i = 0; i < tensor.type().block_cells(); ++i) {
            std::map<std::string, std::string> address;
            std::size_t rest = i;
            std::size_t mapped = tensor.type().mapped_count();
            for (std::size_t d = dimensions.size(); d-- > 0;) {
                if (dimensions[d].is_mapped()) {
                    address[dimensions[d].name] = tensor.label(block, --mapped);
                } else {
                    address[dimensions[d].name] = fmt::to_string(rest % dimensions[d].size);
                    rest /= dimensions[d].size;
                }
            }
            result[address] = tensor.cell(block * tensor.type().block_cells() + i);
        }
    }
    return result;
}

// The cells of a join by its definition: every pair of cells that agrees on the shared dimensions.
Cells joined(const Cells &a, const Cells &b, double (*function)(double, double)) {
    Cells result;
    for (const auto &[address_a, x] : a) {
        for (const auto &[address_b, y] : b) {
            auto address = address_a;
            bool agree = true;
            for (const auto &[dimension, label] : address_b) {
                agree = agree && address.emplace(dimension, label).first->second == label;
            }
            if (agree) {
                result[address] = function(x, y);
            }
        }
    }
    return result;
}

// Sums over one dimension by definition.
Cells summed(const Cells &all, const std::string &dimension) {
    Cells result;
    for (const auto &[address, cell] : all) {
        auto rest = address;
        rest.erase(dimension);
        result[rest] += cell;
    }
    return result;
}

const char *const layouts[] = {
    "double",          "tensor(x[3])",     "tensor(x[3],y[2])",         "tensor(y[2],z[1])",    "tensor(k{})",
    "tensor(k{},m{})", "tensor(k{},x[3])", "tensor(a{},k{},x[3],y[2])", "tensor(m{},y[2],z[1])"};

TEST(Properties, JoinIsItsDefinition) {
    Source source(1);
    for (const char *a : layouts) {
        for (const char *b : layouts) {
            const Tensor x = random::tensor(source, type(a), Numbers::exact);
            const Tensor y = random::tensor(source, type(b), Numbers::exact);
            const Tensor result = value_of("a-2*b", {{"a", x}, {"b", y}});
            EXPECT_EQ(cells(result), joined(cells(x), cells(y), [](double p, double q) { return p - 2 * q; }))
                << to_literal(x) << " and " << to_literal(y);
        }
    }
}

TEST(Properties, SumIsItsDefinition) {
    Source source(2);
    for (const char *layout : layouts) {
        for (int round = 0; round < rounds; ++round) {
            const Tensor t = random::tensor(source, type(layout), Numbers::exact);
            for (const Dimension &dimension : t.type().dimensions()) {
                const Tensor result = value_of("reduce(t,sum," + dimension.name + ")", {{"t", t}});
                const Cells expected = summed(cells(t), dimension.name);
                if (t.blocks() != 0) {
                    EXPECT_EQ(cells(result), expected) << to_literal(t) << " over " << dimension.name;
                }
            }
        }
    }
}

TEST(Properties, MatrixProductIsThreeLoops) {
    Source source(3);
    for (int round = 0; round < rounds; ++round) {
        const std::size_t n = 1 + source.below(5), m = 1 + source.below(5), k = 1 + source.below(5);
        const Tensor a = random::tensor(source, type(fmt::format("tensor(x[{}],k[{}])", n, k)), Numbers::smooth);
        const Tensor b = random::tensor(source, type(fmt::format("tensor(k[{}],y[{}])", k, m)), Numbers::smooth);
        const Tensor c = value_of("reduce(a*b,sum,k)", {{"a", a}, {"b", b}});
        ASSERT_EQ(c.type(), type(fmt::format("tensor(x[{}],y[{}])", n, m)));
        for (std::size_t i = 0; i < n; ++i) {
            for (std::size_t j = 0; j < m; ++j) {
                double sum = 0;
                for (std::size_t l = 0; l < k; ++l) {
                    sum += a.cell(l * n + i) * b.cell(l * m + j);  // sorted: k before x and y
                }
                EXPECT_DOUBLE_EQ(c.cell(i * m + j), sum);
            }
        }
    }
}

TEST(Properties, EveryFunctionActsCellByCell) {
    Source source(4);
    for (const ScalarFunctionInfo &entry : scalar_function_table) {
        const std::string text =
            entry.arity == 1
                ? (entry.is_operator ? fmt::format("{}a", entry.name) : fmt::format("{}(a)", entry.name))
                : (entry.is_operator ? fmt::format("a{}b", entry.name) : fmt::format("{}(a,b)", entry.name));
        for (const char *layout : {"double", "tensor(x[3])", "tensor(k{})", "tensor(k{},y[2])"}) {
            const Tensor a = random::tensor(source, type(layout), Numbers::any);
            const Tensor b = random::tensor(source, type(layout), Numbers::any);
            const Tensor result = value_of(text, {{"a", a}, {"b", b}});
            const Cells left = cells(a), right = cells(b), actual = cells(result);
            for (const auto &[address, x] : left) {
                const auto other = right.find(address);
                if (entry.arity == 2 && other == right.end()) {
                    EXPECT_FALSE(actual.contains(address)) << text;
                    continue;
                }
                const double expected = entry.arity == 1 ? apply(entry.id, x) : apply(entry.id, x, other->second);
                ASSERT_TRUE(actual.contains(address)) << text;
                const double cell = actual.at(address);
                EXPECT_TRUE(cell == expected || (std::isnan(cell) && std::isnan(expected))) << text << " of " << x;
            }
        }
    }
}

// Pairs of expressions over t (any layout) or u (with k{} and x[3]) that have the same value.
struct Law {
    const char *left;
    const char *right;
};

void expect_laws(const std::vector<Law> &laws, const std::vector<const char *> &types, Numbers numbers) {
    Source source(5);
    for (const Law &law : laws) {
        for (const char *layout : types) {
            for (int round = 0; round < 5; ++round) {
                const Tensor t = random::tensor(source, type(layout), numbers);
                EXPECT_EQ(value_of(law.left, {{"t", t}}), value_of(law.right, {{"t", t}}))
                    << law.left << " and " << law.right << " for " << to_literal(t);
            }
        }
    }
}

TEST(Properties, LawsForAllLayouts) {
    expect_laws({{"merge(t,t,f(a,b)(a))", "t+0"},
                 {"join(t,t,f(a,b)(b))", "map(t,f(a)(a))"},
                 {"-(-t)", "t+0"},
                 {"reduce(t,count)", "reduce(t*0==t*0,count)"},
                 {"concat(t,t,new){new:1}", "t"},
                 {"concat(t,0,new){new:(sum(t)*0)}", "t"},
                 {"rename(concat(t,1,new),new,old){old:0}", "t"},
                 {"expand(t,new){new:0}", "t+0"},
                 {"if(1,t,t*1)", "t"},
                 {"reduce(t,sum)", "sum(t)"}},
                {"tensor(x[3])", "tensor(x[3],y[2])", "tensor(k{})", "tensor(k{},x[3])", "tensor(a{},k{},y[2])"},
                Numbers::exact);
}

TEST(Properties, LawsForMixedTensors) {
    expect_laws({{"rename(rename(t,k,z),z,k)", "t"},
                 {"rename(rename(t,(k,x),(x,k)),(k,x),(x,k))", "t"},
                 {"rename(rename(t,x,a),a,x)", "t"},
                 {"map_subspaces(t,f(v)(v))", "t"},
                 {"filter_subspaces(t,f(v)(1))", "t"},
                 {"filter_subspaces(t,f(v)(reduce(v,sum)==1))", "t*filter_subspaces(reduce(t,sum,x)==1,f(v)(v))"},
                 {"map_subspaces(t,f(v)(reduce(v,sum)))", "reduce(t,sum,x)"},
                 {"map_subspaces(t,f(v)(tensor(x[3])(v{x:(2-x)})))", "concat(concat(t{x:2},t{x:1},x),t{x:0},x)"},
                 {"reduce(reduce(t,sum,k),sum)", "reduce(t,sum)"},
                 {"reduce(reduce(t,max,x),max)", "reduce(t,max)"},
                 {"concat(concat(t{x:0},t{x:1},x),t{x:2},x)", "t"},
                 {"t{k:a,x:1}", "t{x:1}{k:a}"},
                 {"t{k:a}{x:1}", "t{x:1}{k:a}"},
                 {"cell_cast(cell_cast(t,float),double)", "t"},
                 {"cell_order(t,max)", "cell_order(-t,min)"},
                 {"sum(cell_order(t,max))", "count(t)*(count(t)-1)/2"},
                 {"filter_subspaces(cell_order(reduce(t,sum,x),max)<1,f(s)(s))",
                  "filter_subspaces(cell_order(rename(rename(reduce(t,sum,x),k,z),z,k),max)<1,f(s)(s))"}},
                {"tensor(k{},x[3])"}, Numbers::exact);
}

TEST(Properties, LawsOfTruth) {
    expect_laws({{"t<1", "1>t"},
                 {"t<=1", "1>=t"},
                 {"!(t==1)", "t!=1"},
                 {"t&&1", "t!=0"},
                 {"t||0", "t!=0"},
                 {"isNan(t)", "t!=t"},
                 {"t in [1,2]", "(t==1)||(t==2)"},
                 {"max(t,1)", "if(0,t+0,map(t,f(a)(if(a<1,1,a))))"},
                 {"relu(t)", "map(t,f(a)(if(a<0,0,a)))"}},
                {"tensor(x[3])", "tensor(k{},x[3])", "tensor(k{})"}, Numbers::any);
}

TEST(Properties, TheOrderOfBlocksDoesNotMatter) {
    Source source(6);
    for (int round = 0; round < rounds; ++round) {
        const Tensor t = random::tensor(source, type("tensor(k{},m{},x[2])"), Numbers::exact);
        // The same blocks the other way round.
        TensorBuilder builder(t.type());
        for (std::size_t block = t.blocks(); block-- > 0;) {
            const std::string labels[] = {t.label(block, 0), t.label(block, 1)};
            const std::string_view address[] = {labels[0], labels[1]};
            const std::size_t target = builder.block(address);
            for (std::size_t i = 0; i < 2; ++i) {
                builder.set(target, i, t.cell(block * 2 + i));
            }
        }
        const Tensor reversed = std::move(builder).build();
        for (const char *text : {"cell_order(t,max)", "reduce(t,sum,k)", "t*t", "t{m:a}", "rename(t,k,z)",
                                 "merge(t,t,f(a,b)(a-b))", "concat(t,1,x)", "reduce(t,median,m)"}) {
            EXPECT_EQ(value_of(text, {{"t", t}}), value_of(text, {{"t", reversed}})) << text << to_literal(t);
        }
    }
}

}  // namespace
}  // namespace tenrex
