#include "tools/model/changed_values.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

namespace tenrex::tool {

namespace {

double cosine(const Tensor &a, const Tensor &b) {
    double product = 0;
    double of_a = 0;
    double of_b = 0;
    for (std::size_t i = 0; i < a.cell_count(); ++i) {
        product += a.cell(i) * b.cell(i);
        of_a += a.cell(i) * a.cell(i);
        of_b += b.cell(i) * b.cell(i);
    }
    return of_a == of_b && product == of_a ? 1 : product / std::sqrt(of_a * of_b);
}

// One vector for each value, of length 1: the mean of its rows, if it has one for each token. Empty: they are of other
// sizes.
std::vector<std::vector<double>> directions(const std::vector<Tensor> &values) {
    const auto &dimensions = values.front().type().dimensions();
    const std::size_t width = dimensions.empty() ? 1 : dimensions.back().size;
    std::vector<std::vector<double>> result;
    for (const Tensor &value : values) {
        std::vector<double> &mean = result.emplace_back(width);
        if (value.cell_count() % width != 0) {
            return {};
        }
        for (std::size_t i = 0; i < value.cell_count(); ++i) {
            mean[i % width] += value.cell(i);
        }
        const double length = std::sqrt(std::inner_product(mean.begin(), mean.end(), mean.begin(), 0.0));
        std::transform(mean.begin(), mean.end(), mean.begin(), [&](double cell) { return cell / length; });
    }
    return result;
}

// For each vector the place of the one that is nearest by the angle.
std::vector<std::size_t> nearest_places(const std::vector<std::vector<double>> &vectors) {
    std::vector<std::size_t> places(vectors.size());
    for (std::size_t i = 0; i < vectors.size(); ++i) {
        double best = -2;
        for (std::size_t k = 0; k < vectors.size(); ++k) {
            const double one =
                k == i ? -2 : std::inner_product(vectors[i].begin(), vectors[i].end(), vectors[k].begin(), 0.0);
            if (one > best) {
                best = one;
                places[i] = k;
            }
        }
    }
    return places;
}

}  // namespace

Cosines cosines_of(const std::vector<Tensor> &values, const std::vector<Tensor> &others) {
    Cosines cosines;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double one = cosine(values[i], others[i]);
        cosines.mean += one / static_cast<double>(values.size());
        if (!(one >= cosines.worst)) {
            cosines.worst = one;
            cosines.worst_place = i;
        }
    }
    return cosines;
}

std::string ranks_text(const std::vector<Tensor> &all_values, const std::vector<Tensor> &all_others,
                       std::string_view unit) {
    constexpr std::size_t most = 1000;
    const std::size_t count = std::min(most, all_values.size());
    if (count < 3) {
        return {};
    }
    const auto first_of = [&](const std::vector<Tensor> &all) {
        return std::vector<Tensor>(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(count));
    };
    const std::vector<Tensor> values = first_of(all_values);
    const std::vector<Tensor> others = first_of(all_others);
    const bool are_scores =
        std::all_of(values.begin(), values.end(), [](const Tensor &one) { return one.cell_count() == 1; });
    if (!are_scores) {
        const auto vectors = directions(values);
        const auto other_vectors = directions(others);
        if (vectors.empty() || other_vectors.empty()) {
            return {};
        }
        const auto nearest = nearest_places(vectors);
        const auto other_nearest = nearest_places(other_vectors);
        std::size_t changed = 0;
        for (std::size_t i = 0; i < count; ++i) {
            changed += nearest[i] == other_nearest[i] ? 0 : 1;
        }
        return fmt::format("ranks      {} of {} {} have another nearest one\n", changed, count, unit);
    }
    std::size_t changed = 0;
    for (std::size_t i = 0; i < count; ++i) {
        for (std::size_t k = 0; k < i; ++k) {
            changed += (values[i].cell(0) > values[k].cell(0)) == (others[i].cell(0) > others[k].cell(0)) ? 0 : 1;
        }
    }
    return fmt::format("ranks      {} of {} pairs of {} change their order\n", changed, count * (count - 1) / 2, unit);
}

std::string megabytes(std::uint64_t bytes) {
    constexpr double million = 1e6;
    return fmt::format("{:.1f} MB", static_cast<double>(bytes) / million);
}

}  // namespace tenrex::tool
