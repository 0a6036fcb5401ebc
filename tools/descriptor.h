// A file descriptor with an owner.
#pragma once

#include <utility>

#include <unistd.h>

namespace tenrex::tool {

class Descriptor {
public:
    explicit Descriptor(int number = -1) noexcept : number_(number) {}
    Descriptor(Descriptor &&other) noexcept : number_(std::exchange(other.number_, -1)) {}
    Descriptor &operator=(Descriptor &&) = delete;
    ~Descriptor() { close(); }

    int get() const noexcept { return number_; }
    void set(int number) noexcept {
        close();
        number_ = number;
    }
    void close() noexcept {
        if (number_ >= 0) {
            ::close(number_);
            number_ = -1;
        }
    }

private:
    int number_;
};

}  // namespace tenrex::tool
