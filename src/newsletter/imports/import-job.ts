import type { ProjectId } from '../../ids.ts'
import { and, asc, eq, sql } from 'drizzle-orm'
import type { Runtime } from '../../runtime.ts'
import type { Keys } from '../../secrets.ts'
import type { Tx } from '../../store/open.ts'
import type { CustomValues, SuppressionReason } from '../../store/tables/audience.ts'
import type { JobPayloads } from '../../store/tables/jobs.ts'
import {
  import_pages,
  type ImportRowError,
  imports,
  type MappedField,
  type SettledOptions,
} from '../../store/tables/imports.ts'
import { CONSENT_SOURCES } from '../consent/consent-rule.ts'
import { findTags, tagsNamed } from '../lists/tags.operations.ts'
import { nameKey } from '../names.ts'
import { suppressMany } from '../suppressions/suppress-many.ts'
import { emailKey } from '../../address.ts'
import { REASON_OF_STATUS } from './row-status.ts'
import { collectAfterPage } from './collect.ts'
import { findForSaving } from '../contacts/found.ts'
import { type Arrival, type Saved, saveContacts } from '../contacts/save.ts'
import type { Job, JobKindHandler, Progress } from '../jobs/queue.ts'
import { type RowPerson, textsOf } from './row-person.ts'
import { MAX_ROW_ERRORS } from './rows.ts'
import { moveImport } from './states.ts'
import { addRefusals } from './refusals.ts'
import type { ImportPage } from './storage.ts'

/** Imports of up to this many rows leave garbage collection to the engine, which makes saving 4 % faster. */
const UNCOLLECTED_ROWS = 100_000

/** Saves the pages that the dry-run read, one a step; `position` is the last row saved. */
export const importJob: JobKindHandler<'import', PreparedPage> = {
  kind: 'import',
  prepare: readPage,
  step: savePage,
  onFailure: (tx, job, error, now) => endFailed(tx, job, error, now),
  afterStep(_, runtime, { total }) {
    runtime.wake('delivery')
    if ((total ?? 0) > UNCOLLECTED_ROWS) collectAfterPage()
  },
}

interface PreparedPage {
  /** The first page that is not saved; null when all are. */
  page: (typeof import_pages.$inferSelect & { rows_of_people: RowPerson[] }) | null
}

async function readPage({ payload }: Job<'import'>, { store }: Pick<Runtime, 'store'>): Promise<PreparedPage> {
  const [page] = await store.db
    .select()
    .from(import_pages)
    .where(eq(import_pages.import_id, payload.import_id))
    .orderBy(asc(import_pages.last_row))
    .limit(1)
  return { page: page ? { ...page, rows_of_people: JSON.parse(page.people) as RowPerson[] } : null }
}

async function savePage(
  tx: Tx,
  job: Job<'import'>,
  { config, keys, page }: Pick<Runtime, 'config' | 'keys'> & PreparedPage,
  now: number,
): Promise<Progress> {
  const { import_id, ...from } = job.payload
  const { project_id } = job
  const own = and(eq(imports.id, import_id), eq(imports.project_id, project_id))
  const [row] = await tx
    .select({
      status: imports.status,
      options: imports.options,
      fields: imports.fields,
      row_errors: imports.row_errors,
    })
    .from(imports)
    .where(own)
  if (row?.status === 'queued' || row?.status === 'failed')
    await moveImport(tx, { project_id, import_id, to: 'processing', set: { error: null, finished_at: null }, now })
  else if (row?.status !== 'processing') return { state: 'cancelled' }

  if (!page) {
    await moveImport(tx, { project_id, import_id, to: 'completed', set: { finished_at: now }, now })
    return { state: 'completed' }
  }
  const { saved, outcomes } = await savePeople(tx, project_id, page.rows_of_people, {
    options: row.options!,
    fields: row.fields!,
    from,
    keys,
    contacts_per_project: config.contacts_per_project,
    now,
  })
  const refused = saved
    .filter((_, index) => outcomes[index] === 'no_room')
    .map(([rowNumber, email]): ImportRowError => ({
      row: rowNumber,
      field: null,
      code: 'plan_limit',
      message: 'The plan allows no more contacts.',
      value: email,
    }))
  await addRefusals(tx, import_id, refused)
  await count(tx, import_id, { page, outcomes, row_errors: [...row.row_errors, ...refused], now })
  await tx
    .delete(import_pages)
    .where(and(eq(import_pages.import_id, import_id), eq(import_pages.last_row, page.last_row)))
  return { state: 'more', position: page.last_row, processed: page.rows }
}

type RowOutcome = Saved['outcome']

interface How {
  options: SettledOptions
  /** The custom fields of the dry-run. */
  fields: readonly MappedField[]
  from: Omit<JobPayloads['import'], 'import_id'>
  keys: Keys
  contacts_per_project: number
  now: number
}

