# For the preset `aarch64`: Debian's cross compiler, and QEMU for what it builds. The compiler looks into /usr/include last,
# so that header-only libraries are found there, whatever processor they were installed for.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64 -L /usr/aarch64-linux-gnu)

# CMake looks for packages where libraries of this processor would be; that of fmt stands beside those of the host's.
file(GLOB fmt_DIR /usr/lib/*/cmake/fmt)
