// The module tenrex._core: what the package `tenrex` is made of. Programs use the package.
#include <tenrex/version.h>

#include "python/core/array_view.h"
#include "python/core/network.h"
#include "python/core/python.h"

PYBIND11_MODULE(_core, module) {
    using namespace tenrex::python;
    py::options options;
    options.disable_function_signatures();
    module.attr("version") = std::string(tenrex::version());
    find_arrays();
    bind_types(module);
    bind_labels(module);
    bind_arrow(module);
    bind_forests(module);
    bind_networks(module);
    bind_plans(module);
    bind_profiles(module);
    bind_indexes(module);
}
