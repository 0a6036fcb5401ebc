// Remainders have the bits of fmod, whatever the sizes of the dividend and the divisor.
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "lib/kernels/elementwise/elementwise_kernels.h"

namespace tenrex::kernels {
namespace {

template <class T>
class Pairs {
public:
    void next(T &a, T &b) {
        switch (random_() % 6) {
            case 0:  // any bits at all
                a = bits();
                b = bits();
                break;
            case 1:  // beside a multiple
                b = static_cast<T>(std::ldexp(whole(), static_cast<int>(random_() % 80) - 60));
                a = static_cast<T>(static_cast<double>(b) * factor());
                a = std::nextafter(a, random_() % 2 == 0 ? largest : -largest);
                break;
            case 2:  // as users have them
                b = static_cast<T>(static_cast<double>(random_() % 5000) / static_cast<double>(1 + random_() % 64));
                a = static_cast<T>(static_cast<double>(random_() % 100000000) /
                                   static_cast<double>(1 + random_() % 1000));
                break;
            case 3:  // so small that digits are missing
                b = static_cast<T>(std::ldexp(whole(), -1044 - static_cast<int>(random_() % 20)));
                a = static_cast<T>(static_cast<double>(b) * factor() / 7);
                break;
            case 4:
                b = bits();
                a = b * static_cast<T>(fraction() * static_cast<double>(random_() % 40));
                break;
            default:
                b = static_cast<T>(fraction());
                a = static_cast<T>(fraction() * factor());
        }
        a = random_() % 2 == 0 ? a : -a;
        b = random_() % 2 == 0 ? b : -b;
    }

private:
    static constexpr T largest = std::numeric_limits<T>::max();

    double whole() { return static_cast<double>(random_() >> 11); }
    double fraction() { return std::ldexp(whole(), -53); }
    double factor() { return static_cast<double>(random_() % (std::uint64_t{1} << (random_() % 27))); }
    T bits() {
        T value{};
        const std::uint64_t word = random_();
        std::memcpy(&value, &word, sizeof(value));
        return value;
    }

    std::mt19937_64 random_{7};
};

template <class T>
void check(const ElementwiseKernel &kernel) {
    constexpr std::size_t cells = 1021, rounds = 300;
    Pairs<T> pairs;
    std::vector<T> a(cells), b(cells), out(cells);
    for (std::size_t round = 0; round < rounds; ++round) {
        for (std::size_t i = 0; i < cells; ++i) {
            pairs.next(a[i], b[i]);
        }
        kernel.function({a.data(), b.data(), nullptr, out.data(), cells, 0});
        for (std::size_t i = 0; i < cells; ++i) {
            const T expected = static_cast<T>(std::fmod(static_cast<double>(a[i]), static_cast<double>(b[i])));
            const bool is_same = std::memcmp(&expected, &out[i], sizeof(T)) == 0;
            ASSERT_TRUE(is_same || (std::isnan(expected) && std::isnan(out[i])))
                << a[i] << " % " << b[i] << " is " << expected << ", not " << out[i];
        }
    }
}

TEST(Remainders, HaveTheBitsOfFmod) {
    std::size_t kernels = 0;
    for (const ElementwiseKernel &kernel : elementwise_kernels()) {
        if (kernel.operation != ElementwiseOperation::modulo || !(target_isa(kernel.target) - detected_isa()).empty()) {
            continue;
        }
        SCOPED_TRACE(std::string(name(kernel.target)));
        ++kernels;
        kernel.type == CellType::f64 ? check<double>(kernel) : check<float>(kernel);
    }
    EXPECT_GE(kernels, 2U);
}

}  // namespace
}  // namespace tenrex::kernels
