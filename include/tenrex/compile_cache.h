// Plans that have been compiled before, for programs that get their expressions again and again as text.
//
//   tenrex::CompileCache cache(1000);
//   auto plan = cache.get(text, schema);   // compiles at most once while the plan stays among the 1000
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>

#include <tenrex/export.h>
#include <tenrex/plan.h>

namespace tenrex {

// Threads may share it. Full, it forgets the plan that was not asked for the longest time; whoever has that plan keeps
// it.
class TENREX_EXPORT CompileCache {
public:
    // capacity: the most plans that it keeps; at least one.
    explicit CompileCache(std::size_t capacity);
    CompileCache(const CompileCache &) = delete;
    CompileCache &operator=(const CompileCache &) = delete;
    ~CompileCache();

    // What compile() gives for these arguments. Everyone who asks with the same text, inputs, constants and options
    // gets the same plan, and with it the same table of labels. Constants are the same if they are copies of one
    // tensor, or equal scalars. User functions are the same if they have the same name, arity and C++ type; so
    // functions made by one lambda with different captures need different names. Errors are not kept.
    Result<Plan> get(std::string_view text, const Schema &schema, const CompileOptions &options = {});

    struct Statistics {
        std::size_t plans = 0;  // kept now
        std::size_t hits = 0;   // calls of get() that compiled nothing
        std::size_t misses = 0;
    };
    Statistics statistics() const;
    void clear();

private:
    struct Content;
    std::unique_ptr<Content> content_;
};

}  // namespace tenrex
