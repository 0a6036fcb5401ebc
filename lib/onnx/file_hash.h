// The hash of bytes that come in parts.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string_view>

namespace tenrex::onnx {

using FileHash = std::array<std::uint64_t, 2>;

class FileHasher {
public:
    FileHasher();
    ~FileHasher();
    FileHasher(const FileHasher &) = delete;
    FileHasher &operator=(const FileHasher &) = delete;

    void add(std::string_view bytes) noexcept;
    FileHash result() const noexcept;

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace tenrex::onnx
