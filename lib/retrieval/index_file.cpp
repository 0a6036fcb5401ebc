// Files of indexes: a head, then parts that each begin at a multiple of 64 bytes: the cells that are searched and their
// scales, the floats, the links of the lowest level and of the higher ones, and which vectors are gone. Little endian.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "lib/retrieval/index_content.h"

namespace tenrex {

namespace {

using retrieval::Graph;
using retrieval::RowScale;
using retrieval::Storage;

static_assert(std::endian::native == std::endian::little);

// What a file begins with; the last sign is the version.
constexpr std::array<char, 8> magic = {'T', 'n', 'r', 'x', 'V', 'e', 'c', '2'};
constexpr const char *hint = "was the file written by VectorIndex::save and copied whole?";

struct Head {
    std::array<char, 8> magic;
    std::uint64_t dimensions;
    std::uint32_t metric;
    std::uint32_t cells;
    std::uint64_t keep_floats;
    std::uint64_t links;
    std::uint64_t explored_when_added;
    std::uint64_t seed;
    std::uint64_t rows;
    std::uint64_t entry;
};

constexpr std::size_t round_up(std::size_t bytes) {
    return (bytes + retrieval::cache_line - 1) / retrieval::cache_line * retrieval::cache_line;
}

Error damaged(std::string_view why) {
    return Error(fmt::format("the index is damaged: {}", why), hint);
}

// The parts of a file one after the other.
class Parts {
public:
    explicit Parts(std::span<const std::byte> bytes) : bytes_(bytes) {}

    // False: there are fewer bytes.
    bool next(std::size_t size, std::span<const std::byte> &part) {
        const std::size_t begin = round_up(at_);
        if (begin > bytes_.size() || size > bytes_.size() - begin) {
            return false;
        }
        part = bytes_.subspan(begin, size);
        at_ = begin + size;
        return true;
    }
    bool at_end() const noexcept { return at_ == bytes_.size(); }

private:
    std::span<const std::byte> bytes_;
    std::size_t at_ = 0;
};

// A part of its own, or one that stays where it is.
bool take(Parts &parts, std::size_t size, bool stays, Storage &storage) {
    std::span<const std::byte> part;
    if (!parts.next(size, part)) {
        return false;
    }
    if (stays) {
        storage = Storage::view(part);
        return true;
    }
    Storage copy;
    if (!copy.resize(size)) {
        return false;
    }
    if (size != 0) {
        std::memcpy(copy.writable<std::byte>(), part.data(), size);
    }
    storage = std::move(copy);
    return true;
}

bool take(Parts &parts, std::size_t rows, bool stays, retrieval::VectorSpace &space) {
    if (!take(parts, rows * space.stride(), stays, space.rows())) {
        return false;
    }
    return !space.has_scales() || take(parts, rows * sizeof(RowScale), stays, space.scales());
}

Result<VectorIndexOptions> options_of(const Head &head) {
    if (head.metric > static_cast<std::uint32_t>(DistanceMetric::hamming) ||
        head.cells > static_cast<std::uint32_t>(VectorCells::bits) || head.keep_floats > 1) {
        return damaged("its head says what cannot be");
    }
    VectorIndexOptions options;
    options.dimensions = head.dimensions;
    options.metric = static_cast<DistanceMetric>(head.metric);
    options.cells = static_cast<VectorCells>(head.cells);
    options.keep_floats = head.keep_floats == 1;
    options.links = head.links;
    options.explored_when_added = head.explored_when_added;
    options.seed = head.seed;
    return options;
}

// Whether scales are numbers, as those of vectors that were added are.
bool are_finite(const Storage &scales) {
    const auto *const first = scales.as<RowScale>();
    for (std::size_t i = 0; i < scales.size() / sizeof(RowScale); ++i) {
        if (!std::isfinite(first[i].factor) || !std::isfinite(first[i].square)) {
            return false;
        }
    }
    return true;
}

struct Mapping {
    void *at;
    std::size_t size;

    Mapping(void *address, std::size_t bytes) : at(address), size(bytes) {}
    Mapping(const Mapping &) = delete;
    Mapping &operator=(const Mapping &) = delete;
    ~Mapping() { munmap(at, size); }
};

Error failure(const std::string &path, const char *what) {
    return Error(fmt::format("cannot {} {}: {}", what, path, std::strerror(errno)));  // NOLINT(concurrency-mt-unsafe)
}

Result<std::shared_ptr<const Mapping>> map_file(const std::string &path) {
    const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) {
        return failure(path, "read");
    }
    struct stat status = {};
    void *address = MAP_FAILED;
    if (fstat(file, &status) == 0 && status.st_size > 0) {
        address = mmap(nullptr, static_cast<std::size_t>(status.st_size), PROT_READ, MAP_SHARED, file, 0);
    }
    close(file);
    if (address == MAP_FAILED) {
        return status.st_size == 0 ? damaged("it is empty") : failure(path, "read");
    }
    return std::make_shared<const Mapping>(address, static_cast<std::size_t>(status.st_size));
}

void write_part(std::ofstream &file, std::size_t &at, const void *bytes, std::size_t size) {
    constexpr std::array<char, retrieval::cache_line> zeros = {};
    file.write(zeros.data(), static_cast<std::streamsize>(round_up(at) - at));
    file.write(static_cast<const char *>(bytes), static_cast<std::streamsize>(size));
    at = round_up(at) + size;
}

}  // namespace

