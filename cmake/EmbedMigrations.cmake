# Writes OUTPUT, a C++ file that holds every migration of FOLDER. Run with cmake -P.
# The checksum is taken over text without a byte order mark and with LF line ends, so that a
# checkout with other line ends is the same migration.
function(read_normalised file out)
  file(READ ${file} text)
  string(ASCII 239 187 191 byte_order_mark)
  string(REPLACE "${byte_order_mark}" "" text "${text}")
  string(REPLACE "\r\n" "\n" text "${text}")
  set(${out} "${text}" PARENT_SCOPE)
endfunction()

file(GLOB ups ${FOLDER}/*.up.sql)
list(SORT ups)
set(rows "")
foreach(up IN LISTS ups)
  string(REGEX MATCH "([0-9]+)_([a-z_0-9]+)\\.up\\.sql$" matched ${up})
  math(EXPR version "${CMAKE_MATCH_1}")
  set(migration_name ${CMAKE_MATCH_2})
  string(REPLACE ".up.sql" ".down.sql" down ${up})
  string(REPLACE ".up.sql" ".loss.sql" loss ${up})
  read_normalised(${up} up_text)
  read_normalised(${down} down_text)
  read_normalised(${loss} loss_text)
  string(SHA256 sha256 "${up_text}")
  string(APPEND rows
    "    {${version}, \"${migration_name}\", \"${sha256}\",\n"
    "     R\"~sql(${up_text})~sql\",\n     R\"~sql(${down_text})~sql\",\n"
    "     R\"~sql(${loss_text})~sql\"},\n")
endforeach()

file(WRITE ${OUTPUT}
"// Generated from migrations/*.sql.
#include <enablement/migrations/migrator.h>

#include <array>

namespace enablement {

Migrations migrations() {
  static constexpr auto all = std::to_array<Migration>({
${rows}  });
  return all;
}

}  // namespace enablement
")
