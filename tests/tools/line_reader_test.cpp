#include <cerrno>
#include <cstdio>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <unistd.h>

#include "tools/input.h"

namespace tenrex::tool {
namespace {

// A pipe, both ends of which are open until the end of the test.
class Pipe {
public:
    Pipe() { EXPECT_EQ(::pipe(ends_), 0); }
    ~Pipe() {
        ::close(ends_[0]);
        close_writer();
    }
    Pipe(const Pipe &) = delete;
    Pipe &operator=(const Pipe &) = delete;

    int reader() const { return ends_[0]; }
    void write(std::string_view text) const {
        EXPECT_EQ(::write(ends_[1], text.data(), text.size()), static_cast<ssize_t>(text.size()));
    }
    void close_writer() {
        if (ends_[1] >= 0) {
            ::close(ends_[1]);
            ends_[1] = -1;
        }
    }

private:
    int ends_[2] = {-1, -1};
};

// What a reader says of a text: lines, "<too long>" and the number of the last line.
std::vector<std::string> read(std::string_view text, std::size_t limit) {
    Pipe pipe;
    pipe.write(text);
    pipe.close_writer();
    LineReader lines(pipe.reader(), limit);
    std::vector<std::string> found;
    for (auto event = lines.next(); event != LineReader::Event::end; event = lines.next()) {
        EXPECT_NE(event, LineReader::Event::failure);
        found.emplace_back(event == LineReader::Event::line ? lines.line() : "<too long>");
    }
    EXPECT_EQ(lines.line_number(), found.size());
    EXPECT_EQ(lines.next(), LineReader::Event::end);
    return found;
}

using Lines = std::vector<std::string>;

TEST(LineReader, Lines) {
    EXPECT_EQ(read("", 10), Lines{});
    EXPECT_EQ(read("a\nbc\n", 10), (Lines{"a", "bc"}));
    EXPECT_EQ(read("a\n\nbc", 10), (Lines{"a", "", "bc"}));
    EXPECT_EQ(read("\n", 10), (Lines{""}));
    EXPECT_EQ(read(std::string("a\0b\n", 4), 10), (Lines{std::string("a\0b", 3)}));
}

TEST(LineReader, Limit) {
    EXPECT_EQ(read("abc\nabcd\nab\n", 3), (Lines{"abc", "<too long>", "ab"}));
    EXPECT_EQ(read("abcd", 3), (Lines{"<too long>"}));
    EXPECT_EQ(read("abc", 3), (Lines{"abc"}));
    EXPECT_EQ(read("abcdefgh\n\nx", 3), (Lines{"<too long>", "", "x"}));
    EXPECT_EQ(read("a\nb\n", 0), (Lines{"<too long>", "<too long>"}));
}

TEST(LineReader, LinesLongerThanTheBuffer) {
    // Written from a file: a pipe would not take so much at once.
    const std::string path = testing::TempDir() + "line_reader_test";
    for (const std::size_t size : {65535U, 65536U, 65537U, 200000U}) {
        const std::string text = std::string(size, 'x') + "\nshort\n" + std::string(size, 'y') + "\n" + "end";
        FILE *const file = std::fopen(path.c_str(), "wb");
        ASSERT_NE(file, nullptr);
        EXPECT_EQ(std::fwrite(text.data(), 1, text.size(), file), text.size());
        std::fclose(file);
        for (const std::size_t limit : {size, size - 1, 2 * size, std::size_t{100}}) {
            const auto opened = File::open(path);
            ASSERT_TRUE(opened);
            LineReader lines(opened->descriptor(), limit);
            const auto long_line = limit >= size ? LineReader::Event::line : LineReader::Event::too_long;
            ASSERT_EQ(lines.next(), long_line);
            if (long_line == LineReader::Event::line) {
                EXPECT_EQ(lines.line(), std::string(size, 'x'));
            }
            ASSERT_EQ(lines.next(), LineReader::Event::line);
            EXPECT_EQ(lines.line(), "short");
            ASSERT_EQ(lines.next(), long_line);
            ASSERT_EQ(lines.next(), LineReader::Event::line);
            EXPECT_EQ(lines.line(), "end");
            EXPECT_EQ(lines.line_number(), 4U);
            EXPECT_EQ(lines.next(), LineReader::Event::end);
        }
    }
}

TEST(LineReader, ReadyTellsWhetherALineMustBeWaitedFor) {
    Pipe pipe;
    LineReader lines(pipe.reader(), 100);
    EXPECT_FALSE(lines.ready());
    pipe.write("a\nb\n");
    EXPECT_TRUE(lines.ready());
    EXPECT_EQ(lines.next(), LineReader::Event::line);
    EXPECT_TRUE(lines.ready());  // b is in the buffer
    EXPECT_EQ(lines.next(), LineReader::Event::line);
    EXPECT_FALSE(lines.ready());
    pipe.close_writer();
    EXPECT_TRUE(lines.ready());  // the end need not be waited for
    EXPECT_EQ(lines.next(), LineReader::Event::end);
}

TEST(LineReader, Failure) {
    LineReader lines(-1, 100);
    EXPECT_EQ(lines.next(), LineReader::Event::failure);
    EXPECT_EQ(lines.error(), EBADF);
}

TEST(ReadAll, Limit) {
    const std::string path = testing::TempDir() + "read_all_test";
    FILE *const file = std::fopen(path.c_str(), "wb");
    ASSERT_NE(file, nullptr);
    std::fputs("12345", file);
    std::fclose(file);
    const auto all = read_all(path, 5);
    ASSERT_TRUE(all);
    EXPECT_EQ(*all, "12345");
    const auto too_large = read_all(path, 4);
    ASSERT_FALSE(too_large);
    EXPECT_EQ(too_large.error().message(), path + " is larger than the limit of 4 bytes");
    const auto missing = read_all("/no/such/file", 4);
    ASSERT_FALSE(missing);
    EXPECT_EQ(missing.error().message(), "cannot read /no/such/file: No such file or directory");
}

}  // namespace
}  // namespace tenrex::tool
