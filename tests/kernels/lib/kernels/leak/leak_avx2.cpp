// A kernel source as it must not be: it leaves a copy of a template behind that others may use.
template <class T>
[[gnu::noinline]] T twice(T value) {
    return value + value;
}

namespace tenrex::kernels::avx2 {

double leak(double value);
double leak(double value) {
    return twice(value);
}

}  // namespace tenrex::kernels::avx2
