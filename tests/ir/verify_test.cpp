// Graphs that make no sense: what a mistake of the compiler or of a pass could lead to.
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <tenrex/formats.h>

#include "tests/ir/verify_fixture.h"

namespace tenrex::ir {
namespace {

TEST_F(Verify, SaysWhichNode) {
    inputs({"tensor<float>(x[3])"});
    graph_.add(Op::reduce, TensorType(), operands_, over({"y"}));
    EXPECT_EQ(Verifier().violation(graph_), "node 1 (reduce : double): its operand has no dimension y");
}

TEST_F(Verify, CountsOperands) {
    const auto expect = [&](Op op, std::size_t count, Payload payload = {}) {
        graph_ = Graph();
        operands_.assign(count, graph_.constant(1));
        EXPECT_EQ(wrong(op, "double", std::move(payload)), "has " + std::to_string(count) + " operands") << name(op);
    };
    expect(Op::constant, 1, Constant());
    expect(Op::apply, 0, Apply());
    expect(Op::apply, 3, Apply());
    expect(Op::user, 9, User());
    expect(Op::in_set, 2, InSet());
    expect(Op::select, 1, Choice());
    expect(Op::branch, 2, Choice());
    expect(Op::cast, 0);
    expect(Op::join_addresses, 1);
    expect(Op::reduce, 2, Reduce());
    expect(Op::contract, 1, Contract());
    expect(Op::contract, 3, Contract());
    Contract scaled;
    scaled.is_scaled = true;
    expect(Op::contract, 5, scaled);
    expect(Op::rename, 0, Rename());
    expect(Op::concat, 3, Concat());
    expect(Op::slice, 2, Slice());
    expect(Op::reshape, 2, Reshape());
    expect(Op::to_mapped, 0, ToMapped());
    expect(Op::to_indexed, 2, ToIndexed());
    expect(Op::same_size, 2, SameSize());
    expect(Op::append, 1, Append());
    expect(Op::peek, 0, Peek());
    expect(Op::merge, 2);
    expect(Op::fill, 1);
    expect(Op::filter, 3);
    expect(Op::order, 2, Order());
    expect(Op::pack, 0, Pack());
    expect(Op::unpack_bits, 0, UnpackBits());
    expect(Op::row_extreme, 1, RowExtreme());
    expect(Op::attention, 2, Attention());
    expect(Op::attention, 4, Attention());
    expect(Op::round, 0);
    expect(Op::round, 4);
    expect(Op::gather, 0, Gather());
    expect(Op::join_reduce, 1, JoinReduce());
    expect(Op::multiply_add, 2);
    expect(Op::pack_matrix, 2, PackMatrix());
    expect(Op::region_result, 2, RegionResult());
}

TEST_F(Verify, LooksAtPayloads) {
    inputs({"double"});
    EXPECT_EQ(wrong(Op::apply, "double"), "has the payload of another operation");
    inputs({"double"});
    EXPECT_EQ(wrong(Op::cast, "double", Apply{ScalarFunction::square}), "has the payload of another operation");
}

TEST_F(Verify, CountsArguments) {
    inputs({"double", "double"});
    EXPECT_EQ(wrong(Op::apply, "double", Apply{ScalarFunction::square}),
              "has the wrong number of operands for its function");
    inputs({"double", "double"});
    EXPECT_EQ(wrong(Op::user, "double", User()), "has the wrong number of operands for its function");
    const User user{std::make_shared<const UserFunction>(UserFunction{"f", 2, {}})};
    inputs({"double", "double"});
    EXPECT_EQ(wrong(Op::user, "double", user), "");
}

TEST_F(Verify, NaturalJoins) {
    const Apply sum{ScalarFunction::add};
    inputs({"tensor(x[3])", "tensor(k{},x[3])"});
    EXPECT_EQ(wrong(Op::apply, "tensor<float>(k{},x[3])", sum), "");
    EXPECT_EQ(wrong(Op::apply, "tensor(k{})", sum), not_as_operands_give("k{},x[3]"));
    inputs({"tensor(x[3])", "tensor(k{},x[3])"});
    EXPECT_EQ(wrong(Op::apply, "tensor(k{},x[3],y[2])", sum), not_as_operands_give("k{},x[3]"));
    inputs({"tensor(x[3])", "tensor(k{},x[3])"});
    EXPECT_EQ(wrong(Op::apply, "tensor(k{},x[4])", sum), not_as_operands_give("k{},x[3]"));
    inputs({"tensor(x[3])", "tensor(x[4])"});
    EXPECT_EQ(wrong(Op::apply, "tensor(x[3])", sum), "its operands disagree about dimension x");
    inputs({"tensor(x[3])", "tensor(x{})"});
    EXPECT_EQ(wrong(Op::join_addresses, "tensor(x{})"), "its operands disagree about dimension x");
}

TEST_F(Verify, Reductions) {
    inputs({"tensor(x[3],y[2])"});
    EXPECT_EQ(wrong(Op::reduce, "tensor(y[2])", over({"x"})), "");
    EXPECT_EQ(wrong(Op::reduce, "tensor(x[3],y[2])", over({})), "reduces no dimension");
    inputs({"tensor(x[3])", "tensor(x[4],y[2])"});
    EXPECT_EQ(wrong(Op::contract, "tensor(y[2])", summed({"x"})), "its operands disagree about dimension x");
    inputs({"tensor(x[3])", "tensor(x[3],y[2])"});
    EXPECT_EQ(wrong(Op::contract, "tensor(y[2])", summed({"x"})), "");
    EXPECT_EQ(wrong(Op::contract, "double", summed({"x"})), not_as_operands_give("y[2]"));
}

TEST_F(Verify, Roundings) {
    inputs({"tensor<float>(k{},x[3])"});
    EXPECT_EQ(wrong(Op::round, "tensor<bfloat16>(k{},x[3])"), "");
    inputs({"tensor<float>(k{},x[3])", "tensor<float>(k{})", "tensor<float>(k{})"});
    EXPECT_EQ(wrong(Op::round, "tensor<int8>(k{},x[3])"), "");
    inputs({"tensor<float>(k{},x[3])", "tensor<float>(k{})"});
    EXPECT_EQ(wrong(Op::round, "tensor<int8>(k{},x[3])"), "has one number for each row, not two or none");
    inputs({"tensor<float>(x[3],y[2])", "tensor<float>(z[3])", "tensor<float>(x[3])"});
    EXPECT_EQ(wrong(Op::round, "tensor<int8>(x[3],y[2])"), "has no dimension z as the numbers of its rows have");
    inputs({"tensor<float>(x[3],y[2])", "tensor<float>(y[2])", "tensor<float>(y[2])"});
    EXPECT_EQ(wrong(Op::round, "tensor<int8>(x[3],y[2])"), "has rows that are not along the last dimensions");
}

TEST_F(Verify, Peeks) {
    const auto parts = [](std::vector<PeekPart> given) { return Peek{std::move(given)}; };
    inputs({"tensor(k{},x[3])", "tensor(z[2])"});
    EXPECT_EQ(wrong(Op::peek, "tensor(k{},z[2])", parts({{"x", "", 0, 1}})), "");
    EXPECT_EQ(wrong(Op::peek, "tensor(x[3],z[2])", parts({{"k", "", 0, 1}})), "");
    EXPECT_EQ(wrong(Op::peek, "tensor(z[2])", parts({{"k", "", 0, 1}})), not_as_operands_give("x[3],z[2]"));
    const std::pair<std::vector<PeekPart>, const char *> rows[] = {
        {{{"y", "", 0, 1}}, "its operand has no dimension y"},
        {{{"x", "", 0, 2}}, "the label of dimension x is no operand"},
        {{{"x", "", 0, 1}, {"x", "", 1, 0}}, "chooses along dimension x twice"},
        {{{"x", "", 3, 0}, {"k", "", 0, 1}}, "dimension x has no index 3"},
        {{{"k", "a", 0, 0}}, "has 1 operands for 0 labels"},
        {{{"k", "", 0, 1}, {"x", "", 0, 1}}, "has 1 operands for 2 labels"},
    };
    for (const auto &[given, problem] : rows) {
        inputs({"tensor(k{},x[3])", "tensor(z[2])"});
        EXPECT_EQ(wrong(Op::peek, "tensor(z[2])", parts(given)), problem);
    }
}

TEST_F(Verify, Gathers) {
    using Kind = Gather::Kind;
    const auto number = [](std::uint32_t operand) { return Gather::Sum{{operand, false}}; };
    const auto peek = [&](std::vector<Gather::Part> parts) {
        return Gather::Operation{Kind::peek, 0, std::move(parts)};
    };
    const Gather::Operation peeked = peek({{"x", 0, number(2)}});
    const Gather::Operation other{Kind::source, 1};
    const Gather::Operation choice{Kind::choice, 3};
    const std::vector<Dimension> z{{"z", 2}};
    const auto expect = [&](Gather gather, const std::string &problem, const char *of_type = "tensor(z[2])") {
        inputs({"tensor(x[3])", "tensor(z[2])", "tensor(z[2])", "double", "tensor(k{},x[3])"});
        EXPECT_EQ(wrong(Op::gather, of_type, std::move(gather)), problem);
    };
    expect({false, z, {choice, peeked, other}}, "");
    expect({false, z, {choice, other, choice, peeked, other}}, "");
    expect({false, z, {choice, other}}, "its 2 operations are no tree");
    expect({false, z, {other, other}}, "its 2 operations are no tree");
    expect({false, z, {}}, "its 0 operations are no tree");
    expect({false, z, {choice, peeked, {Kind::source, 5}}}, "takes cells from operand 5");
    expect({false, z, {choice, peeked, {Kind::source, 3}}}, "operand 3 is no number");
    expect({false, z, {{Kind::choice, 5}, peeked, other}}, "operand 5 is no number");
    expect({false, z, {{Kind::choice, 4}, peeked, other}}, "operand 4 is more than a number");
    expect({false, {{"y", 2}}, {peeked}}, "has no dimension z as its operand has");
    expect({false, {{"z", 2}, {"z", 2}}, {peeked}}, "has dimension z twice, or without a size");
    expect({false, z, {{Kind::comparison, 3, {}, ScalarFunction::less}, peeked, other}},
           "compares indexes that are not split");
    expect({false, z, {peek({{"x", 0, number(2)}, {"x", 1}})}}, "chooses along dimension x twice");
    expect({false, z, {peek({{"y", 0, number(2)}})}}, "its operand has no indexes along dimension y");
    expect({false, z, {peek({{"x", 3}})}}, "dimension x has no index 3");
    expect({false, z, {peek({{"x", 2}})}}, "computes 0 indexes of a source");
    expect({false, z, {peek({{"x", 0, Gather::Sum{{2, true}}}})}}, "computes an index from 1 numbers");
    expect({false, z, {peek({{"x", 0, Gather::Sum()}})}}, "computes an index from 0 numbers");
    expect({false, z, {peeked}}, not_as_operands_give("z[2]"), "tensor(z[3])");
    // The documents split the only dimension.
    const Gather::Operation shifted = peek({{"x", 0, number(3)}});
    const Gather::Operation less{Kind::comparison, 3, {}, ScalarFunction::less, number(3)};
    expect({true, z, {less, shifted, other}}, "");
    expect({true, {{"u", 1}, {"z", 2}}, {shifted}}, "", "tensor(u[1],z[2])");
    expect({true, {{"y", 2}, {"z", 2}}, {shifted}}, "splits 2 dimensions");
    expect({true, z, {peeked}}, "operand 2 is more than a number");
    expect({true, z, {peek({{"x", 0, Gather::Sum(9, {3, false})}})}}, "computes an index from 9 numbers");
    expect({true, z, {{Kind::comparison, 3, {}, ScalarFunction::add}, shifted, other}},
           "compares indexes that are not split");
    // Cells under labels.
    inputs({"tensor(k{},x[3])", "double"});
    const Gather of_blocks{false, {}, {peek({{"x", 0, number(1)}})}};
    EXPECT_EQ(wrong(Op::gather, "tensor(k{})", of_blocks), "");
    inputs({"tensor(k{},x[3])", "double"});
    const Gather split{true, z, {peek({{"x", 0, number(1)}})}};
    EXPECT_EQ(wrong(Op::gather, "tensor(k{},z[2])", split), "has no dimension k as its operand has");
    inputs({"tensor(x[3],z[2])", "double"});
    EXPECT_EQ(wrong(Op::gather, "tensor(z[2])", split), "peeks along a dimension beside z");
}

TEST_F(Verify, SizesAndKinds) {
    inputs({"tensor(x[3],y[2])"});
    Slice slice{"x", 1, 2};
    EXPECT_EQ(wrong(Op::slice, "tensor(x[2],y[2])", slice), "");
    EXPECT_EQ(wrong(Op::slice, "tensor(x[3],y[2])", slice), not_as_operands_give("x[2],y[2]"));
    inputs({"tensor(x[3],y[2])"});
    slice.begin = ~std::uint64_t{0};
    EXPECT_EQ(wrong(Op::slice, "tensor(x[2],y[2])", slice),
              "takes 2 indexes of dimension x from 18446744073709551615 on");
    inputs({"tensor(x[3],y[2])", "tensor(x[1],y[2])"});
    EXPECT_EQ(wrong(Op::concat, "tensor(x[4],y[2])", Concat{"x"}), "");
    EXPECT_EQ(wrong(Op::concat, "tensor(x[5],y[2])", Concat{"x"}), not_as_operands_give("x[4],y[2]"));
    inputs({"tensor<int8>(x[3])"});
    EXPECT_EQ(wrong(Op::unpack_bits, "tensor<int8>(x[24])", UnpackBits{"x"}), "");
    EXPECT_EQ(wrong(Op::unpack_bits, "tensor<int8>(x[23])", UnpackBits{"x"}), not_as_operands_give("x[24]"));
    inputs({"tensor<int8>(x[3],y[2])"});
    EXPECT_EQ(wrong(Op::unpack_bits, "tensor<int8>(x[24],y[2])", UnpackBits{"x"}),
              "unpacks bits along another dimension than the last one");
    inputs({"tensor(x[3])"});
    EXPECT_EQ(wrong(Op::unpack_bits, "tensor(x[24])", UnpackBits{"x"}), "unpacks cells that are no bits");
    inputs({"tensor(k{},x[3])"});
    EXPECT_EQ(wrong(Op::to_mapped, "tensor(k{},x{})", ToMapped{{"x"}}), "");
    EXPECT_EQ(wrong(Op::to_mapped, "tensor(k{},x[3])", ToMapped{{"x"}}), not_as_operands_give("k{},x{}"));
    inputs({"tensor(k{},x[3])"});
    EXPECT_EQ(wrong(Op::to_indexed, "tensor(k[2],x[2])", ToIndexed{{{"k", 2}}}), not_as_operands_give("k[2],x[3]"));
    inputs({"tensor(k{},x[3])"});
    EXPECT_EQ(wrong(Op::to_mapped, "tensor(k{},x[3])", ToMapped{{"k"}}), "does not change the kind of dimension k");
    inputs({"tensor(k{},x[3])"});
    EXPECT_EQ(wrong(Op::to_indexed, "tensor(k[2],x[4])", ToIndexed{{{"k", 2}, {"x", 4}}}),
              "does not change the kind of dimension x");
    inputs({"tensor(x{})", "tensor(x{})"});
    EXPECT_EQ(wrong(Op::concat, "tensor(x{})", Concat{"x"}), "dimension x has no indexes");
    inputs({"tensor(k{},x[3])"});
    EXPECT_EQ(wrong(Op::rename, "tensor(k{})", Rename{{"x"}, {"k"}}), "calls two dimensions k");
    inputs({"tensor(k{},x[3])"});
    const Rename names{{"x"}, {"y"}};
    EXPECT_EQ(wrong(Op::rename, "tensor(k{},y[3])", names), "");
    EXPECT_EQ(wrong(Op::rename, "tensor(k{},y[2])", names), not_as_operands_give("k{},y[3]"));
    inputs({"tensor(k{},x[3])"});
    EXPECT_EQ(wrong(Op::rename, "tensor(k{},x[3])", Rename{{"x"}, {}}), "has not one new name for each dimension");
}

TEST_F(Verify, Packs) {
    Pack pack;
    pack.dimensions = type("tensor(k{},y[2])").dimensions();
    pack.addresses = {{"a"}, {"b"}};
    pack.cells = {{0, 1}, {1, 0}};
    inputs({"tensor(x[2])", "tensor(x[2])"});
    EXPECT_EQ(wrong(Op::pack, "tensor(k{},x[2],y[2])", pack), "");
    EXPECT_EQ(wrong(Op::pack, "tensor(k{},y[2])", pack), not_as_operands_give("k{},x[2],y[2]"));
    inputs({"tensor(x[2])", "tensor(x[2])"});
    pack.addresses = {{"a"}, {"b", "c"}};
    EXPECT_EQ(wrong(Op::pack, "tensor(k{},x[2],y[2])", pack), "has an address of 2 labels, not 1");
    inputs({"tensor(x[2])", "tensor(x[2])"});
    pack.cells = {{0, 1}, {2, 0}};
    EXPECT_EQ(wrong(Op::pack, "tensor(k{},x[2],y[2])", pack), "places an operand outside of its type");
    inputs({"tensor(y[2])", "tensor(y[2])"});
    EXPECT_EQ(wrong(Op::pack, "tensor(k{},y[2])", pack), "its operands have dimension y already");
    inputs({"tensor(x[2])", "tensor(z[2])"});
    EXPECT_EQ(wrong(Op::pack, "tensor(k{},x[2],y[2])", pack), "its operands have different dimensions");
}

TEST_F(Verify, Choices) {
    inputs({"double", "tensor(k{})", "tensor(k{})"});
    EXPECT_EQ(wrong(Op::branch, "tensor(k{})", Choice()), "");
    inputs({"tensor(k{})", "tensor(k{})", "tensor(k{})"});
    EXPECT_EQ(wrong(Op::branch, "tensor(k{})", Choice()), "its condition is not a scalar");
    inputs({"double", "tensor(k{})", "tensor(l{})"});
    EXPECT_EQ(wrong(Op::branch, "tensor(k{})", Choice()), "its branches have different dimensions");
    inputs({"tensor(k{})", "tensor(l{})", "tensor(k{},l{})"});
    EXPECT_EQ(wrong(Op::merge, "tensor(k{},l{})"), "its operands have different dimensions");
    inputs({"tensor(k{})", "tensor(l{})"});
    EXPECT_EQ(wrong(Op::filter, "tensor(k{})"), "is told what to keep by dimensions that its operand lacks");
    inputs({"tensor(k{})"});
    EXPECT_EQ(wrong(Op::order, "tensor(k{})", Order{{"l"}}), "its operand has no dimension l");
}

TEST_F(Verify, ValuesHaveTheirTypes) {
    graph_ = Graph();
    const Constant value{std::make_shared<const Tensor>(*from_literal("tensor<float>(x[2]):[1,2]"))};
    EXPECT_EQ(wrong(Op::constant, "tensor<float>(x[2])", value), "");
    EXPECT_EQ(wrong(Op::constant, "tensor(x[2])", value), "has another type than its value, tensor<float>(x[2])");
}

}  // namespace
}  // namespace tenrex::ir
