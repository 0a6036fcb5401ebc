#include <tenrex/tensor.h>

#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>

#include <gtest/gtest.h>

#include <tenrex/formats.h>

namespace tenrex {
namespace {

using Address = std::vector<std::string_view>;

TEST(Tensor, OfANumberIsAScalar) {
    EXPECT_EQ(Tensor().as_double(), 0.0);
    const Tensor tensor(-1.5);
    EXPECT_TRUE(tensor.type().is_scalar());
    EXPECT_EQ(tensor.blocks(), 1U);
    EXPECT_EQ(tensor.cell_count(), 1U);
    EXPECT_EQ(tensor.as_double(), -1.5);
    EXPECT_TRUE(std::isnan(Tensor(std::nan("")).as_double()));
}

TEST(TensorBuilder, StartsWithZerosIfThereAreNoMappedDimensions) {
    TensorBuilder builder(*TensorType::parse("tensor<float>(x[2],y[3])"));
    EXPECT_EQ(builder.blocks(), 1U);
    EXPECT_EQ(builder.block({}), 0U);
    EXPECT_TRUE(builder.has_block({}));
    builder.set(0, 4, 0.1);
    EXPECT_EQ(builder.get(0, 4), static_cast<double>(0.1F));
    const Tensor tensor = std::move(builder).build();
    EXPECT_EQ(tensor.cell_count(), 6U);
    EXPECT_EQ(tensor.cells<float>()[4], 0.1F);
    EXPECT_EQ(tensor.cells<float>()[5], 0.0F);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(tensor.cells<float>().data()) % 64, 0U);
}

TEST(TensorBuilder, FindsBlocksByTheirAddresses) {
    TensorBuilder builder(*TensorType::parse("tensor<int8>(a{},b{},x[2])"));
    EXPECT_EQ(builder.blocks(), 0U);
    EXPECT_EQ(builder.block(Address{"p", "q"}), 0U);
    EXPECT_EQ(builder.block(Address{"q", "p"}), 1U);
    EXPECT_EQ(builder.block(Address{"p", "7"}), 2U);
    EXPECT_EQ(builder.block(Address{"p", "q"}), 0U);
    EXPECT_EQ(builder.block(Address{"p", "07"}), 3U);
    EXPECT_TRUE(builder.has_block(Address{"q", "p"}));
    EXPECT_FALSE(builder.has_block(Address{"q", "q"}));
    EXPECT_FALSE(builder.has_block(Address{"q", "never seen"}));
    EXPECT_EQ(builder.blocks(), 4U);
    builder.set(1, 1, 300);
    const Tensor tensor = std::move(builder).build();
    EXPECT_EQ(tensor.blocks(), 4U);
    EXPECT_EQ(tensor.label(1, 0), "q");
    EXPECT_EQ(tensor.label(1, 1), "p");
    EXPECT_EQ(tensor.label(2, 1), "7");
    EXPECT_EQ(tensor.label(3, 1), "07");
    EXPECT_EQ(tensor.cell(3), 44.0);
    EXPECT_EQ(tensor.cell(2), 0.0);
}

TEST(TensorBuilder, KeepsCellsWhileItGrows) {
    for (const bool reserved : {false, true}) {
        TensorBuilder builder(*TensorType::parse("tensor<bfloat16>(k{},x[3])"));
        if (reserved) {
            builder.reserve(5000);
        }
        for (int i = 0; i < 5000; ++i) {
            const std::string label = i % 2 == 0 ? std::to_string(i) : "k" + std::to_string(i);
            const std::size_t block = builder.block(Address{label});
            ASSERT_EQ(block, static_cast<std::size_t>(i));
            builder.set(block, 1, i % 128);
        }
        const Tensor tensor = std::move(builder).build();
        for (std::size_t i = 0; i < 5000; ++i) {
            ASSERT_EQ(tensor.cell(3 * i), 0.0);
            ASSERT_EQ(tensor.cell(3 * i + 1), static_cast<double>(i % 128));
            ASSERT_EQ(tensor.cell(3 * i + 2), 0.0);
        }
        EXPECT_GE(tensor.memory_bytes(), 5000 * (3 * 2 + 8U));
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(tensor.cells<BFloat16>().data()) % 64, 0U);
    }
}

TEST(TensorBuilder, GivesRawCellsOfABlock) {
    TensorBuilder builder(*TensorType::parse("tensor<float>(k{},x[2])"));
    builder.block(Address{"a"});
    const std::size_t b = builder.block(Address{"b"});
    const float cells[] = {1.5F, 2.5F};
    std::memcpy(builder.cells(b), cells, sizeof(cells));
    const Tensor tensor = std::move(builder).build();
    EXPECT_EQ(tensor.cell(2), 1.5);
    EXPECT_EQ(tensor.cell(3), 2.5);
}

