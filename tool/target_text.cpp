#include <enablement/tool/target_text.h>

#include <enablement/schema/text.h>

namespace enablement::tool {

Result<TargetKey> keyFrom(std::string_view text) {
  auto key = TargetKey::parse(text);
  if (key) return key;
  Error error = key.error();
  error.hint =
      "a target is PLUGIN, PLUGIN#mcp=SERVER or mcpServers#SERVER, e.g. acme/tools, "
      "'acme/tools#mcp=db' or 'mcpServers#search'" +
      (error.hint.empty() ? "" : "; " + error.hint);
  return fail(error);
}

CLI::Option* addTargetText(CLI::App& verb, std::string& target) {
  return verb.add_option("TARGET", target, "a plugin or an MCP server")->option_text(" ");
}

std::string shellWord(std::string_view text) {
  static constexpr std::string_view plain =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_./:@%+,";
  static constexpr char hex[] = "0123456789abcdef";
  if (!text.empty() && text.find_first_not_of(plain) == std::string_view::npos)
    return std::string(text);
  // A control character would act on the terminal that shows it.
  const bool escapes = hasControl(text);
  std::string out = escapes ? "$'" : "'";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (escapes && (byte < 0x20 || byte == 0x7F))
      out += {'\\', 'x', hex[byte >> 4], hex[byte & 0xF]};
    else if (escapes && (c == '\'' || c == '\\'))
      out += {'\\', c};
    else if (c == '\'')
      out += "'\\''";
    else
      out += c;
  }
  return out + "'";
}

}  // namespace enablement::tool
