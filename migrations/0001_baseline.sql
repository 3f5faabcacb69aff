-- The data of a Masthead service.
--
-- Conventions:
--   Times (`…_at`, `at`) are milliseconds since 1970; `hour` is whole hours since 1970.
--   Flags are 0 or 1. JSON columns are TEXT; src/store/tables/ gives their types.
--   A `…_key` column is its neighbor in lower case, for comparison. SQLite's own lower() knows ASCII only.
--   A `…_hash` column holds the SHA-256 of a token, a `…_sealed` column a secret encrypted with a secret key.
--   `project_id` is the integer key of a project. Requests and answers carry `projects.public_id` instead.
--   Lists of things are paged by (created_at, id): that is what the indexes named `…_in_order` serve.
--   AUTOINCREMENT keeps the id of a deleted row from being given to another one.


-- ============================================================ Accounts

-- People who can sign in. password_hash is null for a user who signs in through an OpenID Connect provider only.
CREATE TABLE users (
  id TEXT PRIMARY KEY,
  email TEXT NOT NULL,
  email_key TEXT NOT NULL UNIQUE,
  password_hash TEXT,
  first_name TEXT NOT NULL DEFAULT '',
  last_name TEXT NOT NULL DEFAULT '',
  -- Reviews apps and manages users; the roles of projects are in members.
  admin INTEGER NOT NULL DEFAULT 0,
  confirmed_at INTEGER,
  disabled_at INTEGER,
  -- The account is deleted. The row keeps its id for what others refer to, and nothing about the person.
  deleted_at INTEGER,
  last_sign_in_at INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;

-- Signed-in browsers. address and user_agent are those of the sign-in.
CREATE TABLE sessions (
  token_hash TEXT PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES users(id) ON DELETE CASCADE,
  created_at INTEGER NOT NULL,
  last_used_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  -- When the user last proved to be present, by signing in or by a confirmation.
  confirmed_at INTEGER NOT NULL DEFAULT 0,
  -- The browser that the session began in.
  device_id TEXT,
  user_agent TEXT NOT NULL DEFAULT '',
  address TEXT NOT NULL DEFAULT ''
) STRICT;
-- A user's sessions, to end them after a password change.
CREATE INDEX sessions_by_user ON sessions(user_id);
-- Expired sessions, for the cleanup.
CREATE INDEX sessions_by_expiry ON sessions(expires_at);

-- Browsers that a user has signed in with. Each has a cookie, whose secret changes with each sign-in.
CREATE TABLE devices (
  id TEXT PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES users(id) ON DELETE CASCADE,
  token_hash TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  last_used_at INTEGER NOT NULL,
  user_agent TEXT NOT NULL DEFAULT '',
  address TEXT NOT NULL DEFAULT ''
) STRICT;
-- A user's devices, last used first.
CREATE INDEX devices_by_user ON devices(user_id, last_used_at);
-- Unused devices, for the cleanup.
CREATE INDEX devices_by_use ON devices(last_used_at);

-- WebAuthn credentials. A user may have several.
CREATE TABLE passkeys (
  id TEXT PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES users(id) ON DELETE CASCADE,
  -- Names the credential to the browser; in base64url, like the key.
  credential_id TEXT NOT NULL UNIQUE,
  public_key TEXT NOT NULL,
  -- The authenticator's count of signatures; 0 where it has none.
  counter INTEGER NOT NULL,
  -- JSON: how browsers reach the authenticator.
  transports TEXT NOT NULL,
  name TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  last_used_at INTEGER
) STRICT;
-- A user's passkeys.
CREATE INDEX passkeys_by_user ON passkeys(user_id);

-- Time-based one-time passwords (RFC 6238): the second factor of a user.
CREATE TABLE totp_factors (
  user_id TEXT PRIMARY KEY REFERENCES users(id) ON DELETE CASCADE,
  secret_sealed TEXT NOT NULL,
  -- The time step of the last accepted code, so that none is accepted twice.
  last_step INTEGER NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;

-- Codes that replace a one-time password once each.
CREATE TABLE recovery_codes (
  user_id TEXT NOT NULL REFERENCES users(id) ON DELETE CASCADE,
  code_hash TEXT NOT NULL,
  PRIMARY KEY (user_id, code_hash)
) STRICT, WITHOUT ROWID;

-- Failed sign-ins by address, by address and account, by device, and by account for second factors.
CREATE TABLE sign_in_failures (
  bucket TEXT PRIMARY KEY,
  failures INTEGER NOT NULL,
  last_at INTEGER NOT NULL,
  -- No attempt is checked before this time.
  paused_until INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
-- Old failures, for the cleanup.
CREATE INDEX sign_in_failures_by_age ON sign_in_failures(last_at);

-- Challenges of passkeys that were answered, until they expire, so that no answer works twice.
CREATE TABLE used_challenges (
  challenge_hash TEXT PRIMARY KEY,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
-- Expired challenges, for the cleanup.
CREATE INDEX used_challenges_by_expiry ON used_challenges(expires_at);

-- Accounts of users at OpenID Connect providers. A user has at most one identity of each provider.
CREATE TABLE identities (
  issuer TEXT NOT NULL,
  subject TEXT NOT NULL,
  user_id TEXT NOT NULL REFERENCES users(id) ON DELETE CASCADE,
  created_at INTEGER NOT NULL,
  last_used_at INTEGER NOT NULL,
  PRIMARY KEY (issuer, subject),
  UNIQUE (user_id, issuer)
) STRICT, WITHOUT ROWID;

-- Links that set a new password.
CREATE TABLE password_resets (
  token_hash TEXT PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES users(id) ON DELETE CASCADE,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;
-- A user's links, to end them after a password change.
CREATE INDEX password_resets_by_user ON password_resets(user_id);
-- Expired links, for the cleanup.
CREATE INDEX password_resets_by_expiry ON password_resets(expires_at);

-- Links that give an account another address. A user has one: asking again replaces it.
CREATE TABLE email_changes (
  user_id TEXT PRIMARY KEY REFERENCES users(id) ON DELETE CASCADE,
  token_hash TEXT NOT NULL UNIQUE,
  email TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;
-- Expired links, for the cleanup.
CREATE INDEX email_changes_by_expiry ON email_changes(expires_at);

-- Links that make an account with the address they were sent to.
CREATE TABLE sign_ups (
  token_hash TEXT PRIMARY KEY,
  email TEXT NOT NULL,
  email_key TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;
-- The open links of an address, whose number is limited.
CREATE INDEX sign_ups_by_email ON sign_ups(email_key);
-- Expired links, for the cleanup.
CREATE INDEX sign_ups_by_expiry ON sign_ups(expires_at);

-- The link that creates the first user of an empty service.
CREATE TABLE setup_links (
  token_hash TEXT PRIMARY KEY,
  created_at INTEGER NOT NULL,
  used_at INTEGER
) STRICT;

-- Emails of the service itself to its users. content_sealed may hold a working link; it is null until the message is
-- written and again after it was sent or given up.
CREATE TABLE account_messages (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL CHECK (
    kind IN (
      'password_reset', 'password_changed', 'invitation', 'app_notice', 'domain_notice', 'security_notice',
      'project_notice', 'email_change', 'sign_up', 'form_notice')
  ),
  recipient TEXT NOT NULL,
  content_sealed TEXT,
  state TEXT NOT NULL CHECK (state IN ('queued', 'sent', 'failed')),
  attempts INTEGER NOT NULL DEFAULT 0,
  next_attempt_at INTEGER NOT NULL,
  -- From then on the message is useless, because its link has expired.
  expires_at INTEGER NOT NULL,
  last_error TEXT,
  created_at INTEGER NOT NULL
) STRICT;
-- The next messages to send.
CREATE INDEX account_messages_due ON account_messages(next_attempt_at, id) WHERE state = 'queued';
-- Old messages, for the cleanup.
CREATE INDEX account_messages_by_age ON account_messages(created_at);


-- ============================================================ Projects

-- Tenants: each has its members, site and newsletter. A null limit is no limit.
CREATE TABLE projects (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  public_id TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  -- Names the project's pages below /sites/.
  slug TEXT NOT NULL UNIQUE,
  -- The project's own host name, which is proven and served.
  domain TEXT UNIQUE,
  -- A host name that a member has set and nobody has proven. Several projects may claim the same one.
  domain_claim TEXT,
  -- When a record in the DNS proved the domain; null for one that the operator set.
  domain_proven_at INTEGER,
  -- The last look-up of that record, and the first of those in a row that did not find it.
  domain_checked_at INTEGER,
  domain_lost_at INTEGER,
  -- Messages a month.
  monthly_limit INTEGER,
  contact_limit INTEGER,
  -- The project is deleted: nobody finds it, and the row keeps its id for the audit log. erased_at follows once
  -- everything that it held is gone.
  deleted_at INTEGER,
  erased_at INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
-- Deleted projects, to erase what they hold.
CREATE INDEX projects_deleted ON projects(id) WHERE deleted_at IS NOT NULL AND erased_at IS NULL;

-- Domains whose record is looked up again.
CREATE INDEX projects_by_domain_check ON projects(domain_checked_at) WHERE domain_proven_at IS NOT NULL;

CREATE TABLE members (
  project_id INTEGER NOT NULL REFERENCES projects(id) ON DELETE CASCADE,
  user_id TEXT NOT NULL REFERENCES users(id) ON DELETE CASCADE,
  role TEXT NOT NULL CHECK (role IN ('owner', 'administrator', 'editor', 'member')),
  added_at INTEGER NOT NULL,
  PRIMARY KEY (project_id, user_id)
) STRICT, WITHOUT ROWID;
-- The projects of a user.
CREATE INDEX members_by_user ON members(user_id);

-- How much a project holds of what has a limit: rows, and the bytes of their content. Triggers count, except contacts:
-- they come in thousands, and newsletter/contacts counts each batch.
CREATE TABLE project_usage (
  project_id INTEGER NOT NULL REFERENCES projects(id) ON DELETE CASCADE,
  kind TEXT NOT NULL CHECK
    (kind IN ('contacts', 'suppressions', 'pages', 'posts', 'directory_items', 'form_entries', 'files',
      'site_files')),
  rows INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  PRIMARY KEY (project_id, kind)
) STRICT, WITHOUT ROWID;

-- An address has one invitation to a project: inviting it again replaces the row.
CREATE TABLE invitations (
  id TEXT PRIMARY KEY,
  project_id INTEGER NOT NULL REFERENCES projects(id) ON DELETE CASCADE,
  email TEXT NOT NULL,
  email_key TEXT NOT NULL,
  role TEXT NOT NULL CHECK (role IN ('owner', 'administrator', 'editor', 'member')),
  token_hash TEXT NOT NULL UNIQUE,
  invited_by TEXT NOT NULL REFERENCES users(id) ON DELETE CASCADE,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  UNIQUE (project_id, email_key)
) STRICT;
-- The invitations to an address, which a user sees after signing in.
CREATE INDEX invitations_by_email ON invitations(email_key);
-- Expired invitations, for the cleanup.
CREATE INDEX invitations_by_expiry ON invitations(expires_at);

-- Project API keys. A key acts as the member who made it, with that member's current role.
CREATE TABLE api_keys (
  id TEXT PRIMARY KEY,
  project_id INTEGER NOT NULL REFERENCES projects(id) ON DELETE CASCADE,
  user_id TEXT NOT NULL REFERENCES users(id),
  name TEXT NOT NULL,
  key_hash TEXT NOT NULL UNIQUE,
  -- The last four characters, to tell keys apart.
  hint TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  last_used_at INTEGER,
  revoked_at INTEGER
) STRICT;
-- The list of a project's keys.
CREATE INDEX api_keys_by_project ON api_keys(project_id, created_at, id);


-- ============================================================ Apps and their developers

-- OAuth clients. Name, description, homepage, redirect_uris and scopes are those in force; app_drafts holds what waits
-- for a review.
CREATE TABLE apps (
  id TEXT PRIMARY KEY,
  client_id TEXT NOT NULL UNIQUE,
  client_type TEXT NOT NULL CHECK (client_type IN ('confidential', 'public')),
  display_name TEXT NOT NULL,
  description TEXT NOT NULL DEFAULT '',
  homepage TEXT NOT NULL DEFAULT '',
  redirect_uris TEXT NOT NULL,
  scopes TEXT NOT NULL,
  status TEXT NOT NULL,
  -- Public clients need PKCE in any case.
  require_pkce INTEGER NOT NULL DEFAULT 0,
  -- Accepts only pushed authorization requests (RFC 9126).
  require_par INTEGER NOT NULL DEFAULT 0,
  -- The creator, who belongs to the team without a row in app_team.
  user_id TEXT NOT NULL REFERENCES users(id),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
-- The apps that a user created.
CREATE INDEX apps_by_user ON apps(user_id);
-- The apps in a state, newest first.
CREATE INDEX apps_by_status ON apps(status);

-- Secrets of confidential clients. Two may be active at once, so that one can be replaced without a gap.
CREATE TABLE app_secrets (
  id TEXT PRIMARY KEY,
  app_id TEXT NOT NULL REFERENCES apps(id) ON DELETE CASCADE,
  secret_hash TEXT NOT NULL UNIQUE,
  -- The last four characters, to tell secrets apart.
  hint TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  last_used_at INTEGER,
  revoked_at INTEGER
) STRICT;
-- The secrets of an app.
CREATE INDEX app_secrets_by_app ON app_secrets(app_id, created_at);

-- Pictures for the listing of an app, encoded anew by the service.
CREATE TABLE app_images (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  app_id TEXT NOT NULL REFERENCES apps(id) ON DELETE CASCADE,
  -- A hash of the app and the content: the public name.
  address TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  type TEXT NOT NULL CHECK (type IN ('image/png', 'image/jpeg', 'image/gif', 'image/webp')),
  width INTEGER NOT NULL,
  height INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  content BLOB NOT NULL
) STRICT;
CREATE INDEX app_images_by_app ON app_images(app_id, id);

CREATE TABLE app_team (
  app_id TEXT NOT NULL REFERENCES apps(id) ON DELETE CASCADE,
  user_id TEXT NOT NULL REFERENCES users(id) ON DELETE CASCADE,
  added_at INTEGER NOT NULL,
  PRIMARY KEY (app_id, user_id)
) STRICT, WITHOUT ROWID;
-- The apps of a user.
CREATE INDEX app_team_by_user ON app_team(user_id);

-- An address has one invitation to a team: inviting it again replaces the row.
CREATE TABLE app_invitations (
  id TEXT PRIMARY KEY,
  app_id TEXT NOT NULL REFERENCES apps(id) ON DELETE CASCADE,
  email TEXT NOT NULL,
  email_key TEXT NOT NULL,
  token_hash TEXT NOT NULL UNIQUE,
  invited_by TEXT NOT NULL REFERENCES users(id) ON DELETE CASCADE,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  UNIQUE (app_id, email_key)
) STRICT;
-- The invitations to an address.
CREATE INDEX app_invitations_by_email ON app_invitations(email_key);
-- Expired invitations, for the cleanup.
CREATE INDEX app_invitations_by_expiry ON app_invitations(expires_at);

-- What the developer has written, approved or not. An app without a row has written what is in force.
CREATE TABLE app_drafts (
  app_id TEXT PRIMARY KEY REFERENCES apps(id) ON DELETE CASCADE,
  identity TEXT,
  scopes TEXT,
  scope_reasons TEXT NOT NULL DEFAULT '{}',
  listing TEXT NOT NULL DEFAULT '{}',
  -- The approved version that sites get; null while the app is in development.
  live_version_id INTEGER
) STRICT;

-- Projects of people in the team whose pages get the drafts of the app.
CREATE TABLE app_test_projects (
  app_id TEXT NOT NULL REFERENCES apps(id) ON DELETE CASCADE,
  project_id INTEGER NOT NULL REFERENCES projects(id) ON DELETE CASCADE,
  -- Who turned the test on: it holds while the person is in the team and administers the project.
  user_id TEXT NOT NULL REFERENCES users(id) ON DELETE CASCADE,
  added_at INTEGER NOT NULL,
  PRIMARY KEY (app_id, project_id)
) STRICT, WITHOUT ROWID;
-- The tests on the pages of a project.
CREATE INDEX app_test_projects_by_project ON app_test_projects(project_id);
-- For the foreign key, when a user is deleted.
CREATE INDEX app_test_projects_by_user ON app_test_projects(user_id);

-- Frozen copies of an app's identity, scripts, listing and scopes.
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
-- An app has at most one request under review.
CREATE UNIQUE INDEX review_requests_pending ON review_requests(app_id) WHERE status = 'pending';
-- The reviews of an app.
CREATE INDEX review_requests_by_app ON review_requests(app_id, id);
-- The reviews of a version.
CREATE INDEX review_requests_by_version ON review_requests(version_id);

-- A row stops an app: its tokens are refused, nobody can authorize it, and pages leave its scripts out.
CREATE TABLE app_suspensions (
  app_id TEXT PRIMARY KEY REFERENCES apps(id) ON DELETE CASCADE,
  user_id TEXT NOT NULL REFERENCES users(id),
  comment TEXT NOT NULL,
  suspended_at INTEGER NOT NULL
) STRICT;

-- An app's API requests of the last week, without bodies.
CREATE TABLE app_requests (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  app_id TEXT NOT NULL REFERENCES apps(id) ON DELETE CASCADE,
  at INTEGER NOT NULL,
  method TEXT NOT NULL,
  route TEXT NOT NULL,
  status INTEGER NOT NULL,
  request_id TEXT NOT NULL,
  duration_ms INTEGER NOT NULL,
  -- The code of a refusal, as the answer carries it.
  error TEXT,
  -- The public id of the project that the request named.
  project TEXT
) STRICT;
-- The newest requests of an app.
CREATE INDEX app_requests_by_app ON app_requests(app_id, id);
-- Old requests, for the cleanup.
CREATE INDEX app_requests_by_time ON app_requests(at);

-- How often an app called for a project on a day of UTC; all calls, where the log above has the newest.
CREATE TABLE app_calls (
  project_id INTEGER NOT NULL REFERENCES projects(id) ON DELETE CASCADE,
  app_id TEXT NOT NULL REFERENCES apps(id) ON DELETE CASCADE,
  -- Days since 1970.
  day INTEGER NOT NULL,
  calls INTEGER NOT NULL,
  -- Those of them that were refused or failed.
  errors INTEGER NOT NULL,
  PRIMARY KEY (project_id, app_id, day)
) STRICT, WITHOUT ROWID;
-- All calls of an app.
CREATE INDEX app_calls_by_app ON app_calls(app_id, day);
-- Old counts, for the cleanup.
CREATE INDEX app_calls_by_day ON app_calls(day);


-- ============================================================ OAuth

-- What a user granted to an app. Every token belongs to an authorization and ends with it.
CREATE TABLE authorizations (
  id TEXT PRIMARY KEY,
  app_id TEXT NOT NULL REFERENCES apps(id) ON DELETE CASCADE,
  user_id TEXT NOT NULL REFERENCES users(id) ON DELETE CASCADE,
  grant_type TEXT NOT NULL,
  scope TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  last_used_at INTEGER,
  revoked_at INTEGER
) STRICT;
-- The connected apps of a user.
CREATE INDEX authorizations_by_user ON authorizations(user_id, app_id);
-- The authorizations of an app, to withdraw a project from all of them.
CREATE INDEX authorizations_by_app ON authorizations(app_id);

-- The projects that an authorization covers.
CREATE TABLE authorization_projects (
  authorization_id TEXT NOT NULL REFERENCES authorizations(id) ON DELETE CASCADE,
  project_id INTEGER NOT NULL REFERENCES projects(id) ON DELETE CASCADE,
  PRIMARY KEY (authorization_id, project_id)
) STRICT, WITHOUT ROWID;
-- The apps connected with a project.
CREATE INDEX authorization_projects_by_project ON authorization_projects(project_id);

-- What became of an app, for the app itself: it asks for what is new.
CREATE TABLE app_events (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  app_id TEXT NOT NULL REFERENCES apps(id) ON DELETE CASCADE,
  at INTEGER NOT NULL,
  type TEXT NOT NULL CHECK (type IN ('connected', 'scopes_changed', 'disconnected', 'suspended', 'resumed')),
  -- Null for the app as a whole. The row of a deleted project stays, so its id can be told.
  project_id INTEGER,
  scope TEXT,
  comment TEXT
) STRICT;
-- The events of an app.
CREATE INDEX app_events_by_app ON app_events(app_id, id);
-- Old events, for the cleanup.
CREATE INDEX app_events_by_time ON app_events(at);

-- Pushed authorization requests (RFC 9126). A request is deleted when it is answered.
CREATE TABLE pushed_requests (
  request_hash TEXT PRIMARY KEY,
  app_id TEXT NOT NULL REFERENCES apps(id) ON DELETE CASCADE,
  parameters TEXT NOT NULL,
  -- When the user's browser first came with it: from then on it waits as long as a consent form does.
  opened_at INTEGER,
  expires_at INTEGER NOT NULL
) STRICT;
-- Expired requests, for the cleanup.
CREATE INDEX pushed_requests_by_expiry ON pushed_requests(expires_at);
-- The open requests of an app, whose number is limited.
CREATE INDEX pushed_requests_by_app ON pushed_requests(app_id);

-- Authorization codes. A used code stays as long as its authorization lives, so that a second use is noticed.
CREATE TABLE authorization_codes (
  code_hash TEXT PRIMARY KEY,
  app_id TEXT NOT NULL REFERENCES apps(id) ON DELETE CASCADE,
  user_id TEXT NOT NULL REFERENCES users(id) ON DELETE CASCADE,
  redirect_uri TEXT NOT NULL,
  scope TEXT NOT NULL,
  -- JSON array of project keys.
  project_ids TEXT NOT NULL,
  code_challenge TEXT,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  -- The authorization that the first use started; null until then.
  authorization_id TEXT REFERENCES authorizations(id) ON DELETE CASCADE
) STRICT;
-- The codes of an authorization, to delete them after its end.
CREATE INDEX authorization_codes_by_authorization
  ON authorization_codes(authorization_id) WHERE authorization_id IS NOT NULL;
-- The unused codes of an app, to withdraw a project.
CREATE INDEX authorization_codes_by_app ON authorization_codes(app_id);
-- For the foreign key, when a user is deleted.
CREATE INDEX authorization_codes_by_user ON authorization_codes(user_id);
-- Expired codes that were never used, for the cleanup.
CREATE INDEX authorization_codes_unused ON authorization_codes(expires_at) WHERE authorization_id IS NULL;

CREATE TABLE access_tokens (
  token_hash TEXT PRIMARY KEY,
  authorization_id TEXT NOT NULL REFERENCES authorizations(id) ON DELETE CASCADE,
  scope TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  revoked_at INTEGER
) STRICT;
-- The tokens of an authorization.
CREATE INDEX access_tokens_by_authorization ON access_tokens(authorization_id);
-- Expired tokens, for the cleanup.
CREATE INDEX access_tokens_by_expiry ON access_tokens(expires_at);

-- A rotated token stays as long as its authorization lives, so that reuse is noticed. For a while after the rotation
-- sealed_answer holds the new tokens, sealed with the old one: a client that lost the answer can ask again.
CREATE TABLE refresh_tokens (
  token_hash TEXT PRIMARY KEY,
  authorization_id TEXT NOT NULL REFERENCES authorizations(id) ON DELETE CASCADE,
  created_at INTEGER NOT NULL,
  rotated_at INTEGER,
  successor_hash TEXT,
  sealed_answer TEXT,
  CHECK ((rotated_at IS NULL) = (successor_hash IS NULL))
) STRICT;
-- The tokens of an authorization.
CREATE INDEX refresh_tokens_by_authorization ON refresh_tokens(authorization_id);
-- Old sealed answers, for the cleanup.
CREATE INDEX refresh_tokens_with_answer ON refresh_tokens(rotated_at) WHERE sealed_answer IS NOT NULL;

-- Tickets of consent forms that were sent. Each works once.
CREATE TABLE used_consent_tickets (
  ticket_hash TEXT PRIMARY KEY,
  used_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
-- Old tickets, for the cleanup.
CREATE INDEX used_consent_tickets_by_use ON used_consent_tickets(used_at);


-- ============================================================ Scripts of apps on sites

-- The developer's text. A script that a version holds is removed but never deleted, because the version may return.
CREATE TABLE scripts (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  app_id TEXT NOT NULL REFERENCES apps(id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  type TEXT NOT NULL CHECK (type IN ('Essential', 'Functional', 'Analytics', 'Advertising')),
  placement TEXT NOT NULL CHECK (placement IN ('HTML Head', 'HTML Body start', 'HTML Body end')),
  code TEXT NOT NULL,
  -- Defaults for the placeholders in `code`.
  parameters TEXT NOT NULL DEFAULT '{}',
  -- How values are inserted into markup, by key: text (the default) or html.
  parameter_formats TEXT NOT NULL DEFAULT '{}',
  -- A version holds the script.
  versioned INTEGER NOT NULL DEFAULT 0,
  removed_at INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
-- The scripts of an app.
CREATE INDEX scripts_by_app ON scripts(app_id, id);

-- What sites get of a script: the developer's text while the app is in development, then the approved version.
CREATE TABLE published_scripts (
  script_id INTEGER PRIMARY KEY REFERENCES scripts(id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  type TEXT NOT NULL,
  placement TEXT NOT NULL,
  code TEXT NOT NULL,
  parameters TEXT NOT NULL,
  parameter_formats TEXT NOT NULL DEFAULT '{}'
) STRICT;

-- A script on the pages of a project, with parameters that override the script's defaults.
CREATE TABLE script_connections (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER NOT NULL REFERENCES projects(id) ON DELETE CASCADE,
  script_id INTEGER NOT NULL REFERENCES scripts(id) ON DELETE CASCADE,
  parameters TEXT NOT NULL DEFAULT '{}',
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  UNIQUE (project_id, script_id)
) STRICT;
-- The projects of a script.
CREATE INDEX script_connections_by_script ON script_connections(script_id);

-- The project owner's switch. It outlives the connection, so an app cannot switch a script on by connecting it again.
CREATE TABLE switched_off_scripts (
  project_id INTEGER NOT NULL REFERENCES projects(id) ON DELETE CASCADE,
  script_id INTEGER NOT NULL REFERENCES scripts(id) ON DELETE CASCADE,
  switched_off_at INTEGER NOT NULL,
  PRIMARY KEY (project_id, script_id)
) STRICT, WITHOUT ROWID;
-- The switches of a script.
CREATE INDEX switched_off_scripts_by_script ON switched_off_scripts(script_id);

-- Whether visitors are asked before scripts run that are not essential. A project without a row does not ask.
CREATE TABLE script_settings (
  project_id INTEGER PRIMARY KEY REFERENCES projects(id) ON DELETE CASCADE,
  consent_required INTEGER NOT NULL DEFAULT 0,
  updated_at INTEGER NOT NULL
) STRICT;


-- ============================================================ Sites

-- Hosted pages. `html` is last, because lists of pages do not read it.
CREATE TABLE pages (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER NOT NULL REFERENCES projects(id) ON DELETE CASCADE,
  path TEXT NOT NULL,
  title TEXT NOT NULL,
  published INTEGER NOT NULL,
  -- Counts the changes of `html`.
  version INTEGER NOT NULL,
  -- Offsets in `html` at which scripts are inserted, found when the page is saved.
  insertion_points TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  html TEXT NOT NULL,
  UNIQUE (project_id, path)
) STRICT;
-- Counted in project_usage.
CREATE TRIGGER pages_counts_added AFTER INSERT ON pages
BEGIN
  INSERT INTO project_usage (project_id, kind, rows, bytes)
  VALUES (NEW.project_id, 'pages', 1, octet_length(NEW.html))
  ON CONFLICT (project_id, kind) DO UPDATE SET rows = rows + 1, bytes = bytes + excluded.bytes;
END;
CREATE TRIGGER pages_counts_changed AFTER UPDATE OF html ON pages
BEGIN
  UPDATE project_usage SET bytes = bytes + octet_length(NEW.html) - octet_length(OLD.html)
  WHERE project_id = NEW.project_id AND kind = 'pages';
END;
CREATE TRIGGER pages_counts_removed AFTER DELETE ON pages
BEGIN
  UPDATE project_usage SET rows = rows - 1, bytes = bytes - octet_length(OLD.html)
  WHERE project_id = OLD.project_id AND kind = 'pages';
END;

-- Style sheets, pictures, fonts and other files of a site. The content stands last, so that lists do not read it.
CREATE TABLE site_files (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER NOT NULL REFERENCES projects(id) ON DELETE CASCADE,
  path TEXT NOT NULL,
  type TEXT NOT NULL,
  bytes INTEGER NOT NULL,
  hash TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  content BLOB NOT NULL,
  UNIQUE (project_id, path)
) STRICT;
-- Counted in project_usage.
CREATE TRIGGER site_files_counts_added AFTER INSERT ON site_files
BEGIN
  INSERT INTO project_usage (project_id, kind, rows, bytes) VALUES (NEW.project_id, 'site_files', 1, NEW.bytes)
  ON CONFLICT (project_id, kind) DO UPDATE SET rows = rows + 1, bytes = bytes + excluded.bytes;
END;
CREATE TRIGGER site_files_counts_changed AFTER UPDATE OF bytes ON site_files
BEGIN
  UPDATE project_usage SET bytes = bytes + NEW.bytes - OLD.bytes
  WHERE project_id = NEW.project_id AND kind = 'site_files';
END;
CREATE TRIGGER site_files_counts_removed AFTER DELETE ON site_files
BEGIN
  UPDATE project_usage SET rows = rows - 1, bytes = bytes - OLD.bytes
  WHERE project_id = OLD.project_id AND kind = 'site_files';
END;

-- How pages ask visitors for consent, where script_settings demands it. An empty text is the product's own.
CREATE TABLE site_settings (
  project_id INTEGER PRIMARY KEY REFERENCES projects(id) ON DELETE CASCADE,
  -- The product's own banner asks; otherwise the site's own code does, through window.masthead.consent.
  consent_banner INTEGER NOT NULL,
  consent_message TEXT NOT NULL,
  consent_accept TEXT NOT NULL,
  consent_decline TEXT NOT NULL,
  -- Where the site says what it does with data; empty for nowhere.
  consent_privacy_url TEXT NOT NULL,
  -- The further texts of the banner, by name.
  consent_words TEXT NOT NULL,
  -- Signups and form entries need a proof of work.
  proof_of_work INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;

-- Blog posts. `content` is last, because lists of posts do not read it.
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
-- The four orders in which posts can be listed.
CREATE INDEX cms_posts_by_update ON cms_posts(project_id, updated_at, id);
CREATE INDEX cms_posts_by_creation ON cms_posts(project_id, created_at, id);
CREATE INDEX cms_posts_by_title ON cms_posts(project_id, title_key, id);
CREATE INDEX cms_posts_by_length ON cms_posts(project_id, word_count, id);
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

-- What the site shows: the published posts, newest first.
CREATE INDEX cms_posts_published ON cms_posts(project_id, created_at, id) WHERE status = 'published';

-- A project's own HTML for a post and for the list of posts.
CREATE TABLE site_templates (
  project_id INTEGER NOT NULL REFERENCES projects(id) ON DELETE CASCADE,
  kind TEXT NOT NULL CHECK (kind IN ('post', 'index')),
  updated_at INTEGER NOT NULL,
  html TEXT NOT NULL,
  PRIMARY KEY (project_id, kind)
) STRICT;

-- Entries of a project's directories, such as shops or team members.
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
-- The entries of all directories, and of one.
CREATE INDEX directory_items_in_order ON directory_items(project_id, created_at, id);
CREATE INDEX directory_items_by_directory ON directory_items(project_id, directory, created_at, id);
-- Counted in project_usage.
CREATE TRIGGER directory_items_counts_added AFTER INSERT ON directory_items
BEGIN
  INSERT INTO project_usage (project_id, kind, rows, bytes)
  VALUES (NEW.project_id, 'directory_items', 1, octet_length(NEW.fields))
  ON CONFLICT (project_id, kind) DO UPDATE SET rows = rows + 1, bytes = bytes + excluded.bytes;
END;
CREATE TRIGGER directory_items_counts_changed AFTER UPDATE OF fields ON directory_items
BEGIN
  UPDATE project_usage SET bytes = bytes + octet_length(NEW.fields) - octet_length(OLD.fields)
  WHERE project_id = NEW.project_id AND kind = 'directory_items';
END;
CREATE TRIGGER directory_items_counts_removed AFTER DELETE ON directory_items
BEGIN
  UPDATE project_usage SET rows = rows - 1, bytes = bytes - octet_length(OLD.fields)
  WHERE project_id = OLD.project_id AND kind = 'directory_items';
END;

-- What visitors sent through forms on pages.
CREATE TABLE form_entries (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER NOT NULL REFERENCES projects(id) ON DELETE CASCADE,
  form TEXT NOT NULL,
  fields TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
-- The entries of all forms, and of one.
CREATE INDEX form_entries_in_order ON form_entries(project_id, created_at, id);
CREATE INDEX form_entries_by_form ON form_entries(project_id, form, created_at, id);
-- Counted in project_usage.
CREATE TRIGGER form_entries_counts_added AFTER INSERT ON form_entries
BEGIN
  INSERT INTO project_usage (project_id, kind, rows, bytes)
  VALUES (NEW.project_id, 'form_entries', 1, octet_length(NEW.fields))
  ON CONFLICT (project_id, kind) DO UPDATE SET rows = rows + 1, bytes = bytes + excluded.bytes;
END;
CREATE TRIGGER form_entries_counts_removed AFTER DELETE ON form_entries
BEGIN
  UPDATE project_usage SET rows = rows - 1, bytes = bytes - octet_length(OLD.fields)
  WHERE project_id = OLD.project_id AND kind = 'form_entries';
END;

-- Who gets the entries of a form by mail, and how long they stay; with an empty form, of every form without a row.
CREATE TABLE form_settings (
  project_id INTEGER NOT NULL REFERENCES projects(id) ON DELETE CASCADE,
  form TEXT NOT NULL,
  notify TEXT NOT NULL,
  keep_days INTEGER CHECK (keep_days > 0),
  -- The first entry that the next mail tells of, and when it is due.
  tell_from INTEGER,
  tell_at INTEGER,
  told_at INTEGER,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (project_id, form)
) STRICT;
-- The next mails to write.
CREATE INDEX form_settings_due ON form_settings(tell_at) WHERE tell_at IS NOT NULL;

-- Pictures for letters and pages, encoded anew by the service. The content stands last, so that lists do not read it.
CREATE TABLE files (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER NOT NULL REFERENCES projects(id) ON DELETE CASCADE,
  -- A hash of the project and the content: the public name.
  address TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  alt TEXT NOT NULL,
  type TEXT NOT NULL CHECK (type IN ('image/png', 'image/jpeg', 'image/gif', 'image/webp')),
  width INTEGER NOT NULL,
  height INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  content BLOB NOT NULL
) STRICT;
CREATE INDEX files_in_order ON files(project_id, created_at, id);
-- Counted in project_usage.
CREATE TRIGGER files_counts_added AFTER INSERT ON files
BEGIN
  INSERT INTO project_usage (project_id, kind, rows, bytes) VALUES (NEW.project_id, 'files', 1, NEW.bytes)
  ON CONFLICT (project_id, kind) DO UPDATE SET rows = rows + 1, bytes = bytes + excluded.bytes;
END;
CREATE TRIGGER files_counts_removed AFTER DELETE ON files
BEGIN
  UPDATE project_usage SET rows = rows - 1, bytes = bytes - OLD.bytes
  WHERE project_id = OLD.project_id AND kind = 'files';
END;


-- ============================================================ Newsletter: settings and sending connections

CREATE TABLE newsletter_settings (
  project_id INTEGER PRIMARY KEY REFERENCES projects(id) ON DELETE CASCADE,
  from_name TEXT NOT NULL DEFAULT '',
  from_email TEXT NOT NULL DEFAULT '',
  reply_to TEXT NOT NULL DEFAULT '',
  company_name TEXT NOT NULL DEFAULT '',
  postal_address TEXT NOT NULL DEFAULT '',
  default_connection_id INTEGER,
  timezone TEXT NOT NULL DEFAULT 'UTC',
  locale TEXT NOT NULL DEFAULT 'en',
  footer_text TEXT NOT NULL DEFAULT '',
  track_opens INTEGER NOT NULL DEFAULT 1,
  track_clicks INTEGER NOT NULL DEFAULT 1,
  -- The double opt-in message; empty for the product's own text.
  confirmation_subject TEXT NOT NULL DEFAULT '',
  confirmation_text TEXT NOT NULL DEFAULT '',
  -- The address in List-Unsubscribe, whose messages reach the mime webhook.
  unsubscribe_mailto TEXT NOT NULL DEFAULT '',
  -- Set by a restore that cannot know which confirmations were sent.
  confirmations_held INTEGER NOT NULL DEFAULT 0 CHECK (confirmations_held IN (0, 1)),
  brand_color TEXT NOT NULL DEFAULT '',
  logo_url TEXT NOT NULL DEFAULT '',
  updated_at INTEGER NOT NULL
) STRICT;

-- SMTP relays, with their limits and the token under which they report bounces and complaints.
CREATE TABLE connections (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER NOT NULL REFERENCES projects(id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  name_key TEXT NOT NULL,
  provider TEXT NOT NULL,
  host TEXT NOT NULL DEFAULT '',
  port INTEGER NOT NULL DEFAULT 0,
  secure TEXT NOT NULL DEFAULT 'starttls',
  username TEXT NOT NULL DEFAULT '',
  password_sealed TEXT,
  from_domain TEXT NOT NULL DEFAULT '',
  -- Messages a second; null for no limit.
  max_per_second REAL,
  max_per_day INTEGER,
  max_connections INTEGER NOT NULL DEFAULT 10,
  -- Messages a second to each mailbox provider.
  mailbox_limits TEXT,
  -- The stream of a provider for campaigns; empty for its default.
  message_stream TEXT NOT NULL DEFAULT '',
  -- The day on which the warm-up of a new sender began.
  warm_up_started_at INTEGER,
  -- Verifies the signature of the relay's reports.
  webhook_secret_sealed TEXT,
  -- Names the connection in the address that reports are sent to; null until that address is first asked for.
  webhook_token_hash TEXT,
  webhook_token_sealed TEXT,
  -- The SNS topic whose notifications are accepted: that of the first confirmed subscription.
  webhook_topic TEXT,
  -- When the provider last reported something, to the minute.
  last_report_at INTEGER,
  -- The domain of the return path, which bounces are sent to.
  bounce_domain TEXT NOT NULL DEFAULT '',
  -- The last result of the DNS check.
  dns TEXT,
  -- The selector that verify-dns was last given.
  dkim_selector TEXT NOT NULL DEFAULT '',
  verified_at INTEGER,
  last_error TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  UNIQUE (project_id, name_key)
) STRICT;
CREATE INDEX connections_in_order ON connections(project_id, created_at, id);
-- The connection of a report.
CREATE UNIQUE INDEX connections_by_webhook_token
  ON connections(webhook_token_hash) WHERE webhook_token_hash IS NOT NULL;

-- Keys that sign the messages of a sender domain (RFC 6376). A deleted key loses its private half and keeps its
-- selector: receivers may still look up the selector of old messages, so no other key of the domain may use it.
CREATE TABLE dkim_keys (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER NOT NULL REFERENCES projects(id) ON DELETE CASCADE,
  domain TEXT NOT NULL,
  selector TEXT NOT NULL,
  algorithm TEXT NOT NULL CHECK (algorithm IN ('rsa-sha256', 'ed25519-sha256')),
  private_key_sealed TEXT,
  public_key TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  -- When the DNS record was last seen; null when the last check did not find it.
  verified_at INTEGER,
  disabled_at INTEGER,
  UNIQUE (domain, selector)
) STRICT;
-- The keys of a sender domain.
CREATE INDEX dkim_keys_by_project ON dkim_keys(project_id, domain, created_at, id);

-- Token buckets that pace sending, shared by all processes: one for a connection as a whole (lane '') and one for each
-- mailbox provider with a limit of its own.
CREATE TABLE send_buckets (
  connection_id INTEGER NOT NULL REFERENCES connections(id) ON DELETE CASCADE,
  lane TEXT NOT NULL,
  tokens REAL NOT NULL,
  refilled_at INTEGER NOT NULL,
  PRIMARY KEY (connection_id, lane)
) STRICT, WITHOUT ROWID;

-- Messages sent in an hour. Daily and monthly limits and the overview add them up.
CREATE TABLE sending_hours (
  project_id INTEGER NOT NULL REFERENCES projects(id) ON DELETE CASCADE,
  connection_id INTEGER NOT NULL,
  hour INTEGER NOT NULL,
  sent INTEGER NOT NULL,
  PRIMARY KEY (project_id, connection_id, hour)
) STRICT, WITHOUT ROWID;

-- Reports of relays that were applied, so that a repeated report counts once.
CREATE TABLE provider_events (
  connection_id INTEGER NOT NULL REFERENCES connections(id) ON DELETE CASCADE,
  event_id TEXT NOT NULL,
  seen_at INTEGER NOT NULL,
  PRIMARY KEY (connection_id, event_id)
) STRICT, WITHOUT ROWID;
-- Old reports, for the cleanup.
CREATE INDEX provider_events_by_age ON provider_events(seen_at);


-- ============================================================ Newsletter: contacts and consent

CREATE TABLE lists (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER NOT NULL REFERENCES projects(id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  name_key TEXT NOT NULL,
  description TEXT NOT NULL DEFAULT '',
  double_opt_in INTEGER NOT NULL DEFAULT 0,
  -- Recipients see the list on the preferences page and may join it through forms.
  public INTEGER NOT NULL DEFAULT 1,
  -- Everybody may read what was sent to the list.
  letters_public INTEGER NOT NULL DEFAULT 0,
  archived_at INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  UNIQUE (project_id, name_key)
) STRICT;
CREATE INDEX lists_in_order ON lists(project_id, created_at, id);

CREATE TABLE tags (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER NOT NULL REFERENCES projects(id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  name_key TEXT NOT NULL,
  color TEXT NOT NULL DEFAULT '',
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  UNIQUE (project_id, name_key)
) STRICT;
CREATE INDEX tags_in_order ON tags(project_id, created_at, id);

CREATE TABLE custom_fields (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER NOT NULL REFERENCES projects(id) ON DELETE CASCADE,
  key TEXT NOT NULL,
  label TEXT NOT NULL,
  type TEXT NOT NULL CHECK (type IN ('text', 'number', 'boolean', 'date', 'select')),
  -- The choices of a select field.
  options TEXT,
  -- The number of the column contacts.slot_1 … slot_12 that holds the values; null when all were in use.
  slot INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  UNIQUE (project_id, key)
) STRICT;
CREATE INDEX custom_fields_in_order ON custom_fields(project_id, created_at, id);
-- A slot belongs to one field of a project.
CREATE UNIQUE INDEX custom_fields_slots ON custom_fields(project_id, slot) WHERE slot IS NOT NULL;

-- The columns from first_name_key on repeat names and custom values in the form that segment rules compare. Each is a
-- column, because reading JSON for a million contacts costs ten times as much (docs/decisions/0001). Fields without a
-- slot are in more_keys, a JSON object. src/newsletter/contacts/rule-columns.ts writes these columns.
CREATE TABLE contacts (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER NOT NULL REFERENCES projects(id) ON DELETE CASCADE,
  email TEXT NOT NULL,
  email_key TEXT NOT NULL,
  first_name TEXT NOT NULL DEFAULT '',
  last_name TEXT NOT NULL DEFAULT '',
  -- Address and names in lower case: the text that `search` looks in.
  search_key TEXT NOT NULL,
  global_status TEXT NOT NULL
    CHECK (global_status IN ('pending', 'subscribed', 'unsubscribed', 'bounced', 'complained')),
  -- A bounced contact had unsubscribed before. Resetting the bounce returns it to unsubscribed, not to subscribed.
  opted_out INTEGER NOT NULL DEFAULT 0,
  custom_fields TEXT NOT NULL DEFAULT '{}',
  -- The latest consent; consents holds all of them. The wording is null for an empty text. It has no foreign key: a
  -- row of consents refers to the same wording, and checks on both would cost each new contact twice.
  consent_wording_id INTEGER,
  consent_source TEXT NOT NULL DEFAULT '',
  consent_at INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  first_name_key TEXT NOT NULL DEFAULT '',
  last_name_key TEXT NOT NULL DEFAULT '',
  slot_1 ANY,
  slot_2 ANY,
  slot_3 ANY,
  slot_4 ANY,
  slot_5 ANY,
  slot_6 ANY,
  slot_7 ANY,
  slot_8 ANY,
  slot_9 ANY,
  slot_10 ANY,
  slot_11 ANY,
  slot_12 ANY,
  more_keys TEXT,
  UNIQUE (project_id, email_key)
) STRICT;
-- The list of contacts. A search reads search_key from this index and the table only for what it finds.
CREATE INDEX contacts_in_order ON contacts(project_id, created_at, id, search_key);
-- The list of contacts with one status, and their counts.
CREATE INDEX contacts_by_status ON contacts(project_id, global_status, created_at, id);
-- All that segment rules compare, so that counting a segment reads this index alone. Its order by id lets a scan stop
-- and go on, and puts a new contact at the end.
CREATE INDEX contacts_for_rules ON contacts(
  project_id, id, global_status, email_key, first_name_key, last_name_key, created_at, updated_at, consent_at,
  slot_1, slot_2, slot_3, slot_4, slot_5, slot_6, slot_7, slot_8, slot_9, slot_10, slot_11, slot_12);

-- Messages that somebody asked for by naming an address, which limits the next ones. The address is kept as a hash.
CREATE TABLE message_requests (
  id INTEGER PRIMARY KEY,
  project_id INTEGER NOT NULL REFERENCES projects(id) ON DELETE CASCADE,
  kind TEXT NOT NULL CHECK (kind IN ('confirmation', 'link', 'test')),
  mailbox_mark TEXT NOT NULL,
  -- When the message was due; up to an hour in the future.
  at INTEGER NOT NULL,
  by_stranger INTEGER NOT NULL CHECK (by_stranger IN (0, 1))
) STRICT;
CREATE INDEX message_requests_by_mailbox ON message_requests(project_id, kind, mailbox_mark, at);
-- The messages that strangers caused in the last hour.
CREATE INDEX message_requests_by_strangers ON message_requests(project_id, at) WHERE by_stranger = 1;
-- Old requests, for the cleanup.
CREATE INDEX message_requests_by_time ON message_requests(at);

CREATE TABLE memberships (
  contact_id INTEGER NOT NULL REFERENCES contacts(id) ON DELETE CASCADE,
  list_id INTEGER NOT NULL REFERENCES lists(id) ON DELETE CASCADE,
  status TEXT NOT NULL CHECK (status IN ('pending', 'subscribed', 'unsubscribed')),
  subscribed_at INTEGER,
  unsubscribed_at INTEGER,
  -- When the last double opt-in message was queued.
  confirmation_sent_at INTEGER,
  PRIMARY KEY (contact_id, list_id)
) STRICT, WITHOUT ROWID;
-- The members of a list with one status, and their counts.
CREATE INDEX memberships_by_list ON memberships(list_id, status, contact_id);

CREATE TABLE contact_tags (
  contact_id INTEGER NOT NULL REFERENCES contacts(id) ON DELETE CASCADE,
  tag_id INTEGER NOT NULL REFERENCES tags(id) ON DELETE CASCADE,
  PRIMARY KEY (contact_id, tag_id)
) STRICT, WITHOUT ROWID;
-- The contacts with a tag.
CREATE INDEX contact_tags_by_tag ON contact_tags(tag_id, contact_id);

-- Forms on which people join lists. `wordings` is a JSON array of the texts that people agree to, oldest first.
CREATE TABLE sign_up_forms (
  id TEXT PRIMARY KEY,
  project_id INTEGER NOT NULL REFERENCES projects(id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  title TEXT NOT NULL,
  text TEXT NOT NULL,
  wordings TEXT NOT NULL,
  list_ids TEXT NOT NULL,
  fields TEXT NOT NULL,
  button TEXT NOT NULL,
  thanks_text TEXT NOT NULL,
  redirect_url TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX sign_up_forms_in_order ON sign_up_forms(project_id, created_at);

-- Texts that contacts agreed to, each stored once in a project. The rows of consents refer to them.
CREATE TABLE consent_wordings (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER NOT NULL REFERENCES projects(id) ON DELETE CASCADE,
  -- Of the text: an index on texts of up to 4,000 characters would store them twice.
  hash TEXT NOT NULL,
  text TEXT NOT NULL,
  UNIQUE (project_id, hash)
) STRICT;

-- Evidence of consent: which words a person agreed to, confirmed or withdrew, when and from where. Rows are only added.
-- list_id is null for consent to no particular list, wording_id for an empty text.
CREATE TABLE consents (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER NOT NULL REFERENCES projects(id) ON DELETE CASCADE,
  contact_id INTEGER NOT NULL REFERENCES contacts(id) ON DELETE CASCADE,
  list_id INTEGER,
  action TEXT NOT NULL DEFAULT 'given' CHECK (action IN ('given', 'confirmed', 'withdrawn')),
  wording_id INTEGER REFERENCES consent_wordings(id),
  source TEXT NOT NULL,
  at INTEGER NOT NULL,
  -- Of the person; null where it is not known.
  address TEXT,
  user_agent TEXT,
  -- Of the integration that spoke for the person.
  caller_address TEXT,
  caller_user_agent TEXT,
  -- The campaign whose message the person used to withdraw.
  campaign_id INTEGER
) STRICT;
-- The consents of a contact.
CREATE INDEX consents_by_contact ON consents(contact_id, id);
-- The consents to a wording, to delete it with the last of them.
CREATE INDEX consents_by_wording ON consents(wording_id) WHERE wording_id IS NOT NULL;
-- A text may name a person: it goes with the last contact that agreed to it.
CREATE TRIGGER consent_wordings_unused AFTER DELETE ON consents
WHEN OLD.wording_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM consents WHERE wording_id = OLD.wording_id)
BEGIN
  DELETE FROM consent_wordings WHERE id = OLD.wording_id;
END;

-- Deleted contacts whose address is still in stored rows. The cleanup empties these and removes the row.
CREATE TABLE erasures (
  contact_id INTEGER PRIMARY KEY,
  project_id INTEGER NOT NULL REFERENCES projects(id) ON DELETE CASCADE,
  email_key TEXT NOT NULL,
  deleted_at INTEGER NOT NULL
) STRICT;
-- Whether an address is being forgotten, for reports of imports.
CREATE INDEX erasures_by_address ON erasures(project_id, email_key);

-- The keys of the hashes that stand for addresses in suppressions and in facts, made with the project.
CREATE TABLE address_keys (
  project_id INTEGER PRIMARY KEY REFERENCES projects(id) ON DELETE CASCADE,
  key TEXT NOT NULL
) STRICT;

-- Addresses of a project that nothing is sent to. They outlive the contact.
CREATE TABLE suppressions (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER NOT NULL REFERENCES projects(id) ON DELETE CASCADE,
  -- Empty, and email_key a keyed hash, where the contact was deleted.
  email TEXT NOT NULL,
  email_key TEXT NOT NULL,
  reason TEXT NOT NULL CHECK (reason IN ('hard_bounce', 'complaint', 'unsubscribe', 'manual')),
  -- The person unsubscribed, also where the reason is a stronger one.
  opted_out INTEGER NOT NULL DEFAULT 0,
  note TEXT NOT NULL DEFAULT '',
  created_at INTEGER NOT NULL,
  UNIQUE (project_id, email_key)
) STRICT;
-- The list of suppressions, and of those with one reason.
CREATE INDEX suppressions_in_order ON suppressions(project_id, created_at, id);
CREATE INDEX suppressions_by_reason ON suppressions(project_id, reason, created_at, id);
-- Counted in project_usage.
CREATE TRIGGER suppressions_counts_added AFTER INSERT ON suppressions
BEGIN
  INSERT INTO project_usage (project_id, kind, rows, bytes)
  VALUES (NEW.project_id, 'suppressions', 1, 0)
  ON CONFLICT (project_id, kind) DO UPDATE SET rows = rows + 1, bytes = bytes + excluded.bytes;
END;
CREATE TRIGGER suppressions_counts_removed AFTER DELETE ON suppressions
BEGIN
  UPDATE project_usage SET rows = rows - 1
  WHERE project_id = OLD.project_id AND kind = 'suppressions';
END;

-- Addresses whose last messages bounced softly, one after the other.
CREATE TABLE soft_bounces (
  project_id INTEGER NOT NULL REFERENCES projects(id) ON DELETE CASCADE,
  email_key TEXT NOT NULL,
  bounces INTEGER NOT NULL,
  -- The newest message that bounced; null when the report named none.
  last_delivery_id INTEGER,
  last_at INTEGER NOT NULL,
  PRIMARY KEY (project_id, email_key)
) STRICT, WITHOUT ROWID;
-- Old counts, for the cleanup.
CREATE INDEX soft_bounces_by_age ON soft_bounces(last_at);

-- Saved rules that select contacts.
CREATE TABLE segments (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER NOT NULL REFERENCES projects(id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  name_key TEXT NOT NULL,
  rules TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  UNIQUE (project_id, name_key)
) STRICT;
CREATE INDEX segments_in_order ON segments(project_id, created_at, id);


-- ============================================================ Newsletter: imports

-- An import of a CSV file, from the upload over the dry-run to the job that writes the contacts.
CREATE TABLE imports (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER NOT NULL REFERENCES projects(id) ON DELETE CASCADE,
  filename TEXT NOT NULL DEFAULT '',
  status TEXT NOT NULL
    CHECK (status IN ('staged', 'validated', 'queued', 'processing', 'completed', 'failed', 'cancelled')),
  size_bytes INTEGER NOT NULL,
  -- How many bytes an upload will have; null once they are there.
  upload_total INTEGER,
  delimiter TEXT NOT NULL,
  columns TEXT NOT NULL,
  mapping TEXT,
  options TEXT,
  -- The custom fields as the dry-run knew them.
  fields TEXT,
  summary TEXT,
  findings TEXT,
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
-- Imports that nobody has gone on with for a while, for the cleanup.
CREATE INDEX imports_unfinished ON imports(updated_at) WHERE status IN ('staged', 'validated', 'failed');

-- The uploaded file until the import is committed. It is stored in pieces, because a libSQL server answers at most
-- 10 MB at once.
CREATE TABLE import_texts (
  import_id INTEGER NOT NULL REFERENCES imports(id) ON DELETE CASCADE,
  number INTEGER NOT NULL,
  bytes BLOB NOT NULL,
  PRIMARY KEY (import_id, number)
) STRICT;

-- What the dry-run read, in pages of people. The job deletes each page in the transaction that writes its contacts.
CREATE TABLE import_pages (
  import_id INTEGER NOT NULL REFERENCES imports(id) ON DELETE CASCADE,
  -- The last row of the file that the page covers.
  last_row INTEGER NOT NULL,
  rows INTEGER NOT NULL,
  failed INTEGER NOT NULL,
  duplicates INTEGER NOT NULL,
  people TEXT NOT NULL,
  PRIMARY KEY (import_id, last_row)
) STRICT;


-- ============================================================ Newsletter: campaigns

-- Saved email documents.
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

-- docs/api/campaigns.md lists the states.
CREATE TABLE campaigns (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER NOT NULL REFERENCES projects(id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  search_key TEXT NOT NULL,
  subject TEXT NOT NULL,
  preheader TEXT NOT NULL DEFAULT '',
  editor_json TEXT NOT NULL,
  -- The id of the template that the document began with, or builtin:NAME.
  template_id TEXT,
  audience_spec TEXT NOT NULL,
  connection_id INTEGER,
  from_name TEXT NOT NULL DEFAULT '',
  from_email TEXT NOT NULL DEFAULT '',
  reply_to TEXT NOT NULL DEFAULT '',
  track_opens INTEGER NOT NULL,
  track_clicks INTEGER NOT NULL,
  -- Appended to links; empty for none.
  utm_source TEXT NOT NULL DEFAULT '',
  utm_medium TEXT NOT NULL DEFAULT '',
  utm_campaign TEXT NOT NULL DEFAULT '',
  status TEXT NOT NULL
    CHECK (status IN ('draft', 'scheduled', 'preparing', 'sending', 'sent', 'paused', 'cancelled', 'failed')),
  scheduled_at INTEGER,
  timezone TEXT,
  started_at INTEGER,
  finished_at INTEGER,
  failure TEXT,
  -- The posts in the document, frozen with the audience: every recipient gets the same ones.
  posts TEXT,
  -- A change of all recipients that is under way in steps, and the last delivery it has looked at.
  recipient_update TEXT,
  recipient_update_after INTEGER NOT NULL DEFAULT 0,
  -- Messages handed to the relay: the base of the share of bounces and complaints.
  handed_over INTEGER NOT NULL DEFAULT 0,
  -- The multiple of the allowed share at which the campaign pauses; see src/newsletter/campaigns/reputation.ts.
  tolerated REAL NOT NULL DEFAULT 1,
  deleted_at INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX campaigns_in_order ON campaigns(project_id, created_at, id);
-- The list of campaigns with one status; the campaigns of all projects that are sending.
CREATE INDEX campaigns_by_status ON campaigns(status, project_id, created_at, id);
-- The public archive of a project, newest first. All that decides is in the index: the audience stands behind the
-- document in the row.
CREATE INDEX campaigns_sent ON campaigns(project_id, started_at, id, audience_spec, status, deleted_at)
  WHERE status = 'sent' AND deleted_at IS NULL;
-- Campaigns with a change of all recipients under way.
CREATE INDEX campaigns_to_update ON campaigns(id) WHERE recipient_update IS NOT NULL;
-- The next campaigns to start.
CREATE INDEX campaigns_scheduled ON campaigns(scheduled_at) WHERE status = 'scheduled';

-- The targets of a campaign's tracked links. Rows never change: a link in an old message leads where it always led.
CREATE TABLE campaign_links (
  campaign_id INTEGER NOT NULL REFERENCES campaigns(id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  -- With merge tags that are filled in for each recipient.
  url TEXT NOT NULL,
  PRIMARY KEY (campaign_id, position)
) STRICT, WITHOUT ROWID;


-- ============================================================ Newsletter: outbox and history

-- The outbox: one row for each message. docs/api/delivery.md#states draws the states.
CREATE TABLE deliveries (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER NOT NULL REFERENCES projects(id) ON DELETE CASCADE,
  kind TEXT NOT NULL CHECK (kind IN ('campaign', 'confirmation', 'test', 'link')),
  campaign_id INTEGER REFERENCES campaigns(id),
  contact_id INTEGER,
  email TEXT NOT NULL,
  status TEXT NOT NULL,
  attempts INTEGER NOT NULL DEFAULT 0,
  next_attempt_at INTEGER NOT NULL,
  -- The worker and lease under which the message is being sent.
  worker_id TEXT,
  lease_id TEXT,
  message_id TEXT,
  last_error TEXT,
  sent_at INTEGER,
  -- The text of a message that is not a campaign's.
  content TEXT,
  created_at INTEGER NOT NULL
) STRICT;
-- A contact gets a campaign at most once.
CREATE UNIQUE INDEX deliveries_once ON deliveries(campaign_id, contact_id) WHERE kind = 'campaign';
-- The next messages of a campaign.
CREATE INDEX deliveries_due
  ON deliveries(campaign_id, next_attempt_at, id) WHERE status = 'queued' AND kind = 'campaign';
-- The next transactional messages.
CREATE INDEX deliveries_due_single ON deliveries(next_attempt_at, id) WHERE status = 'queued' AND kind <> 'campaign';
-- The messages of a worker, to recover them when it died.
CREATE INDEX deliveries_leased ON deliveries(worker_id) WHERE status IN ('leased', 'sending');
-- Recipients of a campaign with one status, and their counts.
CREATE INDEX deliveries_by_status ON deliveries(campaign_id, status, id) WHERE kind = 'campaign';
-- The messages to a contact.
CREATE INDEX deliveries_by_contact ON deliveries(contact_id, id);
-- Tests that hold a document.
CREATE INDEX deliveries_tests ON deliveries(campaign_id) WHERE kind = 'test' AND content IS NOT NULL;

-- What happened to contacts and messages. Reports and a contact's history read it.
CREATE TABLE events (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER NOT NULL REFERENCES projects(id) ON DELETE CASCADE,
  type TEXT NOT NULL,
  campaign_id INTEGER,
  delivery_id INTEGER,
  contact_id INTEGER,
  list_id INTEGER,
  email TEXT NOT NULL DEFAULT '',
  at INTEGER NOT NULL,
  -- Of a click.
  url TEXT,
  user_agent TEXT,
  -- An open or click by a program, such as a mail provider's prefetch.
  machine INTEGER NOT NULL DEFAULT 0,
  detail TEXT
) STRICT;
-- The history of a contact.
CREATE INDEX events_by_contact ON events(contact_id, id);
-- Reports of a campaign are counted in the next two indexes alone, without a look-up for each event.
CREATE INDEX events_by_campaign ON events(campaign_id, id, type, machine, at) WHERE campaign_id IS NOT NULL;
CREATE INDEX events_by_campaign_type
  ON events(campaign_id, type, delivery_id, machine) WHERE campaign_id IS NOT NULL AND type <> 'sent';
-- Opens and clicks, for segment rules about engagement.
CREATE INDEX events_engagement
  ON events(contact_id, type, at, campaign_id, machine) WHERE type IN ('open', 'click');
-- Unsubscribes by day, for the growth in the overview.
CREATE INDEX events_of_leaving ON events(project_id, at) WHERE type = 'unsubscribe';
-- Former addresses of contacts, without a look-up for each of their events.
CREATE INDEX events_of_addresses ON events(contact_id) WHERE type = 'address_changed';

-- What became of messages, by mailbox provider and day: counted from the events in the order of their ids.
CREATE TABLE delivery_days (
  project_id INTEGER NOT NULL REFERENCES projects(id) ON DELETE CASCADE,
  day INTEGER NOT NULL,
  provider TEXT NOT NULL,
  sent INTEGER NOT NULL,
  bounced INTEGER NOT NULL,
  soft_bounced INTEGER NOT NULL,
  complained INTEGER NOT NULL,
  unsubscribed INTEGER NOT NULL,
  opened INTEGER NOT NULL,
  PRIMARY KEY (project_id, day, provider)
) STRICT, WITHOUT ROWID;
-- The oldest days, for the cleanup.
CREATE INDEX delivery_days_by_day ON delivery_days(day);
CREATE TABLE delivery_days_position (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  event_id INTEGER NOT NULL
) STRICT;
INSERT INTO delivery_days_position (id, event_id) VALUES (1, 0);

-- The sandbox mailbox: messages that were stored instead of sent. project_id is null for the service's own messages.
CREATE TABLE sandbox_messages (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER,
  sender TEXT NOT NULL,
  recipient TEXT NOT NULL,
  recipient_key TEXT NOT NULL,
  raw TEXT NOT NULL,
  received_at INTEGER NOT NULL
) STRICT;
-- The messages to an address.
CREATE INDEX sandbox_messages_by_recipient ON sandbox_messages(recipient_key, id);
-- The messages of a project.
CREATE INDEX sandbox_messages_by_project ON sandbox_messages(project_id, id);


-- ============================================================ Requests and background work

-- Jobs that run in steps; `position` is where a job goes on after a crash.
CREATE TABLE jobs (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER NOT NULL REFERENCES projects(id) ON DELETE CASCADE,
  kind TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('queued', 'running', 'completed', 'failed', 'cancelled')),
  payload TEXT NOT NULL,
  position INTEGER NOT NULL DEFAULT 0,
  processed INTEGER NOT NULL DEFAULT 0,
  total INTEGER,
  error TEXT,
  attempts INTEGER NOT NULL DEFAULT 0,
  next_attempt_at INTEGER NOT NULL,
  worker_id TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX jobs_in_order ON jobs(project_id, created_at, id);
-- Whether any job is due, and since when.
CREATE INDEX jobs_due ON jobs(next_attempt_at, id) WHERE status = 'queued';
-- The next job of each project, and how many of a project wait.
CREATE INDEX jobs_waiting ON jobs(project_id, next_attempt_at, id) WHERE status = 'queued';
-- The jobs of a worker, to recover them when it died.
CREATE INDEX jobs_running ON jobs(worker_id) WHERE status = 'running';

-- Idempotency receipts: `pending` is committed before an operation runs, `completed` together with its effects.
CREATE TABLE receipts (
  id INTEGER PRIMARY KEY,
  project_id INTEGER NOT NULL,
  actor TEXT NOT NULL,
  operation TEXT NOT NULL,
  idempotency_key TEXT NOT NULL,
  -- The hash of the request, to notice the same key with another one.
  fingerprint TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('pending', 'completed')),
  status INTEGER,
  -- The JSON of the response. A long one is compressed (RFC 8878) and stands in response_zstd.
  response TEXT,
  response_zstd BLOB,
  created_at INTEGER NOT NULL,
  completed_at INTEGER,
  UNIQUE (project_id, actor, operation, idempotency_key)
) STRICT;
-- Old receipts, for the cleanup.
CREATE INDEX receipts_by_completion ON receipts(completed_at) WHERE state = 'completed';
-- Receipts of operations that did not end, for operators.
CREATE INDEX receipts_pending ON receipts(created_at) WHERE state = 'pending';

-- Rate limits: one row for each limited thing, such as the reads of a project. A window begins with its first request.
CREATE TABLE rate_windows (
  bucket TEXT PRIMARY KEY,
  started_at INTEGER NOT NULL,
  count INTEGER NOT NULL,
  -- Quota given by the last statement that touched the row, which reads it back.
  granted INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
-- Ended windows, for the cleanup.
CREATE INDEX rate_windows_by_start ON rate_windows(started_at);

-- The secret keys that the data was made with, the newest last. check_value tells another key with the same id.
CREATE TABLE secret_keys (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  key_id TEXT NOT NULL UNIQUE,
  check_value TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;

-- Folders of facts that processes on this database append to. The newest is the one in use.
CREATE TABLE fact_folders (
  id TEXT PRIMARY KEY,
  first_used_at INTEGER NOT NULL
) STRICT;

-- Processes that work under leases. A lease is valid as long as the row of its worker is fresh.
CREATE TABLE workers (
  id TEXT PRIMARY KEY,
  host TEXT NOT NULL,
  pid INTEGER NOT NULL,
  started_at INTEGER NOT NULL,
  alive_until INTEGER NOT NULL,
  -- JSON: when each loop ran last, and how far it is behind.
  loops TEXT NOT NULL DEFAULT '{}'
) STRICT;

-- When something was last done to the service as a whole, such as a backup.
CREATE TABLE milestones (
  name TEXT PRIMARY KEY,
  at INTEGER NOT NULL,
  details TEXT NOT NULL
) STRICT, WITHOUT ROWID;


-- ============================================================ Audit log

-- Who changed what: a row for each change, written in its transaction (docs/api/audit.md). Ids have no gaps. The hash
-- covers the other columns and the hash of the row before.
CREATE TABLE audit_log (
  id INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  actor TEXT NOT NULL,
  action TEXT NOT NULL,
  target TEXT,
  ip TEXT,
  request_id TEXT,
  project_id INTEGER,
  outcome TEXT NOT NULL CHECK (outcome IN ('done', 'refused')),
  details TEXT,
  hash TEXT NOT NULL
) STRICT;
-- The log of a project, newest first.
CREATE INDEX audit_log_in_order ON audit_log(project_id, at);

-- The ends of the chain of hashes: its newest row, and the last row that was removed because of its age. `seal` signs
-- them with the secret key; it is empty once a seal was found broken.
CREATE TABLE audit_chain (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  last_id INTEGER NOT NULL,
  last_hash TEXT NOT NULL,
  anchor_id INTEGER NOT NULL,
  anchor_hash TEXT NOT NULL,
  seal TEXT NOT NULL
) STRICT;
