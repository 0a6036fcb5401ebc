// Writes packed models: their hashes stand in front of them, so places are known before anything is written.
#include <cassert>
#include <utility>

#include "lib/onnx/packed_format.h"

namespace tenrex::onnx {

namespace {

class TableWriter {
public:
    void number(std::uint64_t number) { text_.append(reinterpret_cast<const char *>(&number), sizeof(number)); }
    void text(std::string_view text) {
        number(text.size());
        text_ += text;
    }
    void numbers(const std::vector<double> &numbers) {
        number(numbers.size());
        text_.append(reinterpret_cast<const char *>(numbers.data()), numbers.size() * sizeof(double));
    }
    const std::string &result() const noexcept { return text_; }

private:
    std::string text_;
};

// Where parts stand behind the table, one after the other.
class Places {
public:
    std::uint64_t place(std::string_view bytes, std::size_t alignment) {
        const std::size_t begin = aligned(end_, alignment);
        end_ = begin + bytes.size();
        parts_.emplace_back(begin, bytes);
        return begin;
    }
    std::size_t end() const noexcept { return end_; }

    // All of them, with zeros between.
    void write(const std::function<void(std::string_view bytes)> &write) const {
        static constexpr std::array<char, file_alignment> zeros = {};
        std::size_t at = 0;
        for (const auto &[begin, bytes] : parts_) {
            write({zeros.data(), begin - at});
            write(bytes);
            at = begin + bytes.size();
        }
    }

private:
    std::size_t end_ = 0;
    std::vector<std::pair<std::size_t, std::string_view>> parts_;
};

std::string table_of(const PackedModel &model, Places &places) {
    TableWriter table;
    table.text(model.version);
    table.text(model.instruction_set);
    table.text(model.source);
    table.text(name(model.precision));
    table.number(model.files.size());
    for (const PackedModel::File &file : model.files) {
        table.text(file.name);
        table.number(places.place(file.bytes, file_alignment));
        table.number(file.bytes.size());
        table.number(file.weights.size());
        for (const std::string_view weights : file.weights) {
            table.number(static_cast<std::uint64_t>(weights.data() - file.bytes.data()));
            table.number(weights.size());
        }
    }
    table.number(model.matrices.size());
    for (const auto &[origin, matrix] : model.matrices) {
        table.text(origin);
        table.text(matrix.order);
        table.number(places.place(matrix.bytes, matrix_alignment));
        table.number(matrix.bytes.size());
    }
    table.number(model.columns.size());
    for (const auto &[origin, columns] : model.columns) {
        table.text(origin);
        table.numbers(columns.magnitude);
        table.numbers(columns.totals);
    }
    return table.result();
}

}  // namespace

void write_packed_model(const PackedModel &model, const std::function<void(std::string_view bytes)> &write) {
    Places places;
    std::string table = table_of(model, places);
    PackedHead head{packed_magic, packed_format, 0, table.size(), {}, {}};
    const std::size_t begin = aligned(sizeof(head) + table.size(), file_alignment);
    const std::string gap(begin - sizeof(head) - table.size(), '\0');
    head.file_bytes = begin + places.end();
    FileHasher all;
    all.add(table);
    all.add(gap);
    places.write([&](std::string_view bytes) { all.add(bytes); });
    head.all = all.result();
    head.parsed = hash_of_parsed(head, table, model.files);
    write({reinterpret_cast<const char *>(&head), sizeof(head)});
    write(table);
    write(gap);
    places.write(write);
}

}  // namespace tenrex::onnx
