-- Keys that sign the messages of a project's sender domains (RFC 6376). A deleted key loses its private half and keeps
-- its selector, so that no other key of the domain is published where receivers still look for the old one.
CREATE TABLE dkim_keys (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER NOT NULL REFERENCES projects(id) ON DELETE CASCADE,
  domain TEXT NOT NULL,
  selector TEXT NOT NULL,
  algorithm TEXT NOT NULL CHECK (algorithm IN ('rsa-sha256', 'ed25519-sha256')),
  private_key_sealed TEXT,
  public_key TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  verified_at INTEGER,
  disabled_at INTEGER,
  UNIQUE (domain, selector)
) STRICT;
CREATE INDEX dkim_keys_by_project ON dkim_keys(project_id, domain, created_at, id);
