// The packages that there are, as the package manager of the machine knows them.
#pragma once

#include <cstddef>
#include <cstdio>
#include <string>
#include <vector>

namespace tenrex::packages {

struct Package {
    std::string name;
    std::string description;  // one line
    std::string section;
    double size = 0;  // installed, in KiB
    std::vector<std::string> dependencies;
    std::size_t dependents = 0;  // packages that depend on it
};

// Reads paragraphs as dpkg and apt print them ("Package: ...", "Section: ..."). Of several with one name the first
// counts.
std::vector<Package> read_packages(std::FILE *file);
// What apt knows; nothing if there is no apt or it knows no package.
std::vector<Package> installable_packages();
// A small collection for machines without packages.
std::vector<Package> generated_packages();

}  // namespace tenrex::packages
