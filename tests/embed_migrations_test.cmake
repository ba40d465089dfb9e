# A checkout with other line ends, or with a byte order mark, embeds the same migrations.
#   cmake -DSCRIPTS=FOLDER -DEMBED=FILE -DWORK=FOLDER -P embed_migrations_test.cmake
file(REMOVE_RECURSE ${WORK})
string(ASCII 239 187 191 byte_order_mark)
file(GLOB scripts ${SCRIPTS}/*.sql)
foreach(script IN LISTS scripts)
  get_filename_component(name ${script} NAME)
  file(READ ${script} text)
  file(WRITE ${WORK}/plain/${name} "${text}")
  string(REPLACE "\n" "\r\n" text "${text}")
  file(WRITE ${WORK}/other/${name} "${byte_order_mark}${text}")
endforeach()
foreach(kind plain other)
  execute_process(
    COMMAND ${CMAKE_COMMAND} -DFOLDER=${WORK}/${kind} -DOUTPUT=${WORK}/${kind}.cpp -P ${EMBED}
    COMMAND_ERROR_IS_FATAL ANY)
endforeach()
file(READ ${WORK}/plain.cpp plain)
file(READ ${WORK}/other.cpp other)
if(NOT plain STREQUAL other OR NOT plain MATCHES "initial")
  message(FATAL_ERROR "line ends change the migrations: compare ${WORK}/plain.cpp and other.cpp")
endif()
file(READ ${WORK}/plain/0001_initial.up.sql text)
file(WRITE ${WORK}/plain/0001_initial.up.sql "${text}-- changed\n")
execute_process(
  COMMAND ${CMAKE_COMMAND} -DFOLDER=${WORK}/plain -DOUTPUT=${WORK}/changed.cpp -P ${EMBED}
  COMMAND_ERROR_IS_FATAL ANY)
file(READ ${WORK}/changed.cpp changed)
if(changed STREQUAL plain)
  message(FATAL_ERROR "a changed script is not noticed")
endif()
