// The profiles of docs/rank_profiles.md compile, and those with a mistake give the message that stands below them.
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/profile/scoring.h"

namespace tenrex::page_test {
namespace {

struct Block {
    std::string language;
    std::string text;
    std::size_t line = 0;
};

std::vector<Block> blocks_of(const char *path) {
    std::ifstream file(path);
    std::vector<Block> blocks;
    bool inside = false;
    std::size_t number = 0;
    for (std::string line; std::getline(file, line);) {
        ++number;
        if (line.starts_with("```")) {
            inside = !inside;
            if (inside) {
                blocks.push_back({line.substr(3), "", number});
            }
        } else if (inside) {
            blocks.back().text += line + "\n";
        }
    }
    return blocks;
}

TEST(Page, ProfilesCompile) {
    ProfileOptions options;
    options.features = {{"bm25(title)"}};
    options.attributes = {{"genre", AttributeKind::string},
                          {"price"},
                          {"rating"},
                          {"released"},
                          {"tags", AttributeKind::weighted_set, true},
                          {"sound", AttributeKind::tensor, false, *TensorType::parse("tensor<float>(x[3])")}};
    const std::vector<Block> blocks = blocks_of("docs/rank_profiles.md");
    std::size_t profiles = 0;
    std::size_t mistakes = 0;
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        if (blocks[i].language != "profile") {
            continue;
        }
        SCOPED_TRACE("line " + std::to_string(blocks[i].line));
        const auto set = ProfileSet::parse(blocks[i].text);
        ASSERT_TRUE(set.has_value()) << (set ? "" : set.error().render());
        EXPECT_TRUE(set->warnings().empty());
        const bool wrong = i + 1 < blocks.size() && blocks[i + 1].language == "error";
        for (const std::string &name : set->names()) {
            const auto profile = compile_profile(*set, name, options);
            if (wrong) {
                ASSERT_FALSE(profile.has_value());
                EXPECT_EQ(profile.error().render(), blocks[i + 1].text);
                ++mistakes;
            } else {
                EXPECT_TRUE(profile.has_value()) << (profile ? "" : profile.error().render());
                ++profiles;
            }
        }
    }
    EXPECT_GE(profiles, 8U);
    EXPECT_GE(mistakes, 1U);
}

}  // namespace
}  // namespace tenrex::page_test
