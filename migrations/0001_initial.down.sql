DROP VIEW decisions;
DROP TABLE history;
DROP TABLE queued_part;
DROP TABLE decision;
DROP TABLE meta;
