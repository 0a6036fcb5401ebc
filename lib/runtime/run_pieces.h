// How the documents of a block are evaluated: a piece after the other, smaller ones if their values need too much
// memory.
#pragma once

#include <algorithm>
#include <cstddef>

#include "lib/program/run.h"
#include "lib/runtime/plan_content.h"

namespace tenrex {

// For each piece, from document `first` of the block on: work.begin(first, own) before its steps run,
// work.steps(program, frame) runs them, and work.end(first, frame) has its outputs in the frame. The last two are false
// if something went wrong: a value beyond the limits; work.failure().
template <class Work>
Status Query::run(const Block &block, Context &context, Work &&work) const {
    const Plan::Content &content = *content_->plan;
    const program::Plan &plan = *content.plan;
    if (!content_->fits(block, context.content_.get()) || block.documents == 0) {
        if (Status status = check(block, context); !status) {
            return status;
        }
    }
    Context::Content &own = *context.content_;
    program::Frame &frame = content_->frame_of(own);
    for (std::size_t first = 0; first < block.documents;) {
        const std::size_t documents = std::min(own.piece.documents(), block.documents - first);
        const bool is_fresh = own.memory.taken() == 0;
        frame.documents = documents;
        own.memory.allow(program::most_memory(plan.limits, documents));
        try {
            if (!Content::load(content, block, block.first + first, documents, own)) {
                return check(block, context);
            }
            work.begin(first, own);
            if (!work.steps(plan.programs[static_cast<int>(Stage::document)], frame)) {
                return program::why_stopped(frame, block.first + first, "a value of a document", plan.limits);
            }
        } catch (const program::BeyondBudget &) {
            own.release();
            if (!own.piece.make_smaller(documents) && is_fresh) {
                return program::too_much("the values of a document", plan.limits);
            }
            continue;
        }
        if (!work.end(first, frame)) {
            return work.failure();
        }
        first += documents;
        if (own.piece.is_reduced() &&
            own.piece.was_evaluated(own.memory.taken(), program::most_memory(plan.limits, 2))) {
            own.release();
        }
    }
    return {};
}

}  // namespace tenrex
