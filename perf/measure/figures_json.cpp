#include "perf/measure/figures_json.h"

#include <string>

namespace tenrex::perf {

using Json = nlohmann::ordered_json;

Json to_json(const Figures &figures) {
    Json json = Json::object();
    json["compile_us"] = figures.compile.median / 1000;
    json["bind_us"] = figures.bind.median / 1000;
    json["documents"] = figures.documents;
    json["document_bytes"] = figures.document_bytes;
    json["cache_level"] = figures.level;
    for (const char *member : {"ns_per_document", "least_ns_per_document", "documents_per_second", "samples"}) {
        json[member] = Json::object();
    }
    for (const BlockFigures &block : figures.blocks) {
        const std::string size = std::to_string(block.size);
        json["ns_per_document"][size] = block.timing.median;
        json["least_ns_per_document"][size] = block.timing.least;
        json["documents_per_second"][size] = 1e9 / block.timing.median;
        json["samples"][size] = block.timing.samples;
    }
    if (!figures.blocks.empty()) {
        const BlockFigures &best = figures.best();
        json["flops_per_second"] = figures.flops * 1e9 / best.timing.median;
        json["bytes_per_second"] = (figures.bytes_read + figures.bytes_written) * 1e9 / best.timing.median;
        json["peak_share"] = best.roofline_share;
    }
    json["flops_per_document"] = figures.flops;
    json["bytes_read_per_document"] = figures.bytes_read;
    json["bytes_written_per_document"] = figures.bytes_written;
    json["lookups_per_document"] = figures.lookups;
    json["roofline_ns"] = figures.roofline_ns;
    json["memory_bytes"] = figures.memory_bytes;
    json["document_steps"] = figures.steps;
    json["piece"] = figures.piece;
    json["checked"] = figures.unchecked.empty();
    for (const StepFigures &step : figures.profile) {
        json["profile"].push_back({{"what", step.step.what},
                                   {"text", step.step.text},
                                   {"place", step.step.place},
                                   {"kernel", step.step.kernel},
                                   {"ns_per_document", step.nanoseconds},
                                   {"flops", step.step.flops},
                                   {"bytes_read", step.step.bytes_read},
                                   {"bytes_written", step.step.bytes_written},
                                   {"per_block", step.step.per_block},
                                   {"per_shared_block", step.step.per_shared_block}});
    }
    if (!figures.profile.empty()) {
        json["between_steps_ns"] = figures.between_steps;
    }
    json["plan"] = figures.plan;
    return json;
}

Json to_json(const Peaks &peaks) {
    Json levels = Json::array();
    for (const CacheLevel &level : peaks.levels) {
        levels.push_back({{"name", level.name},
                          {"bytes", level.bytes},
                          {"load_bytes_per_second", level.load_bytes_per_second},
                          {"store_bytes_per_second", level.store_bytes_per_second}});
    }
    Json arithmetic = Json::array();
    for (const ArithmeticPeak &peak : peaks.arithmetic) {
        arithmetic.push_back({{"cells", peak.cells},
                              {"instruction", peak.instruction},
                              {"operations_per_second", peak.operations_per_second}});
    }
    return {{"flops_per_second", peaks.flops_per_second()},
            {"arithmetic", arithmetic},
            {"levels", levels},
            {"lookup_seconds", peaks.lookup_seconds}};
}

}  // namespace tenrex::perf
