#include "tools/rank/query_embedding.h"

#include <chrono>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "tools/value_argument.h"

namespace tenrex::tool {

namespace {

constexpr std::string_view name_of_call = "embed(";

// What stands between quotes; nothing if the text does not consist of that alone.
std::optional<std::string> unquoted(std::string_view text) {
    std::string content;
    for (std::size_t at = 1; at < text.size(); ++at) {
        if (text[at] == text[0]) {
            return at + 1 == text.size() ? std::optional(std::move(content)) : std::nullopt;
        }
        at += text[at] == '\\' && at + 1 < text.size() ? 1 : 0;
        content += text[at];
    }
    return std::nullopt;
}

}  // namespace

bool is_embed_call(std::string_view value) noexcept {
    const std::string_view text = without_outer_space(value);
    return text.starts_with(name_of_call) && text.ends_with(')');
}

Result<EmbedCall> parse_embed_call(std::string_view value) {
    const std::string_view whole = without_outer_space(value);
    std::string_view text =
        without_outer_space(whole.substr(name_of_call.size(), whole.size() - name_of_call.size() - 1));
    const auto begins_text = [&] { return text.starts_with('@') || text.starts_with('"') || text.starts_with('\''); };
    EmbedCall call;
    if (const std::size_t comma = text.find(','); comma != std::string_view::npos && !begins_text()) {
        call.embedder = without_outer_space(text.substr(0, comma));
        text = without_outer_space(text.substr(comma + 1));
    }
    call.is_member = text.starts_with('@') && text.size() > 1;
    if (call.is_member) {
        call.text = text.substr(1);
        return call;
    }
    auto content = begins_text() ? unquoted(text) : std::nullopt;
    if (!content) {
        return Error(fmt::format("{} has no text", whole),
                     "the text stands in quotes, embed(\"...\"), or is a member of the query, embed(@text); the name "
                     "of an embedder may stand in front, embed(e5, @text)");
    }
    call.text = *std::move(content);
    return call;
}

Result<Tensor> QueryEmbedder::embed(const std::string &embedder, const std::string &text, const TensorType &type) {
    const auto encoder = embedders_.find(embedder);
    if (!encoder) {
        return encoder.error();
    }
    if (const Status status = (*encoder)->check(type); !status) {
        return status.error();
    }
    const auto start = std::chrono::steady_clock::now();
    auto &worker = workers_.try_emplace(*encoder, **encoder, TextRole::query).first->second;
    std::vector<std::string> cells;
    if (const Status status = (*encoder)->encode(std::span(&text, 1), type, worker, cells); !status) {
        return status.error();
    }
    // Of an open dimension the value has a size.
    const std::size_t count = cells.front().size() / byte_size(type.cell_type());
    const auto own = TensorType::make(type.cell_type(), {Dimension::indexed(type.dimensions().front().name, count)});
    if (!own) {
        return own.error();
    }
    TensorBuilder builder(*own);
    if (count != 0) {
        std::memcpy(builder.cells(0), cells.front().data(), cells.front().size());
    }
    ++texts_;
    seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return std::move(builder).build();
}

}  // namespace tenrex::tool
