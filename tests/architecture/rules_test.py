"""The rules themselves: what each must find in a small made-up tree, and what it must let pass."""

import json
import os
import tempfile
import unittest

import rules

HEADER = "// What it is.\n#pragma once\n"


def findings(rule, files, compiled=()):
    """Applies a rule to a tree with these files; the findings without their reasons."""
    with tempfile.TemporaryDirectory() as root:
        for path, content in files.items():
            target = os.path.join(root, path)
            os.makedirs(os.path.dirname(target), exist_ok=True)
            with open(target, "wb") as file:
                file.write(content if isinstance(content, bytes) else content.encode())
        commands = os.path.join(root, "build", "compile_commands.json")
        os.makedirs(os.path.dirname(commands))
        with open(commands, "w", encoding="utf-8") as file:
            json.dump([{"file": os.path.join(root, path)} for path in compiled], file)
        return [":".join(f.split(":")[:2]) for f in rules.CHECKS[rule](rules.Tree(root, commands))]


class LayersTest(unittest.TestCase):
    def test_a_lower_layer_is_fine(self):
        self.assertEqual([], findings("layers", {
            "lib/sema/check.cpp": '#include <tenrex/schema.h>\n#include <vector>\n#include "lib/syntax/ast.h"\n',
            "lib/reference/evaluate.h": '#include "lib/syntax/tensor_function.h"\n',
            "lib/types/json.cpp": "#include <nlohmann/json.hpp>\n",
        }))

    def test_a_higher_layer_is_found(self):
        self.assertEqual(["lib/syntax/a.cpp:2"],
                         findings("layers", {"lib/syntax/a.cpp": '\n#include "lib/sema/check.h"\n'}))
        self.assertEqual(["lib/types/a.cpp:1"], findings("layers", {"lib/types/a.cpp": "#include <tenrex/schema.h>\n"}))
        self.assertEqual(["lib/reference/a.cpp:1"],
                         findings("layers", {"lib/reference/a.cpp": '#include "lib/syntax/ast.h"\n'}))
        self.assertEqual(["include/tenrex/tensor.h:1"],
                         findings("layers", {"include/tenrex/tensor.h": "#include <tenrex/schema.h>\n"}))

    def test_public_headers_stand_alone(self):
        self.assertEqual(["include/tenrex/schema.h:1", "include/tenrex/schema.h:2"],
                         findings("layers", {"include/tenrex/schema.h": '#include "lib/types/x.h"\n#include <fmt/format.h>\n'}))

    def test_programs_use_public_headers(self):
        self.assertEqual(["tools/main.cpp:1"], findings("layers", {"tools/main.cpp": '#include "lib/types/x.h"\n'}))

    def test_everything_has_a_layer(self):
        self.assertEqual(["include/tenrex/new.h:1", "lib/new/a.h:1"],
                         findings("layers", {"include/tenrex/new.h": HEADER, "lib/new/a.h": HEADER}))

    def test_how_to_include(self):
        self.assertEqual(["lib/types/a.cpp:1", "lib/types/a.cpp:2", "lib/types/a.cpp:3", "lib/types/a.cpp:4"],
                         findings("layers", {"lib/types/a.cpp": '#include "tenrex/tensor_type.h"\n#include "a.h"\n'
                                             "#include <lib/types/a.h>\n#include <tenrex/tenrex.h>\n"}))


class StandardHeadersTest(unittest.TestCase):
    def test_headers_of_the_project_bring_theirs(self):
        self.assertEqual([], findings("standard_headers", {
            "lib/types/a.h": HEADER + "#include <vector>\n#include <tenrex/b.h>\nstd::vector<std::string> a; // std::map\n",
            "include/tenrex/b.h": HEADER + '#include <string>\n#include "lib/types/a.h"\n',
            "lib/types/c-inl.h": HEADER + "std::map<int, int> c;\n",
            "tests/types/c.cpp": "std::map<int, int> c;\n",
            "lib/types/d.cpp": '#include "lib/types/a.h"\nstd::string d(std::size(e), \'x\');\n',
        }))

    def test_what_is_missing_is_found_once(self):
        self.assertEqual(["lib/types/a.h:4", "lib/types/a.h:5"], findings("standard_headers", {
            "lib/types/a.h": HEADER + "#include <vector>\nstd::string a, b; std::string c;\nstd::no_such_name d;\nstd::string e;\n"}))


