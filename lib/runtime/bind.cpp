#include <atomic>
#include <unordered_map>

#include "lib/program/run.h"
#include "lib/runtime/guarded.h"
#include "lib/runtime/plan_content.h"
#include "lib/sema/symbol_name.h"
#include "lib/storage/open_rows.h"
#include "lib/support/format.h"

namespace tenrex {

namespace {

using Values = std::unordered_map<std::string, const Tensor *>;

// The hint for an input without a value: perhaps it is there under the bare name.
std::string what_to_give(const InputDeclaration &input, const Values &given) {
    sema::NameParts parts;
    sema::split_name(input.name, parts);
    if (parts.is_call && given.contains(std::string(parts.arguments))) {
        return fmt::format("there is a value for '{}': call it '{}'", parts.arguments, input.name);
    }
    return fmt::format("give a value of type {}", input.type_text());
}

std::uint64_t new_serial() noexcept {
    static std::atomic<std::uint64_t> last = 0;
    return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

}  // namespace

Query::Content::Content(std::shared_ptr<const Plan::Content> of_plan)
    : plan(std::move(of_plan)), serial(new_serial()), labels(plan->plan->labels), texts(*plan->plan->labels) {}

Result<Query> Plan::bind(const std::vector<NamedTensor> &inputs) const {
    const program::Plan &plan = *content_->plan;
    const auto bound = [&]() -> Result<Query> {
        Values given;
        for (const auto &[name, value] : inputs) {
            given.emplace(sema::normal_name(name), &value);
        }
        const auto query = std::make_shared<Query::Content>(content_);
        query->memory.allow(program::most_memory(plan.limits, 1));
        program::prepare(query->store, plan, Stage::query, query->memory);
        for (const InputDeclaration &input : content_->query_inputs) {
            const program::Port &port = plan.inputs[content_->query_ports[query->tensors.size()]];
            const auto found = given.find(port.name);
            if (found == given.end()) {
                return Error(fmt::format("there is no value for the query input '{}'", port.name),
                             what_to_give(input, given));
            }
            if (!found->second->type().fits(port.type)) {
                return Error(fmt::format("the value of the query input '{}' has type {}, not {}", port.name,
                                         found->second->type().to_string(), port.type.to_string()));
            }
            if (Status status = check_sizes(found->second->type(), port.type); !status) {
                return status.error();
            }
            query->tensors.push_back(port.type.has_open() ? as_rows(*found->second, port.type) : *found->second);
            program::load_tensor(query->store, port.cells, port.index, query->tensors.back().view(), query->labels);
        }
        program::Scratch scratch;
        scratch.count_in(query->memory);
        program::Frame frame = program::make_frame(plan, &query->store, nullptr, scratch, &query->texts);
        if (!program::run_program(plan.programs[static_cast<int>(Stage::query)], frame)) {
            return program::why_stopped(frame, std::nullopt, "a value that depends on the query", plan.limits);
        }
        return Query(query);
    };
    return guarded([&]() -> Result<Query> {
        try {
            return bound();
        } catch (const program::BeyondBudget &) {
            return program::too_much("the values that depend on the query", plan.limits);
        }
    });
}

std::size_t Query::memory_bytes() const noexcept {
    return content_->store.memory_bytes() + content_->labels.memory_bytes();
}

}  // namespace tenrex
