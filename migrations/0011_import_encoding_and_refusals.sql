-- The encoding that an uploaded file was found to have, and the one that a person chose instead. A text that came as
-- text has neither.
ALTER TABLE imports ADD COLUMN encoding_found TEXT;
ALTER TABLE imports ADD COLUMN encoding TEXT;
-- Every row error of an import, in pages: a JSON array of [row, field, code, message, value].
CREATE TABLE import_refusals (
  id INTEGER PRIMARY KEY,
  import_id INTEGER NOT NULL REFERENCES imports(id) ON DELETE CASCADE,
  errors TEXT NOT NULL
) STRICT;
CREATE INDEX import_refusals_by_import ON import_refusals(import_id, id);
