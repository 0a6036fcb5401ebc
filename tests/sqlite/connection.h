// A connection to SQLite with the extension loaded.
#pragma once

#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <sqlite3.h>

namespace tenrex {

using Blob = std::vector<std::byte>;
using Parameter = std::variant<double, std::string, Blob>;

class Connection {
public:
    explicit Connection(const std::string &path = ":memory:") {
        if (sqlite3_open(path.c_str(), &database_) != SQLITE_OK) {
            throw std::runtime_error("cannot open " + path);
        }
        sqlite3_busy_timeout(database_, 10000);
        sqlite3_db_config(database_, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 1, nullptr);
        char *message = nullptr;
        if (sqlite3_load_extension(database_, TENREX_SQLITE_EXTENSION, nullptr, &message) != SQLITE_OK) {
            throw std::runtime_error(message);
        }
    }
    Connection(const Connection &) = delete;
    Connection &operator=(const Connection &) = delete;
    ~Connection() { sqlite3_close(database_); }

    // All values of all rows as text, "NULL" for NULL; "error: ..." at the end if it failed.
    std::vector<std::string> run(const std::string &sql, const std::vector<Parameter> &parameters = {}) {
        std::vector<std::string> values;
        const char *rest = sql.c_str();
        while (*rest != '\0') {
            sqlite3_stmt *statement = nullptr;
            int status = sqlite3_prepare_v2(database_, rest, -1, &statement, &rest);
            if (status != SQLITE_OK) {
                values.emplace_back(std::string("error: ") + sqlite3_errmsg(database_));
                return values;
            }
            for (int i = 0; i < static_cast<int>(parameters.size()); ++i) {
                bind(statement, i + 1, parameters[static_cast<std::size_t>(i)]);
            }
            while (statement != nullptr && (status == SQLITE_OK || status == SQLITE_ROW)) {
                status = sqlite3_step(statement);
                for (int i = 0; status == SQLITE_ROW && i < sqlite3_column_count(statement); ++i) {
                    const unsigned char *text = sqlite3_column_text(statement, i);
                    values.emplace_back(text == nullptr ? "NULL" : reinterpret_cast<const char *>(text));
                }
            }
            if (status != SQLITE_DONE && statement != nullptr) {  // there is none for white space
                values.emplace_back(std::string("error: ") + sqlite3_errmsg(database_));
            }
            sqlite3_finalize(statement);
        }
        return values;
    }
    // The only value.
    std::string value(const std::string &sql, const std::vector<Parameter> &parameters = {}) {
        const std::vector<std::string> values = run(sql, parameters);
        return values.size() == 1 ? values[0] : "not one value";
    }
    double number(const std::string &sql, const std::vector<Parameter> &parameters = {}) {
        return std::stod(value(sql, parameters));
    }

private:
    static void bind(sqlite3_stmt *statement, int index, const Parameter &parameter) {
        if (const auto *number = std::get_if<double>(&parameter)) {
            sqlite3_bind_double(statement, index, *number);
        } else if (const auto *text = std::get_if<std::string>(&parameter)) {
            sqlite3_bind_text(statement, index, text->data(), static_cast<int>(text->size()), SQLITE_TRANSIENT);
        } else {
            const auto &blob = std::get<Blob>(parameter);
            sqlite3_bind_blob(statement, index, blob.data(), static_cast<int>(blob.size()), SQLITE_TRANSIENT);
        }
    }

    sqlite3 *database_ = nullptr;
};

// The cells of a dense tensor as a blob.
template <class T>
Blob cells(const std::vector<T> &values) {
    const auto bytes = std::as_bytes(std::span(values));
    return Blob(bytes.begin(), bytes.end());
}

}  // namespace tenrex
