// The profile that a command works with: read from a file, compiled with what the command line declares.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <tenrex/rank_profile.h>
#include <tenrex/result.h>

#include "tools/command.h"

namespace tenrex::tool {

// What `rank` and `check` ask for on the command line.
struct ProfileArguments {
    std::string name;                     // of the profile; empty: the only one, or "default"
    std::vector<std::string> attributes;  // NAME[:TYPE]
    std::vector<std::string> features;    // NAME[:TYPE]
    std::vector<std::string> nearest;     // [LABEL:]ATTRIBUTE=QUERY
    std::vector<std::string> texts;       // fields that are indexed: their features are computed
    std::vector<ProfileInput> queries;    // types that the application package gives to inputs
    bool unused_functions = false;        // mistakes in functions that nothing uses are errors
    bool function_plans = false;          // for measuring them
};

void add_profile_options(ArgumentParser &parser, ProfileArguments &arguments);

// An attribute as a schema would declare it: NAME, or NAME:TYPE with a type such as double, string, array<string>,
// weightedset<string> or tensor<float>(x[3]).
Result<Attribute> parse_attribute(const std::string &argument);

// Reads and parses a file of profiles; "-" is standard input. Prints what is wrong with it, and then gives the exit
// status; prints warnings. Types of inputs that stand beside the file, and fields that the schema indexes, go into the
// arguments.
std::optional<int> read_profiles(const std::string &path, ProfileArguments &arguments, std::optional<ProfileSet> &set);
// The profile that is asked for. Error: there is none of that name, or several without one called "default".
Result<std::string> chosen_profile(const ProfileSet &set, const std::string &name);
// Reads a file of profiles and compiles the one that is asked for. Prints what is wrong, and then gives the exit
// status; prints warnings.
std::optional<int> load_profile(const std::string &path, ProfileArguments &arguments,
                                std::optional<RankProfile> &profile);
// Compiles a profile of the set. Error: everything that is wrong with the profile or with the arguments.
Result<RankProfile> compile_chosen(const ProfileSet &set, const std::string &name, const ProfileArguments &arguments);
// The features of an engine that a profile uses and that the arguments do not declare, as arguments to copy:
// "--feature 'bm25(title)' --feature 'bm25(body)'"; empty if there are none.
std::string needed_features(const ProfileSet &set, const std::string &name, const ProfileArguments &arguments);

}  // namespace tenrex::tool
