// A value, or the reason why there is none. The library reports failures this way and throws nothing.
//
//   tenrex::Result<tenrex::TensorType> type = tenrex::TensorType::parse(text);
//   if (!type) return type.error();
//   use(*type);
#pragma once

#include <cassert>
#include <optional>
#include <utility>
#include <variant>

#include <tenrex/issue.h>

namespace tenrex {

template <class T>
class [[nodiscard]] Result {
public:
    Result(T value) : content_(std::in_place_index<0>, std::move(value)) {}
    Result(Error error) : content_(std::in_place_index<1>, std::move(error)) {}

    bool has_value() const noexcept { return content_.index() == 0; }
    explicit operator bool() const noexcept { return has_value(); }

    // The value; there must be one.
    T &operator*() &noexcept { return get(); }
    const T &operator*() const &noexcept { return const_cast<Result *>(this)->get(); }
    T &&operator*() &&noexcept { return std::move(get()); }
    T *operator->() noexcept { return &get(); }
    const T *operator->() const noexcept { return &const_cast<Result *>(this)->get(); }

    // The error; there must be one.
    const Error &error() const &noexcept {
        assert(!has_value());
        return *std::get_if<1>(&content_);
    }
    Error &&error() &&noexcept {
        assert(!has_value());
        return std::move(*std::get_if<1>(&content_));
    }

private:
    T &get() noexcept {
        assert(has_value());
        return *std::get_if<0>(&content_);
    }
    std::variant<T, Error> content_;
};

// Success, or the reason for a failure.
template <>
class [[nodiscard]] Result<void> {
public:
    Result() noexcept {}  // not defaulted: that would clear the room for an error as well
    Result(Error error) : error_(std::move(error)) {}

    bool has_value() const noexcept { return !error_; }
    explicit operator bool() const noexcept { return has_value(); }
    const Error &error() const &noexcept {
        assert(error_);
        return *error_;
    }

private:
    std::optional<Error> error_;
};

using Status = Result<void>;

}  // namespace tenrex
