PRAGMA application_id = 1162756684;
PRAGMA user_version = 2;
CREATE TABLE decision (
  scope     TEXT    NOT NULL CHECK (scope IN ('global', 'workspace', 'session')),
  place     TEXT    NOT NULL,  -- global: '', workspace: the folder, session: the session
  type      TEXT    NOT NULL CHECK (type IN ('plugin', 'mcpServer')),
  owner_uri TEXT    NOT NULL,  -- plugin: its URI, mcpServer: its plugin's URI or ''
  name      TEXT    NOT NULL,  -- plugin: '', mcpServer: its name
  enabled   INTEGER NOT NULL CHECK (enabled IN (0, 1)),
  sequence  INTEGER NOT NULL,  -- the history row that gave it this value
  PRIMARY KEY (scope, place, type, owner_uri, name)
) STRICT, WITHOUT ROWID;
CREATE TABLE history (
  sequence         INTEGER PRIMARY KEY,
  at               INTEGER NOT NULL,  -- UTC, milliseconds
  actor            TEXT    NOT NULL,
  cause            TEXT    NOT NULL,
  subject          TEXT    NOT NULL CHECK (subject IN ('decision', 'queue', 'unclaimed')),
  scope            TEXT    NOT NULL CHECK (scope IN ('global', 'workspace', 'session')),
  place            TEXT    NOT NULL,
  session          TEXT    NOT NULL,  -- of the call, '' for a call without one
  type             TEXT    NOT NULL CHECK (type IN ('plugin', 'mcpServer', '')),
  owner_uri        TEXT    NOT NULL,
  name             TEXT    NOT NULL,
  customization_id TEXT    NOT NULL,  -- of an unclaimed decision, whose type is ''
  value_before     INTEGER CHECK (value_before IN (0, 1)),
  value_after      INTEGER CHECK (value_after IN (0, 1)),
  digest           INTEGER NOT NULL,  -- of decision and queued_part after this change
  unclaimed_digest INTEGER NOT NULL,  -- of unclaimed_decision after this change
  CHECK ((subject = 'unclaimed') = (type = ''))
) STRICT;
CREATE TABLE import_source (
  kind         TEXT    NOT NULL CHECK (kind IN ('hostStorage', 'sessionDb', 'disabledServers', 'json')),
  path         TEXT    NOT NULL,
  place        TEXT    NOT NULL,  -- sessionDb: the session, disabledServers: the folder or ''
  content_hash TEXT    NOT NULL,  -- XXH3 of what was read: a changed source is told from the same
  at           INTEGER NOT NULL,  -- UTC, milliseconds
  actor        TEXT    NOT NULL,
  decisions    INTEGER NOT NULL,  -- how many were taken from it
  PRIMARY KEY (kind, path, place)
) STRICT, WITHOUT ROWID;
CREATE TABLE meta (
  id                      INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
  version                 INTEGER NOT NULL,
  last_compatible_version INTEGER NOT NULL  -- the oldest program that may still use this file
) STRICT;
CREATE TABLE migration (
  version     INTEGER NOT NULL PRIMARY KEY,
  name        TEXT    NOT NULL,
  sha256      TEXT    NOT NULL,
  applied_at  INTEGER NOT NULL,  -- UTC, milliseconds
  duration_us INTEGER NOT NULL
) STRICT;
CREATE TABLE queued_part (
  session           TEXT    NOT NULL,
  type              TEXT    NOT NULL CHECK (type IN ('plugin', 'mcpServer')),
  owner_uri         TEXT    NOT NULL,
  name              TEXT    NOT NULL,
  scope             TEXT    NOT NULL CHECK (scope IN ('workspace', 'session')),
  folder            TEXT    NOT NULL,  -- the folder that was named, '' for the session's own
  asked             TEXT    NOT NULL CHECK (asked IN ('on', 'off', 'clear')),
  discovery_default INTEGER CHECK (discovery_default IN (0, 1)),
  target_order      INTEGER NOT NULL,  -- the history row that first queued a part of the target
  sequence          INTEGER NOT NULL,  -- the history row that queued this part
  PRIMARY KEY (session, type, owner_uri, name, scope, folder)
) STRICT, WITHOUT ROWID;
CREATE TABLE unclaimed_decision (
  session          TEXT    NOT NULL,
  customization_id TEXT    NOT NULL,
  enabled          INTEGER NOT NULL CHECK (enabled IN (0, 1)),
  sequence         INTEGER NOT NULL,  -- the history row that gave it this value
  PRIMARY KEY (session, customization_id)
) STRICT, WITHOUT ROWID;
CREATE VIEW decisions AS
SELECT d.scope,
       d.place AS "where",
       CASE WHEN d.type = 'plugin' THEN d.owner_uri
            WHEN d.owner_uri = ''  THEN 'mcpServers#' || d.name
            ELSE d.owner_uri || '#mcp=' || d.name END AS target,
       CASE d.enabled WHEN 1 THEN 'on' ELSE 'off' END AS value,
       strftime('%Y-%m-%dT%H:%M:%fZ', h.at / 1000.0, 'unixepoch') AS since,
       h.actor AS "by"
  FROM decision AS d
  LEFT JOIN history AS h ON h.sequence = d.sequence
 ORDER BY d.scope, d.place, d.type DESC, d.owner_uri, d.name;
