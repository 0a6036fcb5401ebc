// What belongs to a file of profiles in an application package.
#include <filesystem>
#include <fstream>
#include <string>

#include <gmock/gmock.h>
#include <unistd.h>

#include <tenrex/profile_files.h>

namespace tenrex {
namespace {

namespace fs = std::filesystem;

class ProfileFilesTest : public ::testing::Test {
protected:
    ProfileFilesTest()
        : root_(fs::path(::testing::TempDir()) / ("tenrex_profile_files_" + std::to_string(::getpid()))) {}
    ~ProfileFilesTest() override {
        std::error_code ignored;
        fs::remove_all(root_, ignored);
    }

    std::string write(const fs::path &path, const std::string &text) {
        const fs::path full = root_ / path;
        fs::create_directories(full.parent_path());
        std::ofstream(full, std::ios::binary) << text;
        return full.string();
    }

    fs::path root_;
};

TEST_F(ProfileFilesTest, ArePartsOfAPackage) {
    const std::string schema = write("app/schemas/shop.sd", "\xEF\xBB\xBFschema shop { }");
    write("app/schemas/shop/b.profile", "rank-profile b { first-phase { expression: 2 } }");
    write("app/schemas/shop/a.profile", "rank-profile a { first-phase { expression: sum(query(user)) } }");
    write("app/schemas/shop/more/deep/c.profile", "rank-profile c inherits a { }");
    write("app/schemas/shop/readme.txt", "no profile");
    write("app/search/query-profiles/types/root.xml",
          "<query-profile-type id=\"root\"><field name=\"ranking.features.query(user)\" "
          "type=\"tensor&lt;float&gt;(x{})\" /><field name='ranking.features.query(name)' type='string'/>"
          "<field name=\"ranking.features.query(weight)\" type=\"integer\" />"
          "<field name=\"ranking.features.query(other)\" type=\"query-profile\" />"
          "<field name=\"hits\" type=\"integer\" /></query-profile-type>");
    write("app/models/model.json", "of models");
    write("app/weights.json", "of the package");
    write("app/schemas/near.json", "beside");
    write("app/near.json", "of the package");

    const auto found = read_profile_files(schema);
    ASSERT_TRUE(found.has_value()) << found.error().render();
    ASSERT_EQ(found->files.size(), 4U);
    EXPECT_EQ(found->files[0].text, "schema shop { }");
    EXPECT_TRUE(found->files[1].name.ends_with("shop/a.profile"));
    EXPECT_TRUE(found->files[2].name.ends_with("shop/b.profile"));
    EXPECT_TRUE(found->files[3].name.ends_with("shop/more/deep/c.profile"));
    ASSERT_EQ(found->query_inputs.size(), 3U);
    EXPECT_EQ(found->query_inputs[0].name, "query(user)");
    EXPECT_EQ(found->query_inputs[0].type.to_string(), "tensor<float>(x{})");
    EXPECT_TRUE(found->query_inputs[1].is_string);
    EXPECT_EQ(found->query_inputs[2].name, "query(weight)");
    EXPECT_TRUE(found->query_inputs[2].type.is_scalar() && !found->query_inputs[2].is_string);
    EXPECT_EQ(*found->loader("model.json"), "of models");
    EXPECT_EQ(*found->loader("weights.json"), "of the package");
    EXPECT_EQ(*found->loader("near.json"), "beside");
    EXPECT_THAT(found->loader("none.json").error().message(),
                ::testing::AllOf(::testing::HasSubstr("schemas/none.json: there is no such file, nor "),
                                 ::testing::HasSubstr("app/models/none.json")));

    const auto set = ProfileSet::parse(found->files, found->loader);
    ASSERT_TRUE(set.has_value()) << set.error().render();
    ProfileOptions options;
    options.query_inputs = found->query_inputs;
    const auto profile = compile_profile(*set, "a", options);
    ASSERT_TRUE(profile.has_value()) << profile.error().render();
    EXPECT_TRUE(profile->warnings().empty());
}

TEST_F(ProfileFilesTest, AreBesideAFileThatIsInNoPackage) {
    const std::string path = write("plain/p.profile", "rank-profile p { }");
    write("plain/p/other.profile", "rank-profile other { }");
    write("w.json", "above");
    const auto found = read_profile_files(path);
    ASSERT_TRUE(found.has_value());
    EXPECT_EQ(found->files.size(), 1U);
    EXPECT_TRUE(found->query_inputs.empty());
    EXPECT_EQ(found->loader("w.json").error().message(), "cannot read '" + (root_ / "plain/w.json").string() +
                                                             "': No such file or directory (does the file exist?)");
}

TEST_F(ProfileFilesTest, AreReadByWhomTheProgramNames) {
    std::vector<std::string> asked;
    const auto read = [&](const std::string &path, std::size_t most) -> Result<std::string> {
        asked.push_back(path);
        return most > 0 && path != "away/none" ? Result<std::string>("text of " + path) : Error("no " + path);
    };
    const auto found = read_profile_files("away/p.profile", read);
    ASSERT_TRUE(found.has_value());
    EXPECT_EQ(found->files.front().text, "text of away/p.profile");
    EXPECT_EQ(*found->loader("w.json"), "text of away/w.json");
    EXPECT_EQ(found->loader("none").error().message(), "no away/none");
    EXPECT_THAT(asked, ::testing::ElementsAre("away/p.profile", "away/w.json", "away/none"));
}

TEST_F(ProfileFilesTest, ThatCannotBeRead) {
    fs::create_directories(root_);
    EXPECT_EQ(read_profile_files(root_.string()).error().message(),
              "cannot read '" + root_.string() + "': it is no file (is it a file, and may it be read?)");
    const std::string none = (root_ / "none.sd").string();
    EXPECT_EQ(read_profile_files(none).error().message(),
              "cannot read '" + none + "': No such file or directory (does the file exist?)");
    const std::string empty = write("empty.profile", "");
    EXPECT_EQ(read_profile_files(empty)->files.front().text, "");
    const std::string large = write("large.profile", std::string(200000, ' '));
    EXPECT_EQ(read_profile_files(large)->files.front().text.size(), 200000U);
}

TEST(NeededFeatures, AreThoseThatNobodyGives) {
    const auto set = ProfileSet::parse(
        "rank-profile p { first-phase { expression: bm25(title) + bm25(body) + 2 * bm25(title) } }\n"
        "rank-profile none { first-phase { expression: 1 } }");
    ASSERT_TRUE(set.has_value());
    ProfileOptions options;
    EXPECT_EQ(needed_features(*set, "p", options).size(), 2U);
    options.features = {{"bm25(body)"}};
    const std::vector<HostFeature> needs = needed_features(*set, "p", options);
    ASSERT_EQ(needs.size(), 1U);
    EXPECT_EQ(needs[0].name, "bm25(title)");
    EXPECT_TRUE(needs[0].type.is_scalar());
    options.host_feature = [](std::string_view) { return std::optional(TensorType()); };
    EXPECT_TRUE(needed_features(*set, "p", options).empty());
    EXPECT_TRUE(needed_features(*set, "none").empty());
    EXPECT_TRUE(needed_features(*set, "missing").empty());
}

}  // namespace
}  // namespace tenrex
