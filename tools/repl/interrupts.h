// Ctrl-C at a terminal: who waits for a key or for an evaluation asks for it.
#pragma once

#include <csignal>

namespace tenrex::tool {

// From now on Ctrl-C is counted. Without a watch, as while a long result is printed, the second one ends the program.
void catch_interrupts() noexcept;

// Whether Ctrl-C came since the last watch ended or since they were forgotten.
bool interrupted() noexcept;
void forget_interrupts() noexcept;

// While it exists, Ctrl-C does nothing but count. One that came just before it counts too: it was meant for what is
// about to be done.
class InterruptWatch {
public:
    InterruptWatch() noexcept;
    ~InterruptWatch();
    InterruptWatch(const InterruptWatch &) = delete;
    InterruptWatch &operator=(const InterruptWatch &) = delete;
};

// While it exists, this thread does not see Ctrl-C; threads that are started meanwhile never do.
class HeldInterrupts {
public:
    HeldInterrupts() noexcept;
    ~HeldInterrupts();
    HeldInterrupts(const HeldInterrupts &) = delete;
    HeldInterrupts &operator=(const HeldInterrupts &) = delete;

private:
    sigset_t before_;
};

}  // namespace tenrex::tool
