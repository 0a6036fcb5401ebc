// One input of a scoring function: its name, and its value in each row.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <sqlite3ext.h>
#include <tenrex/tenrex.h>

namespace tenrex::sqlite {

// "price", "genre: string" or "query(q): tensor<float>(x[3])".
struct InputName {
    std::string name;                // without white space outside quotes; "$q" is "query(q)"
    std::optional<TensorType> type;  // nothing: none is written
    bool is_string = false;          // the number that stands for a text

    // The query decides it: it is the same for all rows, or seldom another.
    bool of_query() const noexcept { return name.starts_with("query("); }
    std::string to_string() const;
};

Result<InputName> parse_input_name(std::string_view text);

class InputValue {
public:
    // Takes the value of a row. It is a number, a text (a literal, or the value of a string) or a blob (the cells of a
    // dense tensor, or a tensor in the binary format). Without a type, the value decides which type it has.
    Status read(sqlite3_value *value, const InputName &input);

    // NULL where a tensor should be.
    bool missing() const noexcept { return form_ == Form::missing; }
    // Whether it may be another than in the row before.
    bool changed() const noexcept { return changed_; }
    TensorType type() const { return form_ == Form::tensor ? tensor_.type() : TensorType(); }
    Tensor tensor() const { return form_ == Form::number ? Tensor(number_) : tensor_; }
    // The row as a block of one document. Valid until the next value is read.
    Column column(const std::shared_ptr<LabelTable> &labels);

private:
    enum class Form { none, number, cells, tensor, missing };

    void set_number(double number);
    Status read_text(std::string_view text, const InputName &input);
    Status read_blob(std::string_view bytes, const InputName &input);

    Form form_ = Form::none;
    bool changed_ = true;
    double number_ = 0;
    const void *cells_ = nullptr;  // in SQLite's memory
    Tensor tensor_;
    std::string source_;  // what the tensor was read from
    bool source_is_text_ = false;
    std::optional<ColumnBuffer> buffer_;
};

// The bytes of a text or blob.
std::string_view bytes_of(sqlite3_value *value);

}  // namespace tenrex::sqlite
