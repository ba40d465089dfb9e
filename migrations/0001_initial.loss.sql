SELECT 'decision', count(*) FROM decision
UNION ALL
SELECT 'queued part', count(*) FROM queued_part
