-- What a key may do less than its creator, and until when. NULL: the creator's role, every scope, no end.
ALTER TABLE api_keys ADD COLUMN role TEXT;
ALTER TABLE api_keys ADD COLUMN scopes TEXT;
ALTER TABLE api_keys ADD COLUMN expires_at INTEGER;
