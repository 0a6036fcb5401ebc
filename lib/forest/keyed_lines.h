// A text of lines "key=value" in parts with empty lines between them, as LightGBM saves models.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lib/forest/broken.h"
#include "lib/forest/document.h"
#include "lib/support/format.h"

namespace tenrex::forest {

class KeyedLines {
public:
    using Part = std::map<std::string_view, std::string_view>;

    explicit KeyedLines(std::string_view source) : source_(source) {}

    std::string_view source() const noexcept { return source_; }
    std::string_view rest() const noexcept { return source_.substr(at_); }

    // Throws Broken: something is wrong with a piece of the source.
    [[noreturn]] void fail(std::string_view where, std::string message, std::string hint = {}) const;
    [[noreturn]] void fail_at_end() const;

    // The next line without its end; nothing at the end of the file.
    std::optional<std::string_view> next_line() noexcept;
    // The next lines up to an empty one, or up to the first one of a tree or the end of trees.
    Part next_part();

    // `where` is what to point at if the key is missing.
    std::string_view value(const Part &part, std::string_view key, std::string_view where) const;
    // Numbers with spaces between them: double, std::int32_t or std::uint32_t.
    template <class T>
    std::vector<T> numbers(std::string_view text) const;
    template <class T>
    T number(std::string_view text) const {
        const std::vector<T> values = numbers<T>(text);
        if (values.size() != 1) {
            fail(text, "one number is expected here");
        }
        return values.front();
    }
    // So many numbers.
    template <class T>
    std::vector<T> list(const Part &part, std::string_view key, std::size_t count, std::string_view where) const {
        const std::string_view text = value(part, key, where);
        std::vector<T> values = numbers<T>(text);
        if (values.size() != count) {
            fail(text, fmt::format("'{}' has {} numbers, but the tree needs {}", key, values.size(), count),
                 "the file is damaged");
        }
        return values;
    }

private:
    std::string_view source_;
    std::size_t at_ = 0;
};

}  // namespace tenrex::forest
