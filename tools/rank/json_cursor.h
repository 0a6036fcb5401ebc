// Reads one line of JSON from front to back and builds nothing: millions of documents pass through it.
//
//   JsonCursor json(line);
//   std::string_view name;
//   for (bool more = json.enter_object(name); more; more = json.next_member(name)) {
//       ... json.number(value) or json.skip() ...
//   }
//   if (json.failed()) report(json.problem(), json.position());
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tenrex::tool {

class JsonCursor {
public:
    enum class Kind { object, array, string, number, boolean, null, other };

    explicit JsonCursor(std::string_view text) noexcept : text_(text) {}

    // The kind of the value that stands next; `other` if none does.
    Kind kind() noexcept;

    // Each reads what stands next. False after the first failure, and from then on.
    bool number(double &value);
    bool boolean(bool &value);
    // Valid until the next string or name is read.
    bool string(std::string_view &value);
    // A value of any kind, nested as deep as it likes; `value` is its text.
    bool skip(std::string_view &value);

    // Enters an object and reads the name of its first member; the value is what stands next. False if there is none.
    bool enter_object(std::string_view &name);
    bool next_member(std::string_view &name);
    // Enters an array whose first element stands next then. False if there is none.
    bool enter_array();
    bool next_element();
    // True if nothing but white space is left.
    bool finish();

    bool failed() const noexcept { return problem_ != nullptr; }
    const char *problem() const noexcept { return problem_; }
    // Where the failure is or what stands next, in bytes from 0.
    std::size_t position() const noexcept { return at_; }
    // Makes what stands next the place of a failure.
    bool fail(const char *problem) noexcept;
    // Goes back to a position that was passed without a failure.
    void rewind(std::size_t position) noexcept { at_ = position; }

private:
    char peek() const noexcept { return at_ < text_.size() ? text_[at_] : '\0'; }
    void skip_space() noexcept;
    bool accept(char c) noexcept;
    bool word(std::string_view expected) noexcept;
    bool member_name(std::string_view &name);
    bool escaped_string(std::size_t begin, bool ascii, std::string_view &value);
    bool escape();
    bool code_unit(unsigned &unit);
    bool slow_number(std::size_t begin, double &value);
    bool scalar();

    std::string_view text_;
    std::size_t at_ = 0;
    const char *problem_ = nullptr;
    std::string unescaped_;
};

// Whether the bytes are UTF-8 without surrogates or overlong forms.
bool is_utf8(std::string_view text) noexcept;

}  // namespace tenrex::tool
