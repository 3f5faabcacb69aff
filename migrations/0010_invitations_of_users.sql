-- Who asked for an invitation, to count those that a user sent in a day, also where they were revoked or accepted.
ALTER TABLE account_messages ADD COLUMN asked_by TEXT;
CREATE INDEX account_messages_by_asker ON account_messages(asked_by, created_at) WHERE asked_by IS NOT NULL;
