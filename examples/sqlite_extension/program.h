// What a scoring function compiles: an expression or a phase of a rank profile.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <tenrex/tenrex.h>

#include "examples/sqlite_extension/input_value.h"
#include "examples/sqlite_extension/text_features.h"

namespace tenrex::sqlite {

// What was asked for.
struct Request {
    std::string text;               // an expression, or a file of rank profiles
    std::vector<InputName> inputs;  // those of expressions have types
    bool has_text_features = false;
    std::vector<std::string> fields;  // @fields
    std::string profile;              // @profile
    std::string phase;                // @phase
};

// Immutable; scorers share it.
struct Program {
    // What a document input of the plan is: an input of the request or a text feature.
    struct Source {
        bool is_text_feature = false;
        std::size_t index = 0;
    };

    Plan plan;
    std::vector<InputName> inputs;  // of the request; those that are used have types
    std::vector<bool> is_used;      // which of them
    std::vector<Source> columns;    // of plan.document_inputs(), in that order
    std::vector<TextFeature> text_features;
    std::optional<RankProfile> profile;
};

// Whether the text begins like a file of rank profiles rather than an expression.
bool is_profile(std::string_view text);

Result<std::shared_ptr<const Program>> make_program(const Request &request);

}  // namespace tenrex::sqlite
