// A file of results that is there whole or not at all: written under another name, renamed when it is complete.
#pragma once

#include <memory>
#include <string>

#include <tenrex/result.h>

#include "tools/output.h"

namespace tenrex::tool {

class OutputFile {
public:
    // An empty path is standard output. What is no regular file, such as /dev/null, is written to directly.
    static Result<OutputFile> open(const std::string &path);
    // A file that stays when it was not finished, under the name `part`. What stands there already is kept: the
    // caller goes on behind it.
    static Result<OutputFile> reopen(const std::string &path, const std::string &part);
    OutputFile(OutputFile &&other) noexcept;
    OutputFile &operator=(OutputFile &&) = delete;
    // What was not finished is removed, also by a signal that ends the program, unless it was reopened.
    ~OutputFile();

    Output &out() noexcept { return *out_; }
    // Ends a command that wrote results, as finish(out, status) does. Only with `success` the file gets its name.
    int finish(int status);

private:
    OutputFile(int descriptor, std::string path, std::unique_ptr<char[]> temporary)
        : out_(std::make_unique<Output>(descriptor)), path_(std::move(path)), temporary_(std::move(temporary)) {}

    std::unique_ptr<Output> out_;
    std::string path_;
    std::unique_ptr<char[]> temporary_;  // the name; null: nothing to rename
    bool stays_ = false;
};

}  // namespace tenrex::tool
