// Features that are numbers, kept as the smallest type that holds all those of the segment exactly.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <variant>

#include <tenrex/tensor.h>

#include "tools/rank/feature_column.h"

namespace tenrex::tool {

namespace {

constexpr double no_number = std::numeric_limits<double>::quiet_NaN();

// Of a whole type, the least value stands for NaN.
template <class T>
constexpr bool holds(double value) noexcept {
    if constexpr (std::is_integral_v<T>) {
        const bool fits = value > std::numeric_limits<T>::min() && value <= std::numeric_limits<T>::max();
        return std::isnan(value) || (fits && static_cast<T>(value) == value && !(value == 0 && std::signbit(value)));
    } else {
        return std::isnan(value) || static_cast<double>(static_cast<T>(value)) == value;
    }
}

template <class T>
T narrow(double value) noexcept {
    if constexpr (std::is_integral_v<T>) {
        return std::isnan(value) ? std::numeric_limits<T>::min() : static_cast<T>(value);
    } else {
        return static_cast<T>(value);
    }
}

template <class T>
double widen(T value) noexcept {
    if constexpr (std::is_integral_v<T>) {
        return value == std::numeric_limits<T>::min() ? no_number : static_cast<double>(value);
    } else {
        return static_cast<double>(value);
    }
}

template <class T>
using Array = std::unique_ptr<T[]>;

class NumberColumn : public FeatureColumn {
public:
    using Read = bool (*)(JsonCursor &json, double &value, ValueProblem &problem);

    NumberColumn(Read reader, std::size_t documents, double missing)
        : read_(reader),
          missing_(missing),
          values_(std::make_unique_for_overwrite<double[]>(documents)),
          bytes_(documents * sizeof(double)) {}

    bool read(JsonCursor &json, SegmentLabels &, ValueProblem &problem) override {
        if (!read_(json, doubles()[count_], problem)) {
            return false;
        }
        ++count_;
        return true;
    }
    Status take_rows(const NpyView &rows, std::uint64_t first, std::size_t count) override {
        if (read_ != read_number || rows.shape().size() != 1) {
            return read_ != read_number ? FeatureColumn::take_rows(rows, first, count)
                                        : Error("it is a number", "the array of numbers has one axis");
        }
        count_ += count;
        return rows.copy(first, {doubles() + count_ - count, count});
    }
    void add_missing() override { doubles()[count_++] = missing_; }
    void truncate(std::size_t documents) override { count_ = documents; }
    void finish(const SegmentLabels &) override {
        try_type<std::int8_t>() || try_type<std::int16_t>() || try_type<std::int32_t>() || try_type<float>() ||
            try_type<double>();
    }

    Column column(std::size_t first, std::deque<Column::Fill> &fills) const override {
        return std::visit(
            [&]<class T>(const Array<T> &array) {
                const T *const values = array.get() + first;
                if constexpr (std::is_same_v<T, double>) {
                    return Column::dense(values, sizeof(double));
                } else {
                    fills.emplace_back([values](std::size_t begin, std::size_t count, void *cells) {
                        std::transform(values + begin, values + begin + count, static_cast<double *>(cells), widen<T>);
                    });
                    return Column::computed(fills.back());
                }
            },
            values_);
    }
    void gather(std::size_t document, GatheredColumn &into) const override {
        into.add(std::visit([&](const auto &array) { return widen(array[document]); }, values_));
    }
    std::size_t memory_bytes() const noexcept override { return bytes_; }

private:
    double *doubles() noexcept { return std::get<Array<double>>(values_).get(); }

    template <class T>
    bool try_type() {
        const double *const values = doubles();
        if (!std::all_of(values, values + count_, holds<T>)) {
            return false;
        }
        auto narrowed = std::make_unique_for_overwrite<T[]>(count_);
        std::transform(values, values + count_, narrowed.get(), narrow<T>);
        values_ = std::move(narrowed);
        bytes_ = count_ * sizeof(T);
        return true;
    }

    Read read_;
    double missing_;
    std::variant<Array<double>, Array<float>, Array<std::int32_t>, Array<std::int16_t>, Array<std::int8_t>> values_;
    std::size_t bytes_;
    std::size_t count_ = 0;
};

}  // namespace

std::unique_ptr<FeatureColumn> make_number_column(std::size_t documents, double missing) {
    return std::make_unique<NumberColumn>(read_number, documents, missing);
}

std::unique_ptr<FeatureColumn> make_text_column(std::size_t documents) {
    return std::make_unique<NumberColumn>(read_text, documents, string_number({}));
}

}  // namespace tenrex::tool