interface SavedPage {
  /** The people of the page that are saved, without opt-outs that stand alone. */
  saved: readonly RowPerson[]
  outcomes: RowOutcome[]
}

/**
 * Saves a page of people as the options say, as far as lists, tags and custom fields still exist. Those that opted out
 * are suppressed first, so that the consent rule sees it.
 */
async function savePeople(
  tx: Tx,
  project_id: ProjectId,
  people: readonly RowPerson[],
  { options, fields, from, keys, contacts_per_project, now }: How,
): Promise<SavedPage> {
  // Most rows hold only a profile, and only rows with more can ask for a suppression.
  const telling = people.filter((person) => person[5] !== undefined)
  const suppressed = await suppressMany(tx, project_id, telling.flatMap(suppressionOf), now)
  const saved = onePerAddress(people.filter((person) => !person[5]?.alone))
  const isVouched = options.consent_confirmed && !options.send_confirmation
  const source = isVouched ? CONSENT_SOURCES.import_vouched : CONSENT_SOURCES.import_asking
  const emails = saved.map(([, email]) => email)
  const { consent_text } = options
  const list_ids = [...new Set([...options.list_ids, ...telling.flatMap((person) => person[5]?.list_ids ?? [])])]
  const wanted = { emails, list_ids, with_fields: true, consent_text, contacts_per_project }
  const found = await findForSaving(tx, project_id, wanted)
  const tags = await tagsNamed(tx, project_id, [...new Set(telling.flatMap((person) => person[5]?.tags ?? []))], {
    create: options.create_tags,
    now,
  })
  const gone = new Set(
    fields
      .filter(({ key, type }) => !found.fields.some((field) => field.key === key && field.type === type))
      .map(({ key }) => key),
  )
  const given = saved.map((person): Arrival => {
    const [, email, , , custom, facts = {}] = person
    return {
      email,
      ...textsOf(person),
      custom_fields: custom && without(custom, gone),
      list_ids: facts.list_ids ? [...options.list_ids, ...facts.list_ids] : options.list_ids,
      tag_ids: facts.tags?.flatMap((name) => tags.get(nameKey(name)) ?? []),
      is_pending: facts.status === 'pending',
      consent: facts.consent,
    }
  })
  const results = await saveContacts(tx, given, {
    found,
    tag_ids: (await findTags(tx, project_id, options.tag_ids)).map(({ id }) => id),
    known: options.update_existing ? 'update' : 'leave',
    known_consents_without_list: false,
    consent: { keys, project_id, text: consent_text, source, now, ...from },
  })
  const outcomes = results.map(({ outcome }, index) =>
    outcome === 'unchanged' && suppressed.has(emailKey(emails[index]!)) ? 'updated' : outcome,
  )
  return { saved, outcomes }
}

/** The first person with each address: a dry-run of an earlier release may have told two spellings apart. */
function onePerAddress(people: readonly RowPerson[]): RowPerson[] {
  const first = new Map<string, RowPerson>()
  for (const person of people) {
    const key = emailKey(person[1])
    if (!first.has(key)) first.set(key, person)
  }
  return [...first.values()]
}

function suppressionOf([, email, , , , facts]: RowPerson): { email: string; reason: SuppressionReason }[] {
  const reason = facts?.status ? REASON_OF_STATUS[facts.status] : null
  return reason ? [{ email, reason }] : []
}

function without(values: CustomValues, gone: ReadonlySet<string>): CustomValues {
  return gone.size === 0 ? values : Object.fromEntries(Object.entries(values).filter(([key]) => !gone.has(key)))
}

async function count(
  tx: Tx,
  import_id: number,
  {
    page,
    outcomes,
    row_errors,
    now,
  }: { page: ImportPage; outcomes: readonly RowOutcome[]; row_errors: readonly ImportRowError[]; now: number },
): Promise<void> {
  const those: Record<RowOutcome, number> = { created: 0, updated: 0, unchanged: 0, no_room: 0 }
  for (const outcome of outcomes) those[outcome] += 1
  await tx
    .update(imports)
    .set({
      processed: sql`processed + ${page.rows}`,
      created: sql`created + ${those.created}`,
      updated: sql`updated + ${those.updated}`,
      skipped: sql`skipped + ${page.duplicates + those.unchanged}`,
      failed: sql`failed + ${page.failed + those.no_room}`,
      row_errors: row_errors.slice(0, MAX_ROW_ERRORS),
      updated_at: now,
    })
    .where(eq(imports.id, import_id))
}

async function endFailed(tx: Tx, { project_id, payload }: Job<'import'>, error: string, now: number): Promise<void> {
  await moveImport(tx, {
    project_id,
    import_id: payload.import_id,
    to: 'failed',
    set: { error, finished_at: now },
    now,
  })
}
