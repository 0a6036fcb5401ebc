// The REPL for people: at a terminal with line editing, from a pipe or a file as a script.
#pragma once

#include "tools/repl/session.h"

namespace tenrex::tool {

// Each runs until the input ends or :quit, and gives the exit status.
int run_terminal(Session &session);
int run_script(Session &session);
// The line protocol of `tenrex repl --json`.
int run_json(Session &session);

}  // namespace tenrex::tool
