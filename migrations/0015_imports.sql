-- Imports. The file's text is kept in pieces until the import is committed: a libSQL server answers no more than
-- 10 MB at once. A dry-run leaves what it read in pages of people, and the job takes in one page after the other.

CREATE TABLE imports (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER NOT NULL REFERENCES projects(id) ON DELETE CASCADE,
  filename TEXT NOT NULL DEFAULT '',
  status TEXT NOT NULL CHECK (status IN ('staged', 'validated', 'queued', 'processing', 'completed', 'failed', 'cancelled')),
  size_bytes INTEGER NOT NULL,
  delimiter TEXT NOT NULL,
  columns TEXT NOT NULL,
  mapping TEXT,
  options TEXT,
  fields TEXT,
  summary TEXT,
  row_errors TEXT NOT NULL DEFAULT '[]',
  processed INTEGER NOT NULL DEFAULT 0,
  created INTEGER NOT NULL DEFAULT 0,
  updated INTEGER NOT NULL DEFAULT 0,
  skipped INTEGER NOT NULL DEFAULT 0,
  failed INTEGER NOT NULL DEFAULT 0,
  error TEXT,
  job_id INTEGER REFERENCES jobs(id) ON DELETE SET NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  finished_at INTEGER
) STRICT;
CREATE INDEX imports_in_order ON imports(project_id, created_at, id);
CREATE INDEX imports_uncommitted ON imports(updated_at) WHERE status IN ('staged', 'validated');

CREATE TABLE import_texts (
  import_id INTEGER NOT NULL REFERENCES imports(id) ON DELETE CASCADE,
  number INTEGER NOT NULL,
  bytes BLOB NOT NULL,
  PRIMARY KEY (import_id, number)
) STRICT;

CREATE TABLE import_pages (
  import_id INTEGER NOT NULL REFERENCES imports(id) ON DELETE CASCADE,
  last_row INTEGER NOT NULL,
  rows INTEGER NOT NULL,
  failed INTEGER NOT NULL,
  duplicates INTEGER NOT NULL,
  people TEXT NOT NULL,
  PRIMARY KEY (import_id, last_row)
) STRICT;
