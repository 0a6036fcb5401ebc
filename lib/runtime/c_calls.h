// What functions for C share: they declare, fail and let nothing that is thrown through.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

#include <tenrex/c_api.h>
#include <tenrex/issue.h>
#include <tenrex/result.h>
#include <tenrex/schema.h>
#include <tenrex/weight_store.h>

struct tenrex_schema {
    tenrex::Schema content;
    std::shared_ptr<tenrex::WeightStore> weights = std::make_shared<tenrex::WeightStore>();  // of all its plans
};

namespace tenrex::c {

inline char *copy_text(const std::string &text) noexcept {
    auto *const copy = static_cast<char *>(std::malloc(text.size() + 1));
    if (copy != nullptr) {
        std::memcpy(copy, text.c_str(), text.size() + 1);
    }
    return copy;
}

template <class T>
T fail(char **error, const Error &reason, T failed) {
    if (error != nullptr) {
        *error = copy_text(reason.render());
    }
    return failed;
}

// Declares something; a schema keeps its mistakes, and a call tells its own.
template <class Declare>
int declared(char **error, Schema &schema, const Declare &declare) {
    const std::size_t known = schema.error() ? schema.error()->issues().size() : 0;
    declare(schema);
    if (!schema.error() || schema.error()->issues().size() == known) {
        return 0;
    }
    const std::vector<Issue> &issues = schema.error()->issues();
    return fail(error, Error(std::vector<Issue>(issues.begin() + static_cast<std::ptrdiff_t>(known), issues.end())), 1);
}

// Runs what may throw, if none of what it needs is null. Nothing that is thrown gets through.
template <class T, class Function>
T call(char **error, T failed, std::initializer_list<const void *> needed, const Function &function) noexcept {
    try {
        for (const void *pointer : needed) {
            if (pointer == nullptr) {
                return fail(error, Error("an argument is NULL"), failed);
            }
        }
        return function();
    } catch (const std::exception &exception) {
        if (error != nullptr) {
            *error = copy_text(std::string("error: ") + exception.what() + '\n');
        }
        return failed;
    }
}

}  // namespace tenrex::c
