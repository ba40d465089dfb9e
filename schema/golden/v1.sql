PRAGMA application_id = 1162756684;
PRAGMA user_version = 1;
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
  sequence     INTEGER PRIMARY KEY,
  at           INTEGER NOT NULL,  -- UTC, milliseconds
  actor        TEXT    NOT NULL,
  cause        TEXT    NOT NULL,
  subject      TEXT    NOT NULL CHECK (subject IN ('decision', 'queue')),
  scope        TEXT    NOT NULL CHECK (scope IN ('global', 'workspace', 'session')),
  place        TEXT    NOT NULL,
  session      TEXT    NOT NULL,  -- of the call, '' for a call without one
  type         TEXT    NOT NULL CHECK (type IN ('plugin', 'mcpServer')),
  owner_uri    TEXT    NOT NULL,
  name         TEXT    NOT NULL,
  value_before INTEGER CHECK (value_before IN (0, 1)),
  value_after  INTEGER CHECK (value_after IN (0, 1)),
  digest       INTEGER NOT NULL
) STRICT;
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
 ORDER BY d.scope, d.place, d.type, d.owner_uri, d.name;
INSERT INTO decision VALUES ('global', '', 'plugin', 'acme/tools', '', 1, 2);
INSERT INTO decision VALUES ('global', '', 'plugin', 'file:///plugins/alpha', '', 0, 1);
INSERT INTO decision VALUES ('session', 'ahp://copilot/1', 'mcpServer', '', 'search', 0, 4);
INSERT INTO decision VALUES ('workspace', 'file:///src/api', 'mcpServer', 'file:///plugins/alpha', 'db', 0, 3);
INSERT INTO history VALUES (1, 1796079349371, 'enablectl', 'set', 'decision', 'global', '', '', 'plugin', 'file:///plugins/alpha', '', NULL, 0, -4715892898915692316);
INSERT INTO history VALUES (2, 1796079349376, 'enablectl', 'set', 'decision', 'global', '', '', 'plugin', 'acme/tools', '', NULL, 1, -862048705396763393);
INSERT INTO history VALUES (3, 1796079349380, 'enablectl', 'set', 'decision', 'workspace', 'file:///src/api', '', 'mcpServer', 'file:///plugins/alpha', 'db', NULL, 0, 5497653614072028340);
INSERT INTO history VALUES (4, 1796079349385, 'enablectl', 'set', 'decision', 'session', 'ahp://copilot/1', 'ahp://copilot/1', 'mcpServer', '', 'search', NULL, 0, -8167380317581405530);
INSERT INTO history VALUES (5, 1796079349389, 'enablectl', 'set', 'decision', 'global', '', '', 'mcpServer', '', 'café "quoted"', NULL, 0, 3463014816598826261);
INSERT INTO history VALUES (6, 1796079349396, 'enablectl', 'clear', 'decision', 'global', '', '', 'mcpServer', '', 'café "quoted"', 0, NULL, -8167380317581405530);
INSERT INTO history VALUES (7, 1796079349402, 'enablectl', 'queued', 'queue', 'session', '', 'ahp://copilot/2', 'plugin', 'file:///plugins/beta', '', NULL, 0, -3346275829107609369);
INSERT INTO history VALUES (8, 1796079349407, 'enablectl', 'queued', 'queue', 'workspace', '', 'ahp://copilot/2', 'plugin', 'file:///plugins/beta', '', NULL, 0, 4883042888594026860);
INSERT INTO meta VALUES (1, 1, 1);
INSERT INTO migration VALUES (1, 'initial', '6c254d2c5a8dc42109708dbb97ebc55431ff9fb0e13618c02d3eff80ed44e563', 1796079349369, 0);
INSERT INTO queued_part VALUES ('ahp://copilot/2', 'plugin', 'file:///plugins/beta', '', 'session', '', 'off', NULL, 7, 7);
INSERT INTO queued_part VALUES ('ahp://copilot/2', 'plugin', 'file:///plugins/beta', '', 'workspace', '', 'off', NULL, 7, 8);
