#!/usr/bin/env python3
"""mend.py DIRECTORY: what Bochs 3.0 lacks for Linux, for AMX and for scripts/emulate-x86, mended in its unpacked sources.

Each change names the place by as few words as find it, and fails where they do not, as in other versions of Bochs.
"""

import pathlib
import re
import sys

SOURCES = pathlib.Path(sys.argv[1]) if len(sys.argv) == 2 else sys.exit(__doc__)


def change(path, pattern, replacement, after=""):
    """Replaces the first match behind the first match of `after`."""
    file = SOURCES / path
    text = file.read_text(encoding="latin-1")
    begin = re.search(after, text)
    changed, found = re.subn(pattern, replacement, text[begin.end() :], count=1) if begin else ("", 0)
    if found == 0:
        sys.exit(f"{file}: no {pattern!r} behind {after!r}: is this Bochs 3.0?")
    file.write_text(text[: begin.end()] + changed, encoding="latin-1")


def add(path, behind, lines, after=""):
    """Adds lines behind the first line that ends in `behind`."""
    change(path, rf"({behind}\n)", lambda found: found.group(1) + "".join(f"{line}\n" for line in lines), after)


# Files can be loaded into the guest's memory only if that is one piece.
change("memory/memory_stub.cc", r"\(0\)", "(guest == host)", after=r"num_blocks\];\s+if ")

# The products of signed bytes took them for unsigned ones: of both operands, of the first, of the second.
for function, operands in (("DPBDSS", "xy"), ("DPBDSU", "x"), ("DPBDUS", "y")):
    for operand in operands:
        change("cpu/avx/amx.cc", r".*", lambda line: line.group().replace("Bit8u", "Bit8s"),
               after=rf"(?s)Bit32u {function}\(.*?(?=const \w+ {operand}byte)")
change("cpu/decoder/fetchdecode_opmap_avx.cc", "W1(.*STTILECFG)", r"W0\1", after="VEX_0F3849")

# What a process has in its tiles did not survive a switch to another: whether there is anything was asked the wrong way
# round and from an unset number, rows and columns were mixed up, half of the rows were left out, and states that were
# not asked for took no room.
change("cpu/avx/amx.h", r"(start_row\(0\))", r"\1, tile_use_tracker(0)")
change("cpu/xsave.cc", "== 0", "!= 0", after="tiledata_state_xinuse")
change("cpu/xsave.cc", "rows;", "row_bytes_;", after=r"vmm16u\(8")
change("cpu/xsave.cc", "bytes_per_row;", "rows;", after=r"vmm16u\(8")
change("cpu/xsave.cc", "row_bytes_;", "bytes_per_row;", after=r"vmm16u\(8")
for function in ("xsave_tiledata_state", "xrstor_tiledata_state"):
    change("cpu/xsave.cc", "row < BX_TILE_REGISTERS", "row < BX_TILE_MAX_ROWS", after=rf"::{function}\(")
change("cpu/xsave.cc", r"(\s*if \(format[^;]*;)(\s*\})", r"\2\1", after=r"_init_method\)\(\);\s*\}(?=\s*if \(format)")

# Linux gives tile registers only on a processor with "extended feature disable": the first instruction on tiles of a
# process traps, and Linux makes room to save them.
MSR = "BX_CPU_THIS_PTR msr"
TILES = "BX_XCR0_XTILEDATA_MASK"
add("cpu/cpu.h", "ia32_xss;", ["  Bit64u ia32_xfd = 0, ia32_xfd_err = 0;"])
add("cpu/cpuid.cc", r"\(1<<3\);", ["    if (is_cpu_extension_supported(BX_ISA_AMX))", "      leaf->eax |= 1 << 4;"],
    after="BX_ISA_XSAVES")
add("cpu/cpuid.cc", "!= 0;", ["      if (subfunction == 18)", "        leaf->ecx |= 1 << 2;"], after="XFD support")
for name, member in (("XFD", "xfd"), ("XFD_ERROR", "xfd_err")):
    add("cpu/msr.cc", r"BX_ISA_XSAVES\);",
        [f'  msr_desc[BX_MSR_IA32_{name}] = new MSR_Descriptor("{name}", BX_ISA_AMX);'], after="init_MSRs")
    add("cpu/msr.cc", r"ia32_xss;\n\s*break;",
        [f"    case BX_MSR_IA32_{name}:", f"      val64 = {MSR}.ia32_{member};", "      break;"])
    add("cpu/msr.cc", r"ia32_xss = val_64;\n\s*break;\n\s*\}",
        [f"    case BX_MSR_IA32_{name}:", f"      {MSR}.ia32_{member} = val_64;", "      handleAvxModeChange();", "      break;"])
change("cpu/proc_ctrl.cc", r"(XTILEDATA_MASK\)\) != 0)\)", rf"\1 || ({MSR}.ia32_xfd & {TILES}) != 0)")
add("cpu/proc_ctrl.cc", r"UD_EXCEPTION, 0\);",
    [f"  if ({MSR}.ia32_xfd & {TILES}) {{", f"    {MSR}.ia32_xfd_err |= {TILES};", "    exception(BX_NM_EXCEPTION, 0);", "  }"],
    after=r"if \(~BX_CPU_THIS_PTR xcr0[^\n]*XTILEDATA_MASK\)\)\s*\n(?=\s*exception)")
