#include "lib/storage/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <functional>
#include <new>
#include <system_error>
#include <utility>

#include "lib/support/format.h"

namespace tenrex {

namespace {

// Closes the file, which stays mapped.
class OpenFile {
public:
    explicit OpenFile(const std::string &path) noexcept : number_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {}
    OpenFile(const OpenFile &) = delete;
    OpenFile &operator=(const OpenFile &) = delete;
    ~OpenFile() {
        if (number_ >= 0) {
            ::close(number_);
        }
    }
    int number() const noexcept { return number_; }

private:
    int number_;
};

Error cannot_read(const std::string &path, const char *hint) {
    return Error(fmt::format("cannot read '{}': {}", path, std::generic_category().message(errno)), hint);
}

}  // namespace

Result<std::shared_ptr<const MappedFile>> MappedFile::open(const std::string &path) {
    constexpr const char *hint = "is it a file, and may it be read?";
    const OpenFile file(path);
    struct stat status {};
    if (file.number() < 0) {
        return cannot_read(path, errno == ENOENT ? "does the file exist?" : hint);
    }
    if (::fstat(file.number(), &status) != 0) {
        return cannot_read(path, hint);
    }
    if (!S_ISREG(status.st_mode)) {
        return Error(fmt::format("cannot read '{}': it is no file", path), hint);
    }
    const auto size = static_cast<std::size_t>(status.st_size);
    std::string_view bytes;
    if (size != 0) {  // nothing cannot be mapped
        void *const memory = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.number(), 0);
        if (memory == MAP_FAILED) {
            return cannot_read(path, hint);
        }
        bytes = {static_cast<const char *>(memory), size};
    }
    return std::shared_ptr<const MappedFile>(new MappedFile(bytes, true));
}

std::shared_ptr<const MappedFile> MappedFile::copy(std::string_view bytes) {
    if (bytes.empty()) {
        return std::shared_ptr<const MappedFile>(new MappedFile({}, false));
    }
    void *const memory = ::mmap(nullptr, bytes.size(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
        throw std::bad_alloc();
    }
    std::memcpy(memory, bytes.data(), bytes.size());
    return std::shared_ptr<const MappedFile>(new MappedFile({static_cast<const char *>(memory), bytes.size()}, false));
}

MappedFile::~MappedFile() {
    if (!bytes_.empty()) {
        ::munmap(const_cast<char *>(bytes_.data()), bytes_.size());
    }
}

bool MappedFile::holds(std::string_view part) const noexcept {
    const std::less_equal<const char *> not_behind;
    return not_behind(bytes_.data(), part.data()) &&
           not_behind(part.data() + part.size(), bytes_.data() + bytes_.size());
}

void MappedFile::let_go(std::string_view part) const noexcept {
    static const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
    const auto begin = (reinterpret_cast<std::uintptr_t>(part.data()) + page - 1) / page * page;
    const auto end = (reinterpret_cast<std::uintptr_t>(part.data()) + part.size()) / page * page;
    if (is_file_ && !part.empty() && begin < end) {
        ::madvise(reinterpret_cast<void *>(begin), end - begin, MADV_DONTNEED);
    }
}

}  // namespace tenrex
