# What `cmake --install` lays down: headers, floors as static libraries, the CMake package, enablectl.
include(CMakePackageConfigHelpers)

get_property(floors GLOBAL PROPERTY ENABLEMENT_FLOORS)
install(TARGETS enablement ${floors} EXPORT enablement-targets)
install(EXPORT enablement-targets
  NAMESPACE enablement:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/enablement)

configure_package_config_file(
  ${CMAKE_CURRENT_LIST_DIR}/enablement-config.cmake.in
  ${PROJECT_BINARY_DIR}/enablement-config.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/enablement)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/enablement-config-version.cmake
  COMPATIBILITY SameMajorVersion)
install(FILES
  ${PROJECT_BINARY_DIR}/enablement-config.cmake
  ${PROJECT_BINARY_DIR}/enablement-config-version.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/enablement)
if(ENABLEMENT_TOOL)
  install(TARGETS enablectl)
endif()
