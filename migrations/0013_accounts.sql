-- The service's own letters, password resets, invitations to projects, and identities at an OpenID Connect provider.

-- content_sealed is the letter, sealed: it may hold a link that works. It is null before a password reset's letter
-- is written, and again once the letter has gone or was given up.
CREATE TABLE account_messages (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL CHECK (kind IN ('password_reset', 'password_changed', 'invitation')),
  recipient TEXT NOT NULL,
  content_sealed TEXT,
  state TEXT NOT NULL CHECK (state IN ('queued', 'sent', 'failed')),
  attempts INTEGER NOT NULL DEFAULT 0,
  next_attempt_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  last_error TEXT,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX account_messages_due ON account_messages(next_attempt_at, id) WHERE state = 'queued';
CREATE INDEX account_messages_by_age ON account_messages(created_at);

CREATE TABLE password_resets (
  token_hash TEXT PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES users(id) ON DELETE CASCADE,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX password_resets_by_user ON password_resets(user_id);
CREATE INDEX password_resets_by_expiry ON password_resets(expires_at);

-- An address has one invitation to a project; inviting it again replaces that.
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
CREATE INDEX invitations_by_email ON invitations(email_key);
CREATE INDEX invitations_by_expiry ON invitations(expires_at);

-- Of one provider a user has one identity.
CREATE TABLE identities (
  issuer TEXT NOT NULL,
  subject TEXT NOT NULL,
  user_id TEXT NOT NULL REFERENCES users(id) ON DELETE CASCADE,
  created_at INTEGER NOT NULL,
  last_used_at INTEGER NOT NULL,
  PRIMARY KEY (issuer, subject),
  UNIQUE (user_id, issuer)
) STRICT, WITHOUT ROWID;
