"""Which headers of the standard library declare which names, for the rule that each header includes what it uses.

Header tests compile with a precompiled standard library, which would hide that a header is missing.
"""

import os
import re

DECLARED = {
    "algorithm": "all_of any_of clamp copy copy_n equal fill find find_if lower_bound max min minmax sort stable_sort transform",
    "array": "array",
    "atomic": "atomic memory_order_acq_rel memory_order_acquire memory_order_relaxed memory_order_release",
    "bit": "bit_cast bit_ceil bit_width countl_zero countr_zero endian popcount rotl",
    "chrono": "chrono",
    "cmath": "acos asin atan atan2 ceil copysign cos cosh erf exp fabs floor fmod isfinite isinf isnan ldexp log log10 nextafter pow "
             "signbit sin sinh sqrt tan tanh",
    "concepts": "convertible_to floating_point integral invocable same_as",
    "cstddef": "byte nullptr_t ptrdiff_t size_t",
    "cstdint": "int16_t int32_t int64_t int8_t uint16_t uint32_t uint64_t uint8_t uintptr_t",
    "cstdlib": "free getenv malloc",
    "cstring": "memcmp memcpy memset strlen",
    "deque": "deque",
    "exception": "exception exception_ptr",
    "filesystem": "filesystem",
    "functional": "equal_to function greater hash less",
    "initializer_list": "initializer_list",
    "iterator": "back_inserter next prev",
    "limits": "numeric_limits",
    "map": "map multimap",
    "memory": "enable_shared_from_this make_shared make_unique shared_ptr unique_ptr weak_ptr",
    "memory_resource": "pmr",
    "mutex": "lock_guard mutex scoped_lock unique_lock",
    "new": "align_val_t bad_alloc nothrow",
    "numeric": "accumulate iota",
    "optional": "make_optional nullopt nullopt_t optional",
    "ostream": "ostream",
    "set": "multiset set",
    "shared_mutex": "shared_lock shared_mutex",
    "span": "dynamic_extent span",
    "stdexcept": "length_error runtime_error",
    "string": "getline string to_string u32string",
    "string_view": "string_view",
    "thread": "jthread thread",
    "tuple": "apply make_tuple tie tuple",
    "type_traits": "conditional_t decay_t integral_constant invoke_result_t is_floating_point_v is_integral_v is_same_v "
                   "is_trivially_copyable_v is_trivially_destructible_v remove_all_extents_t remove_cvref_t underlying_type_t",
    "unordered_map": "unordered_map unordered_multimap",
    "unordered_set": "unordered_set",
    "utility": "as_const exchange forward in_place_index index_sequence make_index_sequence move pair swap",
    "variant": "get_if holds_alternative monostate variant visit",
    "vector": "vector",
}
HEADERS = {name: header for header, names in DECLARED.items() for name in names.split()}
EVERYWHERE = {"begin", "data", "end", "size"}  # any container's header declares them


def included(tree, path, known):
    """The headers of the standard library that come with a file."""
    if path not in known:
        known[path] = set()
        for name in re.findall(r'^\s*#\s*include\s*["<]([^">]+)[">]', tree.read(path), re.MULTILINE):
            below = next((place for place in (name, "include/" + name) if place in tree.files), None)
            known[path] |= {name} if below is None else included(tree, below, known)
    return known[path]


def check_standard_headers(tree):
    """A header includes, maybe by headers of the project, the standard headers of the names that it uses."""
    findings = []
    known = {}
    for path in tree.select(("include/", "lib/", "optimizer/"), ".h"):
        if path.endswith("-inl.h"):
            continue  # the source that includes it sees to that
        reported = set()
        for number, line in enumerate(tree.read(path).split("\n"), 1):
            for name in re.findall(r"\bstd::(\w+)", re.sub(r'//.*|"[^"]*"', "", line)):
                if name in EVERYWHERE | reported:
                    continue
                reported.add(name)
                if name not in HEADERS:
                    findings.append(f"{path}:{number}: std::{name} is not listed in {os.path.basename(__file__)}")
                elif HEADERS[name] not in included(tree, path, known):
                    findings.append(f"{path}:{number}: std::{name} without <{HEADERS[name]}>")
    return findings
