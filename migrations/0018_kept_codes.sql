-- Codes that were used stay as long as what they gave; those that may go are found without passing them.
DROP INDEX authorization_codes_by_expiry;
CREATE INDEX authorization_codes_unused ON authorization_codes(expires_at) WHERE authorization_id IS NULL;
