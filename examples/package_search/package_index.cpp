#include "examples/package_search/package_index.h"

#include <tenrex/rank_profile.h>

namespace tenrex::packages {

namespace {

constexpr char tables[] =
    "CREATE VIRTUAL TABLE packages USING fts5(name, description, tokenize = 'porter unicode61');"
    "CREATE TABLE attributes(package INTEGER PRIMARY KEY, section TEXT, size REAL, dependencies REAL, dependents "
    "REAL);";

Status write_rows(Database &database, const std::vector<Package> &packages) {
    auto texts = database.prepare("INSERT INTO packages(rowid, name, description) VALUES(?1, ?2, ?3)");
    if (!texts) {
        return texts.error();
    }
    auto attributes = database.prepare("INSERT INTO attributes VALUES(?1, ?2, ?3, ?4, ?5)");
    if (!attributes) {
        return attributes.error();
    }
    sqlite3_int64 number = 0;
    for (const Package &package : packages) {
        ++number;
        texts->bind(1, number);
        texts->bind(2, package.name);
        texts->bind(3, package.description);
        attributes->bind(1, number);
        attributes->bind(2, package.section);
        attributes->bind(3, package.size);
        attributes->bind(4, static_cast<double>(package.dependencies.size()));
        attributes->bind(5, static_cast<double>(package.dependents));
        for (Statement *statement : {&*texts, &*attributes}) {
            if (Status status = statement->run(); !status) {
                return status;
            }
        }
    }
    return {};
}

}  // namespace

const std::vector<std::string> &PackageIndex::fields() {
    static const std::vector<std::string> names{"name", "description"};
    return names;
}

bool PackageIndex::exists(Database &database) {
    return database.prepare("SELECT 1 FROM packages, attributes").has_value();
}

Status PackageIndex::write(Database &database, const std::vector<Package> &packages) {
    // In one transaction: the file has all packages or none.
    if (Status status = database.execute("BEGIN IMMEDIATE"); !status) {
        return status;
    }
    Status status = database.execute(tables);
    if (status) {
        status = write_rows(database, packages);
    }
    if (status) {
        status = database.execute("COMMIT");
    }
    if (!status) {
        static_cast<void>(database.execute("ROLLBACK"));
    }
    return status;
}

Result<PackageIndex> PackageIndex::load(Database &database) {
    auto rows = database.prepare("SELECT section, size, dependencies, dependents FROM attributes ORDER BY package");
    if (!rows) {
        return rows.error();
    }
    PackageIndex index;
    std::vector<double> &section = index.attributes_["section"], &size = index.attributes_["size"],
                        &dependencies = index.attributes_["dependencies"],
                        &dependents = index.attributes_["dependents"];
    for (;;) {
        const auto row = rows->step();
        if (!row) {
            return row.error();
        }
        if (!*row) {
            return index;
        }
        ++index.packages_;
        section.push_back(string_number(rows->text(0)));
        size.push_back(rows->number(1));
        dependencies.push_back(rows->number(2));
        dependents.push_back(rows->number(3));
    }
}

const std::vector<double> *PackageIndex::attribute(const std::string &name) const {
    const auto found = attributes_.find(name);
    return found == attributes_.end() ? nullptr : &found->second;
}

}  // namespace tenrex::packages
