-- How far the facts of each folder reached when the database last knew (docs/operations.md#facts): a number that grows
-- with each heartbeat, which the folder repeats.
ALTER TABLE fact_folders ADD COLUMN beat INTEGER NOT NULL DEFAULT 0;

-- Which file a database was last used in, so that a copy of it that is put back tells that it is one.
CREATE TABLE database_place (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  place TEXT NOT NULL
) STRICT;
