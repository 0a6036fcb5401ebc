// Requests are refused before their body is read where they come from another page, are too large, or do not say how
// large they are; what they ask for is computed by other processes (worker.h).
#include "tools/playground/server.h"

#include <atomic>
#include <charconv>
#include <chrono>
#include <csignal>
#include <optional>
#include <random>
#include <thread>

#include <fmt/format.h>
#include <httplib.h>
#include <sys/socket.h>

#include "tools/playground/answer.h"
#include "tools/playground/page.h"

namespace tenrex::tool {

namespace {

using httplib::Request;
using httplib::Response;
using httplib::Server;

constexpr std::size_t threads = 4;  // requests that are answered at a time
constexpr auto json_type = "application/json";

// A word that nobody else knows: scripts without it are not run.
std::string fresh_nonce() {
    std::random_device random;
    return fmt::format("{:08x}{:08x}{:08x}{:08x}", random(), random(), random(), random());
}

void send_page(Response &response) {
    const std::string nonce = fresh_nonce();
    response.set_header("Content-Security-Policy",
                        fmt::format("default-src 'none'; script-src 'nonce-{0}'; style-src 'nonce-{0}'; connect-src "
                                    "'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
                                    nonce));
    response.set_content(playground_page(nonce), "text/html; charset=utf-8");
}

Server::HandlerResponse refuse(Response &response, int status, std::string_view why) {
    response.status = status;
    response.set_content(failure_json(why), json_type);
    return Server::HandlerResponse::Handled;
}

// The host that a "Host: name:port" header names.
std::string host_name(const std::string &header) {
    const std::size_t bracket = header.find(']');
    return header.substr(0, header.find(':', bracket == std::string::npos ? 0 : bracket));
}

// A page of another site must not talk to this server: not by a name of its own for the address, nor by a request.
bool is_own(const Request &request, bool loopback) {
    const std::string host = request.get_header_value("Host");
    const std::string name = host_name(host);
    if (loopback && name != "127.0.0.1" && name != "localhost" && name != "[::1]") {
        return false;
    }
    return !request.has_header("Origin") || request.get_header_value("Origin") == "http://" + host;
}

// "application/json", perhaps with parameters.
bool is_json(const Request &request) {
    const std::string type = request.get_header_value("Content-Type");
    return type.substr(0, type.find(';')) == json_type;
}

std::optional<std::size_t> content_length(const Request &request) {
    const std::string text = request.get_header_value("Content-Length");
    std::size_t length = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), length);
    const bool number = problem == std::errc() && end == text.data() + text.size();
    return number && request.get_header_value_count("Content-Length") == 1 ? std::optional(length) : std::nullopt;
}

// What is decided by the head of a request.
Server::HandlerResponse before_body(const Request &request, Response &response, bool loopback) {
    if (!is_own(request, loopback)) {
        return refuse(response, 403, "this server answers the page that it serves, and no other");
    }
    if (request.path == "/") {
        if (request.method != "GET" && request.method != "HEAD") {
            return refuse(response, 405, "the page is had with GET");
        }
        send_page(response);
        return Server::HandlerResponse::Handled;
    }
    if (request.path != "/answer") {
        return refuse(response, 404, "there is nothing of that name");
    }
    if (request.method != "POST" || !is_json(request)) {
        return refuse(response, request.method == "POST" ? 415 : 405, "requests are JSON, sent with POST");
    }
    const auto length = content_length(request);
    if (!length || request.has_header("Transfer-Encoding")) {
        return refuse(response, 411, "a request says how long it is");
    }
    if (*length > most_request_bytes) {
        return refuse(response, 413, fmt::format("a request has at most {} bytes", most_request_bytes));
    }
    return Server::HandlerResponse::Unhandled;
}

void set_up(Server &server, const ServerOptions &options) {
    server.new_task_queue = [] { return new httplib::ThreadPool(threads); };  // the server deletes it
    server.set_keep_alive_max_count(1);  // what is left of a refused request is not taken for the next one
    server.set_read_timeout(5);
    server.set_write_timeout(5);
    server.set_payload_max_length(most_request_bytes);
    server.set_socket_options([](socket_t socket) {
        const int yes = 1;  // of an address that was in use a moment ago; not of one that is
        ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
    });
    server.set_default_headers({{"Cache-Control", "no-store"},
                                {"X-Content-Type-Options", "nosniff"},
                                {"Referrer-Policy", "no-referrer"},
                                {"Cross-Origin-Resource-Policy", "same-origin"}});
    server.set_pre_routing_handler(
        [loopback = is_loopback(options.address)](const Request &request, Response &response) {
            return before_body(request, response, loopback);
        });
    server.Post("/answer", [limits = options.limits](const Request &request, Response &response) {
        response.set_content(answer_apart(request.body, limits), json_type);
    });
}

}  // namespace

bool is_loopback(const std::string &address) {
    return address == "localhost" || address == "::1" || address.starts_with("127.");
}

bool serve(const ServerOptions &options, const std::function<void(std::uint16_t port)> &started) {
    sigset_t ending;
    sigemptyset(&ending);
    sigaddset(&ending, SIGINT);
    sigaddset(&ending, SIGTERM);
    ::pthread_sigmask(SIG_BLOCK, &ending, nullptr);  // for all threads, which inherit it
    Server server;
    set_up(server, options);
    const int port = options.port == 0                                    ? server.bind_to_any_port(options.address)
                     : server.bind_to_port(options.address, options.port) ? options.port
                                                                          : -1;
    if (port < 0) {
        return false;
    }
    std::atomic<bool> ended = false;
    std::thread listening([&] {
        server.listen_after_bind();
        ended = true;
    });
    while (!server.is_running() && !ended) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));  // stop() has no effect on what does not run yet
    }
    started(static_cast<std::uint16_t>(port));
    int signal = 0;
    ::sigwait(&ending, &signal);
    server.stop();
    listening.join();
    return true;
}

}  // namespace tenrex::tool
