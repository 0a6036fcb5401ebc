// The web server of the playground: one page, and answers to its requests.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "tools/playground/worker.h"

namespace tenrex::tool {

struct ServerOptions {
    std::string address = "127.0.0.1";
    std::uint16_t port = 0;  // 0: any that is free
    RequestLimits limits;
};

// Serves until SIGINT or SIGTERM. started(port) is called when requests are answered. False: the address cannot be had.
bool serve(const ServerOptions &options, const std::function<void(std::uint16_t port)> &started);

// Whether the address is one that only this machine reaches.
bool is_loopback(const std::string &address);

}  // namespace tenrex::tool