class FilesTest(unittest.TestCase):
    def test_umbrella(self):
        files = {"include/tenrex/tenrex.h": "#include <tenrex/label.h>\n", "include/tenrex/label.h": HEADER}
        self.assertEqual([], findings("umbrella", files))
        files["include/tenrex/other.h"] = HEADER
        self.assertEqual(["include/tenrex/tenrex.h:1"], findings("umbrella", files))

    def test_sizes(self):
        files = {"lib/a.cpp": "\n" * 400, "lib/b.cpp": "\n" * 401, "lib/c.md": "\n" * 1000}
        self.assertEqual(["lib/b.cpp:401"], findings("sizes", files))

    def test_headers(self):
        self.assertEqual([], findings("headers", {"lib/types/a.h": HEADER}))
        self.assertEqual(["lib/types/a.h:1"], findings("headers", {"lib/types/a.h": "#pragma once\n"}))
        self.assertEqual(["lib/types/a.h:1"], findings("headers", {"lib/types/a.h": "// A.\n#include <a>\n#pragma once\n"}))
        self.assertEqual(["lib/types/a.h:3"], findings("headers", {"lib/types/a.h": HEADER + "using namespace std;\n"}))

    def test_lists(self):
        files = {"lib/CMakeLists.txt": "add_subdirectory(types)\n", "lib/types/CMakeLists.txt": "", "lib/types/a.cpp": "",
                 "tests/package/consumer/main.cpp": ""}
        compiled = ["lib/types/a.cpp", "build/generated.cpp"]
        self.assertEqual([], findings("lists", files, compiled))
        self.assertEqual(["lib/types/b.cpp:1"], findings("lists", {**files, "lib/types/b.cpp": ""}, compiled))
        self.assertEqual(["lib/sema/CMakeLists.txt:1"],
                         findings("lists", {**files, "lib/sema/CMakeLists.txt": ""}, compiled))
        kernels = {**files, "lib/CMakeLists.txt": "add_subdirectory(kernels)\nadd_subdirectory(types)\n",
                   "lib/kernels/CMakeLists.txt": "tenrex_add_kernels(dot baseline neon)\n"}
        self.assertEqual([], findings("lists", {**kernels, "lib/kernels/dot/dot_neon.cpp": ""}, compiled))
        for other in ("dot/dot_neondotprod.cpp", "dot/dot.cpp", "reduce/reduce_neon.cpp", "dot/dots_neon.cpp"):
            self.assertEqual([f"lib/kernels/{other}:1"],
                             findings("lists", {**kernels, f"lib/kernels/{other}": ""}, compiled))
        self.assertEqual(["tests/x/a_test.py:1"],
                         findings("lists", {**files, "tests/x/CMakeLists.txt": "", "tests/x/a_test.py": ""}, compiled))

    def test_hygiene(self):
        self.assertEqual([], findings("hygiene", {"lib/a.h": HEADER, "docs/a.md": "\u00fc\n", "tests/corpus/x": b"\xff"}))
        self.assertEqual([], findings("hygiene", {"docs/a.md": "${prefix}/" + "work/x and network/" + "home/x\n"}))
        for text, line in ((b"a\r\n", 1), (b"a\nb", 2), (b"a \n", 1), (b"\ta\n", 1), (b"\xc3\xbc\n", 1), (b"\xff\n", 1),
                           (b"\n// " + b"TO" + b"DO\n", 2), (b"\n\n // see /" + b"home/me/x\n", 3)):
            with self.subTest(text=text):
                self.assertEqual([f"lib/a.h:{line}"], findings("hygiene", {"lib/a.h": text}))


    def test_rules(self):
        files = {"lib/ir/ops.def": "TENREX_OP(top, 1)\nTENREX_OP(top_two, 2)\n",
                 "lib/lower/top.cpp": "Value lower_top(Context &) {}\nValue lower_top_two(Context &) {}\n"}
        self.assertEqual([], findings("rules", files))
        files["lib/lower/top.cpp"] = "Value lower_top(Context &) {}\n"
        files["lib/lower/other.cpp"] = "Value lower_top_two(Context &) {}\n"
        self.assertEqual(["lib/lower/top_two.cpp:1"], findings("rules", files))


class DocumentsTest(unittest.TestCase):
    def test_links(self):
        files = {"README.md": "[a](docs/a.md#x) [b](https://b) `[c](c.md)`\n", "docs/a.md": "[up](../README.md) [dir](../docs)\n"}
        self.assertEqual([], findings("links", files))
        files["docs/b.md"] = "\n[gone](c.md)\n"
        self.assertEqual(["docs/b.md:2"], findings("links", files))

    def test_named_files(self):
        files = {"README.md": "`lib/a.h` `lib/x/*.h` `a.h`\n", "lib/a.h": HEADER}
        self.assertEqual([], findings("named_files", files))
        files["docs/a.md"] = "see `lib/b.cpp`\n"
        self.assertEqual(["docs/a.md:1"], findings("named_files", files))

    def test_limits(self):
        header = "std::uint64_t a = std::uint64_t{3} << 10;\nstd::uint32_t b = 1'000;\n"
        files = {"include/tenrex/limits.h": header, "docs/limits.md": "| `a` | 3,072 | x |\n| `b` | 1000 | x |\n"}
        self.assertEqual([], findings("limits", files))
        self.assertEqual(["docs/limits.md:1"], findings("limits", {**files, "docs/limits.md": "| `a` | 3072 | x |\n"}))
        self.assertEqual(["docs/limits.md:1"] * 2,
                         findings("limits", {**files, "docs/limits.md": "| `a` | 3072 | |\n| `b` | 7 | |\n| `c` | 1 | |\n"}))


if __name__ == "__main__":
    unittest.main()
