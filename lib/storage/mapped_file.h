// A file as a range of memory: its pages are read when they are looked at, and can be let go.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include <tenrex/export.h>
#include <tenrex/result.h>

namespace tenrex {

// The file must neither become shorter nor be written to meanwhile; another may take its name.
class TENREX_EXPORT MappedFile {
public:
    static Result<std::shared_ptr<const MappedFile>> open(const std::string &path);
    // A copy of bytes in memory, for those who read files, at an address as that of a file. Throws std::bad_alloc.
    static std::shared_ptr<const MappedFile> copy(std::string_view bytes);
    MappedFile(const MappedFile &) = delete;
    MappedFile &operator=(const MappedFile &) = delete;
    ~MappedFile();

    std::string_view bytes() const noexcept { return bytes_; }
    // Whether these bytes are a part of it.
    bool holds(std::string_view part) const noexcept;
    // Gives back the memory of the pages that hold nothing else. They are read again when they are looked at.
    void let_go(std::string_view part) const noexcept;

private:
    MappedFile(std::string_view bytes, bool is_file) noexcept : bytes_(bytes), is_file_(is_file) {}
    std::string_view bytes_;
    bool is_file_;  // else nothing gives back what is let go
};

}  // namespace tenrex
