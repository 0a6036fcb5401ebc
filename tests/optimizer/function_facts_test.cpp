// What functions.def says of each function, for the optimizer, against what the function gives.
#include <cmath>
#include <random>
#include <vector>

#include <fmt/format.h>

#include "lib/kernels/elementwise/elementwise_kernels.h"
#include "lib/support/function_facts.h"
#include "lib/support/scalar_functions.h"
#include "optimizer/function_ranges.h"
#include "optimizer/monotone.h"
#include "tests/optimizer/graph_of.h"

namespace tenrex::optimizer::function_facts_test {
namespace {

const std::vector<double> numbers_at_edges = {-infinity, -1e300, -200, -8, -3.5, -1, -0.25, -1e-300, -0.0,  0.0,
                                              1e-300,    0.25,   1,    2,  3.5,  7,  8,     200,     1e300, infinity};

// Numbers between two others, and these.
std::vector<double> within(Range range, std::mt19937_64 &random) {
    std::vector<double> found = {range.low, range.high};
    for (const double edge : numbers_at_edges) {
        const bool is_zero_below = edge == 0 && std::signbit(edge) && range.is_never_negative();
        if (range.may_be(edge) && !is_zero_below) {
            found.push_back(edge);
        }
    }
    if (std::isfinite(range.high - range.low)) {
        std::uniform_real_distribution<double> any(range.low, range.high);
        for (int i = 0; i < 4; ++i) {
            found.push_back(any(random));
        }
    }
    if (range.may_be_nan) {
        found.push_back(std::nan(""));
    }
    return found;
}

std::vector<Range> ranges_between_edges(std::mt19937_64 &random) {
    std::vector<Range> found;
    std::uniform_int_distribution<std::size_t> edge(0, numbers_at_edges.size() - 1);
    for (int i = 0; i < 100; ++i) {
        const std::size_t first = edge(random);
        const std::size_t last = edge(random);
        found.push_back({numbers_at_edges[std::min(first, last)], numbers_at_edges[std::max(first, last)], i % 3 == 0});
    }
    return found;
}

TEST(FunctionFacts, RangesHoldTheResults) {
    std::mt19937_64 random(1);
    const std::vector<Range> of_a = ranges_between_edges(random);
    const std::vector<Range> of_b = ranges_between_edges(random);
    for (const ScalarFunctionInfo &function : scalar_function_table) {
        for (std::size_t i = 0; i < of_a.size(); ++i) {
            const Range range = range_of(function.id, of_a[i], of_b[i]);
            for (const double a : within(of_a[i], random)) {
                for (const double b : within(of_b[i], random)) {
                    const double result = apply(function.id, a, b);
                    const bool has_sign = result == 0 && std::signbit(result);
                    const bool holds = std::isnan(result)
                                           ? range.may_be_nan
                                           : range.may_be(result) && !(has_sign && range.is_never_negative());
                    ASSERT_TRUE(holds) << function.name << " of " << a << " and " << b << " is " << result
                                       << ", not in [" << range.low << "," << range.high << "]";
                    ASSERT_TRUE(!gives_truth(function.id) || result == 0 || result == 1) << function.name;
                }
            }
        }
    }
}

// Of the function of d, which is any number, and of c in the other place.
void expect_order(const ScalarFunctionInfo &function, bool d_first, double c) {
    Schema schema;
    schema.document("d", "tensor(x[4])");
    const std::string call = function.arity == 1 ? fmt::format("f(d)({}(d))", function.name)
                             : d_first           ? fmt::format("f(d)({}(d,{}))", function.name, c)
                                                 : fmt::format("f(d)({}({},d))", function.name, c);
    const ir::Graph graph = built(fmt::format("map(d,{})", call), schema);
    const ir::NodeId result = graph.outputs()[0].node;
    for (const bool largest : {false, true}) {
        Ranges ranges(graph);
        const auto order = monotone_in(graph, ranges, result, {"x"}, largest);
        if (!order) {
            continue;
        }
        double before = std::nan("");
        for (const double d : numbers_at_edges) {
            const double now = d_first ? apply(function.id, d, c) : apply(function.id, c, d);
            if (!std::isnan(now) && !std::isnan(before)) {
                ASSERT_TRUE(order->rises ? before <= now : before >= now) << call << " of " << d << " is " << now;
            }
            before = std::isnan(now) ? before : now;
            if (order->keeps_zero && d == 0) {
                ASSERT_TRUE(now == 0 && std::signbit(now) == std::signbit(d)) << call << " of " << d << " is " << now;
            }
        }
    }
}

TEST(FunctionFacts, OrdersAreKept) {
    for (const ScalarFunctionInfo &function : scalar_function_table) {
        if (function.is_operator) {
            continue;  // called by its symbol; the passes' own tests have them
        }
        for (const double c : {-3.5, -1.0, 0.0, 0.25, 1.0, 2.0, 7.0}) {
            expect_order(function, true, c);
            if (function.arity == 2) {
                expect_order(function, false, c);
            }
        }
    }
}

// Of floats, float arithmetic gives what rounding the double result gives, or is as near to it as the row says.
TEST(FunctionFacts, FloatArithmeticIsAsGood) {
    std::mt19937_64 random(2);
    std::uniform_real_distribution<double> exponent(-20, 20);
    for (const ScalarFunctionInfo &function : scalar_function_table) {
        const FunctionFacts &known = facts(function.id);
        if (known.in_float == InFloat::differs) {
            continue;
        }
        const kernels::ElementwiseKernel *kernel =
            kernels::choose_elementwise(kernels::operation_of(function.id), CellType::f32, kernels::allowed_isa());
        for (int i = 0; i < 2000; ++i) {
            const auto draw = [&] {
                const auto any = static_cast<float>(std::exp2(exponent(random)) * (random() % 2 == 0 ? 1 : -1));
                return random() % 4 == 0 ? static_cast<float>(numbers_at_edges[random() % numbers_at_edges.size()])
                                         : any;
            };
            const float a = draw();
            const float b = draw();
            float result = 0;
            kernel->function({&a, &b, nullptr, &result, 1, 0});
            const auto rounded = static_cast<float>(apply(function.id, a, b));
            if (std::isnan(rounded) || rounded == result) {
                ASSERT_EQ(std::isnan(rounded), std::isnan(result)) << function.name << " of " << a << " and " << b;
                continue;
            }
            const float unit =
                std::nextafter(std::fabs(rounded), std::numeric_limits<float>::infinity()) - std::fabs(rounded);
            ASSERT_LE(std::fabs(result - rounded), std::ceil(known.float_units) * unit)
                << function.name << " of " << a << " and " << b << " is " << result << ", not " << rounded;
        }
    }
}

}  // namespace
}  // namespace tenrex::optimizer::function_facts_test
