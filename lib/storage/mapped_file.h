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
    MappedFile(const MappedFile &) = delete;
    MappedFile &operator=(const MappedFile &) = delete;
    ~MappedFile();

    std::string_view bytes() const noexcept { return bytes_; }
    // Whether these bytes are a part of it.
    bool holds(std::string_view part) const noexcept;
    // Gives back the memory of the pages that hold nothing else. They are read again when they are looked at.
    void let_go(std::string_view part) const noexcept;

private:
    explicit MappedFile(std::string_view bytes) noexcept : bytes_(bytes) {}
    std::string_view bytes_;
};

}  // namespace tenrex
