// Canonical URIs and marketplace ids (contract, section 4): one spelling for each plugin and
// folder.
#pragma once

#include <string>
#include <string_view>

#include <enablement/schema/error.h>

namespace enablement {

// The canonical form of a URI: RFC 3986 syntax-based normalisation, then the percent-encoding that
// editors' URI libraries print. Idempotent; a purely textual function, no file system is asked.
// `invalidUri` where the contract says so, `invalidArgument` above maxTextBytes.
[[nodiscard]] Result<std::string> canonicalUri(std::string_view uri);

// The file: URI of an absolute path; every octet that could mean something else is encoded. Not
// canonical yet.
[[nodiscard]] std::string fileUriOfPath(std::string_view path);

// Whether `text` names a plugin by a marketplace id such as `acme/tools`, kept byte for byte.
[[nodiscard]] bool isMarketplaceId(std::string_view text);

// What names a plugin: a marketplace id as it is, anything else as a canonical URI.
[[nodiscard]] Result<std::string> canonicalPluginUri(std::string_view text);

}  // namespace enablement
