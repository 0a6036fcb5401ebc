#include "tools/repl/interrupts.h"

#include <unistd.h>

namespace tenrex::tool {

namespace {

volatile std::sig_atomic_t interrupts = 0;
volatile std::sig_atomic_t watched = 0;

void on_interrupt(int) {
    interrupts = interrupts + 1;
    if (watched == 0 && interrupts > 1) {
        ::_exit(130);
    }
}

}  // namespace

void catch_interrupts() noexcept {
    struct sigaction action {};
    action.sa_handler = on_interrupt;  // without SA_RESTART: it ends the wait for a key
    ::sigemptyset(&action.sa_mask);
    ::sigaction(SIGINT, &action, nullptr);
}

bool interrupted() noexcept {
    return interrupts != 0;
}

void forget_interrupts() noexcept {
    interrupts = 0;
}

InterruptWatch::InterruptWatch() noexcept {
    watched = 1;
}

InterruptWatch::~InterruptWatch() {
    watched = 0;
    interrupts = 0;
}

HeldInterrupts::HeldInterrupts() noexcept {
    sigset_t interrupt;
    ::sigemptyset(&interrupt);
    ::sigaddset(&interrupt, SIGINT);
    ::pthread_sigmask(SIG_BLOCK, &interrupt, &before_);
}

HeldInterrupts::~HeldInterrupts() {
    ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

}  // namespace tenrex::tool
