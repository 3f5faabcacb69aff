-- A search reads the contacts in their order and looks into every search_key: with the key in the index it reads
-- the index alone, and the table only for what it found.

DROP INDEX contacts_in_order;
CREATE INDEX contacts_in_order ON contacts(project_id, created_at, id, search_key);
