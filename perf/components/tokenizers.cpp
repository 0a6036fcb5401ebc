// Texts to tokens. TENREX_TOKENIZERS names a folder with tokenizers, NAME.json, and with texts.jsonl, as
// scripts/compare-tokenizers leaves it in build/tokenizers/trained; else it is the small one of the tests.
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include <tenrex/tokenizer.h>

#include "perf/components/components.h"
#include "tools/text/text_lines.h"

namespace tenrex::perf {

namespace {

namespace fs = std::filesystem;

std::vector<std::string> texts_of(const fs::path &path) {
    std::vector<std::string> texts;
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) {
        if (auto read = tool::read_text_line(line, tool::PairUse::any)) {
            texts.push_back(std::move(read->text));
        }
    }
    return texts;
}

}  // namespace

void add_tokenizers() {
    const char *given = std::getenv("TENREX_TOKENIZERS");  // NOLINT(concurrency-mt-unsafe): there is one thread
    const fs::path folder = given != nullptr ? given : "tests/text/trained";
    const auto texts = std::make_shared<const std::vector<std::string>>(texts_of(folder / "texts.jsonl"));
    std::int64_t bytes = 0;
    for (const std::string &text : *texts) {
        bytes += static_cast<std::int64_t>(text.size());
    }
    std::error_code missing;
    for (const auto &entry : fs::directory_iterator(folder, missing)) {
        if (entry.path().extension() != ".json") {
            continue;
        }
        const std::string name = "tokenize/" + entry.path().stem().string();
        benchmark::RegisterBenchmark(name.c_str(), [=, path = entry.path().string()](benchmark::State &state) {
            const auto tokenizer = Tokenizer::load(path);
            if (!tokenizer) {
                state.SkipWithError(tokenizer.error().message().c_str());
                return;
            }
            Tokens tokens;
            for (auto _ : state) {
                TokenizerScratch scratch;  // which keeps words: those of the round before would be there already
                for (const std::string &text : *texts) {
                    if (!tokenizer->tokenize(text, std::nullopt, {}, scratch, tokens)) {
                        state.SkipWithError("a text has no tokens");
                    }
                }
            }
            state.SetBytesProcessed(state.iterations() * bytes);
        });
    }
}

}  // namespace tenrex::perf