INSERT INTO decision VALUES ('global', '', 'plugin', 'acme/tools', '', 1, 2);
INSERT INTO decision VALUES ('global', '', 'plugin', 'file:///plugins/alpha', '', 0, 1);
INSERT INTO decision VALUES ('session', 'ahp://copilot/1', 'mcpServer', '', 'search', 0, 4);
INSERT INTO decision VALUES ('workspace', 'file:///src/api', 'mcpServer', 'file:///plugins/alpha', 'db', 0, 3);
INSERT INTO history VALUES (1, 1796079349371, 'enablectl', 'set', 'decision', 'global', '', '', 'plugin', 'file:///plugins/alpha', '', '', NULL, 0, -4715892898915692316, 0);
INSERT INTO history VALUES (2, 1796079349376, 'enablectl', 'set', 'decision', 'global', '', '', 'plugin', 'acme/tools', '', '', NULL, 1, -862048705396763393, 0);
INSERT INTO history VALUES (3, 1796079349380, 'enablectl', 'set', 'decision', 'workspace', 'file:///src/api', '', 'mcpServer', 'file:///plugins/alpha', 'db', '', NULL, 0, 5497653614072028340, 0);
INSERT INTO history VALUES (4, 1796079349385, 'enablectl', 'set', 'decision', 'session', 'ahp://copilot/1', 'ahp://copilot/1', 'mcpServer', '', 'search', '', NULL, 0, -8167380317581405530, 0);
INSERT INTO history VALUES (5, 1796079349389, 'enablectl', 'set', 'decision', 'global', '', '', 'mcpServer', '', 'café "quoted"', '', NULL, 0, 3463014816598826261, 0);
INSERT INTO history VALUES (6, 1796079349396, 'enablectl', 'clear', 'decision', 'global', '', '', 'mcpServer', '', 'café "quoted"', '', 0, NULL, -8167380317581405530, 0);
INSERT INTO history VALUES (7, 1796079349402, 'enablectl', 'queued', 'queue', 'session', '', 'ahp://copilot/2', 'plugin', 'file:///plugins/beta', '', '', NULL, 0, -3346275829107609369, 0);
INSERT INTO history VALUES (8, 1796079349407, 'enablectl', 'queued', 'queue', 'workspace', '', 'ahp://copilot/2', 'plugin', 'file:///plugins/beta', '', '', NULL, 0, 4883042888594026860, 0);
INSERT INTO history VALUES (9, 1796079400000, 'enablectl', 'import', 'unclaimed', 'session', 'ahp://copilot/3', 'ahp://copilot/3', '', '', '', 'alpha#1', NULL, 0, 4883042888594026860, -7593366230726824583);
INSERT INTO history VALUES (10, 1796079400000, 'enablectl', 'import', 'unclaimed', 'session', 'ahp://copilot/3', 'ahp://copilot/3', '', '', '', 'it''s', NULL, 1, 4883042888594026860, -6104835413056602690);
INSERT INTO import_source VALUES ('sessionDb', '/sessions/3/session.db', 'ahp://copilot/3', '99aa06d3014798d86001c324468d497f', 1796079400000, 'enablectl', 2);
INSERT INTO meta VALUES (1, 2, 2);
INSERT INTO migration VALUES (1, 'initial', '6c254d2c5a8dc42109708dbb97ebc55431ff9fb0e13618c02d3eff80ed44e563', 1796079349369, 0);
INSERT INTO migration VALUES (2, 'imports', '0558bef8f73cfeed68adaf271b6f50aa52e4e320b30731e551a68f0d85605dcd', 1796079400000, 0);
INSERT INTO queued_part VALUES ('ahp://copilot/2', 'plugin', 'file:///plugins/beta', '', 'session', '', 'off', NULL, 7, 7);
INSERT INTO queued_part VALUES ('ahp://copilot/2', 'plugin', 'file:///plugins/beta', '', 'workspace', '', 'off', NULL, 7, 8);
INSERT INTO unclaimed_decision VALUES ('ahp://copilot/3', 'alpha#1', 0, 9);
INSERT INTO unclaimed_decision VALUES ('ahp://copilot/3', 'it''s', 1, 10);
