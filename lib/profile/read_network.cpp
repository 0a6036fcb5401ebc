// The block of a model in an ONNX file: "onnx-model name { file: path  input "name": feature  output "name": name }".
#include <algorithm>
#include <span>

#include "lib/profile/read_entries.h"
#include "lib/profile/reader.h"
#include "lib/support/format.h"
#include "lib/types/quoted_text.h"

namespace tenrex::profile {

namespace {

// How a runtime for models is to use the machine.
constexpr std::string_view runtime_settings[] = {"execution-mode", "gpu-device", "gpu-device-required",
                                                 "interop-threads", "intraop-threads"};

// "name": value, with or without quotes, behind the word.
bool read_port(Reader &in, const Word &setting, std::vector<NetworkPortText> &ports) {
    NetworkPortText port;
    const bool is_quoted = in.next_on_line() == '"';
    const std::string_view text = in.text();
    const std::size_t begin = in.position();
    std::size_t end = is_quoted ? closing_quote(text, begin) + 1 : text.find_first_of(": \t\n}", begin);
    end = std::min(end, text.size());
    const bool has_name = end > begin + (is_quoted ? 2U : 0U);
    if (!has_name || text.substr(begin, end - begin).find('\n') != std::string_view::npos) {
        return in.unexpected(fmt::format("the name of an {} of the model", setting.text),
                             fmt::format("write {} \"name\": {}", setting.text,
                                         setting.text == "input" ? "function" : "name_in_expressions"));
    }
    port.name.span = {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
    port.name.text = is_quoted ? text.substr(begin + 1, end - begin - 2) : text.substr(begin, end - begin);
    in.move_to(port.name.span.end);
    if (!in.setting_value(port.name, port.value)) {
        return false;
    }
    ports.push_back(std::move(port));
    return true;
}

bool read_precision(Reader &in, const Word &setting, ModelPrecision &precision) {
    Word value;
    if (!in.setting_value(setting, value)) {
        return false;
    }
    const auto named = precision_from_name(value.text);
    if (!named) {
        in.findings().error(value.span, fmt::format("there is no precision '{}'", clipped(value.text)),
                            "write f32, bf16 or int8");
    }
    precision = named.value_or(precision);
    return true;
}

}  // namespace

bool read_network(Reader &in, std::vector<NetworkText> &networks) {
    NetworkText network;
    if (!in.expect_word("the name of a model", network.name)) {
        return false;
    }
    const std::string what = fmt::format("onnx-model {}", network.name.text);
    const bool read = read_entries(in, what, [&] {
        const Word setting = in.word();
        if (setting.text == "file") {
            return in.setting_value(setting, network.file);
        }
        if (setting.text == "precision") {
            return read_precision(in, setting, network.precision);
        }
        if (setting.text == "input" || setting.text == "output") {
            return read_port(in, setting, setting.text == "input" ? network.inputs : network.outputs);
        }
        if (setting.text.empty()) {
            return in.unexpected(fmt::format("a setting of {}", what),
                                 "settings are file, precision, input and output");
        }
        const auto *const unused = std::find(std::begin(runtime_settings), std::end(runtime_settings), setting.text);
        in.findings().warning(setting.span,
                              unused != std::end(runtime_settings)
                                  ? fmt::format("{} has no effect here and is skipped", setting.text)
                                  : fmt::format("unknown setting '{}' of {} is skipped", clipped(setting.text), what));
        return false;
    });
    if (read && network.file.text.empty()) {
        in.findings().error(network.name.span, fmt::format("{} has no file", what), "write file: models/name.onnx");
        return true;
    }
    networks.push_back(std::move(network));
    return read;
}

}  // namespace tenrex::profile
