#include "lib/kernels/registry.h"

#include "lib/support/format.h"

namespace tenrex::kernels {

std::string explain(Verdict verdict, double cost, Isa missing) {
    switch (verdict) {
        case Verdict::chosen:
        case Verdict::dearer:
            return fmt::format("estimated {:.1f} ns per row", cost);
        case Verdict::not_allowed:
            return fmt::format("needs {}, which the cap excludes", to_string(missing));
        case Verdict::not_present:
            return fmt::format("needs {}, which this CPU lacks", to_string(missing));
    }
    return {};
}

}  // namespace tenrex::kernels
