// Answers questions, a line each, from standard input: "answer<TAB>number of the passage<TAB>score". Passages are the
// lines of a file. An encoder and a graph of nearest neighbours find ten of them, a reader looks for the best span in
// each.
//
//   answer --encoder DIR --reader reader.onnx --tokenizer tokenizer.json --passages passages.txt <questions
//   answer ... --given <questions     a line is "number of the passage<TAB>question", and no passage is searched for
//   answer ... --precision int8 --max-length 256     how the reader computes, and how many tokens it sees
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iostream>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "examples/question_answering/passage_index.h"
#include "examples/question_answering/reader.h"
#include "examples/text_model/times.h"

namespace {

using namespace tenrex::examples;
using Clock = std::chrono::steady_clock;

struct Options {
    std::string encoder;  // a folder with model.safetensors and tokenizer.json
    std::string reader;
    std::string tokenizer;  // of the reader
    std::string passages;
    std::size_t count = 10;  // passages that are read for a question
    std::size_t threads = 2;
    std::size_t max_length = 512;   // tokens of a question with a passage
    std::string precision = "f32";  // of the reader
    bool given = false;
};

struct Times {
    std::vector<double> encoder, search, reader, all;
    std::vector<double> processor;  // of all threads together
};

// What is wrong with the arguments; empty if nothing is.
std::string read_arguments(int count, char **arguments, Options &options) {
    for (int i = 1; i < count; ++i) {
        const std::string name = arguments[i];
        if (name == "--given") {
            options.given = true;
            continue;
        }
        if (++i == count) {
            return name + " has no value";
        }
        const std::string value = arguments[i];
        const auto number = std::strtoul(value.c_str(), nullptr, 10);
        std::string *const text = name == "--encoder"     ? &options.encoder
                                  : name == "--reader"    ? &options.reader
                                  : name == "--tokenizer" ? &options.tokenizer
                                  : name == "--passages"  ? &options.passages
                                  : name == "--precision" ? &options.precision
                                                          : nullptr;
        std::size_t *const size = name == "--count"        ? &options.count
                                  : name == "--threads"    ? &options.threads
                                  : name == "--max-length" ? &options.max_length
                                                           : nullptr;
        if (text != nullptr) {
            *text = value;
        } else if (size != nullptr && number >= 1 && number <= 1000) {
            *size = number;
        } else {
            return "there is no option " + name + " " + value;
        }
    }
    if (!tenrex::precision_from_name(options.precision)) {
        return "the precision is f32, bf16 or int8, not " + options.precision;
    }
    const bool is_complete = !options.reader.empty() && !options.tokenizer.empty() && !options.passages.empty() &&
                             (options.given || !options.encoder.empty());
    return is_complete ? "" : "--encoder, --reader, --tokenizer and --passages must be given";
}

int fail(const tenrex::Error &error) {
    std::fputs(error.render().c_str(), stderr);
    return 1;
}

std::vector<std::string> read_lines(std::istream &in) {
    std::vector<std::string> lines;
    for (std::string line; std::getline(in, line);) {
        lines.push_back(line);
    }
    return lines;
}

struct Answer {
    std::uint32_t passage = 0;
    Span span;
};

// The best span of the passages, read by several threads; of equal ones that of the nearest passage.
tenrex::Result<Answer> read_all(const Reader &reader, const std::string &question,
                                const std::vector<std::string> &passages, const std::vector<std::uint32_t> &numbers,
                                std::vector<TextModel::Worker> &workers) {
    std::vector<std::optional<tenrex::Result<Span>>> spans(numbers.size());
    std::atomic<std::size_t> next = 0;
    const auto work = [&](TextModel::Worker &worker) {
        for (std::size_t i = next++; i < numbers.size(); i = next++) {
            spans[i] = reader.read(question, passages[numbers[i]], worker);
        }
    };
    {
        std::vector<std::jthread> threads;
        for (std::size_t i = 1; i < std::min(workers.size(), numbers.size()); ++i) {
            threads.emplace_back([&, i] { work(workers[i]); });
        }
        work(workers.front());
    }
    std::optional<Answer> best;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        if (!*spans[i]) {
            return spans[i]->error();
        }
        const Span &span = **spans[i];
        if (!best || span.score > best->span.score) {
            best = {numbers[i], span};
        }
    }
    return best ? tenrex::Result<Answer>(*best) : tenrex::Error("there are no passages");
}

