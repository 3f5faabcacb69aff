-- Addresses are compared by one key for each mailbox: local part in NFC and lower case, domain in ASCII (UTS 46).
-- SQL cannot compute it, so src/store/migrations/mailbox-keys.ts has changed the rows and joined those that are one
-- mailbox before this migration is recorded. No table changes.
SELECT 1;
