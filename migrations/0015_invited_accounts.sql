-- The operator who invites to make an account, also where nobody can make one by themselves.
ALTER TABLE sign_ups ADD COLUMN invited_by TEXT;
CREATE INDEX sign_ups_invited ON sign_ups(created_at) WHERE invited_by IS NOT NULL;
