# How every folder of the house is built.

# Sources include our headers as <enablement/FLOOR/FILE.h>, here as in an installed tree.
set(ENABLEMENT_INCLUDE_DIR ${PROJECT_BINARY_DIR}/include)
file(MAKE_DIRECTORY ${ENABLEMENT_INCLUDE_DIR})
file(CREATE_LINK ${PROJECT_SOURCE_DIR} ${ENABLEMENT_INCLUDE_DIR}/enablement SYMBOLIC)

# Flags of our own code alone; they do not reach those who link us.
add_library(enablement_own_flags INTERFACE)
target_compile_options(enablement_own_flags INTERFACE
  -Wall -Wextra -Wconversion -Wshadow -Werror)
if(ENABLEMENT_SANITIZE)
  # What the sanitizers put in makes g++ warn of uninitialised members where there are none.
  target_compile_options(enablement_own_flags INTERFACE
    -fsanitize=${ENABLEMENT_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer
    $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
  target_link_options(enablement_own_flags INTERFACE -fsanitize=${ENABLEMENT_SANITIZE})
endif()

# enablement_floor(NAME SOURCES … PUBLIC targets… PRIVATE targets… HEADERS public headers…)
function(enablement_floor name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;HEADERS;PUBLIC;PRIVATE")
  set(target enablement_${name})
  add_library(${target} STATIC ${arg_SOURCES} ${arg_HEADERS})
  set_target_properties(${target} PROPERTIES
    POSITION_INDEPENDENT_CODE ON EXPORT_NAME ${name} CXX_EXTENSIONS OFF)
  target_compile_features(${target} PUBLIC cxx_std_20)
  target_include_directories(${target} PUBLIC
    $<BUILD_INTERFACE:${ENABLEMENT_INCLUDE_DIR}>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_link_libraries(${target}
    PUBLIC ${arg_PUBLIC}
    PRIVATE ${arg_PRIVATE} $<BUILD_INTERFACE:enablement_own_flags>)
  set_property(GLOBAL APPEND PROPERTY ENABLEMENT_FLOORS ${target})
  if(ENABLEMENT_INSTALL)
    install(FILES ${arg_HEADERS} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/enablement/${name})
  endif()
endfunction()