TEST(Tensor, SharesItsStorageWithCopies) {
    const Tensor tensor = *from_literal("tensor(x[3]):[1,2,3]");
    const Tensor copy = tensor;
    EXPECT_EQ(copy.cells<double>().data(), tensor.cells<double>().data());
    EXPECT_EQ(copy, tensor);
}

TEST(Tensor, EqualsByAddressNotByOrder) {
    const auto read = [](std::string_view text) { return *from_literal(text); };
    const Tensor tensor = read("tensor(k{},x[2]):{a:[1,2],b:[3,4],7:[5,nan]}");
    EXPECT_EQ(tensor, read("tensor(x[2],k{}):[{b:3,7:5,a:1},{b:4,7:nan,a:2}]"));
    EXPECT_NE(tensor, read("tensor(k{},x[2]):{a:[1,2],b:[3,4]}"));
    EXPECT_NE(tensor, read("tensor(k{},x[2]):{a:[1,2],b:[3,4],7:[5,6]}"));
    EXPECT_NE(tensor, read("tensor(k{},x[2]):{a:[1,2],b:[3,4],8:[5,nan]}"));
    EXPECT_NE(tensor, read("tensor(k{},x[2]):{a:[1,2],c:[3,4],7:[5,nan]}"));
    EXPECT_NE(tensor, read("tensor(l{},x[2]):{a:[1,2],b:[3,4],7:[5,nan]}"));
    EXPECT_NE(tensor, read("tensor<float>(k{},x[2]):{a:[1,2],b:[3,4],7:[5,nan]}"));
    EXPECT_EQ(read("tensor(k{}):{}"), read("tensor(k{}):{}"));
    EXPECT_NE(read("tensor(k{}):{}"), read("tensor(k{}):{a:0}"));
    EXPECT_EQ(read("tensor(x[2]):[0,1]"), read("tensor(x[2]):[-0,1]"));
    EXPECT_NE(read("tensor(x[2]):[0,1]"), read("tensor(x[2]):[0,nan]"));
    EXPECT_NE(read("tensor<int8>(x[2]):[0,1]"), read("tensor<int8>(x[2]):[0,2]"));
    // Labels of different tables are compared by text: "b" is the second text of one and the first of the other.
    EXPECT_EQ(read("tensor(k{}):{a:1,b:2}"), read("tensor(k{}):{b:2,a:1}"));
}

TEST(TensorView, ReadsCellsThatAreNotAligned) {
    const Tensor tensor = *from_literal("tensor<float>(k{},x[2]):{a:[1,-2.5],b:[0.1,inf]}");
    for (std::size_t offset = 0; offset < 8; ++offset) {
        std::array<std::byte, 64> memory{};
        std::memcpy(memory.data() + offset, tensor.cells<float>().data(), 4 * sizeof(float));
        const TensorView original = tensor.view();
        const TensorView view(tensor.type(), original.labels(), original.address(0).data(), 2, memory.data() + offset);
        EXPECT_EQ(view.cell(1), -2.5);
        EXPECT_EQ(view.cell(2), static_cast<double>(0.1F));
        EXPECT_EQ(to_literal(view), to_literal(tensor));
        EXPECT_EQ(to_json(view), to_json(tensor));
        EXPECT_EQ(to_hex(view), to_hex(original));
        EXPECT_EQ(to_binary(view), to_binary(original));
    }
}

TEST(TensorView, NeedsNoTableIfAllLabelsAreNumbers) {
    const auto type = *TensorType::parse("tensor<int8>(a{},b{})");
    const Label labels[] = {numeric_label(1), numeric_label(22), numeric_label(1), numeric_label(333)};
    const std::int8_t cells[] = {-7, 8};
    const TensorView view(type, nullptr, labels, 2, cells);
    EXPECT_EQ(view.label(0, 1), "22");
    EXPECT_EQ(to_literal(view), "tensor<int8>(a{},b{}):{1:{22:-7,333:8}}");
    EXPECT_EQ(to_json(view, {.form = JsonOptions::Form::shortest, .typed = false}),
              R"([{"address":{"a":"1","b":"22"},"value":-7},{"address":{"a":"1","b":"333"},"value":8}])");
}

TEST(TensorView, OfNoBlocksNeedsNoMemory) {
    const auto type = *TensorType::parse("tensor(k{},x[2])");
    const TensorView view(type, nullptr, nullptr, 0, nullptr);
    EXPECT_EQ(to_literal(view), "tensor(k{},x[2]):{}");
    EXPECT_EQ(to_literal(view, LiteralStyle::verbose), "tensor(k{},x[2]):{}");
    EXPECT_EQ(to_json(view), R"json({"type":"tensor(k{},x[2])","blocks":{}})json");
    EXPECT_EQ(*from_binary(to_binary(view)), *from_literal("tensor(k{},x[2]):{}"));
}

}  // namespace
}  // namespace tenrex
