-- Imports: what was imported already, and session decisions that still bear a customization id
-- where a key belongs. They wait until a list shows what the id stands for.

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

CREATE TABLE unclaimed_decision (
  session          TEXT    NOT NULL,
  customization_id TEXT    NOT NULL,
  enabled          INTEGER NOT NULL CHECK (enabled IN (0, 1)),
  sequence         INTEGER NOT NULL,  -- the history row that gave it this value
  PRIMARY KEY (session, customization_id)
) STRICT, WITHOUT ROWID;

-- History tells of unclaimed decisions, too, and carries their digest beside the other.
DROP VIEW decisions;

CREATE TABLE kept_history AS SELECT * FROM history;
DROP TABLE history;
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
INSERT INTO history (sequence, at, actor, cause, subject, scope, place, session, type, owner_uri,
                     name, customization_id, value_before, value_after, digest, unclaimed_digest)
SELECT sequence, at, actor, cause, subject, scope, place, session, type, owner_uri, name, '',
       value_before, value_after, digest, 0
  FROM kept_history;
DROP TABLE kept_history;

-- For people who ask with sqlite3. Plugins come first, as everywhere.
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

-- A program that does not know of unclaimed decisions would write history without their digest.
UPDATE meta SET last_compatible_version = 2;
