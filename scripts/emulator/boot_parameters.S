# The boot parameters of Linux, "struct boot_params", for scripts/emulate-x86: the header of the kernel's file with what a
# boot loader fills in, the map of the memory, and the command line.
parameters:
    .org 0x1e8
    .byte (memory_map_end - memory_map) / 20
    .org 0x1f1
    .incbin "vmlinuz", 0x1f1, 0x210 - 0x1f1
    .byte 0xff  # a boot loader without a number
    .incbin "vmlinuz", 0x211, 0x218 - 0x211
    .long FILES, FILES_SIZE
    .incbin "vmlinuz", 0x220, 0x228 - 0x220
    .long PARAMETERS + command_line - parameters
    .incbin "vmlinuz", 0x22c, 0x290 - 0x22c

    .macro memory from, to, kind
    .quad \from, \to - \from
    .long \kind
    .endm
    .equ free, 1
    .equ reserved, 2
    .org 0x2d0
memory_map:
    memory 0, 0x9f000, free
    memory 0x9f000, 0x100000, reserved
    memory 0x100000, (MEMORY - 0x10000), free
    memory (MEMORY - 0x10000), MEMORY, reserved
memory_map_end:

    .org 4096
command_line:
    .incbin "command_line"
    .byte 0
