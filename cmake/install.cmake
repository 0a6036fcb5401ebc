# Installed: headers, the library, the program with its manual page and completion, the SQLite extension, the pages of
# docs, the CMake package and the pkg-config file. No file knows the prefix.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/tenrex)
install(TARGETS tenrex EXPORT tenrexTargets FILE_SET HEADERS)
install(TARGETS tenrex_onnx tenrex_retrieval EXPORT tenrexTargets)
if(TENREX_TEXT)
  # An export of its own: who does not ask for the component needs no ICU.
  install(TARGETS tenrex_text EXPORT tenrexTextTargets)
  install(EXPORT tenrexTextTargets NAMESPACE tenrex:: DESTINATION ${package_dir})
endif()
install(EXPORT tenrexTargets NAMESPACE tenrex:: DESTINATION ${package_dir})
configure_package_config_file(cmake/tenrexConfig.cmake.in tenrexConfig.cmake INSTALL_DESTINATION ${package_dir})
# Before 1.0 a minor version may change the interface.
write_basic_package_version_file(tenrexConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/tenrexConfig.cmake ${PROJECT_BINARY_DIR}/tenrexConfigVersion.cmake
        DESTINATION ${package_dir})

if(BUILD_SHARED_LIBS)
  set(pkgconfig_cflags " -DTENREX_SHARED")
else()
  # What a compiler of C++ adds by itself, and one of C does not.
  set(pkgconfig_libraries ${CMAKE_CXX_IMPLICIT_LINK_LIBRARIES})
  list(REMOVE_DUPLICATES pkgconfig_libraries)
  list(FILTER pkgconfig_libraries EXCLUDE REGEX "^(c|gcc|gcc_s)$")
  list(TRANSFORM pkgconfig_libraries PREPEND " -l")
  string(REPLACE ";" "" pkgconfig_libraries "${pkgconfig_libraries}")
endif()
# The prefix is that of the file itself, so an installed tree may be moved.
file(RELATIVE_PATH pkgconfig_prefix /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
string(REGEX REPLACE "/$" "" pkgconfig_prefix ${pkgconfig_prefix})
configure_file(cmake/tenrex.pc.in tenrex.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/tenrex.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

install(FILES LICENSE README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR} FILES_MATCHING PATTERN "*.md")
