// The commands of the REPL, such as `:type a*b`: one table, from which help and completion follow.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "tools/repl/session.h"

namespace tenrex::tool {

// What is completed behind a command.
enum class ArgumentKind { none, expression, input, file, function, dialect, format, on_off };

struct ReplCommand {
    std::string_view name;       // without the colon
    std::string_view arguments;  // for help
    std::string_view summary;
    ArgumentKind kind;
    // text: the whole input; begin: where the argument begins in it (its end if there is none).
    Reply (*run)(Session &session, std::string_view text, std::size_t begin);
};

std::span<const ReplCommand> repl_commands();
// The command that a name stands for: exactly, or as the only one that begins so. Null if there is none.
const ReplCommand *find_repl_command(std::string_view name);

// Carries out the input, whose colon is at position `colon`.
Reply run_command(Session &session, std::string_view text, std::size_t colon);

}  // namespace tenrex::tool
