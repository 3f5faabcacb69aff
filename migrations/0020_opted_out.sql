-- Whoever had unsubscribed before the address bounced is taken back to that, not to more.
ALTER TABLE contacts ADD COLUMN opted_out INTEGER NOT NULL DEFAULT 0;
