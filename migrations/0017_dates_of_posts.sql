-- Posts get a date of publication, the state `scheduled` and several tags. The table is made anew: its check of states
-- cannot be changed, and a column after the content would be read through all pages of the content.
CREATE TABLE dated_posts (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER NOT NULL REFERENCES projects(id) ON DELETE CASCADE,
  title TEXT NOT NULL,
  title_key TEXT NOT NULL,
  slug TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('draft', 'scheduled', 'published', 'archived')),
  published_at INTEGER CHECK (CASE status WHEN 'draft' THEN published_at IS NULL WHEN 'archived' THEN 1
    ELSE published_at IS NOT NULL END),
  author TEXT NOT NULL,
  tags TEXT NOT NULL,
  category TEXT NOT NULL GENERATED ALWAYS AS (coalesce(tags ->> 0, '')) VIRTUAL,
  excerpt TEXT NOT NULL,
  word_count INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  content TEXT NOT NULL,
  UNIQUE (project_id, slug)
) STRICT;
-- Ids of deleted posts are not given again.
INSERT INTO sqlite_sequence (name, seq) SELECT 'dated_posts', seq FROM sqlite_sequence WHERE name = 'cms_posts';
INSERT INTO dated_posts (id, project_id, title, title_key, slug, status, published_at, author, tags, excerpt,
  word_count, created_at, updated_at, content)
SELECT id, project_id, title, title_key, slug, status, iif(status = 'draft', NULL, created_at), author,
  iif(category = '', '[]', json_array(category)), excerpt, word_count, created_at, updated_at, content
FROM cms_posts ORDER BY id;
DROP TABLE cms_posts;
ALTER TABLE dated_posts RENAME TO cms_posts;

-- The four orders in which posts can be listed.
CREATE INDEX cms_posts_by_update ON cms_posts(project_id, updated_at, id);
CREATE INDEX cms_posts_by_creation ON cms_posts(project_id, created_at, id);
CREATE INDEX cms_posts_by_title ON cms_posts(project_id, title_key, id);
CREATE INDEX cms_posts_by_length ON cms_posts(project_id, word_count, id);
-- What the site shows: the published posts, newest first.
CREATE INDEX cms_posts_published ON cms_posts(project_id, published_at, id) WHERE status = 'published';
-- What publishes itself next.
CREATE INDEX cms_posts_scheduled ON cms_posts(published_at, id) WHERE status = 'scheduled';
-- Counted in project_usage.
CREATE TRIGGER cms_posts_counts_added AFTER INSERT ON cms_posts
BEGIN
  INSERT INTO project_usage (project_id, kind, rows, bytes)
  VALUES (NEW.project_id, 'posts', 1, octet_length(NEW.content))
  ON CONFLICT (project_id, kind) DO UPDATE SET rows = rows + 1, bytes = bytes + excluded.bytes;
END;
CREATE TRIGGER cms_posts_counts_changed AFTER UPDATE OF content ON cms_posts
BEGIN
  UPDATE project_usage SET bytes = bytes + octet_length(NEW.content) - octet_length(OLD.content)
  WHERE project_id = NEW.project_id AND kind = 'posts';
END;
CREATE TRIGGER cms_posts_counts_removed AFTER DELETE ON cms_posts
BEGIN
  UPDATE project_usage SET rows = rows - 1, bytes = bytes - octet_length(OLD.content)
  WHERE project_id = OLD.project_id AND kind = 'posts';
END;

-- The posts of a tag. `published_at` is null for a post that the site does not show.
CREATE TABLE cms_post_tags (
  post_id INTEGER NOT NULL REFERENCES cms_posts(id) ON DELETE CASCADE,
  tag TEXT NOT NULL COLLATE NOCASE,
  project_id INTEGER NOT NULL,
  published_at INTEGER,
  PRIMARY KEY (post_id, tag)
) STRICT, WITHOUT ROWID;
CREATE INDEX cms_post_tags_published ON cms_post_tags(project_id, tag, published_at, post_id);
INSERT INTO cms_post_tags (post_id, tag, project_id, published_at)
SELECT id, category, project_id, iif(status = 'published', published_at, NULL) FROM cms_posts WHERE category <> '';
CREATE TRIGGER cms_posts_tags_added AFTER INSERT ON cms_posts
BEGIN
  INSERT OR IGNORE INTO cms_post_tags (post_id, tag, project_id, published_at)
  SELECT NEW.id, value, NEW.project_id, iif(NEW.status = 'published', NEW.published_at, NULL)
  FROM json_each(NEW.tags);
END;
CREATE TRIGGER cms_posts_tags_changed AFTER UPDATE OF tags, status, published_at ON cms_posts
BEGIN
  DELETE FROM cms_post_tags WHERE post_id = NEW.id;
  INSERT OR IGNORE INTO cms_post_tags (post_id, tag, project_id, published_at)
  SELECT NEW.id, value, NEW.project_id, iif(NEW.status = 'published', NEW.published_at, NULL)
  FROM json_each(NEW.tags);
END;
