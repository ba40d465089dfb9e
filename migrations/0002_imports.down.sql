-- The newest row carries the digest: when it goes, the newest one that stays takes it over.
UPDATE history
   SET digest = (SELECT digest FROM history ORDER BY sequence DESC LIMIT 1)
 WHERE sequence = (SELECT max(sequence) FROM history WHERE subject <> 'unclaimed');

DROP VIEW decisions;

-- Causes that the older program has no word for come from imports.
CREATE TABLE kept_history AS
SELECT sequence, at, actor,
       CASE WHEN cause IN ('set', 'clear', 'replace', 'redundant', 'purge', 'sessionDeleted',
                           'queued', 'queueApplied', 'queueDropped', 'import')
            THEN cause ELSE 'import' END AS cause,
       subject, scope, place, session, type, owner_uri, name, value_before, value_after, digest
  FROM history
 WHERE subject <> 'unclaimed';
DROP TABLE history;
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
INSERT INTO history (sequence, at, actor, cause, subject, scope, place, session, type, owner_uri,
                     name, value_before, value_after, digest)
SELECT sequence, at, actor, cause, subject, scope, place, session, type, owner_uri, name,
       value_before, value_after, digest
  FROM kept_history;
DROP TABLE kept_history;

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

DROP TABLE unclaimed_decision;
DROP TABLE import_source;
UPDATE meta SET last_compatible_version = 1;
