#include "tools/npz/zip_archive.h"

#include <algorithm>
#include <cstdint>
#include <limits>

#include <fmt/format.h>
#include <zlib.h>

namespace tenrex::tool {

namespace {

constexpr std::string_view entry_mark = "PK\x03\x04";
constexpr std::string_view directory_mark = "PK\x01\x02";
constexpr std::string_view end_mark = "PK\x05\x06";
constexpr std::size_t entry_bytes = 30, directory_bytes = 46, end_bytes = 22;
constexpr std::uint16_t stored = 0, deflated = 8;

// Little endian; the bytes are there.
std::uint64_t number_at(std::string_view bytes, std::size_t place, std::size_t count) {
    std::uint64_t number = 0;
    for (std::size_t i = count; i-- > 0;) {
        number = number << 8 | static_cast<unsigned char>(bytes[place + i]);
    }
    return number;
}

void append(std::string &bytes, std::uint64_t number, std::size_t count) {
    for (; count > 0; --count, number >>= 8) {
        bytes += static_cast<char>(number);
    }
}

std::uint32_t checksum(std::string_view bytes) {
    uLong sum = crc32(0, nullptr, 0);
    while (!bytes.empty()) {
        const std::string_view part = bytes.substr(0, std::numeric_limits<uInt>::max());
        sum = crc32(sum, reinterpret_cast<const Bytef *>(part.data()), static_cast<uInt>(part.size()));
        bytes.remove_prefix(part.size());
    }
    return static_cast<std::uint32_t>(sum);
}

// False: it is not that, or of another size.
bool inflate_into(std::string_view packed, std::string &content) {
    z_stream stream{};
    if (packed.size() > std::numeric_limits<uInt>::max() || inflateInit2(&stream, -MAX_WBITS) != Z_OK) {
        return false;
    }
    std::string input(packed);
    stream.next_in = reinterpret_cast<Bytef *>(input.data());
    stream.avail_in = static_cast<uInt>(input.size());
    stream.next_out = reinterpret_cast<Bytef *>(content.data());
    stream.avail_out = static_cast<uInt>(content.size());
    const bool is_whole = inflate(&stream, Z_FINISH) == Z_STREAM_END && stream.avail_out == 0;
    inflateEnd(&stream);
    return is_whole;
}

Error damaged(std::string_view what) {
    return Error(fmt::format("the archive is damaged: {}", what), "is it a file that numpy.savez has written?");
}

// The next of the directory at `place`, which moves on.
Result<std::pair<std::string, std::string>> read_entry(std::string_view bytes, std::size_t &place, std::size_t most) {
    if (place + directory_bytes > bytes.size() || bytes.substr(place, 4) != directory_mark) {
        return damaged("its directory is cut off");
    }
    const std::uint64_t way = number_at(bytes, place + 10, 2);
    const std::uint64_t sum = number_at(bytes, place + 16, 4);
    const std::uint64_t packed_size = number_at(bytes, place + 20, 4);
    const std::uint64_t size = number_at(bytes, place + 24, 4);
    const std::uint64_t name_size = number_at(bytes, place + 28, 2);
    const std::uint64_t begin = number_at(bytes, place + 42, 4);
    const std::uint64_t rest = number_at(bytes, place + 30, 2) + number_at(bytes, place + 32, 2);
    if (place + directory_bytes + name_size + rest > bytes.size()) {
        return damaged("its directory is cut off");
    }
    std::string name(bytes.substr(place + directory_bytes, name_size));
    place += directory_bytes + name_size + rest;
    if (begin + entry_bytes > bytes.size() || bytes.substr(begin, 4) != entry_mark) {
        return damaged(fmt::format("'{}' is not where its directory says", name));
    }
    const std::uint64_t data = begin + entry_bytes + number_at(bytes, begin + 26, 2) + number_at(bytes, begin + 28, 2);
    if (data > bytes.size() || packed_size > bytes.size() - data) {
        return damaged(fmt::format("'{}' is cut off", name));
    }
    if (size > most) {
        return Error(fmt::format("'{}' has {} bytes, with which the archive has more than is read", name, size));
    }
    const std::string_view packed = bytes.substr(data, packed_size);
    if (way != stored && way != deflated) {
        return Error(fmt::format("'{}' is compressed in a way that is not known", name), "write it with numpy.savez");
    }
    std::string content(way == stored ? 0 : size, '\0');
    if (way == stored) {
        content = packed;
    }
    if ((way == deflated && !inflate_into(packed, content)) || content.size() != size || checksum(content) != sum) {
        return damaged(fmt::format("the content of '{}' is not what was written", name));
    }
    return std::pair(std::move(name), std::move(content));
}

}  // namespace

Result<ArchiveEntries> read_zip(std::string_view bytes, std::size_t most) {
    const std::size_t end = bytes.rfind(end_mark);
    if (end == std::string_view::npos || end + end_bytes > bytes.size()) {
        return damaged("it has no directory");
    }
    const std::uint64_t count = number_at(bytes, end + 10, 2);
    std::size_t place = number_at(bytes, end + 16, 4);
    ArchiveEntries entries;
    for (std::uint64_t i = 0; i < count; ++i) {
        auto entry = read_entry(bytes, place, most);
        if (!entry) {
            return std::move(entry).error();
        }
        most -= entry->second.size();
        entries.push_back(*std::move(entry));
    }
    return entries;
}

std::string write_zip(const ArchiveEntries &entries) {
    std::string bytes;
    std::string directory;
    for (const auto &[name, content] : entries) {
        // Version, flags, way, date and time (the first day that there is), checksum, sizes, and those of the name.
        std::string facts;
        append(facts, 20, 2);
        append(facts, 0, 2);
        append(facts, stored, 2);
        append(facts, 0, 2);
        append(facts, 0x21, 2);
        append(facts, checksum(content), 4);
        append(facts, content.size(), 4);
        append(facts, content.size(), 4);
        append(facts, name.size(), 2);
        append(facts, 0, 2);
        directory.append(directory_mark);
        append(directory, 20, 2);
        directory += facts;
        append(directory, 0, 2 + 2 + 2 + 4);
        append(directory, bytes.size(), 4);
        directory += name;
        bytes.append(entry_mark).append(facts).append(name).append(content);
    }
    const std::size_t begin = bytes.size();
    bytes += directory;
    bytes.append(end_mark);
    append(bytes, 0, 4);
    append(bytes, entries.size(), 2);
    append(bytes, entries.size(), 2);
    append(bytes, directory.size(), 4);
    append(bytes, begin, 4);
    append(bytes, 0, 2);
    return bytes;
}

}  // namespace tenrex::tool
