// The main function of tests. Where several sources are one program, --source=lexer_test runs those of lexer_test.cpp.
#include <cstdio>
#include <string>
#include <string_view>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace {

bool stands_in(const testing::TestInfo &test, std::string_view stem) {
    const std::string_view file = test.file();
    return file.ends_with("/" + std::string(stem) + ".cpp");
}

// A test of a header would be that of no source, and never run.
bool all_stand_in_sources() {
    const testing::UnitTest &tests = *testing::UnitTest::GetInstance();
    for (int i = 0; i < tests.total_test_suite_count(); ++i) {
        const testing::TestSuite &suite = *tests.GetTestSuite(i);
        for (int j = 0; j < suite.total_test_count(); ++j) {
            const std::string_view file = suite.GetTestInfo(j)->file();
            if (!file.ends_with("_test.cpp")) {
                std::fprintf(stderr, "%s: tests stand in sources called NAME_test.cpp\n", suite.GetTestInfo(j)->file());
                return false;
            }
        }
    }
    return true;
}

// The tests of a source as a filter; empty if there are none.
std::string filter_for(std::string_view stem) {
    std::string filter;
    const testing::UnitTest &tests = *testing::UnitTest::GetInstance();
    for (int i = 0; i < tests.total_test_suite_count(); ++i) {
        const testing::TestSuite &suite = *tests.GetTestSuite(i);
        for (int j = 0; j < suite.total_test_count(); ++j) {
            if (stands_in(*suite.GetTestInfo(j), stem)) {
                filter += std::string(filter.empty() ? "" : ":") + suite.name() + "." + suite.GetTestInfo(j)->name();
            }
        }
    }
    return filter;
}

}  // namespace

int main(int argc, char **argv) {
    testing::InitGoogleMock(&argc, argv);
    constexpr std::string_view option = "--source=";
    const std::string_view argument = argc == 2 ? argv[1] : "";
    if (argument.starts_with(option)) {
        if (!all_stand_in_sources()) {
            return 2;
        }
        const std::string filter = filter_for(argument.substr(option.size()));
        if (filter.empty()) {
            std::fprintf(stderr, "%s: that source has no tests\n", argv[1]);
            return 2;
        }
        GTEST_FLAG_SET(filter, filter);
    } else if (argc > 1) {
        std::fprintf(stderr, "%s: there are --source=NAME, whose tests stand in NAME.cpp, and options of GoogleTest\n",
                     argv[1]);
        return 2;
    }
    return RUN_ALL_TESTS();
}
