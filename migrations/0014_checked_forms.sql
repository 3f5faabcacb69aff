-- Fields of a form that must be filled in, and fields that hold an address. Both are checked when an entry is sent.
ALTER TABLE form_settings ADD COLUMN required TEXT NOT NULL DEFAULT '[]';
ALTER TABLE form_settings ADD COLUMN addresses TEXT NOT NULL DEFAULT '[]';
-- Where nobody has chosen otherwise, the owner of a project is told of entries, and a field `email` is checked.
INSERT INTO form_settings (project_id, form, notify, addresses, updated_at)
SELECT id, '', '["owner"]', '["email"]', created_at FROM projects WHERE deleted_at IS NULL
ON CONFLICT (project_id, form) DO NOTHING;
