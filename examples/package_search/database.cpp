#include "examples/package_search/database.h"

namespace tenrex::packages {

void Statement::bind(int parameter, std::string_view text) {
    sqlite3_bind_text64(statement_.get(), parameter, text.data(), text.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
}

void Statement::bind(int parameter, double number) {
    sqlite3_bind_double(statement_.get(), parameter, number);
}

void Statement::bind(int parameter, sqlite3_int64 number) {
    sqlite3_bind_int64(statement_.get(), parameter, number);
}

Result<bool> Statement::step() {
    switch (sqlite3_step(statement_.get())) {
        case SQLITE_ROW:
            return true;
        case SQLITE_DONE:
            return false;
        default:
            return Error(sqlite3_errmsg(sqlite3_db_handle(statement_.get())));
    }
}

Status Statement::run() {
    for (;;) {
        const auto row = step();
        if (!row || !*row) {
            reset();
            return row ? Status() : row.error();
        }
    }
}

void Statement::reset() {
    sqlite3_reset(statement_.get());
}

std::string_view Statement::text(int column) const {
    const unsigned char *text = sqlite3_column_text(statement_.get(), column);
    const int size = sqlite3_column_bytes(statement_.get(), column);
    return text == nullptr ? std::string_view()
                           : std::string_view(reinterpret_cast<const char *>(text), static_cast<std::size_t>(size));
}

Error Database::error() const {
    return Error(sqlite3_errmsg(database_.get()));
}

Result<Database> Database::open(const std::string &path) {
    sqlite3 *handle = nullptr;
    const int status = sqlite3_open(path.c_str(), &handle);
    Database database(handle);
    if (status != SQLITE_OK) {
        return Error(path + ": " + (handle == nullptr ? sqlite3_errstr(status) : sqlite3_errmsg(handle)));
    }
    return database;
}

Status Database::execute(const char *sql) {
    return sqlite3_exec(database_.get(), sql, nullptr, nullptr, nullptr) == SQLITE_OK ? Status() : error();
}

Result<Statement> Database::prepare(std::string_view sql) {
    sqlite3_stmt *statement = nullptr;
    if (sqlite3_prepare_v2(database_.get(), sql.data(), static_cast<int>(sql.size()), &statement, nullptr) !=
        SQLITE_OK) {
        return error();
    }
    return Statement(statement);
}

Status Database::define(const char *name, fts5_extension_function function, void *user_data) {
    auto statement = prepare("SELECT fts5(?1)");
    if (!statement) {
        return Error("this SQLite has no FTS5");
    }
    fts5_api *api = nullptr;
    sqlite3_bind_pointer(statement->statement_.get(), 1, static_cast<void *>(&api), "fts5_api_ptr", nullptr);
    if (const auto row = statement->step(); !row) {
        return row.error();
    }
    return api != nullptr && api->xCreateFunction(api, name, user_data, function, nullptr) == SQLITE_OK
               ? Status()
               : Error("FTS5 does not take the function " + std::string(name));
}

}  // namespace tenrex::packages
