# The boot sector of scripts/emulate-x86, on a floppy disk. The emulator has loaded the kernel already; what is left is to
# enter it in 32-bit mode, as Documentation/arch/x86/boot.rst of Linux asks: flat segments 0x10 and 0x18, no interrupts,
# and esi pointing to the boot parameters.
    .code16
    .equ origin, 0x7c00
start:
    cli
    xor %ax, %ax
    mov %ax, %ds
    in $0x92, %al  # the address line A20
    or $2, %al
    out %al, $0x92
    lgdt origin + descriptors_pointer
    mov %cr0, %eax
    or $1, %al
    mov %eax, %cr0
    ljmpl $0x10, $origin + protected_mode

    .code32
protected_mode:
    mov $0x18, %eax
    mov %eax, %ds
    mov %eax, %es
    mov %eax, %ss
    mov $PARAMETERS, %esi
    xor %ebx, %ebx
    xor %ebp, %ebp
    xor %edi, %edi
    mov $KERNEL, %eax
    jmp *%eax

descriptors:
    .quad 0, 0, 0x00cf9a000000ffff, 0x00cf92000000ffff
descriptors_pointer:
    .word . - descriptors - 1
    .long origin + descriptors

    .org 510
    .word 0xaa55
    .org 1440 * 1024
