// fmt as the library uses it. What formats the arguments of all calls is compiled once, in formatting.cpp: with
// sanitizers it takes a compiler five seconds in every source that formats anything.
#pragma once

#include <fmt/format.h>

#if FMT_VERSION < 100000
FMT_BEGIN_NAMESPACE
namespace detail {

extern template void vformat_to(buffer<char> &out, string_view format,
                                basic_format_args<buffer_context<char>> arguments, locale_ref locale);

}  // namespace detail
FMT_END_NAMESPACE
#endif
