-- What a project publishes: pages, posts and directory items, how its pages ask for consent, and what their forms send in.

-- insertion_points: where scripts go into html, found when it was saved (sites/insertion-points.ts). version counts html's changes.
CREATE TABLE pages (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER NOT NULL REFERENCES projects(id) ON DELETE CASCADE,
  path TEXT NOT NULL,
  title TEXT NOT NULL,
  published INTEGER NOT NULL,
  version INTEGER NOT NULL,
  insertion_points TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  html TEXT NOT NULL,
  UNIQUE (project_id, path)
) STRICT;

-- How pages ask for consent where the project wants it asked for (script_settings).
CREATE TABLE site_settings (
  project_id INTEGER PRIMARY KEY REFERENCES projects(id) ON DELETE CASCADE,
  consent_banner INTEGER NOT NULL,
  consent_message TEXT NOT NULL,
  consent_accept TEXT NOT NULL,
  consent_decline TEXT NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;

CREATE TABLE cms_posts (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER NOT NULL REFERENCES projects(id) ON DELETE CASCADE,
  title TEXT NOT NULL,
  title_key TEXT NOT NULL,
  slug TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('draft', 'published', 'archived')),
  author TEXT NOT NULL,
  category TEXT NOT NULL,
  excerpt TEXT NOT NULL,
  word_count INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  content TEXT NOT NULL,
  UNIQUE (project_id, slug)
) STRICT;
CREATE INDEX cms_posts_by_update ON cms_posts(project_id, updated_at, id);
CREATE INDEX cms_posts_by_creation ON cms_posts(project_id, created_at, id);
CREATE INDEX cms_posts_by_title ON cms_posts(project_id, title_key, id);
CREATE INDEX cms_posts_by_length ON cms_posts(project_id, word_count, id);

CREATE TABLE directory_items (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER NOT NULL REFERENCES projects(id) ON DELETE CASCADE,
  directory TEXT NOT NULL,
  title TEXT NOT NULL,
  slug TEXT NOT NULL,
  fields TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  UNIQUE (project_id, directory, slug)
) STRICT;
CREATE INDEX directory_items_in_order ON directory_items(project_id, created_at, id);
CREATE INDEX directory_items_by_directory ON directory_items(project_id, directory, created_at, id);

CREATE TABLE form_entries (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER NOT NULL REFERENCES projects(id) ON DELETE CASCADE,
  form TEXT NOT NULL,
  fields TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX form_entries_in_order ON form_entries(project_id, created_at, id);
CREATE INDEX form_entries_by_form ON form_entries(project_id, form, created_at, id);
