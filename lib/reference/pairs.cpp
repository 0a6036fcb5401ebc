#include "lib/reference/pairs.h"

#include <algorithm>

namespace tenrex::reference {

namespace {

std::vector<std::string_view> mapped_names(const TensorType &type) {
    std::vector<std::string_view> names;
    for (const Dimension &dimension : type.dimensions()) {
        if (dimension.is_mapped()) {
            names.push_back(dimension.name);
        }
    }
    return names;
}

}  // namespace

Matcher::Matcher(const TensorType &result, const Blocks &a, const Blocks &b) : a_(a), b_(b) {
    const std::vector<std::string_view> names_a = mapped_names(a.type());
    const std::vector<std::string_view> names_b = mapped_names(b.type());
    const auto find = [](const std::vector<std::string_view> &names, std::string_view name) {
        const auto found = std::find(names.begin(), names.end(), name);
        return found == names.end() ? none : static_cast<std::size_t>(found - names.begin());
    };
    for (const std::string_view name : mapped_names(result)) {
        sources_.push_back({find(names_a, name), find(names_b, name)});
    }
    for (std::size_t block = 0; block < b.count(); ++block) {
        const std::size_t group = index_.find_or_add(shared(b.address(block), &Source::b));
        if (group == groups_.size()) {
            groups_.emplace_back();
        }
        groups_[group].push_back(block);
    }
}

std::vector<LabelId> Matcher::shared(std::span<const LabelId> address, std::size_t Source::*side) const {
    std::vector<LabelId> labels;
    for (const Source &source : sources_) {
        if (source.a != none && source.b != none) {
            labels.push_back(address[source.*side]);
        }
    }
    return labels;
}

}  // namespace tenrex::reference
