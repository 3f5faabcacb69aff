-- Saved email documents, and what a campaign took from elsewhere: the template it began with, the posts it shows.
CREATE TABLE templates (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER NOT NULL REFERENCES projects(id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  name_key TEXT NOT NULL,
  subject TEXT NOT NULL DEFAULT '',
  editor_json TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  UNIQUE (project_id, name_key)
) STRICT;
CREATE INDEX templates_in_order ON templates(project_id, created_at, id);

-- A number, or the name of a built-in design: builtin:….
ALTER TABLE campaigns ADD COLUMN template_id TEXT;
-- Frozen with the audience: every recipient gets the same posts, however long sending takes.
ALTER TABLE campaigns ADD COLUMN posts TEXT;
