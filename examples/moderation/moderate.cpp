// Classifies messages, a line each, from standard input: "0.9312<TAB>message". With --rate they arrive at random, and
// the program tells how long each waits for its answer.
//
//   moderate --model model.safetensors --tokenizer tokenizer.json --expression head.expression <messages
//   moderate ... --rate 100 --threads 2 <messages
#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <mutex>
#include <optional>
#include <queue>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "examples/text_model/text_model.h"
#include "examples/text_model/times.h"

namespace {

using tenrex::examples::TextModel;
using tenrex::examples::TextModelOptions;
using Clock = std::chrono::steady_clock;

struct Options {
    TextModelOptions model;
    std::string expression;  // a file
    double rate = 0;         // messages a second; 0: as fast as they come, with their scores
    std::size_t threads = 2;
    unsigned seed = 1;
};

// What is wrong with the arguments; empty if nothing is.
std::string read_arguments(int count, char **arguments, Options &options) {
    for (int i = 1; i < count; i += 2) {
        const std::string name = arguments[i];
        if (i + 1 == count) {
            return name + " has no value";
        }
        const std::string value = arguments[i + 1];
        std::string *const text = name == "--model"        ? &options.model.model
                                  : name == "--tokenizer"  ? &options.model.tokenizer
                                  : name == "--expression" ? &options.expression
                                                           : nullptr;
        const double number = std::strtod(value.c_str(), nullptr);
        const auto precision = tenrex::precision_from_name(value);
        if (text != nullptr) {
            *text = value;
        } else if (name == "--rate" && number > 0) {
            options.rate = number;
        } else if (name == "--threads" && number >= 1 && number <= 64) {
            options.threads = static_cast<std::size_t>(number);
        } else if (name == "--max-length" && number >= 2 && number <= 4096) {
            options.model.max_length = static_cast<std::size_t>(number);
        } else if (name == "--seed" && number >= 0 && number < 1e9) {
            options.seed = static_cast<unsigned>(number);
        } else if (name == "--precision" && precision) {
            options.model.precision = *precision;
        } else {
            return "there is no option " + name + " " + value;
        }
    }
    const bool is_complete =
        !options.model.model.empty() && !options.model.tokenizer.empty() && !options.expression.empty();
    return is_complete ? "" : "--model, --tokenizer and --expression must be given";
}

int fail(const tenrex::Error &error) {
    std::fputs(error.render().c_str(), stderr);
    return 1;
}

int classify_all(const TextModel &model, const std::vector<std::string> &messages) {
    TextModel::Worker worker(model);
    for (const std::string &message : messages) {
        const auto answer = model.run(message, std::nullopt, worker);
        if (!answer) {
            return fail(answer.error());
        }
        std::printf("%.4f\t%s\n", answer->values.front().as_double(), message.c_str());
    }
    return 0;
}

// Messages that have arrived and wait.
class Waiting {
public:
    struct Message {
        std::size_t number;
        Clock::time_point arrived;
    };
    void put(Message message) {
        {
            const std::scoped_lock lock(mutex_);
            messages_.push(message);
        }
        changed_.notify_one();
    }
    void end() {
        {
            const std::scoped_lock lock(mutex_);
            ended_ = true;
        }
        changed_.notify_all();
    }
    // Nothing: no more will come.
    std::optional<Message> take() {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return ended_ || !messages_.empty(); });
        if (messages_.empty()) {
            return std::nullopt;
        }
        const Message message = messages_.front();
        messages_.pop();
        return message;
    }

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::queue<Message> messages_;
    bool ended_ = false;
};

int serve(const TextModel &classifier, const std::vector<std::string> &messages, const Options &options) {
    Waiting waiting;
    std::vector<double> latency(messages.size());
    std::vector<double> tokenizer(messages.size());
    std::vector<double> model(messages.size());
    std::vector<std::size_t> tokens(messages.size());
    std::vector<std::optional<tenrex::Error>> errors(options.threads);
    std::vector<std::jthread> threads;
    for (std::size_t thread = 0; thread < options.threads; ++thread) {
        threads.emplace_back([&, thread] {
            TextModel::Worker worker(classifier);
            while (const auto message = waiting.take()) {
                const auto classified = classifier.run(messages[message->number], std::nullopt, worker);
                if (!classified) {
                    errors[thread] = classified.error();
                    continue;
                }
                latency[message->number] = std::chrono::duration<double>(Clock::now() - message->arrived).count();
                tokenizer[message->number] = classified->tokenizer_seconds;
                model[message->number] = classified->model_seconds;
                tokens[message->number] = worker.tokens().ids.size();
            }
        });
    }
    // A Poisson process: the times between two arrivals are independent.
    std::mt19937_64 random(options.seed);
    std::exponential_distribution<double> gap(options.rate);
    const auto start = Clock::now();
    double at = 0;
    for (std::size_t i = 0; i < messages.size(); ++i) {
        at += gap(random);
        const auto arrival = start + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(at));
        std::this_thread::sleep_until(arrival);
        waiting.put({i, arrival});
    }
    waiting.end();
    threads.clear();
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    for (const auto &error : errors) {
        if (error) {
            return fail(*error);
        }
    }
    std::size_t all = 0;
    for (const std::size_t count : tokens) {
        all += count;
    }
    std::printf("%zu messages of %.1f tokens in %.1f s, %.1f a second, on %zu threads\n", messages.size(),
                static_cast<double>(all) / static_cast<double>(std::max<std::size_t>(messages.size(), 1)), seconds,
                static_cast<double>(messages.size()) / seconds, options.threads);
    tenrex::examples::print_times(stdout, "answer", latency);
    tenrex::examples::print_times(stdout, "tokenizer", tokenizer);
    tenrex::examples::print_times(stdout, "model", model);
    return 0;
}

}  // namespace

int main(int count, char **arguments) {
    Options options;
    options.model.precision = tenrex::ModelPrecision::int8;
    options.model.max_length = 128;
    if (const std::string problem = read_arguments(count, arguments, options); !problem.empty()) {
        std::fprintf(stderr, "moderate: %s\n", problem.c_str());
        return 2;
    }
    std::ifstream file(options.expression);
    const std::string expression{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    if (!file) {
        return fail(tenrex::Error("cannot read " + options.expression));
    }
    options.model.expressions = {{"score", expression}};
    const auto model = TextModel::load(options.model);
    if (!model) {
        return fail(model.error());
    }
    std::vector<std::string> messages;
    for (std::string line; std::getline(std::cin, line);) {
        messages.push_back(line);
    }
    return options.rate > 0 ? serve(*model, messages, options) : classify_all(*model, messages);
}
