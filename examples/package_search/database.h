// SQLite with results instead of error codes.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include <sqlite3.h>
#include <tenrex/result.h>

namespace tenrex::packages {

class Statement {
public:
    // Parameters are numbered from 1.
    void bind(int parameter, std::string_view text);
    void bind(int parameter, double number);
    void bind(int parameter, sqlite3_int64 number);
    // True if there is a row, false at the end.
    Result<bool> step();
    // Runs it to its end, and makes it ready to run again.
    Status run();
    void reset();

    std::string_view text(int column) const;
    double number(int column) const { return sqlite3_column_double(statement_.get(), column); }

private:
    friend class Database;
    struct Finalize {
        void operator()(sqlite3_stmt *statement) const noexcept { sqlite3_finalize(statement); }
    };
    explicit Statement(sqlite3_stmt *statement) : statement_(statement) {}
    std::unique_ptr<sqlite3_stmt, Finalize> statement_;
};

class Database {
public:
    // ":memory:" is a database that no file holds.
    static Result<Database> open(const std::string &path);

    Status execute(const char *sql);
    Result<Statement> prepare(std::string_view sql);
    // Defines an auxiliary function of FTS5.
    Status define(const char *name, fts5_extension_function function, void *user_data);

private:
    struct Close {
        void operator()(sqlite3 *database) const noexcept { sqlite3_close_v2(database); }
    };
    explicit Database(sqlite3 *database) : database_(database) {}
    Error error() const;
    std::unique_ptr<sqlite3, Close> database_;
};

}  // namespace tenrex::packages
