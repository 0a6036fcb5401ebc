#include "tools/repl/input_worker.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>

#include "tools/repl/interrupts.h"

namespace tenrex::tool {

struct InputWorker::Work {
    Work(Session of, std::string input) : session(std::move(of)), text(std::move(input)) {}

    void run() {
        try {
            reply = session.submit(text);
        } catch (...) {
            thrown = std::current_exception();
        }
        const std::scoped_lock lock(mutex);
        done = true;
        changed.notify_all();
    }

    Session session;
    std::string text;
    Reply reply;
    std::exception_ptr thrown;
    std::mutex mutex;
    std::condition_variable changed;
    bool done = false;
};

std::optional<Reply> InputWorker::submit(Session &session, const std::string &text) {
    constexpr auto glance = std::chrono::milliseconds(20);
    const auto work = std::make_shared<Work>(session, text);
    const InterruptWatch watch;
    std::thread thread = [&work] {
        const HeldInterrupts held;  // also later: Ctrl-C would not reach the prompt through a thread that was abandoned
        return std::thread([work] { work->run(); });
    }();
    std::unique_lock lock(work->mutex);
    while (!work->changed.wait_for(lock, glance, [&] { return work->done; })) {
        if (interrupted()) {
            thread.detach();
            abandoned_.push_back(work);
            return std::nullopt;
        }
    }
    lock.unlock();
    thread.join();
    if (work->thrown) {
        std::rethrow_exception(work->thrown);
    }
    session = std::move(work->session);
    return std::move(work->reply);
}

bool InputWorker::has_abandoned() const {
    return std::any_of(abandoned_.begin(), abandoned_.end(), [](const auto &work) { return !work.expired(); });
}

}  // namespace tenrex::tool
