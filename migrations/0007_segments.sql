-- Segments, and what rules compare with. Names and custom values are kept once more, in lower case (SQLite's own
-- lower() knows ASCII only), each in a column: reading JSON for a million contacts costs ten times as much. The first
-- twelve custom fields of a project have a slot each; what has none lies in more_keys, a JSON object by key.
-- newsletter/audience/keys.ts writes these columns.

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

ALTER TABLE custom_fields ADD COLUMN slot INTEGER;
CREATE UNIQUE INDEX custom_fields_slots ON custom_fields(project_id, slot) WHERE slot IS NOT NULL;

ALTER TABLE contacts ADD COLUMN first_name_key TEXT NOT NULL DEFAULT '';
ALTER TABLE contacts ADD COLUMN last_name_key TEXT NOT NULL DEFAULT '';
ALTER TABLE contacts ADD COLUMN slot_1 ANY;
ALTER TABLE contacts ADD COLUMN slot_2 ANY;
ALTER TABLE contacts ADD COLUMN slot_3 ANY;
ALTER TABLE contacts ADD COLUMN slot_4 ANY;
ALTER TABLE contacts ADD COLUMN slot_5 ANY;
ALTER TABLE contacts ADD COLUMN slot_6 ANY;
ALTER TABLE contacts ADD COLUMN slot_7 ANY;
ALTER TABLE contacts ADD COLUMN slot_8 ANY;
ALTER TABLE contacts ADD COLUMN slot_9 ANY;
ALTER TABLE contacts ADD COLUMN slot_10 ANY;
ALTER TABLE contacts ADD COLUMN slot_11 ANY;
ALTER TABLE contacts ADD COLUMN slot_12 ANY;
ALTER TABLE contacts ADD COLUMN more_keys TEXT;

-- All that rules look at, so that counting a segment reads this index alone; in the order of ids, so that a scan can
-- be done in pieces and a new contact is appended.
CREATE INDEX contacts_for_rules ON contacts(
  project_id, id, global_status, email_key, first_name_key, last_name_key, created_at, updated_at, consent_at,
  slot_1, slot_2, slot_3, slot_4, slot_5, slot_6, slot_7, slot_8, slot_9, slot_10, slot_11, slot_12);

-- What people, not prefetchers, opened and clicked.
CREATE INDEX events_engagement ON events(contact_id, type, at, campaign_id) WHERE machine = 0 AND type IN ('open', 'click');
