#include "lib/storage/mapped_tensor.h"

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <tenrex/formats.h>

namespace tenrex {
namespace {

using testing::HasSubstr;

class Mapped : public testing::Test {
protected:
    void SetUp() override {
        path_ = (std::filesystem::path(testing::TempDir()) / "mapped_tensor_test.bin").string();
        for (std::size_t i = 0; i < cells_.size(); ++i) {
            cells_[i] = static_cast<float>(i) / 8;
        }
    }
    void TearDown() override { std::filesystem::remove(path_); }

    // The cells begin after so many bytes.
    std::shared_ptr<const MappedFile> file(std::size_t offset) {
        std::ofstream out(path_, std::ios::binary);
        out << std::string(offset, 'x');
        out.write(reinterpret_cast<const char *>(cells_.data()), static_cast<std::streamsize>(bytes()));
        out.close();
        return *MappedFile::open(path_);
    }
    Tensor tensor(std::size_t offset) {
        auto mapped = file(offset);
        const std::string_view cells = mapped->bytes().substr(offset);
        return MappedTensor::make(*TensorType::parse("tensor<float>(x[100],y[200])"), std::move(mapped), cells);
    }
    std::size_t bytes() const { return cells_.size() * sizeof(float); }

    std::string path_;
    std::vector<float> cells_ = std::vector<float>(20000);
};

TEST_F(Mapped, CellsStandAnywhereInAFile) {
    for (const std::size_t offset : {0, 1, 7, 4096}) {
        const Tensor mapped = tensor(offset);
        TensorBuilder builder(mapped.type());
        std::memcpy(builder.cells(0), cells_.data(), bytes());
        const Tensor copy = std::move(builder).build();
        EXPECT_EQ(mapped, copy);
        EXPECT_EQ(mapped.cell(19999), 19999.0 / 8);
        EXPECT_LT(mapped.memory_bytes(), 1000U);
        EXPECT_EQ(to_literal(mapped), to_literal(copy));
    }
}

TEST_F(Mapped, CellsAreAlignedForThoseWhoAskForThem) {
    const Tensor mapped = tensor(3);
    const auto cells = mapped.cells<float>();
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(cells.data()) % 64, 0U);
    EXPECT_EQ(cells.size(), cells_.size());
    EXPECT_EQ(cells[777], cells_[777]);
    EXPECT_EQ(mapped.cells<float>().data(), cells.data());
}

TEST_F(Mapped, CellsThatWereLetGoAreReadAgain) {
    const Tensor mapped = tensor(5);
    EXPECT_EQ(mapped.cell(12345), 12345.0 / 8);
    MappedTensor::let_go(mapped);
    EXPECT_EQ(mapped.cell(12345), 12345.0 / 8);
    MappedTensor::let_go_around(mapped);
    EXPECT_EQ(mapped.cell(12345), 12345.0 / 8);
    for (const auto let_go : {&MappedTensor::let_go, &MappedTensor::let_go_around}) {
        let_go(Tensor(1));  // which stands in no file
    }
}

TEST_F(Mapped, AnotherFileMayTakeItsName) {
    const Tensor mapped = tensor(0);
    std::filesystem::remove(path_);
    std::ofstream(path_) << "another";
    EXPECT_EQ(mapped.cell(19999), 19999.0 / 8);
}

TEST_F(Mapped, CopiesInMemoryKeepWhatIsLetGo) {
    const std::string bytes(100000, 'x');
    const auto copy = MappedFile::copy(bytes);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(copy->bytes().data()) % 64, 0U);
    copy->let_go(copy->bytes());
    EXPECT_EQ(copy->bytes(), bytes);
    EXPECT_EQ(MappedFile::copy({})->bytes(), "");
}

TEST_F(Mapped, FilesKnowTheirParts) {
    const auto mapped = file(0);
    const std::string other(100, 'x');
    EXPECT_TRUE(mapped->holds(mapped->bytes()));
    EXPECT_TRUE(mapped->holds(mapped->bytes().substr(100, 7)));
    EXPECT_FALSE(mapped->holds(other));
}

TEST_F(Mapped, FilesThatCannotBeReadSayWhy) {
    const auto none = MappedFile::open(path_ + ".no");
    ASSERT_FALSE(none);
    EXPECT_THAT(none.error().render(), HasSubstr("cannot read"));
    EXPECT_THAT(none.error().render(), HasSubstr("does the file exist?"));
    const auto folder = MappedFile::open(testing::TempDir());
    ASSERT_FALSE(folder);
    EXPECT_THAT(folder.error().render(), HasSubstr("it is no file"));
    std::ofstream(path_).close();
    const auto empty = MappedFile::open(path_);
    ASSERT_TRUE(empty);
    EXPECT_EQ((*empty)->bytes(), "");
    (*empty)->let_go((*empty)->bytes());
}

}  // namespace
}  // namespace tenrex
