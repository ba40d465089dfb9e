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
  # Manual pages and completions come from the program itself, so that they say what it does.
  set(generated ${PROJECT_BINARY_DIR}/tool/installed)
  file(MAKE_DIRECTORY ${generated}/man ${generated}/completions)
  install(CODE "
    function(from_enablectl)
      execute_process(COMMAND \"$<TARGET_FILE:enablectl>\" \${ARGN} COMMAND_ERROR_IS_FATAL ANY)
    endfunction()
    from_enablectl(manual --into \"${generated}/man\")
    from_enablectl(completion bash OUTPUT_FILE \"${generated}/completions/enablectl\")
    from_enablectl(completion zsh OUTPUT_FILE \"${generated}/completions/_enablectl\")
    from_enablectl(completion fish OUTPUT_FILE \"${generated}/completions/enablectl.fish\")")
  install(DIRECTORY ${generated}/man/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  install(FILES ${generated}/completions/enablectl
    DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
  install(FILES ${generated}/completions/_enablectl
    DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
  install(FILES ${generated}/completions/enablectl.fish
    DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
endif()
