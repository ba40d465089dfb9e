-- The store: decisions, the queue of parts that wait, and the history that explains both.
-- Key columns stay apart (type, owner_uri, name): a key is never one joined string.

CREATE TABLE meta (
  id                      INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
  version                 INTEGER NOT NULL,
  last_compatible_version INTEGER NOT NULL  -- the oldest program that may still use this file
) STRICT;
INSERT INTO meta (id, version, last_compatible_version) VALUES (1, 1, 1);

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

-- Every commit leaves rows here, so the last one also tells whether decision and queued_part are
-- whole: digest is the sum of their rows' hashes after it.
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

-- For people who ask with sqlite3.
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