// The bytes must be aligned as the parts of a file are if they stay where they are.
Result<std::unique_ptr<VectorIndex::Content>> VectorIndex::Content::read(std::span<const std::byte> bytes, bool stays) {
    Parts parts(bytes);
    std::span<const std::byte> part;
    Head head;
    if (!parts.next(sizeof(head), part)) {
        return damaged("it ends in its head");
    }
    std::memcpy(&head, part.data(), sizeof(head));
    if (head.magic != magic) {
        if (std::equal(magic.begin(), magic.end() - 1, head.magic.begin())) {
            return Error("another version of Tenrex wrote this index of vectors", "make the index again");
        }
        return Error("this is no index of vectors", hint);
    }
    const auto options = options_of(head);
    if (!options) {
        return options.error();
    }
    auto index = VectorIndex::create(*options);
    if (!index) {
        return damaged(index.error().message());
    }
    std::unique_ptr<Content> content = std::move(index->content_);
    const std::size_t rows = head.rows;
    if (rows >= Graph::none || rows > bytes.size() / content->searched.stride()) {
        return damaged("it has fewer bytes than its vectors need");
    }
    Storage base;
    Storage upper;
    if (!take(parts, rows, stays, content->searched) ||
        (content->floats && !take(parts, rows, stays, content->floats)) ||
        (content->has_graph() && (!take(parts, content->graph.base_bytes(rows), stays, base) ||
                                  !take(parts, content->graph.upper_bytes(rows), stays, upper))) ||
        !parts.next((rows + 63) / 64 * 8, part)) {
        return damaged("it has fewer bytes than its vectors need");
    }
    if (!parts.at_end()) {
        return damaged("there are bytes behind its end");
    }
    std::vector<std::uint64_t> words(part.size() / 8);
    if (!words.empty()) {
        std::memcpy(words.data(), part.data(), part.size());
    }
    content->removed.assign(words, rows);
    std::size_t gone = 0;
    for (const std::uint64_t word : words) {
        gone += static_cast<std::size_t>(std::popcount(word));
    }
    if (gone > rows || (rows % 64 != 0 && words.back() >> rows % 64 != 0)) {
        return damaged("vectors are gone that never were");
    }
    content->live = rows - gone;
    if (!are_finite(content->searched.scales())) {
        return damaged("a vector has a scale that is no number");
    }
    if (content->has_graph()) {
        const std::uint32_t entry = head.entry > Graph::none ? Graph::none : static_cast<std::uint32_t>(head.entry);
        if (entry == Graph::none && content->live != 0) {
            return damaged("it has vectors, but no beginning for searches");
        }
        if (const char *problem = content->graph.adopt(std::move(base), std::move(upper), rows, entry)) {
            return damaged(problem);
        }
        if (stays) {
            return content;
        }
        // Which of the vectors that are gone still have links, the file does not tell.
        if (gone != 0) {
            content->forget_removed();
        }
    }
    content->find_free();
    return content;
}

Status VectorIndex::save(const std::string &path) const {
    const Content &content = *content_;
    const Head head = {magic,
                       options().dimensions,
                       static_cast<std::uint32_t>(options().metric),
                       static_cast<std::uint32_t>(options().cells),
                       options().keep_floats ? 1U : 0U,
                       options().links,
                       options().explored_when_added,
                       options().seed,
                       end_id(),
                       content.graph.entry()};
    const std::string beside = path + ".part";
    std::ofstream file(beside, std::ios::binary | std::ios::trunc);
    std::size_t at = 0;
    const auto write = [&](std::span<const std::byte> bytes) { write_part(file, at, bytes.data(), bytes.size()); };
    write(std::as_bytes(std::span(&head, 1)));
    for (const retrieval::VectorSpace *const space : {&content.searched, &content.floats}) {
        if (*space) {
            write(space->rows().bytes());
            if (space->has_scales()) {
                write(space->scales().bytes());
            }
        }
    }
    if (content.has_graph()) {
        write(content.graph.base().bytes());
        write(content.graph.upper().bytes());
    }
    write(std::as_bytes(content.removed.words()));
    file.close();
    if (!file || std::rename(beside.c_str(), path.c_str()) != 0) {
        Error error = failure(path, "write");
        std::remove(beside.c_str());
        return error;
    }
    return {};
}

Result<VectorIndex> VectorIndex::load(const std::string &path, bool map) {
    const auto file = map_file(path);
    if (!file) {
        Error error = file.error();
        return error;
    }
    auto content = Content::read({static_cast<const std::byte *>((*file)->at), (*file)->size}, map);
    if (!content) {
        Error error = content.error();
        error.set_source_name(path);
        return error;
    }
    if (map) {
        (*content)->file = *file;
    }
    return VectorIndex(*std::move(content));
}

Result<VectorIndex> VectorIndex::read(std::string_view bytes) {
    auto content = Content::read(std::as_bytes(std::span(bytes.data(), bytes.size())), false);
    return content ? Result<VectorIndex>(VectorIndex(*std::move(content))) : content.error();
}

}  // namespace tenrex
