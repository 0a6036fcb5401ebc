// The loadable extension: registers tenrex_score and tenrex_fts for a connection.
#include <exception>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include <sqlite3ext.h>
#include <tenrex/version.h>

#include "examples/sqlite_extension/scorer.h"

SQLITE_EXTENSION_INIT1

namespace tenrex::sqlite {

namespace {

constexpr char score_name[] = "tenrex_score";
constexpr char fts_name[] = "tenrex_fts";

void set_error(sqlite3_context *context, const char *function, const std::string &message) {
    const std::string text = std::string(function) + ": " + message;
    sqlite3_result_error(context, text.data(), static_cast<int>(text.size()));
}

void set_result(sqlite3_context *context, const char *function, const Result<std::optional<double>> &score) {
    if (!score) {
        set_error(context, function, score.error().message());
    } else if (*score) {
        sqlite3_result_double(context, **score);  // of NaN SQLite makes NULL
    } else {
        sqlite3_result_null(context);
    }
}

// Nothing may be thrown through SQLite.
template <class Work>
void guarded(sqlite3_context *context, const char *function, const Work &work) noexcept {
    try {
        work();
    } catch (const std::bad_alloc &) {
        sqlite3_result_error_nomem(context);
    } catch (const std::exception &exception) {
        set_error(context, function, exception.what());
    }
}

template <class T>
void destroy(void *object) {
    delete static_cast<T *>(object);
}

// tenrex_score(text, name, value, ...)
void score(sqlite3_context *context, int count, sqlite3_value **values) noexcept {
    guarded(context, score_name, [&] {
        const std::span<sqlite3_value *const> arguments(values, static_cast<std::size_t>(count));
        // What is kept for a constant text is gone when the statement ends.
        auto *kept = static_cast<Scorer *>(sqlite3_get_auxdata(context, 0));
        if (kept != nullptr && kept->fits(arguments)) {
            set_result(context, score_name, kept->score(arguments, {}));
            return;
        }
        auto &cache = *static_cast<ProgramCache *>(sqlite3_user_data(context));
        auto made = Scorer::make(cache, arguments, false);
        if (!made) {
            set_error(context, score_name, made.error().message());
            return;
        }
        set_result(context, score_name, (*made)->score(arguments, {}));
        sqlite3_set_auxdata(context, 0, made->release(), destroy<Scorer>);
    });
}

// The calls of tenrex_fts in one full-text query. They differ in their arguments.
using FtsCalls = std::vector<std::unique_ptr<Scorer>>;

// tenrex_fts(table, text, name, value, ...): FTS5 takes the table away.
void score_row(const Fts5ExtensionApi *api, Fts5Context *fts, sqlite3_context *context, int count,
               sqlite3_value **values) noexcept {
    guarded(context, fts_name, [&] {
        const std::span<sqlite3_value *const> arguments(values, static_cast<std::size_t>(count));
        auto *calls = static_cast<FtsCalls *>(api->xGetAuxdata(fts, 0));
        if (calls == nullptr) {
            auto made = std::make_unique<FtsCalls>();
            calls = made.get();
            if (api->xSetAuxdata(fts, made.release(), destroy<FtsCalls>) != SQLITE_OK) {
                throw std::bad_alloc();
            }
        }
        for (const std::unique_ptr<Scorer> &call : *calls) {
            if (call->fits(arguments)) {
                set_result(context, fts_name, call->score(arguments, {api, fts}));
                return;
            }
        }
        auto &cache = *static_cast<ProgramCache *>(api->xUserData(fts));
        auto made = Scorer::make(cache, arguments, true);
        if (!made) {
            set_error(context, fts_name, made.error().message());
            return;
        }
        set_result(context, fts_name, (*made)->score(arguments, {api, fts}));
        constexpr std::size_t most_calls = 16;  // an expression may also be another in each row
        if (calls->size() >= most_calls) {
            calls->clear();
        }
        calls->push_back(*std::move(made));
    });
}

// Null if this SQLite has no FTS5.
fts5_api *find_fts5(sqlite3 *database) {
    fts5_api *api = nullptr;
    sqlite3_stmt *statement = nullptr;
    if (sqlite3_prepare_v2(database, "SELECT fts5(?1)", -1, &statement, nullptr) == SQLITE_OK) {
        sqlite3_bind_pointer(statement, 1, static_cast<void *>(&api), "fts5_api_ptr", nullptr);
        sqlite3_step(statement);
    }
    sqlite3_finalize(statement);
    return api;
}

void tell_version(sqlite3_context *context, int, sqlite3_value **) {
    const std::string_view text = version();
    sqlite3_result_text(context, text.data(), static_cast<int>(text.size()), SQLITE_STATIC);
}

int register_functions(sqlite3 *database) {
    // Not "deterministic" in the sense of SQLite: another processor may give other last bits, so scores must not be
    // kept in an index.
    constexpr int flags = SQLITE_UTF8 | SQLITE_INNOCUOUS;
    const int status = sqlite3_create_function_v2(database, score_name, -1, flags, new ProgramCache(), score, nullptr,
                                                  nullptr, destroy<ProgramCache>);
    if (const int told = sqlite3_create_function_v2(database, "tenrex_version", 0, flags, nullptr, tell_version,
                                                    nullptr, nullptr, nullptr);
        told != SQLITE_OK) {
        return told;
    }
    fts5_api *fts5 = status == SQLITE_OK ? find_fts5(database) : nullptr;
    if (fts5 == nullptr) {
        return status;
    }
    auto cache = std::make_unique<ProgramCache>();
    const int fts_status = fts5->xCreateFunction(fts5, fts_name, cache.get(), score_row, destroy<ProgramCache>);
    if (fts_status == SQLITE_OK) {
        static_cast<void>(cache.release());
    }
    return fts_status;
}

}  // namespace

}  // namespace tenrex::sqlite

// Called by SQLite, which makes the name of that of the file.
extern "C" __attribute__((visibility("default"))) int sqlite3_tenrexsqlite_init(sqlite3 *database, char **,
                                                                                const sqlite3_api_routines *api) {
    SQLITE_EXTENSION_INIT2(api)
    try {
        return tenrex::sqlite::register_functions(database);
    } catch (const std::bad_alloc &) {
        return SQLITE_NOMEM;
    }
}
