-- The developer's side of an app: team, drafts, versions, reviews, and the scripts that it puts on pages.

-- The creator (apps.user_id) belongs to the team without a row here.
CREATE TABLE app_team (
  app_id TEXT NOT NULL REFERENCES apps(id) ON DELETE CASCADE,
  user_id TEXT NOT NULL REFERENCES users(id) ON DELETE CASCADE,
  added_at INTEGER NOT NULL,
  PRIMARY KEY (app_id, user_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX app_team_by_user ON app_team(user_id);

-- What the developer has written and nobody has approved yet; apps.scopes are the ones in force.
-- An app without a row has drafted nothing.
CREATE TABLE app_drafts (
  app_id TEXT PRIMARY KEY REFERENCES apps(id) ON DELETE CASCADE,
  scopes TEXT,
  scope_reasons TEXT NOT NULL DEFAULT '{}',
  listing TEXT NOT NULL DEFAULT '{}',
  live_version_id INTEGER
) STRICT;

-- A row stops an app: nobody can authorize it, none of its scripts is injected.
CREATE TABLE app_suspensions (
  app_id TEXT PRIMARY KEY REFERENCES apps(id) ON DELETE CASCADE,
  user_id TEXT NOT NULL REFERENCES users(id),
  comment TEXT NOT NULL,
  suspended_at INTEGER NOT NULL
) STRICT;

-- Frozen copies of scripts, listing and scopes: contents are written once.
CREATE TABLE app_versions (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  app_id TEXT NOT NULL REFERENCES apps(id) ON DELETE CASCADE,
  number INTEGER NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('draft', 'submitted', 'approved', 'rejected')),
  notes TEXT NOT NULL DEFAULT '',
  contents TEXT NOT NULL,
  user_id TEXT NOT NULL REFERENCES users(id),
  created_at INTEGER NOT NULL,
  UNIQUE (app_id, number)
) STRICT;
CREATE TRIGGER app_versions_are_frozen BEFORE UPDATE OF contents, number, app_id ON app_versions
BEGIN
  SELECT RAISE(ABORT, 'a version is never changed');
END;

CREATE TABLE review_requests (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  app_id TEXT NOT NULL REFERENCES apps(id) ON DELETE CASCADE,
  version_id INTEGER NOT NULL REFERENCES app_versions(id) ON DELETE CASCADE,
  status TEXT NOT NULL CHECK (status IN ('pending', 'approved', 'rejected', 'changes_requested', 'withdrawn')),
  comment TEXT NOT NULL DEFAULT '',
  submitted_by TEXT NOT NULL REFERENCES users(id),
  decided_by TEXT REFERENCES users(id),
  created_at INTEGER NOT NULL,
  decided_at INTEGER
) STRICT;
CREATE UNIQUE INDEX review_requests_pending ON review_requests(app_id) WHERE status = 'pending';
CREATE INDEX review_requests_by_app ON review_requests(app_id, id);
CREATE INDEX review_requests_by_version ON review_requests(version_id);

-- What an app asked the API for: kept for a week, without bodies.
CREATE TABLE app_requests (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  app_id TEXT NOT NULL REFERENCES apps(id) ON DELETE CASCADE,
  at INTEGER NOT NULL,
  method TEXT NOT NULL,
  route TEXT NOT NULL,
  status INTEGER NOT NULL,
  request_id TEXT NOT NULL
) STRICT;
CREATE INDEX app_requests_by_app ON app_requests(app_id, id);
CREATE INDEX app_requests_by_time ON app_requests(at);

-- The developer's text of a script. One that a version holds is never deleted, only removed: the version may come back.
CREATE TABLE scripts (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  app_id TEXT NOT NULL REFERENCES apps(id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  type TEXT NOT NULL CHECK (type IN ('Essential', 'Functional', 'Analytics', 'Advertising')),
  placement TEXT NOT NULL CHECK (placement IN ('HTML Head', 'HTML Body start', 'HTML Body end')),
  code TEXT NOT NULL,
  parameters TEXT NOT NULL DEFAULT '{}',
  versioned INTEGER NOT NULL DEFAULT 0,
  removed_at INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX scripts_by_app ON scripts(app_id, id);

-- What sites get of a script: the developer's text while the app is in development, the approved one afterwards.
CREATE TABLE live_scripts (
  script_id INTEGER PRIMARY KEY REFERENCES scripts(id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  type TEXT NOT NULL,
  placement TEXT NOT NULL,
  code TEXT NOT NULL,
  parameters TEXT NOT NULL
) STRICT;

CREATE TABLE script_connections (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER NOT NULL REFERENCES projects(id) ON DELETE CASCADE,
  script_id INTEGER NOT NULL REFERENCES scripts(id) ON DELETE CASCADE,
  parameters TEXT NOT NULL DEFAULT '{}',
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  UNIQUE (project_id, script_id)
) STRICT;
CREATE INDEX script_connections_by_script ON script_connections(script_id);

-- The owner's switch. It outlives the connection: an app cannot switch a script on by connecting it anew.
CREATE TABLE switched_off_scripts (
  project_id INTEGER NOT NULL REFERENCES projects(id) ON DELETE CASCADE,
  script_id INTEGER NOT NULL REFERENCES scripts(id) ON DELETE CASCADE,
  switched_off_at INTEGER NOT NULL,
  PRIMARY KEY (project_id, script_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX switched_off_scripts_by_script ON switched_off_scripts(script_id);

-- A project without a row asks visitors for nothing.
CREATE TABLE script_settings (
  project_id INTEGER PRIMARY KEY REFERENCES projects(id) ON DELETE CASCADE,
  consent_required INTEGER NOT NULL DEFAULT 0,
  updated_at INTEGER NOT NULL
) STRICT;
