#include "tests/differential/wide_shrink.h"

#include <utility>

#include <fmt/format.h>

#include "tests/reference/random_shrink.h"

namespace tenrex::differential {

namespace {

bool fails(const WideCase &now) {
    return is_wrong(problem(now.expression, now.numbers, now.arrangement));
}

bool simplify(WideCase &now) {
    bool changed = false;
    for (bool again = true; again;) {
        again = false;
        for (Arrangement &arrangement : simpler(now.arrangement)) {
            WideCase smaller{now.expression, now.numbers, std::move(arrangement)};
            if (fails(smaller)) {
                now = std::move(smaller);
                changed = again = true;
                break;
            }
        }
    }
    return changed;
}

}  // namespace

WideCase smallest(WideCase failing) {
    simplify(failing);
    failing.expression = random::shrink(std::move(failing.expression), [&](const random::RandomExpression &smaller) {
        return fails({smaller, failing.numbers, failing.arrangement});
    });
    simplify(failing);
    return failing;
}

std::string report(const WideCase &failing) {
    return fmt::format("{}\n{}\n{}", failing.arrangement.to_string(),
                       problem(failing.expression, failing.numbers, failing.arrangement),
                       failing.expression.reproducer());
}

}  // namespace tenrex::differential
