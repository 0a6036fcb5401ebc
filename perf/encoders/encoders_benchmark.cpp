// Times the output "embedding" of a text encoder in an ONNX file, for the scripts that compare it with others.
//
//   encoders_benchmark MODEL [f32|bf16|int8] [unfused]
//   encoders_benchmark peaks
//
// An object comes out when the model is compiled, and one for each line that then comes in:
//
//   {"texts": [[12, 7], [3]], "padded_to": 0, "one_by_one": false, "steps": true, "seconds": 0.4}
//   {"texts": [[12, 7], [3]], "workers": 2, "seconds": 2}
//   {"texts": [[12, 7], [3]], "sharing": 2, "seconds": 2}
//
// Texts are numbers of tokens. The first line times them on one thread, and gives their vectors; the second lets
// threads take them from a queue until the time is over; the third times threads that share each text, beside one, in
// rounds. "peaks" prints what a core can do. Exit status: 1 if something fails, 2 after wrong usage.
#include <cstdio>
#include <exception>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "perf/encoders/encoder.h"
#include "perf/encoders/encoder_sharing.h"
#include "perf/encoders/encoder_timing.h"
#include "perf/encoders/encoder_workers.h"
#include "perf/measure/figures_json.h"
#include "perf/measure/peaks.h"

namespace tenrex::perf {
namespace {

using Json = nlohmann::ordered_json;

int fail(const std::string &message) {
    std::fputs((message + "\n").c_str(), stderr);
    return 1;
}

void print(const Json &json) {
    std::cout << json.dump() << std::endl;
}

Result<Json> answer(const Encoder &encoder, const Json &asked) {
    const Texts texts(asked.at("texts").get<std::vector<std::vector<double>>>(),
                      asked.value("padded_to", std::size_t{0}));
    if (texts.count() == 0) {
        return Error("there is no text");
    }
    const double seconds = asked.value("seconds", 0.4);
    if (const std::size_t workers = asked.value("workers", std::size_t{0}); workers != 0) {
        const Result<WorkerFigures> figures = run_workers(encoder, texts, workers, seconds);
        if (!figures) {
            return figures.error();
        }
        return Json{{"workers", workers},
                    {"texts_per_second", figures->texts_per_second},
                    {"median_ms", figures->median_ms},
                    {"late_ms", figures->late_ms},
                    {"processor_ms", figures->processor_ms},
                    {"context_bytes", figures->context_bytes},
                    {"private_bytes", figures->private_bytes}};
    }
    if (const std::size_t threads = asked.value("sharing", std::size_t{0}); threads != 0) {
        const Result<SharingFigures> figures = time_shared(encoder, texts, threads, seconds);
        if (!figures) {
            return figures.error();
        }
        return Json{{"threads", threads},
                    {"alone_ms", figures->alone_ms},
                    {"shared_ms", figures->shared_ms},
                    {"apart_ms", figures->apart_ms},
                    {"share", figures->share},
                    {"apart_share", figures->apart_share}};
    }
    const bool has_steps = asked.value("steps", false);
    const Result<TextTimes> times = time_texts(
        encoder, texts, {.one_by_one = asked.value("one_by_one", false), .steps = has_steps, .seconds = seconds});
    if (!times) {
        return times.error();
    }
    Json json = {{"whole", times->whole}, {"context_bytes", times->context_bytes}};
    if (has_steps) {
        json.update({{"products", times->products}, {"attention", times->attention}, {"rest", times->rest}});
    }
    for (std::size_t i = 0; i < texts.count(); ++i) {
        const auto begin = times->vectors.begin() + static_cast<std::ptrdiff_t>(i * encoder.width());
        json["vectors"].push_back(std::vector<float>(begin, begin + static_cast<std::ptrdiff_t>(encoder.width())));
    }
    return json;
}

int run(const char *path, const EncoderOptions &options) {
    const Result<Encoder> encoder = Encoder::load(path, options);
    if (!encoder) {
        return fail(encoder.error().render());
    }
    print({{"compile_ms", encoder->compile_milliseconds()},
           {"weight_bytes", encoder->weight_bytes()},
           {"flops_per_document", encoder->flops().per_document},
           {"flops_per_token", encoder->flops().per_token},
           {"flops_per_pair", encoder->flops().per_pair}});
    for (std::string line; std::getline(std::cin, line);) {
        const Result<Json> json = answer(*encoder, Json::parse(line));
        if (!json) {
            return fail(json.error().render());
        }
        print(*json);
    }
    return 0;
}

}  // namespace
}  // namespace tenrex::perf

int main(int argc, char **argv) {
    using namespace tenrex::perf;
    const std::string_view last = argc > 1 ? argv[argc - 1] : "";
    if (argc == 2 && last == "peaks") {
        print(to_json(machine_peaks()));
        return 0;
    }
    const bool is_fused = last != "unfused";
    const int words = is_fused ? argc : argc - 1;
    const auto precision = tenrex::precision_from_name(words == 3 ? argv[2] : "f32");
    if (words < 2 || words > 3 || !precision) {
        std::fputs("usage: encoders_benchmark MODEL [f32|bf16|int8] [unfused]\n       encoders_benchmark peaks\n",
                   stderr);
        return 2;
    }
    try {
        return run(argv[1], {*precision, is_fused});
    } catch (const std::exception &error) {  // a line that is no JSON, or has members of other types
        return fail(error.what());
    }
}
