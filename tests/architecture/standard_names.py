"""Which headers of the standard library declare which names, for the rule that each file includes what it uses.

The builds that tests are made of compile the standard library once, and many sources as one unit: they would hide that an #include is
missing.
"""

import os
import re

DECLARED = {
    "algorithm": "adjacent_find all_of any_of binary_search clamp copy copy_backward copy_if copy_n count count_if "
                 "equal equal_range fill fill_n find find_if find_if_not for_each inplace_merge is_sorted "
                 "lexicographical_compare lexicographical_compare_three_way lower_bound make_heap max max_element min "
                 "min_element minmax mismatch next_permutation none_of nth_element pop_heap push_heap ranges remove replace "
                 "replace_if reverse rotate search set_union sort sort_heap stable_partition stable_sort transform "
                 "unique upper_bound",
    "array": "array",
    "atomic": "atomic atomic_flag memory_order_acq_rel memory_order_acquire memory_order_relaxed "
              "memory_order_release",
    "bit": "bit_cast bit_ceil bit_width countl_zero countr_zero endian has_single_bit popcount rotl",
    "bitset": "bitset",
    "cctype": "isalnum isalpha",
    "charconv": "chars_format errc from_chars to_chars",
    "chrono": "chrono micro",
    "clocale": "setlocale",
    "cmath": "abs acos asin atan atan2 ceil copysign cos cosh erf exp fabs floor fma fmod frexp isfinite isinf "
             "isnan isnormal ldexp llround log log10 log2 nan nearbyint nextafter pow rint signbit sin sinh sqrt tan tanh "
             "trunc",
    "concepts": "convertible_to floating_point integral invocable same_as",
    "condition_variable": "condition_variable",
    "csignal": "sig_atomic_t signal",
    "cstddef": "byte nullptr_t ptrdiff_t size_t",
    "cstdint": "int16_t int32_t int64_t int8_t uint16_t uint32_t uint64_t uint8_t uintmax_t uintptr_t",
    "cstdio": "fflush fputs remove rename",
    "cstdlib": "abort abs aligned_alloc calloc free getenv malloc strtod",
    "cstring": "memchr memcmp memcpy memset strchr strcmp strerror strlen",
    "cwchar": "mbrtowc mbstate_t",
    "deque": "deque",
    "exception": "current_exception exception exception_ptr rethrow_exception",
    "filesystem": "filesystem",
    "fstream": "ifstream ios ofstream streamsize",
    "functional": "equal_to function greater hash less less_equal not_fn plus",
    "initializer_list": "initializer_list",
    "ios": "ios streamsize",
    "iostream": "ios streamsize",
    "istream": "ios streamsize",
    "iterator": "back_insert_iterator back_inserter istreambuf_iterator make_move_iterator next prev",
    "limits": "numeric_limits",
    "list": "list",
    "locale": "locale",
    "map": "initializer_list map multimap",
    "memory": "construct_at enable_shared_from_this make_shared make_unique make_unique_for_overwrite shared_ptr "
              "uninitialized_fill_n unique_ptr weak_ptr",
    "memory_resource": "pmr",
    "mutex": "lock_guard mutex scoped_lock try_to_lock unique_lock",
    "new": "align_val_t bad_alloc launder nothrow",
    "numbers": "numbers",
    "numeric": "accumulate exclusive_scan inclusive_scan inner_product iota",
    "optional": "make_optional nullopt nullopt_t optional",
    "ostream": "ios ostream streamsize",
    "random": "random_device",
    "ranges": "ranges",
    "set": "initializer_list multiset set",
    "shared_mutex": "shared_lock shared_mutex",
    "span": "as_bytes dynamic_extent span",
    "sstream": "ios streamsize",
    "stdexcept": "length_error logic_error runtime_error",
    "string": "getline initializer_list stoi stoull string to_string u32string",
    "string_view": "string_view",
    "system_error": "errc error_code generic_category system_error",
    "thread": "jthread this_thread thread",
    "tuple": "apply make_tuple tie tuple",
    "type_traits": "conditional_t decay_t integral_constant invoke_result_t is_arithmetic_v is_enum_v "
                   "is_floating_point_v is_integral_v is_same_v is_trivially_copyable_v is_trivially_destructible_v "
                   "remove_all_extents_t remove_cvref_t underlying_type_t",
    "unordered_map": "initializer_list unordered_map unordered_multimap",
    "unordered_set": "unordered_set",
    "utility": "as_const exchange forward in_place in_place_index index_sequence make_index_sequence move pair swap",
    "variant": "get_if holds_alternative monostate variant variant_alternative_t visit",
    "vector": "initializer_list vector",
}
HEADERS = {}
for header, names in DECLARED.items():
    for each in names.split():
        HEADERS.setdefault(each, set()).add(header)
# What every container's header declares, or several that go together.
EVERYWHERE = {"begin", "data", "end", "erase", "erase_if", "get", "size"}


def included(tree, path, known):
    """The headers of the standard library that come with a file."""
    if path not in known:
        known[path] = set()
        for name in re.findall(r'^\s*#\s*include\s*["<]([^">]+)[">]', tree.read(path), re.MULTILINE):
            below = next((place for place in (name, "include/" + name) if place in tree.files), None)
            known[path] |= {name} if below is None else included(tree, below, known)
    return known[path]


def check_standard_headers(tree):
    """A file includes, maybe by headers of the project, the standard headers of the names that it uses."""
    findings = []
    known = {}
    for path in tree.select(("include/", "lib/", "optimizer/", "tools/", "python/"), (".h", ".cpp")):
        if path.endswith("-inl.h"):
            continue  # the source that includes it sees to that
        reported = set()
        for number, line in enumerate(tree.read(path).split("\n"), 1):
            for name in re.findall(r"\bstd::(\w+)", re.sub(r'//.*|"[^"]*"', "", line)):
                if name in EVERYWHERE | reported:
                    continue
                reported.add(name)
                if name not in HEADERS:
                    findings.append(f"{path}:{number}: std::{name} is in no row of {os.path.basename(__file__)}: add it to that of its header")
                elif not HEADERS[name] & included(tree, path, known):
                    findings.append(f"{path}:{number}: std::{name} without <{'> or <'.join(sorted(HEADERS[name]))}>")
    return findings
