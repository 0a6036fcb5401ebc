// Reads packed models. Whatever the table says is compared with the bytes that are there.
#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <tenrex/version.h>

#include "lib/onnx/packed_format.h"
#include "lib/runtime/packed_weights.h"

namespace tenrex::onnx {

namespace {

// How the file is made again. What it says of itself may be anything.
std::string again(const PackedModel *model) {
    std::string source = model == nullptr ? "FILE" : model->source;
    const auto is_odd = [](unsigned char c) { return c < 0x20 || c == 0x7F; };
    std::replace_if(source.begin(), source.end(), is_odd, '?');
    return fmt::format("make it again: tenrex model {} --precision {} -o PACKED", source.empty() ? "FILE" : source,
                       model == nullptr ? "P" : name(model->precision));
}

Error refused(std::string_view why, const PackedModel *model = nullptr) {
    return Error(fmt::format("the packed model {}", why), again(model));
}

// Numbers and texts one after the other. Once there are too few bytes, nothing follows.
class TableReader {
public:
    explicit TableReader(std::string_view table) : rest_(table) {}

    bool failed() const noexcept { return failed_; }
    bool at_end() const noexcept { return rest_.empty(); }

    std::uint64_t number() {
        std::uint64_t number = 0;
        if (const std::string_view bytes = take(sizeof(number)); !bytes.empty()) {
            std::memcpy(&number, bytes.data(), bytes.size());
        }
        return number;
    }
    std::string text() { return std::string(take(number())); }
    // How many follow, each of which takes at least so many bytes.
    std::uint64_t count(std::size_t least_bytes) {
        const std::uint64_t count = number();
        failed_ = failed_ || count > rest_.size() / least_bytes;
        return failed_ ? 0 : count;
    }
    std::vector<double> numbers() {
        std::vector<double> numbers(count(sizeof(double)));
        const std::string_view bytes = take(numbers.size() * sizeof(double));
        if (!bytes.empty()) {
            std::memcpy(numbers.data(), bytes.data(), bytes.size());
        }
        return numbers;
    }

private:
    std::string_view take(std::uint64_t size) {
        if (failed_ || size > rest_.size()) {
            failed_ = true;
            return {};
        }
        const std::string_view taken = rest_.substr(0, static_cast<std::size_t>(size));
        rest_.remove_prefix(taken.size());
        return taken;
    }