double seconds_between(Clock::time_point begin, Clock::time_point end) {
    return std::chrono::duration<double>(end - begin).count();
}

int answer_all(const Options &options, const Reader &reader, const std::vector<std::string> &passages,
               PassageIndex *index) {
    std::vector<TextModel::Worker> workers;
    for (std::size_t i = 0; i < options.threads; ++i) {
        workers.push_back(reader.make_worker());
    }
    Times times;
    for (std::string question; std::getline(std::cin, question);) {
        const auto start = Clock::now();
        const std::clock_t worked = std::clock();
        std::vector<std::uint32_t> numbers;
        if (index != nullptr) {
            const auto found = index->find(question, options.count);
            if (!found) {
                return fail(found.error());
            }
            times.encoder.push_back(found->encoder_seconds);
            times.search.push_back(found->search_seconds);
            numbers = found->passages;
        } else {
            const std::size_t tab = question.find('\t');
            const auto number = std::strtoul(question.c_str(), nullptr, 10);
            if (tab == std::string::npos || number >= passages.size()) {
                return fail(tenrex::Error("\"" + question + "\" does not begin with the number of a passage"));
            }
            numbers = {static_cast<std::uint32_t>(number)};
            question.erase(0, tab + 1);
        }
        const auto middle = Clock::now();
        const auto answer = read_all(reader, question, passages, numbers, workers);
        if (!answer) {
            return fail(answer.error());
        }
        times.reader.push_back(seconds_between(middle, Clock::now()));
        times.all.push_back(seconds_between(start, Clock::now()));
        times.processor.push_back(static_cast<double>(std::clock() - worked) / CLOCKS_PER_SEC);
        const Span &span = answer->span;
        std::printf("%s\t%u\t%.3f\n", passages[answer->passage].substr(span.begin, span.end - span.begin).c_str(),
                    answer->passage, span.score);
    }
    if (index != nullptr) {
        print_times(stderr, "encoder", times.encoder);
        print_times(stderr, "search", times.search);
    }
    print_times(stderr, "reader", times.reader);
    print_times(stderr, "answer", times.all);
    print_times(stderr, "processor", times.processor);
    return 0;
}

}  // namespace

int main(int count, char **arguments) {
    Options options;
    if (const std::string problem = read_arguments(count, arguments, options); !problem.empty()) {
        std::fprintf(stderr, "answer: %s\n", problem.c_str());
        return 2;
    }
    std::ifstream file(options.passages);
    const std::vector<std::string> passages = read_lines(file);
    if (passages.empty()) {
        return fail(tenrex::Error("cannot read passages from " + options.passages));
    }
    TextModelOptions reading;
    reading.model = options.reader;
    reading.tokenizer = options.tokenizer;
    reading.precision = *tenrex::precision_from_name(options.precision);
    reading.max_length = options.max_length;
    const auto reader = Reader::load(std::move(reading));
    if (!reader) {
        return fail(reader.error());
    }
    std::optional<PassageIndex> index;
    if (!options.given) {
        TextModelOptions encoder;
        encoder.model = options.encoder + "/model.safetensors";
        encoder.tokenizer = options.encoder + "/tokenizer.json";
        encoder.expressions = {{"vector", "l2_normalize(reduce(onnx(m).last_hidden_state,avg,d0,d1),d2)"}};
        encoder.precision = tenrex::ModelPrecision::int8;
        encoder.max_length = 256;
        const auto start = Clock::now();
        auto loaded = TextModel::load(encoder);
        auto made = loaded ? PassageIndex::make(*std::move(loaded), passages, options.threads)
                           : tenrex::Result<PassageIndex>(loaded.error());
        if (!made) {
            return fail(made.error());
        }
        index.emplace(*std::move(made));
        std::fprintf(stderr, "%zu passages in %.1f s\n", passages.size(), seconds_between(start, Clock::now()));
    }
    return answer_all(options, *reader, passages, index ? &*index : nullptr);
}
