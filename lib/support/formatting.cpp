// The part of fmt that is no template, compiled here once: in every source that includes fmt it would be most of the
// work of the compiler. lib/CMakeLists.txt gives it a namespace of its own, so a program may use any fmt beside it.
#include <fmt/format-inl.h>

#include <locale>

FMT_BEGIN_NAMESPACE
namespace detail {

template auto dragonbox::to_decimal(float x) noexcept -> dragonbox::decimal_fp<float>;
template auto dragonbox::to_decimal(double x) noexcept -> dragonbox::decimal_fp<double>;
template locale_ref::locale_ref(const std::locale &locale);
template auto locale_ref::get<std::locale>() const -> std::locale;
template auto thousands_sep_impl(locale_ref locale) -> thousands_sep_result<char>;
template auto decimal_point_impl(locale_ref locale) -> char;
template void buffer<char>::append(const char *begin, const char *end);
template void vformat_to(buffer<char> &out, string_view format, basic_format_args<buffer_context<char>> arguments,
                         locale_ref locale);

}  // namespace detail
FMT_END_NAMESPACE
