// The packages in a database: their texts in an FTS5 table, their other values as columns in memory.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include <tenrex/result.h>

#include "examples/package_search/database.h"
#include "examples/package_search/package_list.h"

namespace tenrex::packages {

class PackageIndex {
public:
    // The columns of the FTS5 table `packages`.
    static const std::vector<std::string> &fields();

    static bool exists(Database &database);
    static Status write(Database &database, const std::vector<Package> &packages);
    static Result<PackageIndex> load(Database &database);

    std::size_t packages() const noexcept { return packages_; }
    // A number for each package, the one with row number 1 first: the attribute of that name. Null: there is none.
    const std::vector<double> *attribute(const std::string &name) const;

private:
    std::size_t packages_ = 0;
    std::map<std::string, std::vector<double>> attributes_;
};

}  // namespace tenrex::packages
