#include "lib/onnx/file_hash.h"

#include <xxhash.h>

namespace tenrex::onnx {

struct FileHasher::State {
    XXH3_state_t hash;
};

FileHasher::FileHasher() : state_(std::make_unique<State>()) {
    XXH3_128bits_reset(&state_->hash);
}

FileHasher::~FileHasher() = default;

void FileHasher::add(std::string_view bytes) noexcept {
    XXH3_128bits_update(&state_->hash, bytes.data(), bytes.size());
}

FileHash FileHasher::result() const noexcept {
    const XXH128_hash_t hash = XXH3_128bits_digest(&state_->hash);
    return {hash.low64, hash.high64};
}

}  // namespace tenrex::onnx
