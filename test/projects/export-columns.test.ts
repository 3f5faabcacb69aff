import { expect, test } from 'bun:test'
import { CONTACT_FIELD_NAMES } from '../../src/shared/contact-fields.ts'
import { keyColumn } from '../../src/newsletter/contacts/rule-columns.ts'
import { KINDS } from '../../src/projects/export.ts'
import { sharedStore } from '../support/shared-store.ts'

const SLOTS = Array.from({ length: 12 }, (_, index) => `slot_${index + 1}`)

const COPY = 'It repeats another column in the form that statements compare.'
const SET_UP = 'How the project is set up on this service; the export has what the project holds.'
const ACCESS = 'Who has access is a matter of this service.'
const SECRET = 'Credentials are left out.'
const APPS = 'Apps and their scripts belong to this service.'
const HISTORY = 'What happened to messages and contacts stays behind (docs/api/platform.md#export).'
const WORK = 'It is needed while the service works, and no longer.'

/** What the export of a project leaves out, and why: whole tables, and columns of tables that are exported. */
const LEFT_OUT: Record<string, string | Record<string, string>> = {
  projects: SET_UP,
  newsletter_settings: SET_UP,
  site_settings: SET_UP,
  script_settings: SET_UP,
  members: ACCESS,
  invitations: ACCESS,
  api_keys: SECRET,
  connections: SECRET,
  dkim_keys: SECRET,
  address_keys: SECRET,
  app_test_projects: APPS,
  app_calls: APPS,
  app_events: APPS,
  authorization_projects: APPS,
  script_connections: APPS,
  switched_off_scripts: APPS,
  consents: HISTORY,
  campaign_links: HISTORY,
  deliveries: HISTORY,
  delivery_days: HISTORY,
  events: HISTORY,
  imports: HISTORY,
  audit_log: 'The audit log is read and exported by itself (docs/api/audit.md).',
  consent_wordings: 'It is `consent_text` of each contact.',
  memberships: 'They are `lists` of each contact.',
  contact_tags: 'They are `tags` of each contact.',
  cms_post_tags: 'They are `tags` of each post.',
  project_usage: 'It counts the rows of other tables.',
  send_buckets: WORK,
  sending_hours: WORK,
  provider_events: WORK,
  unread_reports: WORK,
  soft_bounces: WORK,
  message_requests: WORK,
  erasures: WORK,
  import_texts: WORK,
  import_pages: WORK,
  import_refusals: WORK,
  sandbox_messages: WORK,
  jobs: WORK,
  receipts: WORK,
  pages: { version: WORK, insertion_points: 'They are computed from the page.' },
  cms_posts: { title_key: COPY, word_count: 'It is computed from the post.' },
  files: {
    address: 'It is an address of this service.',
    ...{ width: 'It is in the file.', height: 'It is in the file.', bytes: 'It is the size of the file.' },
  },
  site_files: { bytes: 'It is the size of the file.', hash: 'It is computed from the file.' },
  form_settings: { tell_from: WORK, tell_at: WORK, told_at: WORK },
  lists: { name_key: COPY },
  tags: { name_key: COPY },
  segments: { name_key: COPY },
  templates: { name_key: COPY },
  custom_fields: { slot: 'It names the column of this database that holds the values for rules.' },
  campaigns: {
    search_key: COPY,
    template_id: 'The content that came from the template is in `editor_json`.',
    connection_id: 'Connections are left out.',
    deleted_at: 'Deleting a campaign hides it; its letters were sent and are exported.',
    ...{ failure: HISTORY, recipient_update: WORK, recipient_update_after: WORK, handed_over: WORK, tolerated: WORK },
  },
  contacts: {
    ...Object.fromEntries(
      [...CONTACT_FIELD_NAMES.map(keyColumn), ...SLOTS, 'email_key', 'search_key', 'more_keys'].map((column) => [
        column,
        COPY,
      ]),
    ),
    consent_wording_id: 'It is `consent_text`.',
  },
  suppressions: { email_key: COPY },
}

interface Column {
  table: string
  column: string
}

/** The columns of all tables whose rows belong to a project: they name it, or a row that does. */
async function tenantColumns(): Promise<Column[]> {
  const { db } = await sharedStore()
  const columns = await db.all<Column>(`
    SELECT m.name AS "table", c.name AS "column" FROM sqlite_schema m JOIN pragma_table_info(m.name) c
    WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%'`)
  const references = await db.all<{ table: string; target: string }>(`
    SELECT m.name AS "table", f."table" AS target FROM sqlite_schema m JOIN pragma_foreign_key_list(m.name) f`)
  const tenants = new Set(columns.filter(({ column }) => column === 'project_id').map(({ table }) => table))
  // A table of the set brings those that refer to it, which the iteration then visits as well.
  for (const tenant of tenants) for (const { table, target } of references) if (target === tenant) tenants.add(table)
  return columns.filter(({ table }) => tenants.has(table) || table === 'projects')
}

const exported = new Map(
  KINDS.map(({ table, key = 'id', columns, bytes = [], json = [], times = [] }) => [
    table,
    new Set([key, ...columns, ...bytes, ...json, ...times]),
  ]),
)

test('Every column of a project is in its export, or is left out for a reason.', async () => {
  // The export is of one project, so no row says which.
  const left = (await tenantColumns()).filter(
    ({ table, column }) => column !== 'project_id' && !exported.get(table)?.has(column),
  )
  const forgotten = left.filter(({ table, column }) => {
    const reasons = LEFT_OUT[table]
    return (typeof reasons === 'string' ? reasons : reasons?.[column]) === undefined
  })
  expect(forgotten.map(({ table, column }) => `${table}.${column}`)).toEqual([])
  const outdated = Object.entries(LEFT_OUT).flatMap(([table, reasons]) => {
    const columns = left.filter((one) => one.table === table).map(({ column }) => column)
    if (typeof reasons === 'string') return columns.length === 0 || exported.has(table) ? [table] : []
    return Object.keys(reasons)
      .filter((column) => !columns.includes(column))
      .map((column) => `${table}.${column}`)
  })
  expect(outdated).toEqual([])
})
