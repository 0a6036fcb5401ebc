// Threads of the caller that share the work on a document, or on a piece of documents.
//
//   class Pool : public tenrex::Executor { ... };
//   Pool pool(4);
//   tenrex::Context context(*plan, pool);
//   query->evaluate(block, context, scores);  // its long steps are shared by the threads of the pool
#pragma once

#include <cstddef>

#include <tenrex/export.h>

namespace tenrex {

// A step's work, to be called with the numbers of its parts. It is there until all calls have returned.
class ParallelTask {
public:
    template <class Work>
    explicit ParallelTask(const Work &work) noexcept
        : work_(&work), function_([](const void *of_task, std::size_t part) noexcept {
              (*static_cast<const Work *>(of_task))(part);
          }) {}
    void operator()(std::size_t part) const noexcept { function_(work_, part); }

private:
    const void *work_;
    void (*function_)(const void *work, std::size_t part) noexcept;
};

// What the library asks for when it evaluates: it starts no threads of its own. Results have the same bits for any
// number of threads.
class TENREX_EXPORT Executor {
public:
    Executor() = default;
    Executor(const Executor &) = delete;
    Executor &operator=(const Executor &) = delete;
    virtual ~Executor() = default;

    // How many threads there are, that of the caller included; always the same number. A context has working memory for
    // as many.
    virtual std::size_t concurrency() const noexcept = 0;
    // How long a thread must be able to work to be worth calling, in nanoseconds: shorter steps are not shared. The
    // usual number is for threads that wait awake.
    virtual double least_nanoseconds() const noexcept { return 1500; }
    // Calls task(part) once for each part below `parts`, of which there are no more than concurrency(), in any order
    // and on any threads. It returns when all calls have, and what they wrote is seen then. Contexts that share an
    // executor may call this from several threads at once.
    virtual void parallel_for(std::size_t parts, ParallelTask task) noexcept = 0;
};

}  // namespace tenrex
