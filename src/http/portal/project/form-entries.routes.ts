import { Type } from '@sinclair/typebox'
import { iso } from '../../../clock.ts'
import { csvLine } from '../../../shared/csv.ts'
import { exactlyOneOf, Id, name, nullable, obj, Timestamp } from '../../../schema.ts'
import {
  allEntries,
  deleteEntries,
  Entry,
  EntryQuery,
  fieldsOf,
  FormName,
  listEntries,
  listForms,
  MAX_DELETED,
  fieldText,
} from '../../../sites/entries.ts'
import {
  countExpired,
  type FormSettings,
  listFormSettings,
  resetFormSettings,
  setFormSettings,
} from '../../../sites/form-settings.ts'
import type { EntryValue } from '../../../store/tables/sites.ts'
import { route } from '../../core/route.ts'
import { Success } from '../../core/schemas.ts'
import { streamed } from '../../core/stream.ts'

const MAX_IDS = 200
const MAX_NOTIFIED = 20
const MAX_DAYS = 3_650
/** As many as an entry has fields. */
const MAX_CHECKED = 60
const SELECTION = exactlyOneOf('entry_ids', 'form')
const Count = Type.Integer({ minimum: 0 })

/** Null for every form without settings of its own. */
const SettingsForm = nullable(FormName)
const KeepDays = Type.Integer({ minimum: 1, maximum: MAX_DAYS, description: 'Days that entries stay.' })
const Settings = {
  form: SettingsForm,
  notify: Type.Array(Type.String({ maxLength: 100 }), {
    maxItems: MAX_NOTIFIED,
    uniqueItems: true,
    description: 'Ids of the members who get entries by mail; `owner` stands for whoever owns the project.',
  }),
  keep_days: nullable(KeepDays),
}
const FieldNames = (description: string) =>
  Type.Array(name(100), { maxItems: MAX_CHECKED, uniqueItems: true, description })
const Checks = {
  required: FieldNames('Names of fields that an entry must have filled in.'),
  addresses: FieldNames('Names of fields that hold an address when they are filled in.'),
}
const SettingsRecord = obj({ ...Settings, ...Checks, last_update: Timestamp })

/** `/project/form-entries/…`, `/project/form-settings/…` (docs/api/sites.md#form-entries). */
export const formEntryRoutes = [
  route({
    method: 'POST',
    path: '/project/form-entries/list',
    summary: 'What the forms of the site sent, newest first.',
    auth: 'session',
    role: 'member',
    body: EntryQuery,
    response: obj({ items: Type.Array(Entry), next_cursor: nullable(Type.String()) }),
    errors: ['INVALID_CURSOR'],
    read: (query, { db, keys, project_id }) => listEntries(db, keys, project_id, query),
  }),

  route({
    method: 'POST',
    path: '/project/form-entries/forms',
    summary: 'The names of the forms with the numbers of their entries, the one with the newest entry first.',
    auth: 'session',
    role: 'member',
    response: obj({ forms: Type.Array(obj({ form: Type.String(), entries: Count, last_on: Timestamp })) }),
    async read(_, { store, project_id }) {
      const forms = await listForms(store, project_id)
      return { forms: forms.map(({ last_at, ...form }) => ({ ...form, last_on: iso(last_at) })) }
    },
  }),

  route({
    method: 'POST',
    path: '/project/form-entries/delete',
    summary: `Deletes entries, or those of a form: at most ${MAX_DELETED} in one request, the oldest first.`,
    auth: 'session',
    role: 'editor',
    body: obj(
      {
        entry_ids: Type.Optional(Type.Array(Id, { minItems: 1, maxItems: MAX_IDS })),
        form: Type.Optional(FormName),
      },
      SELECTION.keywords,
    ),
    response: obj({ success: Type.Literal(true), deleted: Count, left: Count }),
    audit: { target: 'project', details: ['entry_ids', 'form'] },
    async write(input, { tx, project_id }) {
      return { success: true as const, ...(await deleteEntries(tx, project_id, SELECTION.of(input))) }
    },
  }),

  route({
    method: 'POST',
    path: '/project/form-settings/list',
    summary: 'Who gets the entries of which form by mail, how long they stay, and which fields are checked.',
    auth: 'session',
    role: 'member',
    response: obj({ settings: Type.Array(SettingsRecord) }),
    read: async (_, { db, project_id }) => ({ settings: (await listFormSettings(db, project_id)).map(settingsRecord) }),
  }),

  route({
    method: 'POST',
    path: '/project/form-settings/update',
    summary: 'Sets who gets the entries of a form by mail, how long they stay, and which fields are checked.',
    auth: 'session',
    role: 'editor',
    body: obj({ ...Settings, ...Type.Partial(obj(Checks)).properties }),
    response: obj({ settings: SettingsRecord }),
    errors: ['NOT_FOUND', 'INVALID_STATE'],
    audit: { target: 'project', changes: true, details: ['form', 'keep_days'] },
    write: async (given, { tx, project_id, now }) => ({
      settings: settingsRecord(await setFormSettings(tx, project_id, given, now)),
    }),
  }),

  route({
    method: 'POST',
    path: '/project/form-settings/reset',
    summary: 'Leaves a form to the settings of every other form.',
    auth: 'session',
    role: 'editor',
    body: obj({ form: SettingsForm }),
    response: Success,
    audit: { target: 'project', details: ['form'] },
    write: ({ form }, { tx, project_id, now }) => resetFormSettings(tx, project_id, form, now),
  }),

  route({
    method: 'POST',
    path: '/project/form-settings/expired',
    summary: 'How many entries would be deleted if they stayed for so many days.',
    auth: 'session',
    role: 'member',
    body: obj({ form: SettingsForm, keep_days: KeepDays }),
    response: obj({ entries: Count }),
    read: async (asked, { store, project_id, now }) => ({
      entries: await countExpired(store, project_id, asked, now),
    }),
  }),

  route({
    method: 'GET',
    path: '/project/form-entries/export',
    summary: 'The entries as CSV, oldest first, with a column for each field.',
    auth: 'session',
    cost: 20,
    role: 'editor',
    project: 'query',
    query: obj({ form: Type.Optional(FormName) }),
    response: 'file',
    media_type: 'text/csv',
    audit: { target: 'project', reads: true, details: ['form'] },
    async respond(context) {
      const { store, project_id, url } = context
      const which = { project_id, form: url.searchParams.get('form') ?? undefined }
      const fields = await fieldsOf(store, which)
      async function* lines() {
        const encoder = new TextEncoder()
        yield encoder.encode(csvLine(['id', 'form', 'created_on', ...fields]))
        for await (const entries of allEntries(store, which))
          yield encoder.encode(
            entries
              .map((entry) =>
                csvLine([
                  entry.id,
                  entry.form,
                  iso(entry.created_at),
                  ...fields.map((name) => cellOf(Object.hasOwn(entry.fields, name) ? entry.fields[name]! : null)),
                ]),
              )
              .join(''),
          )
      }
      const download = { status: 200, pieces: lines(), media_type: 'text/csv', filename: 'form-entries.csv' }
      return streamed(context, download)
    },
  }),
]

function settingsRecord({ updated_at, ...settings }: FormSettings) {
  return { ...settings, last_update: iso(updated_at) }
}

/** Numbers stay numbers: a negative one needs no apostrophe. */
function cellOf(value: EntryValue | null): string | number | boolean | null {
  return Array.isArray(value) ? fieldText(value) : value
}
