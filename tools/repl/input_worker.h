// Carries out inputs at a terminal, where Ctrl-C need not wait for their end.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tools/repl/session.h"

namespace tenrex::tool {

class InputWorker {
public:
    // What came of the input; nothing after Ctrl-C: the session is as before then. An evaluation has no place at which
    // it could be stopped, so it goes on, on a thread of its own with a copy of the session, and its result is dropped.
    std::optional<Reply> submit(Session &session, const std::string &text);
    // Whether something that was abandoned is still running.
    bool has_abandoned() const;

private:
    struct Work;
    std::vector<std::weak_ptr<Work>> abandoned_;
};

}  // namespace tenrex::tool
