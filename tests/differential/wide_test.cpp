// Random expressions of any size in any arrangement. scripts/differential runs many more seeds than this program does
// by itself.
#include <csignal>
#include <string>

#include <unistd.h>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/differential/case.h"
#include "tests/differential/wide_case.h"
#include "tests/differential/wide_shrink.h"

namespace tenrex::differential {
namespace {

using random::Numbers;
using random::RandomExpression;

// Says which seed it was when a program ends without a word: what is compiled may crash. Only functions that may be
// called in a signal handler.
volatile std::sig_atomic_t current_seed = 0;

extern "C" void report_seed(int signal) {
    char text[] = "\nended by a signal in seed          \n";
    std::size_t at = sizeof text - 3;
    for (auto left = static_cast<unsigned>(current_seed); left != 0 || at + 3 == sizeof text; left /= 10) {
        text[at--] = static_cast<char>('0' + left % 10);
    }
    if (write(STDERR_FILENO, text, sizeof text - 1) >= 0) {
        std::raise(signal);  // with the handler of the system
    }
}

void report_seeds_of_crashes() {
    for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGABRT}) {
        struct sigaction action = {};
        if (sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_DFL) {  // not that of a sanitizer
            action.sa_handler = report_seed;
            action.sa_flags = static_cast<int>(SA_RESETHAND);
            sigaction(signal, &action, nullptr);
        }
    }
}

class WidePrograms : public testing::TestWithParam<Numbers> {};

TEST_P(WidePrograms, GiveWhatTheReferenceGives) {
    const Numbers numbers = GetParam();
    std::size_t failures = 0;
    std::size_t count_without_value = 0;
    std::string without_value;
    report_seeds_of_crashes();
    const std::uint64_t first = first_seed();
    const std::uint64_t count = seed_count(200);
    for (std::uint64_t seed = first; seed < first + count && failures < 5; ++seed) {
        current_seed = static_cast<std::sig_atomic_t>(seed);
        const Arrangement arrangement = arrangement_of(seed);
        const RandomExpression random = wide_expression(seed, numbers);
        const std::string found = problem(random, numbers, arrangement);
        if (is_wrong(found)) {
            ++failures;
            ADD_FAILURE() << report(smallest({random, numbers, arrangement}));
        } else if (!found.empty()) {
            without_value += found.substr(0, 120) + "\n";
            ++count_without_value;
        }
    }
    // What the oracle takes too long for, or cannot hold.
    EXPECT_LE(count_without_value, 1 + count / 100) << without_value;
}

INSTANTIATE_TEST_SUITE_P(
    All, WidePrograms, testing::Values(Numbers::any, Numbers::exact, Numbers::smooth), [](const auto &test) {
        return std::string(test.param == Numbers::any ? "any" : test.param == Numbers::exact ? "exact" : "smooth");
    });

}  // namespace
}  // namespace tenrex::differential
