// A plan as Python sees it: what its inputs are called, and contexts for the threads that evaluate.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include <tenrex/plan.h>

#include "python/core/python.h"

namespace tenrex::python {

// An input, and what an array for it looks like.
struct InputPort {
    py::object name;
    py::object alias;  // q of query(q), d of attribute(d); null where it would be ambiguous
    py::object type;
    const InputDeclaration *declaration = nullptr;
    std::vector<py::ssize_t> shape;  // of the indexed dimensions
    py::ssize_t cell_bytes = 0;
    py::ssize_t block_bytes = 0;
    char format = 'd';
    bool is_string = false;  // texts are taken for it
    bool raw_only = false;   // its cells have no format of their own: arrays must be marked
};

// Working memory for the threads that evaluate at a time.
class ContextPool {
public:
    explicit ContextPool(const Plan &plan) : plan_(plan) {}
    ContextPool(const ContextPool &) = delete;
    ContextPool &operator=(const ContextPool &) = delete;
    ~ContextPool() { delete spare_.load(); }

    // A context for as long as this lives.
    class Lease {
    public:
        explicit Lease(ContextPool &pool) : pool_(pool), context_(pool.take()) {}
        Lease(const Lease &) = delete;
        Lease &operator=(const Lease &) = delete;
        ~Lease() { pool_.give_back(std::move(context_)); }
        Context &operator*() noexcept { return *context_; }

    private:
        ContextPool &pool_;
        std::unique_ptr<Context> context_;
    };

private:
    std::unique_ptr<Context> take();
    void give_back(std::unique_ptr<Context> context);

    const Plan &plan_;
    std::atomic<Context *> spare_ = nullptr;  // one that is idle: threads that are alone need no lock
    std::mutex mutex_;
    std::vector<std::unique_ptr<Context>> idle_;
};

// What Plan, its queries and its documents share.
struct SharedPlan {
    SharedPlan(Plan compiled, py::object declared);

    // Whether evaluating so many documents takes long enough that other threads of Python should run meanwhile. Letting
    // them costs a fifth of a microsecond and more, and if they do run, waiting for them costs several.
    bool is_long(std::size_t documents) const noexcept {
        constexpr double most_seconds = 10e-6;
        return static_cast<double>(documents) * seconds_per_document > most_seconds;
    }

    Plan plan;
    py::object declared;  // names that may be given: those that were declared, used or not
    std::vector<InputPort> query_inputs;
    std::vector<InputPort> document_inputs;
    bool only_scalars = true;
    bool is_single = false;  // one expression without a name
    // An estimate of what a document takes; infinite if that depends on its labels.
    double seconds_per_document = 0;
    ContextPool contexts;
};

void bind_queries(py::module_ &module);

}  // namespace tenrex::python