    std::string_view rest_;
    bool failed_ = false;
};

// A part of the bytes by its place and size; nothing: there are fewer.
std::optional<std::string_view> part_of(std::string_view bytes, std::uint64_t begin, std::uint64_t size) {
    if (begin > bytes.size() || size > bytes.size() - begin) {
        return std::nullopt;
    }
    return bytes.substr(static_cast<std::size_t>(begin), static_cast<std::size_t>(size));
}

constexpr std::size_t bytes_of_number = sizeof(std::uint64_t);

// parts: what stands behind the table, at the next multiple of a page.
bool read_files(TableReader &table, std::string_view parts, std::vector<PackedModel::File> &files) {
    for (std::uint64_t left = table.count(4 * bytes_of_number); left > 0; --left) {
        PackedModel::File file;
        file.name = table.text();
        const std::uint64_t begin = table.number();
        const auto bytes = part_of(parts, begin, table.number());
        if (!bytes) {
            return false;
        }
        file.bytes = *bytes;
        std::uint64_t end = 0;
        for (std::uint64_t pieces = table.count(2 * bytes_of_number); pieces > 0; --pieces) {
            const std::uint64_t at = table.number();
            const auto weights = part_of(file.bytes, at, table.number());
            if (!weights || at < end) {
                return false;
            }
            end = at + weights->size();
            file.weights.push_back(*weights);
        }
        files.push_back(std::move(file));
    }
    return !files.empty();
}

bool read_matrices(TableReader &table, std::string_view parts, PackedModel &model) {
    for (std::uint64_t left = table.count(4 * bytes_of_number); left > 0; --left) {
        PackedModel::Matrix matrix;
        std::string origin = table.text();
        matrix.order = table.text();
        const std::uint64_t begin = table.number();
        const auto bytes = part_of(parts, begin, table.number());
        if (!bytes || begin % matrix_alignment != 0) {
            return false;
        }
        matrix.bytes = *bytes;
        model.matrices.emplace(std::move(origin), std::move(matrix));
    }
    return true;
}

bool read_table(std::string_view text, std::string_view parts, PackedModel &model) {
    TableReader table(text);
    model.version = table.text();
    model.instruction_set = table.text();
    model.source = table.text();
    const auto precision = precision_from_name(table.text());
    if (!precision || !read_files(table, parts, model.files) || !read_matrices(table, parts, model)) {
        return false;
    }
    model.precision = *precision;
    for (std::uint64_t left = table.count(3 * bytes_of_number); left > 0; --left) {
        std::string origin = table.text();
        WeightColumns columns;
        columns.magnitude = table.numbers();
        columns.totals = table.numbers();
        model.columns.insert_or_assign(std::move(origin), std::move(columns));
    }
    return !table.failed() && table.at_end();
}

// The head, with a table that is there whole.
Result<PackedHead> read_head(std::string_view bytes) {
    PackedHead head;
    if (bytes.size() < sizeof(head)) {
        return refused(fmt::format("is cut off: it has {} bytes", bytes.size()));
    }
    std::memcpy(&head, bytes.data(), sizeof(head));
    if (head.format != packed_format) {
        return refused(fmt::format("has format {}, and this version of Tenrex, {}, reads {}", head.format,
                                   tenrex::version(), packed_format));
    }
    if (head.file_bytes != bytes.size()) {
        return refused(head.file_bytes < bytes.size()
                           ? fmt::format("has {} bytes more than it says", bytes.size() - head.file_bytes)
                           : fmt::format("is cut off: it has {} of {} bytes", bytes.size(), head.file_bytes));
    }
    if (head.table_bytes > bytes.size() - sizeof(head)) {
        return refused("was changed after it was made");
    }
    return head;
}

}  // namespace

std::optional<PackedModel> read_packed_table(std::string_view table, std::string_view parts) {
    PackedModel model;
    return read_table(table, parts, model) ? std::optional(std::move(model)) : std::nullopt;
}

bool is_packed_model(std::string_view bytes) noexcept {
    return bytes.starts_with(std::string_view(packed_magic.data(), packed_magic.size()));
}

Result<PackedModel> read_packed_model(std::string_view bytes) {
    const auto head = read_head(bytes);
    if (!head) {
        return head.error();
    }
    const std::string_view text = bytes.substr(sizeof(PackedHead), static_cast<std::size_t>(head->table_bytes));
    const std::size_t begin = aligned(sizeof(PackedHead) + text.size(), file_alignment);
    auto model = read_packed_table(text, bytes.substr(std::min(begin, bytes.size())));
    if (!model || hash_of_parsed(*head, text, model->files) != head->parsed) {
        return refused("was changed after it was made");
    }
    if (model->version != tenrex::version()) {
        return refused(fmt::format("was made by Tenrex {}, and this is {}", model->version, tenrex::version()),
                       &*model);
    }
    if (const std::string here = instruction_set(); model->instruction_set != here) {
        return refused(fmt::format("is for a processor with {}, and this one has {}", model->instruction_set, here),
                       &*model);
    }
    return *std::move(model);
}

Status check_packed_model(std::string_view bytes) {
    const auto head = read_head(bytes);
    if (!head) {
        return head.error();
    }
    FileHasher hasher;
    hasher.add(bytes.substr(sizeof(PackedHead)));
    return hasher.result() == head->all ? Status() : Status(refused("was changed after it was made"));
}

}  // namespace tenrex::onnx
