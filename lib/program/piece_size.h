// How many documents a program works on at a time.
#pragma once

#include <algorithm>
#include <cstddef>

namespace tenrex::program {

// As many as the plan says, unless their values need more memory than the limits allow: then fewer, down to one.
class PieceSize {
public:
    explicit PieceSize(std::size_t most = 1) noexcept : most_(most), documents_(most) {}

    std::size_t documents() const noexcept { return documents_; }
    bool is_reduced() const noexcept { return documents_ != most_; }

    // So many were too many; false if it was one. Called after their memory was given back.
    bool make_smaller(std::size_t documents) noexcept {
        documents_ = std::max<std::size_t>(1, documents / 2);
        pieces_ = 0;
        return documents > 1;
    }
    // A piece was evaluated in memory of which `taken` bytes are kept and `most` are allowed. True if memory is to be
    // given back, so that one large document does not keep the pieces small for good.
    bool was_evaluated(std::size_t taken, std::size_t most) noexcept {
        if (!is_reduced()) {
            return false;
        }
        if (++pieces_ % pieces_to_grow == 0 && taken <= most / 2) {
            documents_ = std::min(most_, 2 * documents_);
        }
        return pieces_ % pieces_to_forget == 0;
    }

private:
    static constexpr std::size_t pieces_to_grow = 8;
    static constexpr std::size_t pieces_to_forget = 1024;

    std::size_t most_;
    std::size_t documents_;
    std::size_t pieces_ = 0;  // since the size was found
};

}  // namespace tenrex::program
